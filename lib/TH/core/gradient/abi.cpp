// The C ABI of differentiation.
#include <algorithm>

#include "TH_gradient.h"
#include "core/gradient/anomaly.h"
#include "core/gradient/backward.h"
#include "core/gradient/derivation.h"
#include "core/gradient/function.h"
#include "core/gradient/record.h"
#include "core/runtime/error.h"

using th::guarded;
using namespace th::gradient;  // NOLINT: this file is its C face

struct TH_Backward : Backward {
  using Backward::Backward;
};

namespace {

/// r shows v's elements and has v's Variable.
void hand_over(TH_Tensor& r, const Value& v) {
  drop(r);
  th::alias(r, v);
  r.is_view = v.is_view;
  if (v.gradient != nullptr) {
    retain(variable_of(v));
    r.gradient = v.gradient;
    r.flags |= TH_REQUIRES_GRADIENT;
  }
}

void check_differentiable(const TH_Tensor& x) {
  TH_CHECK(th::is_floating(x.dtype), "a ", th::type_name(x),
           " has no gradient; convert it first, as in x:double()");
  TH_CHECK(x.ndim > 0, "an empty tensor has no gradient");
}

/// Goes back until the binding has to do something, and says what.
void go_on(Backward& run, TH_Turn& turn) {
  const Backward::Turn kind = run.run();
  turn = {static_cast<int>(kind), 0, 0, 0, 0, run.leaves()};
  if (kind == Backward::Turn::Function) {
    const Node& node = run.node();
    turn.callee = node.extras->function;
    turn.outputs = node.outputs;
    turn.inputs = node.inputs;
  } else if (kind == Backward::Turn::Hook) {
    const auto& hook = run.hook();
    turn.callee = hook.function;
    turn.output = hook.output;
  }
}

/// The node that has hooks and kept gradients of x; an error where gradients do not reach x.
Edge reached(const TH_Tensor& x) {
  const Edge edge = producer(x);
  TH_CHECK(edge.node != nullptr,
           "the tensor needs no gradient; make it a Variable before it is used: x:requiresGrad()");
  TH_CHECK(edge.node->op != kGone,
           "backward() has passed the tensor and given its record back; "
           "say so before, or backward({ retainGraph = true })");
  return edge;
}

}  // namespace

// --- Variables ----------------------------------------------------------------------------------

int TH_Variable_make(TH_Tensor* x, bool on) {
  return guarded("requiresGrad", [&] {
    if (on) {
      check_differentiable(*x);
    }
    if (const Edge edge = producer(*x); edge.node != nullptr) {
      TH_CHECK(edge.node->op == kLeaf || on, "the tensor was made by ", describe(*edge.node),
               " from others that need a gradient; x:detach() is one that does not");
      if (on) {
        return;
      }
    }
    drop(*x);
    th::expect_variables();
    char* room;
    x->gradient = new_variable(on ? Edge{new_node(kLeaf, 0, 1, 0, 0, &room), 0} : Edge{});
    x->flags |= TH_REQUIRES_GRADIENT;
  });
}

int TH_Variable_learn(TH_Tensor* x) {
  const int status = guarded("index", [&] { check_no_view(*x); });
  return status == TH_OK ? TH_Variable_make(x, false) : status;
}

void TH_Variable_drop(TH_Tensor* x) {
  drop(*x);
  x->is_view = 0;
}

bool TH_Variable_needsGradient(const TH_Tensor* x) {
  return is_variable(*x) && producer(*x).node != nullptr;
}

bool TH_Variable_isLeaf(const TH_Tensor* x) {
  const Edge edge = producer(*x);
  return edge.node == nullptr || edge.node->op == kLeaf;
}

bool TH_Variable_gradient(TH_Tensor* r, const TH_Tensor* x) {
  const Edge edge = producer(*x);
  if (edge.node == nullptr || edge.node->extras == nullptr) {
    return false;
  }
  const Extras& extras = *edge.node->extras;
  const Value* gradient = nullptr;
  if (edge.node->op == kLeaf) {
    gradient = &extras.leaf;
  } else {
    const auto found = std::ranges::find(extras.retained, edge.output);
    if (found != extras.retained.end()) {
      gradient = &extras.kept[static_cast<size_t>(found - extras.retained.begin())];
    }
  }
  if (gradient == nullptr || !gradient->defined()) {
    return false;
  }
  hand_over(*r, *gradient);
  return true;
}

int TH_Variable_setGradient(TH_Tensor* x, const TH_Tensor* g) {
  return guarded("grad", [&] {
    const Edge edge = reached(*x);
    if (g == nullptr && edge.node->op != kLeaf && edge.node->extras != nullptr) {
      Extras& extras = *edge.node->extras;
      const auto found = std::ranges::find(extras.retained, edge.output);
      if (found != extras.retained.end()) {
        extras.kept[static_cast<size_t>(found - extras.retained.begin())] = Value();
        return;
      }
    }
    TH_CHECK(edge.node->op == kLeaf,
             "only a Variable that was made by x:requiresGrad() can be "
             "given a gradient, not a result of ",
             describe(*edge.node));
    if (g == nullptr) {
      edge.node->more().leaf = Value();
      return;
    }
    TH_CHECK(th::same_sizes(*g, *x) && g->dtype == x->dtype, "the gradient is a ",
             th::type_name(*g), " of ", th::shape(*g), ", the tensor a ", th::type_name(*x), " of ",
             th::shape(*x));
    edge.node->more().leaf = Value(*g);
  });
}

int TH_Variable_retain(TH_Tensor* x) {
  return guarded("retainGrad", [&] {
    const Edge edge = reached(*x);
    Extras& extras = edge.node->more();
    if (edge.node->op != kLeaf && std::ranges::count(extras.retained, edge.output) == 0) {
      extras.retained.push_back(edge.output);
      extras.kept.emplace_back();
    }
  });
}

int TH_Variable_hook(TH_Tensor* x, int function) {
  return guarded("hook", [&] {
    const Edge edge = reached(*x);
    edge.node->more().hooks.push_back({edge.output, function});
  });
}

int TH_Variable_unhook(TH_Tensor* x, int function) {
  return guarded("hook", [&] {
    const Edge edge = producer(*x);
    if (edge.node != nullptr && edge.node->extras != nullptr &&
        std::erase_if(edge.node->extras->hooks,
                      [&](const Extras::Hook& h) { return h.function == function; }) > 0) {
      dropped_functions().push_back(function);
    }
  });
}

const char* TH_Variable_madeBy(const TH_Tensor* x) {
  thread_local std::string text;
  const Edge edge = producer(*x);
  if (edge.node == nullptr || edge.node->op == kLeaf) {
    return nullptr;
  }
  const int status = guarded(nullptr, [&] { text = describe(*edge.node); });
  return status == TH_OK ? text.c_str() : nullptr;
}

void TH_Variable_number(TH_Tensor* r) { state().number = r; }

void TH_Tensor_free(TH_Tensor* t) { th::release(t->store); }

// --- recording ----------------------------------------------------------------------------------

bool TH_Gradient_record(bool on) { return std::exchange(state().enabled, on); }
bool TH_Gradient_copy(bool on) { return std::exchange(state().copies, on); }
bool TH_Gradient_fillViews(bool on) { return std::exchange(state().fills_views, on); }
bool TH_Gradient_recording() { return state().enabled; }

int TH_Gradient_dropped() {
  auto& dropped = dropped_functions();
  if (dropped.empty()) {
    return 0;
  }
  const int function = dropped.back();
  dropped.pop_back();
  return function;
}

int TH_Function_record(int function, const char* name, const TH_Tensor* const* outputs,
                       int output_count, const TH_Tensor* const* inputs, int input_count,
                       const TH_Tensor* const* saved, int saved_count, bool* recorded) {
  return guarded("Function", [&] {
    *recorded = record_function(function, name, {outputs, static_cast<size_t>(output_count)},
                                {inputs, static_cast<size_t>(input_count)},
                                {saved, static_cast<size_t>(saved_count)});
  });
}

// --- going back ---------------------------------------------------------------------------------

int TH_Backward_start(TH_Backward** run, const TH_Tensor* const* outputs,
                      const TH_Tensor* const* gradients, int count, const TH_Tensor* const* inputs,
                      int input_count, bool retain, bool create) {
  return guarded("backward", [&] {
    auto fresh = std::make_unique<TH_Backward>(
        Backward::Wanted{.leaves = input_count == 0, .retain = retain, .create = create},
        input_count);
    for (int i = 0; i < input_count; ++i) {
      fresh->target(i, *inputs[i]);
    }
    for (int i = 0; i < count; ++i) {
      const bool given = gradients != nullptr && gradients[i] != nullptr;
      fresh->begin(*outputs[i], given ? Value(*gradients[i]) : Value());
    }
    *run = fresh.release();
  });
}

int TH_Backward_run(TH_Backward* run, TH_Turn* turn) {
  return guarded("backward", [&] { go_on(*run, *turn); });
}

int TH_Backward_whole(TH_Backward** run, const TH_Tensor* output, const TH_Tensor* gradient,
                      bool retain, bool create, TH_Turn* turn) {
  *run = nullptr;
  return guarded("backward", [&] {
    auto pass = std::make_unique<TH_Backward>(
        Backward::Wanted{.leaves = true, .retain = retain, .create = create}, 0);
    pass->begin(*output, gradient != nullptr ? Value(*gradient) : Value());
    *run = pass.release();
    go_on(**run, *turn);
    if (turn->kind == TH_TURN_DONE) {
      delete std::exchange(*run, nullptr);
    }
  });
}

int TH_Backward_gradient(TH_Backward* run, int output, bool own, TH_Tensor* r) {
  return guarded("backward",
                 [&] { hand_over(*r, own ? run->own_gradient(output) : run->gradient(output)); });
}

int TH_Backward_replace(TH_Backward* run, int output, const TH_Tensor* g) {
  return guarded("hook", [&] {
    Value& gradient = run->gradient(output);
    TH_CHECK(th::same_sizes(*g, gradient) && g->dtype == gradient.dtype, "the function gave a ",
             th::type_name(*g), " of ", th::shape(*g), " in the place of a ",
             th::type_name(gradient), " of ", th::shape(gradient));
    gradient = Value(*g);
  });
}

int TH_Backward_saved(TH_Backward* run, int index, TH_Tensor* r) {
  return guarded("backward",
                 [&] { hand_over(*r, saved_value(run->node(), index, run->creates())); });
}

int TH_Backward_check(TH_Backward* run) {
  return guarded("backward", [&] { check_saved(run->node()); });
}

bool TH_Backward_needs(TH_Backward* run, int input) {
  return run->node().edges[input].node != nullptr;
}

namespace {

void give(TH_Backward* run, int input, Value&& gradient) {
  if (!run->creates() && gradient.gradient != nullptr) {
    drop(gradient);
  }
  run->give(input, std::move(gradient));
}

}  // namespace

int TH_Backward_give(TH_Backward* run, int input, const TH_Tensor* g) {
  return guarded("backward", [&] { give(run, input, g == nullptr ? Value() : Value(*g)); });
}

int TH_Backward_handOver(TH_Backward* run, int input, TH_Tensor* g) {
  return guarded("backward", [&] {
    Value gradient(*g);
    TH_Tensor_release(g);
    g->ndim = 0;
    give(run, input, std::move(gradient));
  });
}

bool TH_Backward_result(TH_Backward* run, int index, TH_Tensor* r) {
  if (!run->result(index).defined()) {
    return false;
  }
  hand_over(*r, run->result(index));
  return true;
}

void TH_Backward_free(TH_Backward* run) { delete run; }

TH_DerivativeRow TH_derivative(int operation) {
  const Derivative& row = derivative_of(operation);
  return {static_cast<int>(row.kind),
          row.kind == Derivative::Kind::Known ? row.clauses : row.because, row.covered};
}
