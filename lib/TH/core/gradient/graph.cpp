#include "core/gradient/graph.h"

#include <algorithm>

#include "core/call/signature.h"
#include "core/gradient/patch.h"
#include "core/runtime/error.h"
#include "core/runtime/thread_own.h"

namespace th::gradient {

TH_THREAD_OWN State detail::own_state;

std::vector<int>& dropped_functions() {
  thread_local std::vector<int> list;
  return list;
}

// --- nodes --------------------------------------------------------------------------------------

Node* new_node(int op, int inputs, int outputs, int arguments, size_t bytes, char** room) {
  const size_t edges = sizeof(Edge) * static_cast<size_t>(inputs);
  const size_t values = sizeof(Argument) * static_cast<size_t>(arguments);
  const size_t all = sizeof(Node) + edges + values + bytes;
  auto* memory = static_cast<char*>(take_block(all));
  Node* node = new (memory) Node{};
  node->sequence = ++state().sequence;
  node->references = 1;
  node->op = static_cast<int16_t>(op);
  node->inputs = inputs;
  node->outputs = outputs;
  node->place = state().place;
  node->count = arguments;
  node->bytes = static_cast<uint32_t>(all);
  node->edges = reinterpret_cast<Edge*>(memory + sizeof(Node));
  std::fill_n(node->edges, inputs, Edge{});
  node->arguments = reinterpret_cast<Argument*>(memory + sizeof(Node) + edges);
  std::fill_n(node->arguments, arguments, Argument{.integer = 0});
  *room = memory + sizeof(Node) + edges + values;
  return node;
}

namespace {

void give_back(Saved* saved) {
  if (saved != nullptr && saved->store != nullptr) {
    th::release(saved->store);
    saved->store = nullptr;
  }
}

void give_back_memory(Node& node) {
  if (node.op < 0) {
    if (node.op == kFunction) {
      for (int i = 0; i < node.count; ++i) {
        give_back(node.arguments[i].tensor);
      }
    }
    return;
  }
  const auto parameters = parameters_of(node.op);
  for (int i = 0; i < node.count; ++i) {
    switch (parameters[static_cast<size_t>(i)].role) {
      case TH_ROLE_IN:
      case TH_ROLE_OUT:
      case TH_ROLE_INOUT:
        give_back(node.arguments[i].tensor);
        break;
      case TH_ROLE_INS:
        for (int64_t k = 0; k < node.arguments[i + 1].integer; ++k) {
          give_back(node.arguments[i].tensors[k]);
        }
        break;
      default:
        break;
    }
  }
}

/// One reference less to what the edges lead to; those that nobody needs any more go onto a list,
/// which is empty as a rule, and takes no memory then.
void let_go(Node& node, std::vector<Node*>& unneeded) {
  for (int i = 0; i < node.inputs; ++i) {
    Node*& to = node.edges[i].node;
    if (to != nullptr && to->op != kGone && --to->references == 0) {
      unneeded.push_back(to);
    }
    to = nullptr;
  }
}

void drop_function(Node& node) {
  if (node.extras == nullptr) {
    return;
  }
  auto& dropped = dropped_functions();
  if (node.extras->function != 0) {
    dropped.push_back(node.extras->function);
    node.extras->function = 0;
  }
  for (const Extras::Hook& hook : node.extras->hooks) {
    dropped.push_back(hook.function);
  }
  node.extras->hooks.clear();
}

void free_node(Node* node, std::vector<Node*>& unneeded) {
  if (!node->released) {
    give_back_memory(*node);
    let_go(*node, unneeded);
  }
  drop_function(*node);
  const size_t bytes = node->bytes;
  node->~Node();
  give_block(node, bytes);
}

/// What is freed may free values of leaves, whose Variables lead here again.
void free_all(std::vector<Node*>& unneeded) {
  while (!unneeded.empty()) {
    Node* node = unneeded.back();
    unneeded.pop_back();
    free_node(node, unneeded);
  }
}

}  // namespace

void release(Node* node) {
  if (node == nullptr || node->op == kGone || --node->references > 0) {
    return;
  }
  std::vector<Node*> unneeded;
  free_node(node, unneeded);
  free_all(unneeded);
}

namespace {

Node& gone() {
  static Node one = [] {
    Node node{};
    node.op = kGone;
    node.released = true;
    return node;
  }();
  return one;
}

}  // namespace

void clear(Node& node) {
  give_back_memory(node);
  node.released = true;
  if (node.made != nullptr && node.extras == nullptr) {
    node.made->producer = {&gone(), 0};
    node.made = nullptr;
    --node.shown;
    --node.references;  // the caller has another
  }
  std::vector<Node*> unneeded;
  let_go(node, unneeded);
  drop_function(node);  // and hooks: no gradient comes here any more
  free_all(unneeded);
}

// --- variables ----------------------------------------------------------------------------------

void retain(Variable* v) { ++v->references; }

namespace {

void leave(Variable& v) {
  if (Node* node = v.producer.node; node != nullptr) {
    if (node->made == &v) {
      node->made = nullptr;
    }
    if (node->op != kGone && --node->shown == 0 && node->extras != nullptr) {
      // Their history may hold the node.
      const Value leaf = std::move(node->extras->leaf);
      const std::vector<Value> kept = std::move(node->extras->kept);
      node->extras->retained.clear();
      release(node);
      return;
    }
    release(node);
  }
}

void take_up(Variable& v, Edge edge) {
  v.producer = edge;
  if (edge.node == nullptr || edge.node->op == kGone) {
    return;
  }
  ++edge.node->shown;
  if (edge.node->made == nullptr && edge.node->outputs == 1 && edge.node->op != kLeaf) {
    edge.node->made = &v;
  }
}

}  // namespace

Variable* new_variable(Edge edge) {
  auto* v = new Variable;
  take_up(*v, edge);
  return v;
}

void release(Variable* v) {
  if (v == nullptr || --v->references > 0) {
    return;
  }
  leave(*v);
  if (v->view != nullptr) {
    release(v->view->base);
  }
  delete v;
}

void drop(TH_Tensor& t) {
  if (t.gradient != nullptr) {
    release(variable_of(t));
    t.gradient = nullptr;
  }
  t.flags &= static_cast<uint8_t>(~TH_REQUIRES_GRADIENT);
}

void set_producer(Variable& v, Edge edge) {
  leave(v);
  take_up(v, edge);
}

Edge producer(const TH_Tensor& t) {
  Variable* v = variable_of(t);
  if (v == nullptr) {
    return {};
  }
  if (v->view != nullptr && v->view->generation != v->view->base->generation) {
    // Somebody wrote to the base, or to another view of it.
    set_producer(*v, region_of(v->view->base->producer, t, v->view->own(), v->view->whole()));
    v->view->generation = v->view->base->generation;
  }
  return v->producer;
}

bool stays_leaf(const TH_Tensor& t, std::span<const int64_t> sizes) {
  const Variable* v = variable_of(t);
  if (v == nullptr || v->view != nullptr || v->producer.node == nullptr ||
      v->producer.node->op != kLeaf) {
    return false;
  }
  TH_CHECK(!state().enabled,
           "changes a Variable that backward() gives a gradient; say so outside of the record: "
           "torch.noGrad(function() ... end)");
  TH_CHECK(same_sizes(sizes, sizes_of(t)), "a Variable of ", shape(t),
           " keeps its sizes, these are ", shape(sizes), "; make another: x:detach()");
  return true;
}

namespace {

Variable* fresh(TH_Tensor& t, Edge edge) {
  auto* v = new_variable(edge);
  release(variable_of(t));
  t.gradient = v;
  t.flags |= TH_REQUIRES_GRADIENT;
  return v;
}

}  // namespace

ViewOf::Owned ViewOf::make(const GeometryView& own, const GeometryView& whole) {
  Owned view(new (take_block(bytes(own, whole))) ViewOf);
  view->own_offset = own.offset;
  view->own_ndim = own.ndim;
  view->whole_offset = whole.offset;
  view->whole_ndim = whole.ndim;
  int64_t* numbers = view->numbers;
  for (const GeometryView* g : {&own, &whole}) {
    numbers = std::copy_n(g->sizes, g->ndim, numbers);
    numbers = std::copy_n(g->strides, g->ndim, numbers);
  }
  return view;
}

void attach_view(TH_Tensor& r, const TH_Tensor& t, Edge edge) {
  Variable* of = variable_of(t);
  const bool of_view = of->view != nullptr;
  ViewOf::Owned view = ViewOf::make(r, of_view ? of->view->whole() : GeometryView(t));
  view->base = of_view ? of->view->base : of;
  view->generation = view->base->generation;
  retain(view->base);
  fresh(r, edge)->view = std::move(view);
}

void attach_written(TH_Tensor& r, Edge edge) {
  Variable* v = variable_of(r);
  if (v == nullptr) {
    if (edge.node != nullptr) {
      fresh(r, edge);
    }
    return;
  }
  set_producer(*v, edge);
  ++v->generation;
  if (v->view != nullptr) {
    Variable& base = *v->view->base;
    set_producer(base, patched(base.producer, v->producer, r, v->view->own(), v->view->whole()));
    v->view->generation = ++base.generation;
  }
}

}  // namespace th::gradient
