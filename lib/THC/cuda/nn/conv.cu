// Convolution of images and its gradients: by cuDNN, or as products of matrices with the images as
// columns. Then a matrix of columns for some of the images at a time is all the memory it takes.
#include <algorithm>
#include <optional>

#include "core/checks_conv.h"
#include "core/vendor.h"
#include "core/aliasing.h"
#include "cuda/fill_backend.h"
#include "cuda/nn/conv_columns.h"

namespace thc {
namespace {

/// Columns beyond this gain nothing: a product of some ten thousand columns keeps a device busy.
constexpr int64_t kColumnBytes = int64_t{64} << 20;

/// t, which has no gaps, as N x planes x rows x columns whatever its dimensions.
Tensor as_batch(const TH_Tensor& t, int64_t N, int64_t planes, int64_t rows, int64_t columns) {
  const int64_t sizes[] = {N, planes, rows, columns};
  Tensor batch;
  th::view(batch, t, sizes);
  return batch;
}

/// From one matrix to the next, in elements.
struct Step {
  int64_t image, group;
};

/// A product for each group of each image, in as few calls as can be.
void multiply(int device,
              const Gemm& first,
              const ConvShape& s,
              const Step& a,
              const Step& b,
              const Step& c) {
  const bool batch_images = s.N >= s.groups;
  const int64_t calls = batch_images ? s.groups : s.N;
  const int64_t size = element_size(first.dtype);
  const auto moved = [&](const void* p, const Step& step, int64_t call) {
    const int64_t elements = call * (batch_images ? step.group : step.image);
    return static_cast<char*>(const_cast<void*>(p)) + elements * size;
  };
  for (int64_t call = 0; call < calls; ++call) {
    Gemm g = first;
    g.a = moved(first.a, a, call);
    g.b = moved(first.b, b, call);
    g.c = moved(first.c, c, call);
    g.batch = batch_images ? s.N : s.groups;
    g.stride_a = batch_images ? a.image : a.group;
    g.stride_b = batch_images ? b.image : b.group;
    g.stride_c = batch_images ? c.image : c.group;
    TH_CHECK(vendor_gemm(device, g), "no product of ", class_name(g.dtype), "Tensors is at hand");
  }
}

/// Whether the images are their own columns.
bool is_product(const ConvShape& s) {
  return s.kH == 1 && s.kW == 1 && s.dH == 1 && s.dW == 1 && s.padH == 0 && s.padW == 0;
}

/// The work in parts of some images, at least one, whose columns keep to the limits.
/// f(part: s with N images, the first one's number).
template <class F>
void each_part(const ConvShape& s, int64_t image_bytes, F&& f) {
  const int64_t room = std::min(vendor_options().workspace, kColumnBytes);
  const int64_t most = std::clamp<int64_t>(room / image_bytes, 1, s.N);
  ConvShape part = s;
  for (int64_t n = 0; n < s.N; n += most) {
    part.N = std::min(most, s.N - n);
    f(part, n);
  }
}

int64_t outputs(const ConvShape& s) { return s.outH * s.outW; }
/// Elements of an image's columns.
int64_t column_count(const ConvShape& s) { return s.groups * s.taps() * outputs(s); }
/// The n-th image (or output) of a batch.
char* image(const Tensor& batch, int64_t n) {
  return bytes(batch) + n * batch.strides[0] * element_size(batch.dtype);
}

/// y (K x P) = w (K x T) columns (T x P) for P outputs and T taps. Column-major, as products are
/// counted here, each matrix is its own transpose: y' = columns' w'.
void forward_by_products(
    const ConvShape& s, Tensor& y, const Tensor& x, const Tensor& w, const Tensor& bias) {
  const cudaStream_t stream = stream_for(y);
  const bool direct = is_product(s);
  const int64_t P = outputs(s);
  const int64_t T = s.taps();
  const int64_t Kg = s.group_outputs();
  const int64_t element = element_size(x.dtype);
  if (bias.ndim > 0) {
    Tensor row = as_batch(bias, 1, s.K, 1, 1);
    th::expand(row, row, sizes_of(y));
    th::copy(y, row);
  }
  each_part(s, direct ? 1 : column_count(s) * element, [&](const ConvShape& part, int64_t n) {
    std::optional<Scratch> scratch;
    const void* columns = image(x, n);
    if (!direct) {
      scratch.emplace(y, part.N * column_count(s) * element);
      images_to_columns(
          stream, part, ColumnLayout::by_image(part), element, columns, scratch->data<void>());
      columns = scratch->data<void>();
    }
    const Gemm g{.dtype = x.dtype,
                 .transpose_a = false,
                 .transpose_b = false,
                 .m = P,
                 .n = Kg,
                 .k = T,
                 .alpha = 1,
                 .a = columns,
                 .lda = P,
                 .b = bytes(w),
                 .ldb = T,
                 .beta = bias.ndim > 0 ? 1.0 : 0.0,
                 .c = image(y, n),
                 .ldc = P};
    multiply(y.device, g, part, {column_count(s), T * P}, {0, Kg * T}, {s.K * P, Kg * P});
  });
}

/// columns (T x P) = w' (T x K) g (K x P), then each element of r is the sum of its columns.
void backward_input_by_products(const ConvShape& s,
                                Tensor& r,
                                const Tensor& grad,
                                const Tensor& w) {
  const cudaStream_t stream = stream_for(r);
  const bool direct = is_product(s);
  const int64_t P = outputs(s);
  const int64_t T = s.taps();
  const int64_t Kg = s.group_outputs();
  const int64_t element = element_size(r.dtype);
  each_part(s, direct ? 1 : column_count(s) * element, [&](const ConvShape& part, int64_t n) {
    std::optional<Scratch> scratch;
    void* columns = image(r, n);
    if (!direct) {
      columns = scratch.emplace(r, part.N * column_count(s) * element).data<void>();
    }
    const Gemm g{.dtype = r.dtype,
                 .transpose_a = false,
                 .transpose_b = true,
                 .m = P,
                 .n = T,
                 .k = Kg,
                 .alpha = 1,
                 .a = image(grad, n),
                 .lda = P,
                 .b = bytes(w),
                 .ldb = T,
                 .beta = 0,
                 .c = columns,
                 .ldc = P};
    multiply(r.device, g, part, {s.K * P, Kg * P}, {0, Kg * T}, {column_count(s), T * P});
    if (!direct) {
      Floating::dispatch(r.dtype, [&]<class E>() {
        launch(stream,
               part.N * s.C * s.H * s.W,
               ColumnsToImages<E>{part,
                                  Grid(part.N * s.C, s.H, s.W),
                                  static_cast<const E*>(columns),
                                  reinterpret_cast<E*>(image(r, n))});
      });
    }
  });
}

/// gw (K x T) += scale g (K x NP) columns' (NP x T): the images side by side, so that the product
/// itself sums over them, in float for the 16-bit types.
void backward_weight_by_products(
    const ConvShape& s, Tensor& gw, const Tensor& grad, const Tensor& x, double scale) {
  const cudaStream_t stream = stream_for(gw);
  const int64_t P = outputs(s);
  const int64_t T = s.taps();
  const int64_t Kg = s.group_outputs();
  const int64_t element = element_size(gw.dtype);
  const int64_t each = column_count(s) + s.K * P;
  each_part(s, each * element, [&](const ConvShape& part, int64_t n) {
    const Scratch scratch(gw, part.N * each * element);
    char* columns = scratch.data<char>();
    char* gradients = columns + part.N * column_count(s) * element;
    images_to_columns(stream, part, ColumnLayout::together(part), element, image(x, n), columns);
    // The gradients are columns of a kernel of 1 x 1.
    ConvShape plain{};
    plain.N = part.N;
    plain.C = s.K;
    plain.H = plain.outH = s.outH;
    plain.W = plain.outW = s.outW;
    plain.kH = plain.kW = plain.dH = plain.dW = plain.groups = 1;
    images_to_columns(
        stream, plain, ColumnLayout::together(plain), element, image(grad, n), gradients);
    const int64_t NP = part.N * P;
    const Gemm g{.dtype = gw.dtype,
                 .transpose_a = true,
                 .transpose_b = false,
                 .m = T,
                 .n = Kg,
                 .k = NP,
                 .alpha = scale,
                 .a = columns,
                 .lda = NP,
                 .b = gradients,
                 .ldb = NP,
                 .beta = 1,
                 .c = bytes(gw),
                 .ldc = T};
    ConvShape whole = part;
    whole.N = 1;
    multiply(gw.device, g, whole, {0, T * NP}, {0, Kg * NP}, {0, Kg * T});
  });
}

struct Plus {
  template <class T>
  TH_HD T operator()(T a, T b) const {
    return a + b;
  }
};

/// gb[k] += scale * the sum of g over images and outputs; a block for each k.
template <class T>
struct BiasGradient {
  int64_t N, K, P;
  Grid grid;  // of images and outputs
  Compute<T> scale;
  const T* g;
  T* gb;

  template <class Block>
  TH_D void operator()(Block& block) const {
    const int64_t k = block.index();
    Compute<T> sum = 0;
    for (int64_t i = block.thread(); i < N * P; i += block.threads()) {
      const Grid::Place at = grid(i);
      sum += widen(g[(at.plane * K + k) * P + at.column]);
    }
    sum = block.reduce(sum, Plus{});
    if (block.thread() == 0) {
      gb[k] = narrow<T>(widen(gb[k]) + scale * sum);
    }
  }
};

void backward_bias(const ConvShape& s, Tensor& gb, const Tensor& grad, double scale) {
  Floating::dispatch(gb.dtype, [&]<class T>() {
    launch_blocks(stream_for(gb),
                  s.K,
                  kThreads,
                  0,
                  BiasGradient<T>{s.N,
                                  s.K,
                                  outputs(s),
                                  Grid(s.N, 1, outputs(s)),
                                  static_cast<Compute<T>>(scale),
                                  data<T>(grad),
                                  data<T>(gb)});
  });
}

void conv2d(TH_Tensor* r,
            const TH_Tensor* x,
            const TH_Tensor* weight,
            const TH_Tensor* bias,
            int dH,
            int dW,
            int padH,
            int padW,
            int groups) {
  const ConvShape s = check_conv2d(r, x, weight, bias, {dH, dW, padH, padW, groups});
  const ImageSizes sizes = output_sizes(s, *x);
  const Tensor in = as_batch(contiguous(*x), s.N, s.C, s.H, s.W);
  const Tensor w = contiguous(*weight);
  const Tensor b = bias == nullptr ? Tensor() : contiguous(*bias);
  Result result(r, sizes.span(), Result::Compact, {&in, &w, &b});
  Tensor y = as_batch(result.tensor(), s.N, s.K, s.outH, s.outW);
  if (!vendor_conv2d(y, in, w, bias == nullptr ? nullptr : &b, {dH, dW, padH, padW, groups})) {
    forward_by_products(s, y, in, w, b);
  }
  result.finish();
}

void conv2d_backward_input(TH_Tensor* r,
                           const TH_Tensor* g,
                           const TH_Tensor* x,
                           const TH_Tensor* weight,
                           int dH,
                           int dW,
                           int padH,
                           int padW,
                           int groups) {
  const ConvShape s = check_conv2d_backward_input(r, g, x, weight, {dH, dW, padH, padW, groups});
  const Tensor in(*x);  // for its sizes: r may be x
  const Tensor grad = as_batch(contiguous(*g), s.N, s.K, s.outH, s.outW);
  const Tensor w = contiguous(*weight);
  Result result(r, sizes_of(in), Result::Compact, {&grad, &w});
  Tensor dx = as_batch(result.tensor(), s.N, s.C, s.H, s.W);
  if (!vendor_conv2d_backward_input(dx, grad, w, {dH, dW, padH, padW, groups})) {
    backward_input_by_products(s, dx, grad, w);
  }
  result.finish();
}

/// Where gradients are added up: t itself, unless it has gaps or lies where an operand does.
Tensor accumulator(const TH_Tensor& t, const Tensor& in, const Tensor& grad) {
  const bool apart = !shares_memory(t, in) && !shares_memory(t, grad);
  return apart ? contiguous(t) : clone(t);
}

void conv2d_backward_weight(TH_Tensor* grad_weight,
                            TH_Tensor* grad_bias,
                            const TH_Tensor* g,
                            const TH_Tensor* x,
                            int dH,
                            int dW,
                            int padH,
                            int padW,
                            int groups,
                            double scale) {
  const ConvShape s =
      check_conv2d_backward_weight(grad_weight, grad_bias, g, x, {dH, dW, padH, padW, groups});
  const Tensor in = as_batch(contiguous(*x), s.N, s.C, s.H, s.W);
  const Tensor grad = as_batch(contiguous(*g), s.N, s.K, s.outH, s.outW);
  Tensor gw = accumulator(*grad_weight, in, grad);
  Tensor gb = grad_bias == nullptr ? Tensor() : accumulator(*grad_bias, in, grad);
  if (!vendor_conv2d_backward_weight(gw,
                                     grad_bias == nullptr ? nullptr : &gb,
                                     grad,
                                     in,
                                     {dH, dW, padH, padW, groups},
                                     scale)) {
    backward_weight_by_products(s, gw, grad, in, scale);
    if (grad_bias != nullptr) {
      backward_bias(s, gb, grad, scale);
    }
  }
  if (bytes(gw) != bytes(*grad_weight)) {
    th::copy(*grad_weight, gw);
  }
  if (grad_bias != nullptr && bytes(gb) != bytes(*grad_bias)) {
    th::copy(*grad_bias, gb);
  }
}

}  // namespace

void fill_conv(Backend& b) {
  b.conv2d = conv2d;
  b.conv2d_backward_input = conv2d_backward_input;
  b.conv2d_backward_weight = conv2d_backward_weight;
}

}  // namespace thc
