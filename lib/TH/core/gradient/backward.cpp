#include "core/gradient/backward.h"

#include <algorithm>

#include "core/gradient/anomaly.h"
#include "core/gradient/derivation.h"
#include "core/runtime/error.h"

namespace th::gradient {
namespace {

bool earlier(const std::unique_ptr<Pending>& a, const std::unique_ptr<Pending>& b) {
  return a->node->sequence < b->node->sequence;
}

/// Whether nobody else sees the memory, and no element lies twice in it, so that it may be added
/// to.
bool is_own(const Value& v) {
  return v.gradient == nullptr && v.store->references == 1 && is_contiguous(v) &&
         seen_by_one(*v.store);
}

void add(Value& sum, const Value& gradient) {
  if (!state().enabled && is_own(sum)) {
    ops::add_scaled(&sum, &sum, 1, &gradient);
  } else {
    sum = sum + gradient;
  }
}

}  // namespace

void accumulate(Value& sum, Value gradient) {
  if (!sum.defined()) {
    // Memory that only this gradient has is kept; other may be another tensor's gradient, too.
    sum = state().enabled || is_own(gradient) ? std::move(gradient) : copied(gradient);
  } else if (!state().enabled && sum.gradient == nullptr) {
    ops::add_scaled(&sum, &sum, 1, &gradient);  // handles that a script holds see it
  } else {
    sum = sum + gradient;
  }
}

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

void Backward::target(int index, const TH_Tensor& t) {
  const Edge edge = producer(t);
  TH_CHECK(edge.node != nullptr, "input ", index + 1, " of ", th::shape(t),
           " is no Variable that needs a gradient; make it one before it is used: "
           "x:requiresGrad()");
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
  if (!gradient.defined()) {
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
  retain(node);
  Pending* result = entry.get();
  if (node->pending == nullptr) {
    node->pending = result;
  }
  heap_.push_back(std::move(entry));
  std::push_heap(heap_.begin(), heap_.end(), earlier);
  return result;
}

void Backward::deliver(Edge edge, Value gradient) {
  if (edge.node == nullptr || !gradient.defined() || !needed(edge.node)) {
    return;
  }
  Value& place = pending(edge.node)->gradients()[static_cast<size_t>(edge.output)];
  if (place.defined()) {
    add(place, gradient);
  } else {
    place = std::move(gradient);
  }
}

bool Backward::settle(Pending& pending) {
  Node& node = *pending.node;
  for (size_t i = 0; i < targets_.size(); ++i) {
    if (targets_[i].node == &node) {
      results_[i] = pending.gradients()[static_cast<size_t>(targets_[i].output)];
    }
  }
  if (node.extras != nullptr && targets_.empty()) {
    for (size_t i = 0; i < node.extras->retained.size(); ++i) {
      const Value& gradient = pending.gradients()[static_cast<size_t>(node.extras->retained[i])];
      if (gradient.defined()) {
        accumulate(node.extras->kept[i], gradient);
      }
    }
  }
  if (node.op == kLeaf) {
    if (wanted_.leaves && targets_.empty()) {
      accumulate(node.more().leaf, std::move(pending.gradients()[0]));
    }
    return false;
  }
  if (!targets_.empty() && std::none_of(node.edges, node.edges + node.inputs, [&](const Edge& e) {
        return e.node != nullptr && needed(e.node);
      })) {
    return false;
  }
  TH_CHECK(!node.released, "the graph was given back by an earlier backward(), ", describe(node),
           " has nothing left to go on with; say backward({ retainGraph = true }) "
           "the first time to go back twice");
  return true;
}

void Backward::derive(Pending& pending) {
  Node& node = *pending.node;
  operands_.resize(static_cast<size_t>(node.inputs));
  Derivation derivation(node, pending.gradients(), operands_);
  if (node.op == kPatch || node.op == kRegion) {
    node.op == kPatch ? derive_patch(derivation) : derive_region(derivation);
    return;
  }
  const Derivative& row = derivative_of(node.op);
  TH_CHECK(row.kind == Derivative::Kind::Known, describe(node),
           " has no derivative: ", row.because == nullptr ? "nobody has written one" : row.because);
  row.derive(derivation);
  check_covered(node, row, operands_);
}

void Backward::pass_on(Pending& pending) {
  Node& node = *pending.node;
  if (state().anomalies) {
    look_for_anomaly(node, operands_);
  }
  for (Value& gradient : pending.gradients()) {
    gradient = Value();
  }
  for (int i = 0; i < node.inputs; ++i) {
    deliver(node.edges[i], std::move(operands_[static_cast<size_t>(i)]));
  }
  operands_.clear();
  if (!wanted_.retain) {
    clear(node);
  }
}

Backward::Turn Backward::run() {
  const Enabled recording(wanted_.create);
  while (current_ != nullptr || !heap_.empty()) {
    if (current_ == nullptr) {
      std::pop_heap(heap_.begin(), heap_.end(), earlier);
      current_ = std::move(heap_.back());
      heap_.pop_back();
      if (current_->node->pending == current_.get()) {
        current_->node->pending = nullptr;
      }
      next_hook_ = 0;
      asked_ = false;
    }
    Node& node = *current_->node;
    if (node.extras != nullptr) {
      const auto& hooks = node.extras->hooks;
      while (next_hook_ < hooks.size() && !gradient(hooks[next_hook_].output).defined()) {
        ++next_hook_;
      }
      if (next_hook_ < hooks.size()) {
        hook_ = static_cast<int>(next_hook_++);
        return Turn::Hook;
      }
    }
    if (!asked_) {
      if (!settle(*current_)) {
        end_current();
        continue;
      }
      if (node.op == kFunction) {
        operands_.resize(static_cast<size_t>(node.inputs));
        Derivation zeros(node, current_->gradients(), operands_);
        for (int i = 0; i < node.outputs; ++i) {
          zeros.gradient(i);
        }
        asked_ = true;
        return Turn::Function;
      }
      derive(*current_);
    }
    pass_on(*current_);
    end_current();
  }
  return Turn::Done;
}

}  // namespace th::gradient
