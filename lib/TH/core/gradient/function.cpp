#include "core/gradient/function.h"

#include <algorithm>

#include "core/gradient/anomaly.h"
#include "core/tensor/aliasing.h"

namespace th::gradient {
namespace {

size_t bytes_of(const TH_Tensor& t) {
  return sizeof(Saved) + 2 * sizeof(int64_t) * static_cast<size_t>(t.ndim);
}

Saved* place(char*& room, const TH_Tensor& t, bool memory) {
  auto* saved = reinterpret_cast<Saved*>(room);
  room += bytes_of(t);
  *saved = Saved{
      memory ? t.store : nullptr, t.offset, 0, t.ndim, t.device, t.dtype, t.device_type, -1, -1};
  if (saved->store != nullptr) {
    th::retain(saved->store);
    saved->version = *t.store->version;
  }
  std::copy_n(t.sizes, t.ndim, saved->geometry);
  std::copy_n(t.strides, t.ndim, saved->geometry + t.ndim);
  return saved;
}

}  // namespace

bool record_function(int function, const char* name, std::span<const TH_Tensor* const> outputs,
                     std::span<const TH_Tensor* const> inputs,
                     std::span<const TH_Tensor* const> saved) {
  const bool needed =
      std::ranges::any_of(inputs, [](const TH_Tensor* t) { return producer(*t).node != nullptr; });
  if (!needed || !state().enabled) {
    return false;
  }
  size_t bytes = 0;
  for (const TH_Tensor* t : saved) {
    bytes += bytes_of(*t);
  }
  for (const TH_Tensor* t : outputs) {
    bytes += bytes_of(*t);
  }
  char* room;
  Node* node =
      new_node(kFunction, static_cast<int>(inputs.size()), static_cast<int>(outputs.size()),
               static_cast<int>(saved.size() + outputs.size()), bytes, &room);
  node->more().function = function;
  if (name != nullptr) {
    node->extras->name = name;
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (const Edge from = producer(*inputs[i]); from.node != nullptr) {
      retain(from.node);
      node->edges[i] = from;
    }
  }
  size_t at = 0;
  for (const TH_Tensor* t : saved) {
    Saved* kept = place(room, *t, true);
    // Whose history it has, for gradients of gradients.
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i]->gradient != nullptr && inputs[i]->gradient == t->gradient) {
        kept->edge = static_cast<int32_t>(i);
      }
    }
    for (size_t i = 0; i < outputs.size() && kept->edge < 0; ++i) {
      if (outputs[i]->store == t->store && same_elements(*outputs[i], *t)) {
        kept->output = static_cast<int16_t>(i);
      }
    }
    node->arguments[at++].tensor = kept;
  }
  for (const TH_Tensor* t : outputs) {
    node->arguments[at++].tensor = place(room, *t, false);
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (is_floating(outputs[i]->dtype)) {
      retain(node);
      attach_written(*const_cast<TH_Tensor*>(outputs[i]), {node, static_cast<int>(i)});
    }
  }
  release(node);
  return true;
}

namespace {

void check_unchanged(const Node& node, const Saved& saved) {
  if (saved.store != nullptr && *saved.store->version != saved.version) {
    fail_changed(node, saved, "what it kept");
  }
}

}  // namespace

void check_saved(const Node& node) {
  for (int i = 0; i < node.count; ++i) {
    check_unchanged(node, *node.arguments[i].tensor);
  }
}

Value saved_value(Node& node, int index, bool as_variable) {
  const Saved& saved = *node.arguments[index].tensor;
  TH_CHECK(!node.released, "what ", describe(node), " kept was given back");
  check_unchanged(node, saved);
  Value v;
  v.store = saved.store;
  if (v.store != nullptr) {
    th::retain(v.store);
  }
  v.offset = saved.offset;
  v.ndim = saved.ndim;
  v.dtype = saved.dtype;
  v.device_type = saved.device_type;
  v.device = saved.device;
  std::copy_n(saved.geometry, v.ndim, v.sizes);
  std::copy_n(saved.geometry + v.ndim, v.ndim, v.strides);
  Edge edge{};
  if (as_variable && saved.edge >= 0) {
    edge = node.edges[saved.edge];
  } else if (as_variable && saved.output >= 0 && is_floating(saved.dtype)) {
    edge = {&node, saved.output};
  }
  if (edge.node != nullptr) {
    retain(edge.node);
    v.gradient = new_variable(edge);
    v.flags |= TH_REQUIRES_GRADIENT;
  }
  return v;
}

}  // namespace th::gradient
