// Layers on 8 bits and fewer, by operations on floats: the same results wherever sums stay below
// 2^24, beyond which a float is no longer every integer.
#include "core/checks/quantized.h"

#include <array>

#include "core/composite/quantized.h"
#include "core/composite/register.h"
#include "core/composite/staged.h"
#include "core/composite/views.h"
#include "core/operations.h"
#include "core/tables/quantized.h"

namespace th::composite {
namespace {

Tensor empty(const TH_Tensor& on, int dtype) {
  Tensor t;
  init(t, dtype, on.device_type, on.device);
  return t;
}

/// The same elements as floats.
Tensor as_floats(const TH_Tensor& t) {
  Tensor x = Tensor::like(t, TH_FLOAT, sizes_of(t));
  th::copy(x, t);
  return x;
}

/// To the nearest of 0 to 255, of two the even one: what is added leaves a float no bits behind the
/// point.
void round_to_codes(Tensor& y) {
  constexpr double kNoFraction = 0x1.8p23;
  ops::clamp(&y, &y, 0, 255);
  ops::add_value(&y, &y, kNoFraction);
  ops::add_value(&y, &y, -kNoFraction);
}

/// What was computed in floats as the result, rounded where that is of bytes.
void hand_over(TH_Tensor* r, Tensor& y) {
  Staged result(r, *r, sizes_of(y));
  if (r->dtype == TH_BYTE) {
    round_to_codes(y);
  }
  th::copy(result.tensor(), y);
  result.finish();
}

void quantize(TH_Tensor* r, const TH_Tensor* x, double scale, int zero) {
  check_quantize(r, x, scale, zero);
  Tensor y = as_floats(*x);
  ops::mul(&y, &y, 1 / scale);
  ops::add_value(&y, &y, zero);
  hand_over(r, y);
}

}  // namespace

void quantized_linear(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight,
                      const TH_Tensor* bias, const TH_Tensor* scale) {
  check_quantized_linear(r, x, weight, bias, scale);
  const Tensor in = as_floats(*x);
  const Tensor w = as_floats(*weight);
  Tensor y = empty(*x, TH_FLOAT);
  ops::linear(&y, &in, &w, bias);
  Tensor factors = empty(*x, TH_FLOAT);
  const Tensor row = viewed(contiguous(*scale), {1, numel(*scale)});
  Tensor rows = viewed(y, {-1, numel(*scale)});
  th::expand(factors, row, sizes_of(rows));
  ops::cmul(&rows, &rows, &factors);
  hand_over(r, y);
}

namespace {

/// x with that value around it.
Tensor padded(const TH_Tensor& x, const ConvShape& s, int value) {
  const std::array<int64_t, 4> sizes{s.N, s.C, s.H + 2 * s.padH, s.W + 2 * s.padW};
  Tensor all = Tensor::like(x, x.dtype, std::span(sizes).last(static_cast<size_t>(x.ndim)));
  ops::fill(&all, value);
  const Tensor rows = part(all, x.ndim - 2, s.padH, s.H);
  Tensor inside = part(rows, x.ndim - 1, s.padW, s.W);
  th::copy(inside, x);
  return all;
}

}  // namespace

void quantized_conv(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight,
                    const TH_Tensor* bias, const TH_Tensor* scale, const TH_Tensor* addend,
                    double addend_scale, int padding_value, int dims, const int64_t* stride,
                    const int64_t* padding, const int64_t* dilation, int groups) {
  const ConvShape s =
      check_quantized_conv(r, x, weight, bias, scale, addend, addend_scale, padding_value,
                           {dims, stride, padding, dilation, groups});
  const Tensor in = as_floats(padded(*x, s, padding_value));
  const Tensor w = as_floats(*weight);
  constexpr int64_t kNone[] = {0, 0};
  Tensor y = empty(*x, TH_FLOAT);
  ops::conv(&y, &in, &w, bias, dims, stride, kNone, dilation, groups);
  Tensor factors = empty(*x, TH_FLOAT);
  const Tensor planes = viewed(contiguous(*scale), {1, s.K, 1});
  Tensor images = viewed(y, {s.N, s.K, s.outputs()});
  th::expand(factors, planes, sizes_of(images));
  ops::cmul(&images, &images, &factors);
  if (addend != nullptr) {
    const Tensor more = as_floats(*addend);
    ops::add_scaled(&y, &y, addend_scale, &more);
  }
  hand_over(r, y);
}

namespace {

void quantized_add(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* y, double x_scale,
                   double y_scale, double offset) {
  check_quantized_add(r, x, y, {x_scale, y_scale, offset});
  Tensor sum = as_floats(*x);
  const Tensor more = as_floats(*y);
  ops::mul(&sum, &sum, x_scale);
  ops::add_scaled(&sum, &sum, y_scale, &more);
  ops::add_value(&sum, &sum, offset);
  hand_over(r, sum);
}

void quantized_max_pool(TH_Tensor* r, const TH_Tensor* x, int dims, const int64_t* kernel,
                        const int64_t* stride, const int64_t* padding, const int64_t* dilation,
                        bool ceil_mode) {
  check_quantized_pool(r, x, {dims, kernel, stride, padding, dilation, ceil_mode});
  const Tensor in = as_floats(*x);
  Tensor y = empty(*x, TH_FLOAT);
  Tensor positions = empty(*x, TH_LONG);
  ops::max_pool(&y, &positions, &in, dims, kernel, stride, padding, dilation, ceil_mode);
  hand_over(r, y);
}

// --- packed rows --------------------------------------------------------------------------------

/// The numbers of the codes, rows x columns, in a floating type.
Tensor code_numbers(const TH_Tensor& codes, const PackedRows& p, int dtype) {
  Tensor whole = Tensor::like(codes, dtype, sizes_of(codes));
  th::copy(whole, codes);
  if (p.bits == 8) {
    return whole;
  }
  Tensor high = empty(codes, dtype);
  ops::mul(&high, &whole, 1.0 / 16);
  ops::floor(&high, &high);
  const std::array<int64_t, 3> pairs{p.rows, p.columns / 2, 2};
  Tensor both = Tensor::like(codes, dtype, pairs);
  Tensor first = empty(codes, dtype);
  Tensor second = empty(codes, dtype);
  th::select(first, both, 2, 0);
  th::select(second, both, 2, 1);
  ops::add_scaled(&first, &whole, -16, &high);
  th::copy(second, high);
  return viewed(both, {p.rows, p.columns});
}

Tensor unpacked(const TH_Tensor& codes, const TH_Tensor& scale, const TH_Tensor& zero,
                const PackedRows& p) {
  Tensor numbers = code_numbers(codes, p, scale.dtype);
  Tensor groups = viewed(numbers, {p.rows, p.groups, p.group()});
  const auto of_groups = [&](const TH_Tensor& t) {
    Tensor same = Tensor::like(scale, scale.dtype, sizes_of(t));
    th::copy(same, t);
    Tensor all = empty(scale, scale.dtype);
    th::expand(all, viewed(same, {p.rows, p.groups, 1}), sizes_of(groups));
    return all;
  };
  const Tensor zeros = of_groups(zero);
  const Tensor factors = of_groups(scale);
  ops::add_scaled(&groups, &groups, -1, &zeros);
  ops::cmul(&groups, &groups, &factors);
  return numbers;
}

void unpack_rows(TH_Tensor* r, const TH_Tensor* codes, const TH_Tensor* scale,
                 const TH_Tensor* zero, int bits) {
  const PackedRows p = check_unpack_rows(r, codes, scale, zero, bits);
  Staged result(r, *r, {p.rows, p.columns});
  th::copy(result.tensor(), unpacked(*codes, *scale, *zero, p));
  result.finish();
}

}  // namespace

void packed_linear(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* codes, const TH_Tensor* scale,
                   const TH_Tensor* zero, const TH_Tensor* bias, int bits) {
  const PackedRows p = check_packed_linear(r, x, codes, scale, zero, bias, bits);
  Tensor weight = empty(*scale, scale->dtype);
  ops::unpack_rows(&weight, codes, scale, zero, bits);
  Staged result(r, *r, ProductSizes(*x, p.rows).span());
  ops::linear(&result.tensor(), x, &weight, bias);
  result.finish();
}

void register_quantized(QuantizedTable& b) {
  offer(b.quantize, quantize);
  offer(b.quantized_linear, quantized_linear);
  offer(b.quantized_conv, quantized_conv);
  offer(b.quantized_add, quantized_add);
  offer(b.quantized_max_pool, quantized_max_pool);
  offer(b.unpack_rows, unpack_rows);
  offer(b.packed_linear, packed_linear);
}

}  // namespace th::composite
