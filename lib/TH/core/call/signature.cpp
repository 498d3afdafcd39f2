// The rows of ops/*.def as data: what each parameter is called, and what it is to the operation.
#include "core/call/signature.h"

#include <cctype>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "TH_core.h"
#include "core/runtime/error.h"

namespace th {
namespace {

/// What a C type says of a parameter.
int role_of(std::string_view type) {
  constexpr std::pair<std::string_view, int> roles[] = {
      {"constTH_Tensor*", TH_ROLE_IN},     {"TH_Tensor*", TH_ROLE_OUT},
      {"TH_InOut", TH_ROLE_INOUT},         {"constTH_Tensor*const*", TH_ROLE_INS},
      {"double", TH_ROLE_NUMBER},          {"int", TH_ROLE_INTEGER},
      {"int64_t", TH_ROLE_INTEGER},        {"bool", TH_ROLE_FLAG},
      {"constint64_t*", TH_ROLE_INTEGERS}, {"TH_Generator*", TH_ROLE_GENERATOR},
      {"double*", TH_ROLE_RESULT},         {"bool*", TH_ROLE_RESULT},
  };
  for (const auto& [text, role] : roles) {
    if (text == type) {
      return role;
    }
  }
  fail("a parameter of type ", type, " has no role");
}

struct Signature {
  std::string_view name;
  std::vector<std::string> names;
  std::vector<TH_Parameter> parameters;
  TH_Signature view;

  /// parameters: a list as in C, "(TH_Tensor * r, double value)".
  Signature(const char* the_name, std::string_view list) : name(the_name) {
    std::vector<int> roles;
    list.remove_prefix(1);
    while (!list.empty()) {
      const size_t end = list.find_first_of(",)");
      std::string text;
      size_t word = 0;  // where the last word begins: the name
      for (const char c : list.substr(0, end)) {
        if (std::isspace(static_cast<unsigned char>(c)) || c == '*') {
          word = text.size() + (c == '*');
        }
        if (!std::isspace(static_cast<unsigned char>(c))) {
          text += c;
        }
      }
      roles.push_back(role_of(std::string_view(text).substr(0, word)));
      names.push_back(text.substr(word));
      list.remove_prefix(end + 1);
    }
    for (size_t i = 0; i < names.size(); ++i) {
      parameters.push_back({names[i].c_str(), roles[i]});
    }
    view = {the_name, static_cast<int>(parameters.size()), parameters.data()};
  }
  Signature(const Signature&) = delete;
};

/// In the order of th::Op; made when first asked for.
std::span<const Signature> signatures() {
  static const Signature list[] = {
#define TH_OP(NAME, PARAMS, ARGS) {#NAME, #PARAMS},
#include "ops/all.def"
#undef TH_OP
#define TH_VIEW(NAME, USER, PARAMS, ARGS, CALL) {#NAME, #PARAMS},
#include "ops/views.def"
#undef TH_VIEW
      {"copy", "(TH_Tensor* r, const TH_Tensor* x)"},
      {"fused", "(TH_Tensor* r, const TH_Tensor* const* xs, int count)"},
      {"launch", "(const TH_Tensor* const* xs, int count)"},
  };
  return list;
}

}  // namespace

namespace detail {

constinit std::atomic<const std::span<const TH_Parameter>*> parameter_lists = nullptr;

const std::span<const TH_Parameter>* make_parameter_lists() {
  static const auto lists = [] {
    std::vector<std::span<const TH_Parameter>> made;
    for (const Signature& signature : signatures()) {
      made.emplace_back(signature.parameters);
    }
    return made;
  }();
  parameter_lists.store(lists.data(), std::memory_order_release);
  return lists.data();
}

}  // namespace detail

}  // namespace th

const TH_Signature* TH_signature(int operation) {
  const auto all = th::signatures();
  return operation >= 0 && static_cast<size_t>(operation) < all.size()
             ? &all[static_cast<size_t>(operation)].view
             : nullptr;
}
