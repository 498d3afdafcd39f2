#include "core/gradient/value.h"

#include <algorithm>
#include <utility>

#include "core/call/call.h"
#include "core/gradient/patch.h"
#include "core/tensor/views.h"

namespace th::gradient {

Value operator+(const Value& x, const Value& y) { return result(x, ops::add_scaled, x, 1.0, y); }
Value operator-(const Value& x, const Value& y) { return result(x, ops::add_scaled, x, -1.0, y); }
Value operator*(const Value& x, const Value& y) { return result(x, ops::cmul, x, y); }
Value operator/(const Value& x, const Value& y) { return result(x, ops::cdiv, x, y); }
Value operator+(const Value& x, double value) { return result(x, ops::add_value, x, value); }
Value operator-(const Value& x, double value) { return result(x, ops::add_value, x, -value); }
Value operator*(const Value& x, double value) {
  return value == 1 ? x : result(x, ops::mul, x, value);
}
Value operator/(const Value& x, double value) { return result(x, ops::div, x, value); }
Value operator-(const Value& x) { return result(x, ops::neg, x); }
Value operator/(double value, const Value& x) { return result(x, ops::cinv, x) * value; }

#define TH_FUNCTION(NAME) \
  Value NAME(const Value& x) { return result(x, ops::NAME, x); }
TH_VALUE_FUNCTIONS(TH_FUNCTION)
#undef TH_FUNCTION

Value power(const Value& x, double exponent) {
  return exponent == 1 ? x : exponent == 0 ? ones(x, x.shape()) : result(x, ops::pow, x, exponent);
}
Value power(const Value& x, const Value& exponent) { return result(x, ops::cpow, x, exponent); }

Value where_gt(const Value& x, double value) { return result(x, ops::gt_value, x, value); }
Value where_lt(const Value& x, double value) { return result(x, ops::lt_value, x, value); }
Value where_ge(const Value& x, double value) { return result(x, ops::ge_value, x, value); }
Value where_le(const Value& x, double value) { return result(x, ops::le_value, x, value); }
Value where_eq(const Value& x, double value) { return result(x, ops::eq_value, x, value); }
Value where_gt(const Value& x, const Value& y) { return result(x, ops::gt, x, y); }
Value where_ge(const Value& x, const Value& y) { return result(x, ops::ge, x, y); }
Value where_eq(const Value& x, const Value& y) { return result(x, ops::eq, x, y); }

// --- products -----------------------------------------------------------------------------------

namespace {

/// scale times the product of the operands, as `operation` knows it. Of what it starts from, times
/// 0, only the sizes count: the result's own.
template <class Operation>
Value product_of(const Value& a, const Value& b, std::span<const int64_t> sizes, double scale,
                 Operation operation) {
  Value r = Value::like(a);
  resize(r, sizes);
  operation(&r, 0, &r, scale, &a, &b);
  return r;
}

}  // namespace

Value product(const Value& a, const Value& b, double scale) {
  if (a.ndim == 3) {
    const int64_t sizes[] = {a.sizes[0], a.sizes[1], b.sizes[2]};
    return product_of(a, b, sizes, scale, ops::baddbmm);
  } else if (b.ndim == 1) {
    return product_of(a, b, {a.sizes, 1}, scale, ops::addmv);
  }
  const int64_t sizes[] = {a.sizes[0], b.sizes[1]};
  return product_of(a, b, sizes, scale, ops::addmm);
}

Value transposed(const Value& x) { return transposed(x, x.ndim - 2, x.ndim - 1); }

Value transposed(const Value& x, int d1, int d2) {
  if (watched() || x.gradient != nullptr) {
    return result(x, views::transpose, x, d1, d2);
  }
  Value r = x;  // rules turn matrices all the time, and nobody has to know of it
  std::swap(r.sizes[d1], r.sizes[d2]);
  std::swap(r.strides[d1], r.strides[d2]);
  return r;
}

Value outer(const Value& x, const Value& y) {
  const int64_t sizes[] = {x.sizes[0], y.sizes[0]};
  return product_of(x, y, sizes, 1, ops::addr);
}

// --- constants and copies -----------------------------------------------------------------------

Value filled(const TH_Tensor& like, std::span<const int64_t> sizes, double value) {
  Value r = Value::like(like);
  resize(r, sizes);
  ops::fill(&r, value);
  return r;
}
Value zeros(const TH_Tensor& like, std::span<const int64_t> sizes) {
  return filled(like, sizes, 0);
}
Value ones(const TH_Tensor& like, std::span<const int64_t> sizes) { return filled(like, sizes, 1); }

Value positions(const TH_Tensor& like, int64_t n) {
  Value r;
  init(r, TH_LONG, like.device_type, like.device);
  ops::range(&r, 1, static_cast<double>(n), 1);
  return r;
}

Value copied(const Value& x) {
  Value r = Value::like(x);
  resize(r, x.shape());
  ops::copy(&r, &x);
  return r;
}
Value compact(const Value& x) { return is_contiguous(x) ? x : copied(x); }

Value converted(const Value& x, int dtype, int device_type, int device) {
  if (x.dtype == dtype && x.device_type == device_type && x.device == device) {
    return x;
  }
  Value r;
  init(r, dtype, device_type, device);
  resize(r, x.shape());
  ops::copy(&r, &x);
  return r;
}

// --- views --------------------------------------------------------------------------------------

Value viewed(const Value& x, std::span<const int64_t> sizes) {
  return result(x, views::view, compact(x), static_cast<int>(sizes.size()), sizes.data());
}
Value flat(const Value& x) {
  const int64_t all = numel(x);
  return viewed(x, {&all, 1});
}
Value narrowed(const Value& x, int dim, int64_t first, int64_t length) {
  return result(x, views::narrow, x, dim, first, length);
}
Value selected(const Value& x, int dim, int64_t index) {
  return result(x, views::select, x, dim, index);
}
Value expanded(const Value& x, std::span<const int64_t> sizes) {
  return result(x, views::expand, x, static_cast<int>(sizes.size()), sizes.data());
}
Value spread(const Value& x, std::span<const int64_t> sizes) {
  if (watched() || x.gradient != nullptr) {
    const std::vector<int64_t> single(sizes.size(), 1);
    return expanded(viewed(x, single), sizes);
  }
  Value r = x;  // rules do this all the time, too
  r.ndim = static_cast<int16_t>(sizes.size());
  std::ranges::copy(sizes, r.sizes);
  std::fill_n(r.strides, sizes.size(), 0);
  return r;
}
Value region(const Value& x, int64_t offset, std::span<const int64_t> sizes,
             std::span<const int64_t> strides) {
  Value r = Value::like(x);
  set_storage(r, x.store, x.offset + offset, sizes, strides);
  if (state().enabled && is_variable(x)) {
    attach_view(r, x, region_of(producer(x), r, r, x));
  }
  return r;
}

// --- sums ---------------------------------------------------------------------------------------

Value sum(const Value& x, int dim) { return x.sizes[dim] == 1 ? x : result(x, ops::sum, x, dim); }
Value sum(const Value& x) { return sum(flat(x), 0); }

Value summed(const Value& x, std::span<const int64_t> sizes) {
  Value r = x;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 1 && r.sizes[d] != 1) {
      r = sum(r, static_cast<int>(d));
    }
  }
  return r;
}

// --- writing ------------------------------------------------------------------------------------

void put(Value& t, const Value& x) { ops::copy(&t, &x); }

Value writable(Value x) {
  if (state().enabled && x.gradient == nullptr) {
    x.gradient = new Variable;
    x.flags |= TH_REQUIRES_GRADIENT;
  }
  return x;
}

}  // namespace th::gradient
