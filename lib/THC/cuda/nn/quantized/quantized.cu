// Layers on 8 bits: codes from numbers, convolutions and products of them, their sums and maxima.
#include "core/checks/quantized.h"
#include "core/tables/quantized.h"
#include "core/tensor/aliasing.h"
#include "cuda/elementwise.cuh"
#include "cuda/nn/pooling.h"
#include "cuda/nn/quantized/byte_product.cuh"
#include "cuda/register.h"
#include "functors/quantized.h"

namespace thc {
namespace {

using th::functors::Strided;
using th::functors::Triple;

void quantize(TH_Tensor* r, const TH_Tensor* x, double scale, int zero) {
  th::check_quantize(r, x, scale, zero);
  const Tensor in(*x);
  Result result(r, sizes_of(in), Result::Any, {&in});
  const th::functors::Quantize f{static_cast<float>(1 / scale), static_cast<float>(zero)};
  Floating::dispatch(in.dtype,
                     [&]<class T>() { elementwise<uint8_t, T>(result.tensor(), f, &in); });
  result.finish();
}

void quantized_add(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* y, double x_scale,
                   double y_scale, double offset) {
  th::check_quantized_add(r, x, y, {x_scale, y_scale, offset});
  const Tensor a(*x);
  const Tensor b(*y);
  Result result(r, sizes_of(a), Result::Any, {&a, &b});
  elementwise<uint8_t, uint8_t>(
      result.tensor(),
      th::functors::AddCodes{static_cast<float>(x_scale), static_cast<float>(y_scale),
                             static_cast<float>(offset)},
      &a, &b);
  result.finish();
}

struct MaxPoolBytes {
  Strided windows;
  VolumeGrid grid;
  const uint8_t* x;
  uint8_t* y;

  TH_HD void operator()(int64_t i) const {
    const VolumeGrid::Place at = grid(i);
    y[i] = th::functors::maximum(windows, at.plane, Triple{at.t, at.h, at.w},
                                 x + at.plane * windows.s.in_elements())
               .value;
  }
};

void quantized_max_pool(TH_Tensor* r, const TH_Tensor* x, int dims, const int64_t* kernel,
                        const int64_t* stride, const int64_t* padding, const int64_t* dilation,
                        bool ceil_mode) {
  const th::Pooling p =
      th::check_quantized_pool(r, x, {dims, kernel, stride, padding, dilation, ceil_mode});
  const Tensor in = contiguous(*x);
  Result result(r, p.out(), Result::Compact, {&in});
  launch(stream_for(in), p.planes * p.out_plane(),
         MaxPoolBytes{{p.shape}, outputs_of(p), data<uint8_t>(in), result.data<uint8_t>()});
  result.finish();
}

/// What products read, without gaps.
struct Operands {
  Tensor x, weight, bias, scale, addend;

  Operands(const TH_Tensor& the_x, const TH_Tensor& w, const TH_Tensor& b, const TH_Tensor& s)
      : x(contiguous(the_x)), weight(contiguous(w)), bias(contiguous(b)), scale(contiguous(s)) {}

  ByteOperands pointers() const {
    return {data<uint8_t>(x),
            data<int8_t>(weight),
            data<float>(bias),
            data<float>(scale),
            addend.ndim == 0 ? nullptr : data<uint8_t>(addend),
            0.f,
            0};
  }
};

void multiply(const ConvShape& s, const ByteOperands& o, std::span<const int64_t> sizes,
              const Operands& held, TH_Tensor* r) {
  Result result(r, sizes, Result::Compact,
                {&held.x, &held.weight, &held.bias, &held.scale, &held.addend});
  const cudaStream_t stream = stream_for(held.x);
  if (r->dtype == TH_BYTE) {
    byte_product(stream, s, o, result.data<uint8_t>());
  } else {
    byte_product(stream, s, o, result.data<float>());
  }
  result.finish();
}

void quantized_linear(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight,
                      const TH_Tensor* bias, const TH_Tensor* scale) {
  th::check_quantized_linear(r, x, weight, bias, scale);
  const Operands held(*x, *weight, *bias, *scale);
  ConvShape s{};
  s.N = held.x.ndim == 2 ? held.x.sizes[0] : 1;
  s.C = held.weight.sizes[1];
  s.K = held.weight.sizes[0];
  s.H = s.W = s.kH = s.kW = s.dH = s.dW = s.groups = s.outH = s.outW = 1;
  multiply(s, held.pointers(), th::ProductSizes(held.x, s.K).span(), held, r);
}

void quantized_conv(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight,
                    const TH_Tensor* bias, const TH_Tensor* scale, const TH_Tensor* addend,
                    double addend_scale, int padding_value, int dims, const int64_t* stride,
                    const int64_t* padding, const int64_t* dilation, int groups) {
  const ConvShape s =
      th::check_quantized_conv(r, x, weight, bias, scale, addend, addend_scale, padding_value,
                               {dims, stride, padding, dilation, groups});
  Operands held(*x, *weight, *bias, *scale);
  if (addend != nullptr) {
    held.addend = contiguous(*addend);
  }
  ByteOperands o = held.pointers();
  o.addend_scale = static_cast<float>(addend_scale);
  o.padding_value = static_cast<uint8_t>(padding_value);
  multiply(s, o, th::output_sizes(s, held.x).span(), held, r);
}

}  // namespace

void register_quantized(th::QuantizedTable& b) {
  b.quantize = quantize;
  b.quantized_linear = quantized_linear;
  b.quantized_conv = quantized_conv;
  b.quantized_add = quantized_add;
  b.quantized_max_pool = quantized_max_pool;
}

}  // namespace thc
