// Reading and writing by position; joining.
#include "core/gradient/derivation.h"
#include "core/gradient/rules/positions.h"

namespace th::gradient {

Value put_at(const Value& grad, std::span<const int64_t> sizes, int dim, const Value& positions) {
  Value r = writable(zeros(grad, sizes));
  ops::scatter(&r, dim, &positions, &grad);
  return r;
}

Value reversed(const Value& x, int dim) {
  const int64_t n = x.sizes[dim];
  Value order;
  init(order, TH_LONG, x.device_type, x.device);
  ops::range(&order, static_cast<double>(n), 1, -1);
  return result(x, ops::index, x, dim, order);
}

namespace {

Value slices_added(const Value& grad, std::span<const int64_t> sizes, int dim,
                   const Value& positions) {
  Value r = writable(zeros(grad, sizes));
  ops::index_add(&r, dim, &positions, &grad);
  return r;
}

/// The position in row-major order (from 1) that each of the positions along dim stands for.
Value in_row_major_order(const Value& positions, std::span<const int64_t> sizes, int dim) {
  Value at = Value::like(positions);
  int64_t stride = 1;
  for (int d = positions.ndim - 1; d >= 0; --d) {
    Value part = positions - 1.0;
    if (d != dim) {
      Value range;
      init(range, TH_LONG, positions.device_type, positions.device);
      ops::range(&range, 0, static_cast<double>(positions.sizes[d] - 1), 1);
      std::vector<int64_t> along(static_cast<size_t>(positions.ndim), 1);
      along[static_cast<size_t>(d)] = positions.sizes[d];
      part = expanded(viewed(range, along), positions.shape());
    }
    part = part * static_cast<double>(stride);
    at = at.defined() ? at + part : part + 1.0;
    stride *= sizes[static_cast<size_t>(d)];
  }
  return at;
}

Value without(const Value& grad, int dim, const Value& positions) {
  Value r = writable(copied(grad));
  ops::index_fill(&r, dim, &positions, 0);
  return r;
}
Value without_at(const Value& grad, int dim, const Value& positions) {
  Value r = writable(copied(grad));
  ops::scatter_value(&r, dim, &positions, 0);
  return r;
}
Value without(const Value& grad, const Value& mask) {
  Value r = writable(copied(grad));
  ops::masked_fill(&r, &mask, 0);
  return r;
}

Value unmasked(const Value& grad, std::span<const int64_t> sizes, const Value& mask) {
  Value r = writable(zeros(grad, sizes));
  ops::masked_copy(&r, &mask, &grad);
  return r;
}

/// Of a source that may have more elements than the mask takes.
Value taken(const Value& grad, const Value& mask, std::span<const int64_t> sizes) {
  const Value used = result(grad, ops::masked_select, grad, mask);
  int64_t all = 1;
  for (const int64_t size : sizes) {
    all *= size;
  }
  if (!used.defined()) {
    return zeros(grad, sizes);
  }
  Value r = writable(zeros(grad, {&all, 1}));
  Value part = narrowed(r, 0, 0, numel(used));
  put(part, used);
  return viewed(r, sizes);
}

/// Each tensor's part of the joined one.
void parts_of(const Operands& xs, Derivation& d, const Value& grad, int count, int dim) {
  int most = 0;
  for (int i = 0; i < count; ++i) {
    most = std::max(most, dims_of(xs[i]));
  }
  const int along = dim < 0 ? most - 1 : dim;
  int64_t first = 0;
  for (int i = 0; i < count; ++i) {
    const Operand x = xs[i];
    if (dims_of(x) == 0) {
      continue;  // empty tensors are skipped
    }
    const int64_t length = along < dims_of(x) ? size_of(x, along) : 1;
    if (d.wanted(x)) {
      d.give(x, narrowed(grad, along, first, length));
    }
    first += length;
  }
}

/// Zeros of x's sizes with a vector on the k-th diagonal; or that diagonal of a matrix.
Value diagonal_of(const Operand& x, const Value& grad, int64_t k) {
  if (dims_of(x) == 1) {
    return result(grad, ops::diag, grad, k);
  }
  const int64_t columns = size_of(x, 1);
  Value r = writable(zeros(grad, shape_of(x)));
  const int64_t n[] = {numel(grad)}, step[] = {columns + 1};
  Value diagonal = region(r, k >= 0 ? k : -k * columns, n, step);
  put(diagonal, grad);
  return r;
}

}  // namespace

Value add_at(const Value& grad, std::span<const int64_t> sizes, int dim, const Value& positions) {
  int64_t all = 1;
  for (const int64_t size : sizes) {
    all *= size;
  }
  const Value order = flat(in_row_major_order(positions, sizes, dim));
  return viewed(slices_added(flat(grad), {&all, 1}, 0, order), sizes);
}

void define_index(Derivative* table) {
  TH_DERIVATIVES(index, NAMES(r, x, dim, positions),
                 D(x, slices_added(grad, shape_of(x), dim, positions)))
  TH_DERIVATIVES(index_copy, NAMES(r, dim, positions, x),
                 D(r, without(grad, dim, positions))
                     D(x, result(grad, ops::index, grad, dim, positions)))
  TH_DERIVATIVES(index_add, NAMES(r, dim, positions, x),
                 D(r, grad) D(x, result(grad, ops::index, grad, dim, positions)))
  TH_DERIVATIVES(index_fill, NAMES(r, dim, positions, value), D(r, without(grad, dim, positions)))
  TH_DERIVATIVES(gather, NAMES(r, x, dim, positions),
                 D(x, add_at(grad, shape_of(x), dim, positions)))
  TH_DERIVATIVES(scatter, NAMES(r, dim, positions, x),
                 D(r, without_at(grad, dim, positions))
                     D(x, result(grad, ops::gather, grad, dim, positions)))
  TH_DERIVATIVES(scatter_value, NAMES(r, dim, positions, value),
                 D(r, without_at(grad, dim, positions)))
  TH_DERIVATIVES(masked_select, NAMES(r, x, mask), D(x, unmasked(grad, shape_of(x), mask)))
  TH_DERIVATIVES(masked_copy, NAMES(r, mask, x),
                 D(r, without(grad, mask)) D(x, taken(grad, mask, shape_of(x))))
  TH_DERIVATIVES(masked_fill, NAMES(r, mask, value), D(r, without(grad, mask)))
  TH_CONSTANT(nonzero, "positions")

  TH_DERIVATIVES(cat, NAMES(r, xs, count, dim), ALL(parts_of(xs, d, grad, count, dim)))
  TH_DERIVATIVES(diag, NAMES(r, x, k), D(x, diagonal_of(x, grad, k)))
  TH_DERIVATIVES(tril, NAMES(r, x, k), D(x, result(grad, ops::tril, grad, k)))
  TH_DERIVATIVES(triu, NAMES(r, x, k), D(x, result(grad, ops::triu, grad, k)))
}

}  // namespace th::gradient
