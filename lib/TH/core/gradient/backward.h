// The way back: gradients of some tensors go through the graph, the latest call first.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/gradient/derivation.h"

namespace th::gradient {

/// Gradients of a node's results, which wait until all have come.
struct Pending : InBlocks {
  class Backward* run;
  Node* node;
  Value first;              // of a node with one result: of nearly all
  std::vector<Value> many;  // of one with several

  std::span<Value> gradients() {
    return many.empty() ? std::span<Value>(&first, 1) : std::span<Value>(many);
  }
};

/// One pass. It stops where the binding has to do something, and goes on when that is done.
class Backward : public InBlocks {
 public:
  struct Wanted {
    bool leaves = true;   ///< gradients are accumulated in leaves
    bool retain = false;  ///< the graph stays for another pass
    bool create = false;  ///< the pass itself is recorded
  };
  enum class Turn { Done, Function, Hook };

  Backward(Wanted wanted, int targets) : wanted_(wanted), results_(static_cast<size_t>(targets)) {}
  ~Backward();
  Backward(const Backward&) = delete;

  /// The gradient of an output; undefined: 1, for an output of one element.
  void begin(const TH_Tensor& output, Value gradient);
  /// Wants the gradient of t itself, leaf or not; before the first `begin`.
  void target(int index, const TH_Tensor& t);

  Turn run();
  bool leaves() const { return wanted_.leaves; }
  bool creates() const { return wanted_.create; }

  // What the binding has to do: a node's derivative, or a hook on one of its results.
  Node& node() { return *current_->node; }
  const Extras::Hook& hook() const { return hooks_[next_hook_ - 1]; }
  Value& gradient(int output) { return current_->gradients()[static_cast<size_t>(output)]; }
  /// The same in memory that nobody else sees, for a function that may write into it.
  const Value& own_gradient(int output);
  void give(int input, Value gradient) {
    operands_[static_cast<size_t>(input)] = std::move(gradient);
  }
  const Value& result(int index) const { return results_[static_cast<size_t>(index)]; }

 private:
  void deliver(Edge edge, Value&& gradient);
  bool adds_at_once(const Node& leaf) const;
  void deliver(Edge edge, Factors& gradient);
  Pending* pending(Node* node);
  bool needed(Node* node);
  void look_for_needed(Node* root);
  bool settle(Pending& pending);  // leaves, targets; whether its derivative is needed
  void derive(Pending& pending);
  void pass_on(Pending& pending);
  void take_latest();
  bool find_hook();
  void end_current();

  Wanted wanted_;
  std::vector<Value> results_;
  std::vector<Edge> targets_;
  std::unordered_map<Node*, bool> needed_;
  std::vector<std::unique_ptr<Pending>> heap_;  // the latest node first
  std::unique_ptr<Pending> current_;
  std::vector<Value> operands_;   // gradients of the current node's operands
  std::vector<Factors> factors_;  // of those that are products

  // How far the current node has come: out of memory, a pass goes on from here when there is some.
  enum class Stage { Hooks, Settle, Derive, PassOn };
  Stage stage_ = Stage::Hooks;
  std::vector<Extras::Hook> hooks_;  // a copy: hooks take themselves off
  size_t next_hook_ = 0;
  size_t next_retained_ = 0;
  int next_operand_ = 0;
  bool met_gone_ = false;  // with targets: what an earlier pass gave back may have led to one
};

}  // namespace th::gradient
