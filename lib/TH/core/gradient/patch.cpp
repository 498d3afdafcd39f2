#include "core/gradient/patch.h"

#include <algorithm>

namespace th::gradient {
namespace {

size_t bytes_of(const GeometryView& g) {
  return sizeof(Saved) + 2 * sizeof(int64_t) * static_cast<size_t>(g.ndim);
}

Saved* place(char*& room, const GeometryView& g, const TH_Tensor& like) {
  auto* saved = reinterpret_cast<Saved*>(room);
  room += bytes_of(g);
  *saved = Saved{nullptr, g.offset, 0, g.ndim, like.device, like.dtype, like.device_type, -1, -1};
  std::copy_n(g.sizes, g.ndim, saved->geometry);
  std::copy_n(g.strides, g.ndim, saved->geometry + g.ndim);
  return saved;
}

void connect(Node& node, int edge, Edge from, Saved* saved) {
  retain(from.node);
  node.edges[edge] = from;
  saved->edge = edge;
}

}  // namespace

Edge region_of(Edge whole, const TH_Tensor& t, const GeometryView& own, const GeometryView& of) {
  if (whole.node == nullptr) {
    return {};
  }
  char* room;
  Node* node = new_node(kRegion, 1, 1, 2, bytes_of(own) + bytes_of(of), &room);
  node->arguments[0].tensor = place(room, own, t);
  node->arguments[1].tensor = place(room, of, t);
  connect(*node, 0, whole, node->arguments[1].tensor);
  return {node, 0};
}

Edge patched(Edge whole, Edge part, const TH_Tensor& r, const GeometryView& own,
             const GeometryView& of) {
  if (whole.node == nullptr && part.node == nullptr) {
    return {};
  }
  const int inputs = (whole.node != nullptr) + (part.node != nullptr);
  char* room;
  Node* node = new_node(kPatch, inputs, 1, 2, bytes_of(own) + bytes_of(of), &room);
  Saved* base = place(room, of, r);
  Saved* region = place(room, own, r);
  node->arguments[0].tensor = base;
  node->arguments[1].tensor = region;
  int edge = 0;
  if (whole.node != nullptr) {
    connect(*node, edge++, whole, base);
  }
  if (part.node != nullptr) {
    connect(*node, edge++, part, region);
  }
  return {node, 0};
}

}  // namespace th::gradient
