// Views and copies: the same elements under other sizes.
#include <algorithm>

#include "core/gradient/derivation.h"

namespace th::gradient {
namespace {

/// 0 but for the part that a view shows, which has the gradient.
template <class View>
Value within(const Value& grad, std::span<const int64_t> sizes, View view) {
  Value whole = writable(zeros(grad, sizes));
  Value part = view(whole);
  put(part, grad);
  return whole;
}

/// Memory with the strides of a tensor, so that regions of both lie alike. Dimensions that repeat
/// elements have no memory of their own to write to.
Value laid_out(const Value& grad, const Saved& like) {
  Value r = Value::like(grad);
  const std::span<const int64_t> strides(like.geometry + like.ndim, static_cast<size_t>(like.ndim));
  resize(r, like.sizes(), strides);
  const int64_t extent = r.store->length;
  r = filled(grad, {&extent, 1}, 0);
  r = region(writable(r), 0, like.sizes(), strides);
  put(r, grad);
  return r;
}

std::span<const int64_t> strides_of(const Operand& t) {
  return {t.saved().geometry + dims_of(t), static_cast<size_t>(dims_of(t))};
}

/// Windows overlap: each place gets the sum of its copies.
Value unfold_gradient(const Value& grad, std::span<const int64_t> sizes, int dim, int64_t size,
                      int64_t step) {
  Value whole = writable(zeros(grad, sizes));
  const int last = grad.ndim - 1;
  for (int64_t k = 0; k < size; ++k) {
    const Value one = selected(grad, last, k);
    const int64_t count = one.sizes[dim];
    for (int64_t i = 0; i < count; ++i) {
      Value place = narrowed(whole, dim, i * step + k, 1);
      const Value from = narrowed(one, dim, i, 1);
      ops::add_scaled(&place, &place, 1, &from);
    }
  }
  return whole;
}

Value permuted_back(const Value& grad, int ndim, const int64_t* order) {
  int64_t back[TH_MAX_DIMS];
  for (int d = 0; d < ndim; ++d) {
    back[order[d]] = d;
  }
  return result(grad, views::permute, grad, ndim, static_cast<const int64_t*>(back));
}

}  // namespace

void derive_patch(Derivation& d) {
  const Node& node = d.node();
  const Operand whole(d, node.arguments[0].tensor, 0), part(d, node.arguments[1].tensor, 1);
  const Saved& region_is = part.saved();
  const Value& grad = d.gradient();
  const int64_t offset = region_is.offset - whole.saved().offset;
  Value all = laid_out(grad, whole.saved());
  Value shown = region(all, offset, region_is.sizes(), strides_of(part));
  if (d.wanted(part)) {
    d.give(part, copied(shown));
  }
  if (d.wanted(whole)) {
    ops::fill(&shown, 0);
    d.give(whole, all);
  }
}

void derive_region(Derivation& d) {
  const Node& node = d.node();
  const Operand shown(d, node.arguments[0].tensor, 0), whole(d, node.arguments[1].tensor, 1);
  const Value& grad = d.gradient();
  Value place = Value::like(grad);
  resize(place, whole.sizes(), strides_of(whole));
  const int64_t extent = place.store->length;
  const Value memory = writable(filled(grad, {&extent, 1}, 0));
  Value part =
      region(memory, shown.saved().offset - whole.saved().offset, shown.sizes(), strides_of(shown));
  put(part, grad);
  d.give(whole, region(memory, 0, whole.sizes(), strides_of(whole)));
}

void define_views(Derivative* table) {
  TH_DERIVATIVES(alias, NAMES(r, t), D(t, grad))
  TH_DERIVATIVES(narrow, NAMES(r, t, dim, first, length),
                 D(t, within(grad, shape_of(t),
                             [&, dim = dim, first = first, length = length](const Value& whole) {
                               return narrowed(whole, dim, first, length);
                             })))
  TH_DERIVATIVES(select, NAMES(r, t, dim, index),
                 D(t, within(grad, shape_of(t), [&, dim = dim, index = index](const Value& whole) {
                     return selected(whole, dim, index);
                   })))
  TH_DERIVATIVES(transpose, NAMES(r, t, dim1, dim2), D(t, transposed(grad, dim1, dim2)))
  TH_DERIVATIVES(permute, NAMES(r, t, ndim, order), D(t, permuted_back(grad, ndim, order)))
  TH_DERIVATIVES(unfold, NAMES(r, t, dim, size, step),
                 D(t, unfold_gradient(grad, shape_of(t), dim, size, step)))
  TH_DERIVATIVES(expand, NAMES(r, t, ndim, sizes), D(t, summed(grad, shape_of(t))))
  TH_DERIVATIVES(view, NAMES(r, t, ndim, sizes), D(t, viewed(grad, shape_of(t))))
  TH_DERIVATIVES(squeeze, NAMES(r, t, dim), D(t, viewed(grad, shape_of(t))))
  TH_DERIVATIVES(unsqueeze, NAMES(r, t, dim), D(t, viewed(grad, shape_of(t))))
  TH_CONSTANT(resize, "a Variable keeps its sizes")
  TH_CONSTANT(resizeAs, "a Variable keeps its sizes")
  TH_DERIVATIVES(copy, NAMES(r, x), D(x, grad))
  TH_UNDIFFERENTIATED(fused, "a compiled loop; torch.fuse records what it is the gradient of")
  TH_UNDIFFERENTIATED(launch, "a kernel of the script's own; torch.Function gives it a derivative")
}

}  // namespace th::gradient
