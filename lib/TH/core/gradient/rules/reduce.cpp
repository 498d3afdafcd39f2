// Reductions and running sums.
#include <cmath>

#include "core/gradient/derivation.h"
#include "core/gradient/rules/positions.h"

namespace th::gradient {
namespace {

/// 1 where x is 0, so that nothing is divided by 0 whose gradient is 0 anyway.
Value or_one(const Value& x) { return x + where_eq(x, 0); }

/// The gradient of an extreme goes to the elements that are it, in equal parts.
Value to_extremes(const Value& grad, const Value& x, const Value& extreme) {
  const Value hits = where_eq(x, spread(extreme, x.shape()));
  return spread(grad / sum(hits), x.shape()) * hits;
}

/// How many of the hits there are along dim (-1: at all), in x's sizes.
Value counted(const Value& hits, int dim) {
  return dim < 0 ? spread(sum(hits), hits.shape()) : expanded(sum(hits, dim), hits.shape());
}

/// Of the p-norm of x along dim (-1: of all elements); norm and grad have x's sizes.
Value norm_gradient(const Value& grad, const Value& x, const Value& norm, double p, int dim = -1) {
  if (p == 0) {
    return zeros(x, x.shape());
  } else if (p == 1) {
    return grad * sign(x);
  } else if (p == 2) {
    return grad * x / or_one(norm);
  } else if (std::isinf(p)) {
    const Value hits = where_eq(abs(x), norm);
    return grad * sign(x) * hits / counted(hits, dim);
  }
  return grad * sign(x) * power(or_one(abs(x)), p - 1) * power(or_one(norm), 1 - p);
}

Value centred(const Value& x) {
  return x - spread(sum(x) / static_cast<double>(numel(x)), x.shape());
}
Value centred(const Value& x, int dim) {
  return x - expanded(sum(x, dim) / static_cast<double>(x.sizes[dim]), x.shape());
}

double degrees(int64_t n, bool biased) { return static_cast<double>(biased ? n : n - 1); }

bool has_zero(const Value& x) {
  const Enabled off(false);
  double least = 0;
  const Value sizes = abs(x);
  ops::min_all(&least, &sizes);
  return least == 0;
}

Value joined(const std::vector<Value>& parts, int dim) {
  std::vector<const TH_Tensor*> list;
  for (const Value& part : parts) {
    list.push_back(&part);
  }
  Value r = Value::like(parts[0]);
  ops::cat(&r, list.data(), static_cast<int>(list.size()), dim);
  return r;
}

/// For each position the product of all others along dim, which no division gives where one is 0.
Value product_of_others(const Value& x, int dim) {
  const int64_t n = x.sizes[dim];
  const auto at = [&](int64_t i) { return narrowed(x, dim, i, 1); };
  std::vector<Value> before{ones(x, at(0).shape())}, after = before;
  for (int64_t i = 1; i < n; ++i) {
    before.push_back(before.back() * at(i - 1));
    after.push_back(after.back() * at(n - i));
  }
  std::vector<Value> parts;
  for (int64_t i = 0; i < n; ++i) {
    parts.push_back(before[static_cast<size_t>(i)] * after[static_cast<size_t>(n - 1 - i)]);
  }
  return joined(parts, dim);
}

Value product_gradient(const Value& grad, const Value& x, const Value& r, int dim) {
  if (has_zero(x)) {
    return expanded(grad, x.shape()) * product_of_others(x, dim);
  }
  return expanded(grad * r, x.shape()) / x;
}

Value reversed_sum(const Value& x, int dim) {
  return reversed(result(x, ops::cumsum, reversed(x, dim), dim), dim);
}

Value running_product_gradient(const Value& grad, const Value& x, const Value& r, int dim) {
  if (!has_zero(x)) {
    return reversed_sum(grad * r, dim) / x;
  }
  // The product of what precedes i, times the gradients from i on, each with what lies between.
  const int64_t n = x.sizes[dim];
  const auto at = [&](const Value& t, int64_t i) { return narrowed(t, dim, i, 1); };
  std::vector<Value> after(static_cast<size_t>(n)), parts;
  after.back() = at(grad, n - 1);
  for (int64_t i = n - 2; i >= 0; --i) {
    const auto k = static_cast<size_t>(i);
    after[k] = at(grad, i) + at(x, i + 1) * after[k + 1];
  }
  Value before = ones(x, after.back().shape());
  for (int64_t i = 0; i < n; ++i) {
    parts.push_back(before * after[static_cast<size_t>(i)]);
    before = before * at(x, i);
  }
  return joined(parts, dim);
}

/// A square of zeros with the gradient on its diagonal.
Value on_diagonal(const Value& grad, std::span<const int64_t> sizes) {
  Value r = writable(zeros(grad, sizes));
  const int64_t n[] = {std::min(sizes[0], sizes[1])}, step[] = {sizes[1] + 1};
  Value diagonal = region(r, 0, n, step);
  put(diagonal, spread(grad, n));
  return r;
}

}  // namespace

void define_reduce(Derivative* table) {
  TH_DERIVATIVES(sum_all, NAMES(value, x), D(x, spread(grad, shape_of(x))))
  TH_DERIVATIVES(mean_all, NAMES(value, x),
                 D(x, spread(grad / static_cast<double>(count_of(x)), shape_of(x))))
  TH_DERIVATIVES(prod_all, NAMES(value, x), D(x, product_gradient(grad, flat(x), Value(value), 0)))
  TH_DERIVATIVES(min_all, NAMES(value, x), D(x, to_extremes(grad, x, value)))
  TH_DERIVATIVES(max_all, NAMES(value, x), D(x, to_extremes(grad, x, value)))
  TH_DERIVATIVES(var_all, NAMES(value, x, biased),
                 D(x, spread(grad * (2 / degrees(count_of(x), biased)), shape_of(x)) * centred(x)))
  TH_DERIVATIVES(
      std_all, NAMES(value, x, biased),
      D(x, spread(grad / (or_one(value) * degrees(count_of(x), biased)), shape_of(x)) * centred(x)))
  TH_DERIVATIVES(norm_all, NAMES(value, x, p),
                 D(x, norm_gradient(spread(grad, shape_of(x)), x, spread(value, shape_of(x)), p)))
  TH_DERIVATIVES(dist, NAMES(value, x, y, p),
                 D(x, norm_gradient(spread(grad, shape_of(x)), Value(x) - Value(y),
                                    spread(value, shape_of(x)), p))
                     D(y, -norm_gradient(spread(grad, shape_of(x)), Value(x) - Value(y),
                                         spread(value, shape_of(x)), p)))
  TH_DERIVATIVES(trace, NAMES(value, x), D(x, on_diagonal(grad, shape_of(x))))
  TH_CONSTANT(all, "true or false")
  TH_CONSTANT(any, "true or false")
  TH_CONSTANT(equal, "true or false")

  TH_DERIVATIVES(sum, NAMES(r, x, dim), D(x, expanded(grad, shape_of(x))))
  TH_DERIVATIVES(mean, NAMES(r, x, dim),
                 D(x, expanded(grad / static_cast<double>(size_of(x, dim)), shape_of(x))))
  TH_DERIVATIVES(prod, NAMES(r, x, dim), D(x, product_gradient(grad, x, r, dim)))
  TH_DERIVATIVES(
      var, NAMES(r, x, dim, biased),
      D(x, expanded(grad * (2 / degrees(size_of(x, dim), biased)), shape_of(x)) * centred(x, dim)))
  TH_DERIVATIVES(std, NAMES(r, x, dim, biased),
                 D(x, expanded(grad / (or_one(r) * degrees(size_of(x, dim), biased)), shape_of(x)) *
                          centred(x, dim)))
  TH_DERIVATIVES(
      norm, NAMES(r, x, p, dim),
      D(x, norm_gradient(expanded(grad, shape_of(x)), x, expanded(r, shape_of(x)), p, dim)))
  TH_DERIVATIVES(min, NAMES(r, indices, x, dim), D(x, put_at(grad, shape_of(x), dim, indices)))
  TH_DERIVATIVES(max, NAMES(r, indices, x, dim), D(x, put_at(grad, shape_of(x), dim, indices)))
  TH_DERIVATIVES(cumsum, NAMES(r, x, dim), D(x, reversed_sum(grad, dim)))
  TH_DERIVATIVES(cumprod, NAMES(r, x, dim), D(x, running_product_gradient(grad, x, r, dim)))

  TH_DERIVATIVES(sort, NAMES(r, indices, x, dim, descending),
                 D(x, put_at(grad, shape_of(x), dim, indices)))
  TH_DERIVATIVES(topk, NAMES(r, indices, x, k, dim, largest, sorted),
                 D(x, put_at(grad, shape_of(x), dim, indices)))
  TH_DERIVATIVES(kthvalue, NAMES(r, indices, x, k, dim),
                 D(x, put_at(grad, shape_of(x), dim, indices)))
  TH_DERIVATIVES(median, NAMES(r, indices, x, dim), D(x, put_at(grad, shape_of(x), dim, indices)))
  TH_DERIVATIVES(mode, NAMES(r, indices, x, dim), D(x, put_at(grad, shape_of(x), dim, indices)))
}

}  // namespace th::gradient
