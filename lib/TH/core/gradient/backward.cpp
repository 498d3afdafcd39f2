#include "core/gradient/backward.h"

#include <algorithm>

#include "core/gradient/accumulate.h"
#include "core/gradient/anomaly.h"
#include "core/runtime/error.h"
#include "core/tensor/aliasing.h"

namespace th::gradient {
namespace {

bool earlier(const std::unique_ptr<Pending>& a, const std::unique_ptr<Pending>& b) {
  return a->node->sequence < b->node->sequence;
}

}  // namespace

Backward::~Backward() {
  end_current();
  for (auto& entry : heap_) {
    entry->node->pending = nullptr;
    release(entry->node);
  }
}

void Backward::end_current() {
  if (current_ != nullptr) {
    release(current_->node);
    current_.reset();
  }
}

// --- what is asked for --------------------------------------------------------------------------

namespace {

void check_not_gone(const Node& node) {
  TH_CHECK(!node.released, "the graph was given back by an earlier backward(), ", describe(node),
           " has nothing left to go on with; say backward({ retainGraph = true }) the first time "
           "to go back twice");
}

}  // namespace

void Backward::target(int index, const TH_Tensor& t) {
  const Edge edge = producer(t);
  TH_CHECK(edge.node != nullptr, "input ", index + 1, " of ", th::shape(t),
           " is no Variable that needs a gradient; make it one before it is used: "
           "x:requiresGrad()");
  if (edge.node->op == kGone) {
    check_not_gone(*edge.node);
  }
  targets_.push_back(edge);
  retain(edge.node);
}

void Backward::begin(const TH_Tensor& output, Value gradient) {
  const Edge edge = producer(output);
  TH_CHECK(edge.node != nullptr, "a tensor of ", th::shape(output),
           is_variable(output)
               ? " does not depend on a Variable that needs a gradient: what made it is constant "
                 "(comparisons, positions, detach, torch.noGrad)"
               : " is no Variable: none of the operands that made it needs a gradient, or it was "
                 "made under torch.noGrad; see x:requiresGrad()");
  if (edge.node->op == kGone) {
    check_not_gone(*edge.node);
  }
  if (output.ndim == 0) {
    gradient = Value::like(output);
  } else if (!gradient.defined()) {
    TH_CHECK(numel(output) == 1,
             "only a tensor of one element can begin without a gradient, this "
             "one is ",
             th::shape(output), "; give one, as in y:backward(g), or reduce it: y:sum()");
    gradient = ones(output, sizes_of(output));
  } else {
    TH_CHECK(same_sizes(gradient, output), "the gradient is ", th::shape(gradient), ", the tensor ",
             th::shape(output));
    TH_CHECK(gradient.dtype == output.dtype && gradient.device_type == output.device_type,
             "the gradient is a ", type_name(gradient), ", the tensor a ", type_name(output));
  }
  if (!wanted_.create) {
    drop(gradient);
  }
  if (!targets_.empty()) {
    look_for_needed(edge.node);
  }
  deliver(edge, std::move(gradient));
}

/// Which nodes lead from a root to a target.
void Backward::look_for_needed(Node* root) {
  std::vector<std::pair<Node*, int>> path;
  const auto enter = [&](Node* node) {
    if (node != nullptr && !needed_.contains(node)) {
      const bool is_target =
          std::ranges::any_of(targets_, [&](const Edge& e) { return e.node == node; });
      needed_.emplace(node, is_target);
      met_gone_ |= node->op == kGone;
      path.emplace_back(node, 0);
    }
  };
  enter(root);
  while (!path.empty()) {
    auto& [node, next] = path.back();
    if (next < node->inputs) {
      Node* to = node->edges[next++].node;
      enter(to);
      continue;
    }
    bool leads = needed_[node];
    for (int i = 0; i < node->inputs && !leads; ++i) {
      leads = node->edges[i].node != nullptr && needed_[node->edges[i].node];
    }
    needed_[node] = leads;
    path.pop_back();
  }
}

bool Backward::needed(Node* node) { return targets_.empty() || needed_[node]; }

// --- gradients on their way ---------------------------------------------------------------------

Pending* Backward::pending(Node* node) {
  if (node->pending != nullptr && node->pending->run == this) {
    return node->pending;
  }
  if (node->pending != nullptr) {  // another pass waits for this one, in a hook or a function
    for (auto& entry : heap_) {
      if (entry->node == node) {
        return entry.get();
      }
    }
  }
  auto entry = std::make_unique<Pending>();
  entry->run = this;
  entry->node = node;
  if (node->outputs > 1) {
    entry->many.resize(static_cast<size_t>(node->outputs));
  }
  Pending* result = entry.get();
  heap_.push_back(std::move(entry));
  retain(node);
  if (node->pending == nullptr) {
    node->pending = result;
  }
  std::push_heap(heap_.begin(), heap_.end(), earlier);
  return result;
}

/// Whether a leaf's gradients need not meet before they are added to its own: nobody wants their
/// sum.
bool Backward::adds_at_once(const Node& leaf) const {
  return targets_.empty() && wanted_.leaves && !wanted_.create && leaf.shown > 0 &&
         (leaf.extras == nullptr || leaf.extras->hooks.empty());
}

/// Where it fails for want of memory it may be called again.
void Backward::deliver(Edge edge, Value&& gradient) {
  if (edge.node == nullptr || !needed(edge.node)) {
    return;
  }
  if (!gradient.defined()) {
    if (gradient.is_empty()) {
      pending(edge.node);  // what made an empty tensor gives its operands zeros
    }
    return;
  }
  if (edge.node->op == kGone) {
    check_not_gone(*edge.node);
  }
  if (edge.node->op == kLeaf && adds_at_once(*edge.node)) {
    accumulate(edge.node->more().leaf, std::move(gradient));
    return;
  }
  Value& place = pending(edge.node)->gradients()[static_cast<size_t>(edge.output)];
  if (place.defined()) {
    add(place, gradient);
  } else {
    place = std::move(gradient);
  }
}

/// A product is added to what a leaf has without having been anywhere else.
void Backward::deliver(Edge edge, Factors& gradient) {
  if (edge.node != nullptr && edge.node->op == kLeaf && adds_at_once(*edge.node)) {
    if (Value& sum = edge.node->more().leaf;
        sum.ndim == 2 && sum.gradient == nullptr && sum.dtype == gradient.a.dtype &&
        sum.sizes[0] == gradient.a.sizes[0] && sum.sizes[1] == gradient.b.sizes[1] &&
        !may_overlap_itself(sum)) {
      ops::addmm(&sum, 1, &sum, 1, &gradient.a, &gradient.b);
      return;
    }
  }
  if (edge.node != nullptr && needed(edge.node)) {
    deliver(edge, gradient.multiplied());
  }
}

bool Backward::settle(Pending& pending) {
  Node& node = *pending.node;
  for (size_t i = 0; i < targets_.size(); ++i) {
    if (targets_[i].node == &node) {
      results_[i] = pending.gradients()[static_cast<size_t>(targets_[i].output)];
    }
  }
  const bool seen = targets_.empty() && node.shown > 0;
  if (node.extras != nullptr && seen) {
    for (size_t& i = next_retained_; i < node.extras->retained.size(); ++i) {
      const Value& gradient = pending.gradients()[static_cast<size_t>(node.extras->retained[i])];
      if (gradient.defined()) {
        accumulate(node.extras->kept[i], Value(gradient));
      }
    }
  }
  if (node.op == kLeaf) {
    if (wanted_.leaves && seen && pending.gradients()[0].defined()) {
      accumulate(node.more().leaf, std::move(pending.gradients()[0]));
    }
    return false;
  }
  if (!targets_.empty() && std::none_of(node.edges, node.edges + node.inputs, [&](const Edge& e) {
        return e.node != nullptr && needed(e.node);
      })) {
    return false;
  }
  check_not_gone(node);
  return true;
}

void Backward::derive(Pending& pending) {
  Node& node = *pending.node;
  operands_.clear();
  operands_.resize(static_cast<size_t>(node.inputs));
  factors_.clear();
  Derivation derivation(node, pending.gradients(), operands_,
                        state().anomalies ? nullptr : &factors_);
  if (derivation.is_empty()) {
    return;
  }
  if (node.op == kPatch || node.op == kRegion) {
    node.op == kPatch ? derive_patch(derivation) : derive_region(derivation);
    return;
  }
  const Derivative& row = derivative_of(node.op);
  TH_CHECK(row.kind == Derivative::Kind::Known, describe(node),
           " has no derivative: ", row.because == nullptr ? "nobody has written one" : row.because);
  row.derive(derivation);
  if (!row.covers_all) {
    check_covered(node, row);
  }
}

void Backward::pass_on(Pending& pending) {
  Node& node = *pending.node;
  if (state().anomalies) {
    look_for_anomaly(node, operands_);
  }
  for (Value& gradient : pending.gradients()) {
    gradient = Value();
  }
  for (int& i = next_operand_; i < node.inputs; ++i) {
    const auto product = std::ranges::find(factors_, i, &Factors::edge);
    if (product != factors_.end()) {
      deliver(node.edges[i], *product);
      *product = {};  // the other gradients may be in memory that it has read, and become a leaf's
    } else {
      deliver(node.edges[i], std::move(operands_[static_cast<size_t>(i)]));
    }
  }
  operands_.clear();
  factors_.clear();
  if (!wanted_.retain) {
    clear(node);
  }
}

void Backward::take_latest() {
  if (heap_.size() > 1) {
    std::pop_heap(heap_.begin(), heap_.end(), earlier);
  }
  current_ = std::move(heap_.back());
  heap_.pop_back();
  if (current_->node->pending == current_.get()) {
    current_->node->pending = nullptr;
  }
  stage_ = Stage::Hooks;
  hooks_.clear();
  next_hook_ = next_retained_ = 0;
  next_operand_ = 0;
  if (current_->node->extras != nullptr) {
    hooks_ = current_->node->extras->hooks;
  }
}

/// Whether there is another one whose gradient has come.
bool Backward::find_hook() {
  while (next_hook_ < hooks_.size()) {
    if (gradient(hooks_[next_hook_++].output).defined()) {
      return true;
    }
  }
  return false;
}

const Value& Backward::own_gradient(int output) {
  Value& v = gradient(output);
  if (!wanted_.create && v.defined() && !is_own(v)) {
    v = copied(v);
  }
  return v;
}

Backward::Turn Backward::run() {
  const Enabled recording(wanted_.create);
  while (current_ != nullptr || !heap_.empty()) {
    if (current_ == nullptr) {
      take_latest();
    }
    Node& node = *current_->node;
    if (stage_ == Stage::Hooks) {
      if (find_hook()) {
        return Turn::Hook;
      }
      stage_ = Stage::Settle;
    }
    if (stage_ == Stage::Settle) {
      if (!settle(*current_)) {
        end_current();
        continue;
      }
      stage_ = Stage::Derive;
    }
    if (stage_ == Stage::Derive) {
      if (node.op == kFunction) {
        operands_.assign(static_cast<size_t>(node.inputs), Value());
        Derivation zeros(node, current_->gradients(), operands_);
        for (int i = 0; i < node.outputs; ++i) {
          zeros.gradient(i);
        }
        stage_ = Stage::PassOn;
        return Turn::Function;
      }
      derive(*current_);
      stage_ = Stage::PassOn;
    }
    pass_on(*current_);
    end_current();
  }
  for (Value& result : results_) {
    if (!result.defined()) {
      TH_CHECK(!met_gone_,
               "the graph was given back by an earlier backward(), and nobody can tell "
               "whether the outputs depended on an input through it; say backward({ retainGraph = "
               "true }) the first time");
    } else if (!is_alone(result)) {
      result = copied(result);  // a script may write into it
    }
  }
  return Turn::Done;
}

}  // namespace th::gradient
