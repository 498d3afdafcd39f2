// Products of vectors and matrices.
#include "core/gradient/derivation.h"

namespace th::gradient {
namespace {

/// A matrix as each of a batch.
Value batch_of(const Value& matrix, int64_t count) {
  const int64_t sizes[] = {count, matrix.sizes[0], matrix.sizes[1]};
  return expanded(viewed(matrix, {1, sizes[1], sizes[2]}), sizes);
}

Value of_input(const Value& grad, const Value& weight) {
  return grad.ndim == 1 ? product(transposed(weight), grad) : product(grad, weight);
}
Factors of_weight(const Value& grad, const Value& x) {
  if (grad.ndim == 1) {
    return {viewed(grad, {grad.sizes[0], 1}), viewed(x, {1, x.sizes[0]})};
  }
  return {transposed(grad), x};
}

enum class Order { Rows, Columns };

/// In which an operand's elements lie.
Order order_of(const Operand& x) {
  const int n = dims_of(x);
  const int64_t* strides = x.saved().geometry + n;
  return strides[n - 2] < strides[n - 1] ? Order::Columns : Order::Rows;
}

/// scale A B in an order: the gradient of what an operand shows transposed (a layer's weight) then
/// lies as that does, and is nowhere copied.
Value product(Order order, const Value& a, const Value& b, double scale) {
  return order == Order::Rows ? product(a, b, scale)
                              : transposed(product(transposed(b), transposed(a), scale));
}

}  // namespace

void define_blas(Derivative* table) {
  TH_DERIVATIVES(dot, NAMES(value, x, y),
                 D(x, spread(grad, shape_of(y)) * y) D(y, spread(grad, shape_of(x)) * x))
  TH_DERIVATIVES(addmv, NAMES(r, beta, t, alpha, a, x),
                 D(t, grad * beta) D(a, outer(grad, x) * alpha)
                     D(x, product(transposed(a), grad, alpha)))
  TH_DERIVATIVES(addmm, NAMES(r, beta, t, alpha, a, b),
                 D(t, grad * beta) D(a, product(order_of(a), grad, transposed(b), alpha))
                     D(b, product(order_of(b), transposed(a), grad, alpha)))
  TH_DERIVATIVES(addr, NAMES(r, beta, t, alpha, x, y),
                 D(t, grad * beta) D(x, product(grad, y, alpha))
                     D(y, product(transposed(grad), x, alpha)))
  TH_DERIVATIVES(baddbmm, NAMES(r, beta, t, alpha, a, b),
                 D(t, grad * beta) D(a, product(order_of(a), grad, transposed(b), alpha))
                     D(b, product(order_of(b), transposed(a), grad, alpha)))
  TH_DERIVATIVES(addbmm, NAMES(r, beta, t, alpha, a, b),
                 D(t, grad * beta)
                     D(a, product(batch_of(grad, size_of(a, 0)), transposed(b), alpha))
                         D(b, product(transposed(a), batch_of(grad, size_of(a, 0)), alpha)))
  TH_DERIVATIVES(linear, NAMES(r, x, weight, bias),
                 D(x, of_input(grad, weight)) D(weight, of_weight(grad, x))
                     D(bias, grad.ndim == 1 ? grad : sum(grad, 0)))
}

}  // namespace th::gradient
