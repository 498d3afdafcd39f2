// Activations of 8 bits. Images lie with their planes side by side, N x H x W x C in memory, as
// oneDNN's kernels want them; the sizes that scripts see are N x C x H x W as ever.
#include "core/checks/quantized.h"

#include "core/composite/quantized.h"
#include "core/tables/quantized.h"
#include "cpu/kernels/nn/quantized.h"
#include "cpu/nn/quantized/few_samples.h"
#include "cpu/nn/quantized/images.h"
#include "cpu/nn/quantized/onednn_int8.h"
#include "cpu/operands.h"
#include "cpu/parallel.h"
#include "cpu/register.h"
#include "cpu/select.h"
#include "functors/pooling.h"

namespace th::cpu {

const QuantizedKernels& quantized_kernels() {
  static const QuantizedKernels table = select_kernels<QuantizedKernels>();
  return table;
}

namespace {

void quantize(TH_Tensor* r, const TH_Tensor* x, double scale, int zero) {
  check_quantize(r, x, scale, zero);
  Tensor in = compact(*x);
  if (in.dtype != TH_FLOAT) {
    Tensor floats = Tensor::like(in, TH_FLOAT, sizes_of(in));
    th::copy(floats, in);
    in = std::move(floats);
  }
  Result out(r, sizes_of(in), Result::Compact, {&in});
  const auto factor = static_cast<float>(1 / scale);
  parallel_for(numel(in), kGrain, [&](int64_t begin, int64_t end) {
    quantized_kernels().quantize(end - begin, out.data<uint8_t>() + begin, data<float>(in) + begin,
                                 factor, static_cast<float>(zero));
  });
  out.finish();
}

void quantized_linear(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight,
                      const TH_Tensor* bias, const TH_Tensor* scale) {
  check_quantized_linear(r, x, weight, bias, scale);
  const Tensor in = compact(*x);
  const Tensor b = compact(*bias);
  const Tensor s = compact(*scale);
  const int8::Product product{in.ndim == 2 ? in.sizes[0] : 1, weight->sizes[1], weight->sizes[0],
                              r->dtype};
  Result out(r, ProductSizes(in, product.outputs).span(), Result::Compact, {&in, weight, &b, &s});
  void* y = r->dtype == TH_BYTE ? static_cast<void*>(out.data<uint8_t>()) : out.data<float>();
  if (int8::linear(product, data<uint8_t>(in), *weight, data<float>(b), data<float>(s), y)) {
    out.finish();
    return;
  }
  if (int8::has_few_samples(product)) {
    const Tensor w = compact(*weight);
    int8::linear_of_few(product, data<uint8_t>(in), data<int8_t>(w), data<float>(b), data<float>(s),
                        y);
    out.finish();
    return;
  }
  composite::quantized_linear(r, &in, weight, &b, &s);
}

void quantized_conv(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight,
                    const TH_Tensor* bias, const TH_Tensor* scale, const TH_Tensor* addend,
                    double addend_scale, int padding_value, int dims, const int64_t* stride,
                    const int64_t* padding, const int64_t* dilation, int groups) {
  ConvShape s = check_quantized_conv(r, x, weight, bias, scale, addend, addend_scale, padding_value,
                                     {dims, stride, padding, dilation, groups});
  const Tensor b = compact(*bias);
  const Tensor factors = compact(*scale);
  const Tensor in = padding_value == 0 ? by_pixels(*x) : padded_pixels(*x, s, padding_value);
  const Tensor more = addend == nullptr ? Tensor() : by_pixels(*addend);
  const ConvSizes sizes = output_sizes(s, *x);
  if (padding_value != 0) {
    s.H += 2 * s.padH;
    s.W += 2 * s.padW;
    s.padH = s.padW = 0;
  }
  PixelResult out(r, sizes.span(), {&in, weight, &b, &factors, &more});
  if (int8::conv(s, data<uint8_t>(in), *weight, data<float>(b), data<float>(factors),
                 {data<uint8_t>(more), static_cast<float>(addend_scale)}, r->dtype, out.data())) {
    out.finish();
    return;
  }
  composite::quantized_conv(r, x, weight, &b, &factors, addend, addend_scale, padding_value, dims,
                            stride, padding, dilation, groups);
}

void quantized_add(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* y, double x_scale,
                   double y_scale, double offset) {
  check_quantized_add(r, x, y, {x_scale, y_scale, offset});
  const bool pixels = x->ndim >= 3 && x->ndim <= 4 && lies_by_pixels(*x);
  const Tensor a = pixels ? by_pixels(*x) : compact(*x);
  const Tensor b = pixels ? by_pixels(*y) : compact(*y);
  const auto sum = [&](uint8_t* to) {
    parallel_for(numel(a), kGrain, [&](int64_t begin, int64_t end) {
      quantized_kernels().add(end - begin, to + begin, data<uint8_t>(a) + begin,
                              data<uint8_t>(b) + begin, static_cast<float>(x_scale),
                              static_cast<float>(y_scale), static_cast<float>(offset));
    });
  };
  if (pixels) {
    const Tensor sizes(*x);  // r may be x
    PixelResult out(r, sizes_of(sizes), {&a, &b});
    sum(static_cast<uint8_t*>(out.data()));
    out.finish();
  } else {
    Result out(r, sizes_of(a), Result::Compact, {&a, &b});
    sum(out.data<uint8_t>());
    out.finish();
  }
}

void quantized_max_pool(TH_Tensor* r, const TH_Tensor* x, int dims, const int64_t* kernel,
                        const int64_t* stride, const int64_t* padding, const int64_t* dilation,
                        bool ceil_mode) {
  const Pooling p =
      check_quantized_pool(r, x, {dims, kernel, stride, padding, dilation, ceil_mode});
  const Tensor in = by_pixels(*x);
  const functors::Strided windows{p.shape};
  const PoolAxis& rows = p.shape.axes[1];
  const PoolAxis& columns = p.shape.axes[2];
  const int64_t C = x->sizes[x->ndim - 3];
  const int64_t N = p.planes / C;
  PixelResult out(r, p.out(), {&in});
  auto* to = static_cast<uint8_t*>(out.data());
  const auto* from = data<uint8_t>(in);
  parallel_items(N * rows.out, columns.out * C * rows.kernel * columns.kernel,
                 [&](int64_t begin, int64_t end) {
                   for (int64_t row = begin; row < end; ++row) {
                     const functors::Taps h = windows.taps(0, 1, row % rows.out);
                     const uint8_t* image = from + row / rows.out * rows.in * columns.in * C;
                     for (int64_t column = 0; column < columns.out; ++column) {
                       const functors::Taps w = windows.taps(0, 2, column);
                       uint8_t* pixel = to + (row * columns.out + column) * C;
                       std::fill_n(pixel, C, uint8_t{0});
                       for (int64_t i = 0; i < h.count; ++i) {
                         for (int64_t j = 0; j < w.count; ++j) {
                           const int64_t at =
                               (h.begin + i * h.step) * columns.in + w.begin + j * w.step;
                           quantized_kernels().maximum(C, pixel, image + at * C);
                         }
                       }
                     }
                   }
                 });
  out.finish();
}

}  // namespace

void register_quantized(QuantizedTable& b) {
  b.quantize = quantize;
  b.quantized_linear = quantized_linear;
  b.quantized_conv = quantized_conv;
  b.quantized_add = quantized_add;
  b.quantized_max_pool = quantized_max_pool;
}

}  // namespace th::cpu
