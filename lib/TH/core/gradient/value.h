// Tensors as values, for the table of derivatives: operations on them are calls like any other, so
// that they are recorded when gradients of gradients are wanted.
#pragma once

#include <initializer_list>
#include <utility>

#include "core/gradient/graph.h"
#include "core/operations.h"

namespace th::gradient {

namespace detail {

/// An argument as an operation takes it: for as long as the call.
template <class T>
struct Passed {
  const T& x;
  const T& get() const { return x; }
};
template <>
struct Passed<Value> {
  const Value& x;
  const TH_Tensor* get() const { return x.defined() ? &x : nullptr; }
};

}  // namespace detail

/// The result of an operation that has one: result(x, ops::exp, x).
template <class F, class... Args>
Value result(const TH_Tensor& like, F f, const Args&... args) {
  Value r = Value::like(like);
  f(&r, detail::Passed<Args>{args}.get()...);
  return r;
}

Value operator+(const Value& x, const Value& y);
Value operator-(const Value& x, const Value& y);
Value operator*(const Value& x, const Value& y);  // element by element
Value operator/(const Value& x, const Value& y);
Value operator+(const Value& x, double value);
Value operator-(const Value& x, double value);
Value operator*(const Value& x, double value);
Value operator/(const Value& x, double value);
Value operator-(const Value& x);
inline Value operator+(double value, const Value& x) { return x + value; }
inline Value operator*(double value, const Value& x) { return x * value; }
inline Value operator-(double value, const Value& x) { return -x + value; }
Value operator/(double value, const Value& x);

/// Functions of each element that are operations of the same name.
// clang-format off
#define TH_VALUE_FUNCTIONS(F) \
  F(abs) F(sign) F(square) F(exp) F(log) F(sqrt) F(sin) F(cos) F(tanh) F(sinh) F(cosh) \
  F(sigmoid) F(trunc) F(floor) F(inverse)
// clang-format on
#define TH_FUNCTION(NAME) Value NAME(const Value& x);
TH_VALUE_FUNCTIONS(TH_FUNCTION)
#undef TH_FUNCTION
Value power(const Value& x, double exponent);
Value power(const Value& x, const Value& exponent);

/// 1 where so, else 0, in x's type: constants.
Value where_gt(const Value& x, double value);
Value where_lt(const Value& x, double value);
Value where_ge(const Value& x, double value);
Value where_le(const Value& x, double value);
Value where_eq(const Value& x, double value);
Value where_gt(const Value& x, const Value& y);
Value where_ge(const Value& x, const Value& y);
Value where_eq(const Value& x, const Value& y);

/// Matrices: A B, with batches of matrices when both have three dimensions.
Value product(const Value& a, const Value& b, double scale = 1);
Value transposed(const Value& x);  // the last two dimensions
Value transposed(const Value& x, int d1, int d2);
Value outer(const Value& x, const Value& y);  // of vectors

Value zeros(const TH_Tensor& like, std::span<const int64_t> sizes);
Value ones(const TH_Tensor& like, std::span<const int64_t> sizes);
Value filled(const TH_Tensor& like, std::span<const int64_t> sizes, double value);
/// 1 to n as a LongTensor beside x.
Value positions(const TH_Tensor& like, int64_t n);
Value compact(const Value& x);  // contiguous
Value copied(const Value& x);   // contiguous, in memory of its own
/// As an element type, on a device.
Value converted(const Value& x, int dtype, int device_type, int device);

Value viewed(const Value& x, std::span<const int64_t> sizes);
inline Value viewed(const Value& x, std::initializer_list<int64_t> sizes) {
  return viewed(x, std::span<const int64_t>(sizes.begin(), sizes.size()));
}
Value flat(const Value& x);
Value narrowed(const Value& x, int dim, int64_t first, int64_t length);
Value selected(const Value& x, int dim, int64_t index);
Value expanded(const Value& x, std::span<const int64_t> sizes);
/// x, of one element, in every element of such sizes.
Value spread(const Value& x, std::span<const int64_t> sizes);
Value region(const Value& x, int64_t offset, std::span<const int64_t> sizes,
             std::span<const int64_t> strides);

Value sum(const Value& x);           // one element
Value sum(const Value& x, int dim);  // keeps the dimension, of size 1
/// Summed over the dimensions in which `sizes` has 1: the inverse of expanding.
Value summed(const Value& x, std::span<const int64_t> sizes);

/// Writes into t, which nobody else has.
void put(Value& t, const Value& x);
/// A tensor that is written later on has to be known as one that Variables may be written into.
Value writable(Value x);

}  // namespace th::gradient
