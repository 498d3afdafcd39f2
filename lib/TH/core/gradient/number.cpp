// Which Variables of one element stand for numbers: x:sum(), and what is computed of such alone.
#include <unordered_set>
#include <vector>

#include "TH_gradient.h"
#include "core/call/signature.h"
#include "core/gradient/graph.h"

namespace th::gradient {
namespace {

enum class Origin { Number, Operands, Other };

/// A node gives a number; or one if its operands are numbers, none of them a constant tensor.
Origin origin(const Node& node) {
  if (node.op < 0 || node.inputs == 0) {
    return Origin::Other;
  }
  const auto parameters = parameters_of(node.op);
  for (const TH_Parameter& parameter : parameters) {
    if (parameter.role == TH_ROLE_RESULT) {
      return Origin::Number;
    }
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Saved* operand = parameters[i].role == TH_ROLE_IN ? node.arguments[i].tensor : nullptr;
    if (parameters[i].role == TH_ROLE_INS || (operand != nullptr && operand->edge < 0)) {
      return Origin::Other;
    }
  }
  return Origin::Operands;
}

bool is_number(const Node* made_by) {
  std::unordered_set<const Node*> seen{made_by};
  std::vector<const Node*> waiting{made_by};
  while (!waiting.empty()) {
    const Node* node = waiting.back();
    waiting.pop_back();
    switch (origin(*node)) {
      case Origin::Other:
        return false;
      case Origin::Number:
        break;
      case Origin::Operands:
        for (int i = 0; i < node->inputs; ++i) {
          const Node* operand = node->edges[i].node;
          if (operand == nullptr) {
            return false;
          }
          if (seen.insert(operand).second) {
            waiting.push_back(operand);
          }
        }
    }
  }
  return true;
}

}  // namespace
}  // namespace th::gradient

bool TH_Variable_isNumber(const TH_Tensor* x) {
  const auto* node = th::gradient::producer(*x).node;
  return node != nullptr && th::numel(*x) == 1 && th::gradient::is_number(node);
}
