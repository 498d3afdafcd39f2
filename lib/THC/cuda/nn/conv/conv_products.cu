// See conv_products.h.
#include <algorithm>
#include <optional>

#include "core/device_functions.h"
#include "core/vendor/vendor.h"
#include "cuda/nn/conv/conv_columns.h"
#include "cuda/nn/conv/conv_products.h"

namespace thc {
namespace {

/// Columns beyond this gain nothing: a product of some ten thousand columns keeps a device busy.
constexpr int64_t kColumnBytes = int64_t{64} << 20;

/// From one matrix to the next, in elements.
struct Step {
  int64_t image, group;
};

/// A product for each group of each image, in as few calls as can be.
void multiply(int device, const Gemm& first, const ConvShape& s, const Step& a, const Step& b,
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
  return s.kernel() == 1 && s.plane() == s.outputs() && s.padD + s.padH + s.padW == 0;
}

/// The work in parts of some images, at least one, whose columns keep to the limits; all at once
/// where an image takes no memory.
class Parts {
 public:
  /// Takes the memory for a part, which they all use in turn, on t's device.
  Parts(const ConvShape& s, const Tensor& t, int64_t image_bytes) : s_(s) {
    const int64_t room = std::min(vendor_options().workspace, kColumnBytes);
    most_ = image_bytes == 0 ? s.N : std::clamp<int64_t>(room / image_bytes, 1, s.N);
    if (image_bytes > 0) {
      scratch_.emplace(t, most_ * image_bytes);
    }
  }

  bool several() const { return most_ < s_.N; }

  /// f(part: s with N images, the first one's number, the memory).
  template <class F>
  void each(F&& f) const {
    ConvShape part = s_;
    for (int64_t n = 0; n < s_.N; n += most_) {
      part.N = std::min(most_, s_.N - n);
      f(part, n, scratch_ ? scratch_->data<char>() : nullptr);
    }
  }

 private:
  const ConvShape& s_;
  int64_t most_;
  std::optional<Scratch> scratch_;
};

/// Elements of an image's columns.
int64_t column_count(const ConvShape& s) { return s.groups * s.taps() * s.outputs(); }
/// The n-th image (or output) of a batch.
char* image(const Tensor& batch, int64_t n) {
  return bytes(batch) + n * batch.strides[0] * element_size(batch.dtype);
}

}  // namespace

/// y (K x P) = w (K x T) columns (T x P) for P outputs and T taps. Column-major, as products are
/// counted here, each matrix is its own transpose: y' = columns' w'.
void forward_by_products(const ConvShape& s, Tensor& y, const Tensor& x, const Tensor& w,
                         const Tensor& bias) {
  const cudaStream_t stream = stream_for(y);
  const bool direct = is_product(s);
  const int64_t P = s.outputs();
  const int64_t T = s.taps();
  const int64_t Kg = s.group_outputs();
  const int64_t element = element_size(x.dtype);
  const Parts parts(s, y, direct ? 0 : column_count(s) * element);
  if (bias.ndim > 0) {
    const int64_t row[] = {1, s.K, 1, 1, 1};
    Tensor all;
    th::view(all, bias, std::span(row).first(static_cast<size_t>(y.ndim)));
    th::expand(all, all, sizes_of(y));
    th::copy(y, all);
  }
  parts.each([&](const ConvShape& part, int64_t n, char* scratch) {
    const void* columns = image(x, n);
    if (!direct) {
      images_to_columns(stream, part, ColumnLayout::by_image(part), element, columns, scratch);
      columns = scratch;
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
void backward_input_by_products(const ConvShape& s, Tensor& r, const Tensor& grad,
                                const Tensor& w) {
  const cudaStream_t stream = stream_for(r);
  const bool direct = is_product(s);
  const int64_t P = s.outputs();
  const int64_t T = s.taps();
  const int64_t Kg = s.group_outputs();
  const int64_t element = element_size(r.dtype);
  const Parts parts(s, r, direct ? 0 : column_count(s) * element);
  parts.each([&](const ConvShape& part, int64_t n, char* scratch) {
    void* columns = direct ? image(r, n) : scratch;
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
        launch(
            stream, part.N * s.C * s.plane(),
            ColumnsToImages<E>{part, Grid(part.N * s.C * s.D, s.H, s.W),
                               static_cast<const E*>(columns), reinterpret_cast<E*>(image(r, n))});
      });
    }
  });
}

namespace {

/// sums = part, or what is there and part: the parts of a batch, in the type that is computed in.
template <class T>
struct AddPart {
  bool first;
  const T* part;
  Compute<T>* sums;
  TH_HD void operator()(int64_t i) const {
    sums[i] = first ? widen(part[i]) : sums[i] + widen(part[i]);
  }
};

/// gw += sums
template <class T>
struct AddSums {
  const Compute<T>* sums;
  T* gw;
  TH_HD void operator()(int64_t i) const { gw[i] = narrow<T>(widen(gw[i]) + sums[i]); }
};

/// The gradient of a weight that comes in parts: their sum apart, wider than 16 bits, and added at
/// the end, so that a part that finds no memory lets the whole operation be made again.
class SumOfParts {
 public:
  explicit SumOfParts(const Tensor& gw) : part_(gw, bytes_of(gw)), sums_(gw, wide_bytes(gw)) {}

  void* part() const { return part_.data<void>(); }

  /// After each product into part().
  void add(const Tensor& gw) {
    Floating::dispatch(gw.dtype, [&]<class T>() {
      launch(stream_for(gw), numel(gw),
             AddPart<T>{first_, part_.data<T>(), sums_.data<Compute<T>>()});
    });
    first_ = false;
  }
  void finish(const Tensor& gw) const {
    Floating::dispatch(gw.dtype, [&]<class T>() {
      launch(stream_for(gw), numel(gw), AddSums<T>{sums_.data<Compute<T>>(), data<T>(gw)});
    });
  }

 private:
  static int64_t bytes_of(const Tensor& gw) { return numel(gw) * element_size(gw.dtype); }
  static int64_t wide_bytes(const Tensor& gw) {
    int64_t bytes = 0;
    Floating::dispatch(
        gw.dtype, [&]<class T>() { bytes = numel(gw) * static_cast<int64_t>(sizeof(Compute<T>)); });
    return bytes;
  }

  Scratch part_, sums_;
  bool first_ = true;
};

}  // namespace

/// gw (K x T) += scale g (K x NP) columns' (NP x T): the images side by side, so that the product
/// itself sums over them, in float for the 16-bit types.
void backward_weight_by_products(const ConvShape& s, Tensor& gw, const Tensor& grad,
                                 const Tensor& x, double scale) {
  const cudaStream_t stream = stream_for(gw);
  const int64_t P = s.outputs();
  const int64_t T = s.taps();
  const int64_t Kg = s.group_outputs();
  const int64_t element = element_size(gw.dtype);
  const int64_t each = column_count(s) + s.K * P;
  const Parts parts(s, gw, each * element);
  std::optional<SumOfParts> sum;
  if (parts.several()) {
    sum.emplace(gw);
  }
  parts.each([&](const ConvShape& part, int64_t n, char* columns) {
    char* gradients = columns + part.N * column_count(s) * element;
    images_to_columns(stream, part, ColumnLayout::together(part), element, image(x, n), columns);
    // The gradients are columns of a kernel of 1 x 1.
    ConvShape plain{};
    plain.N = part.N;
    plain.C = s.K;
    plain.D = plain.outD = s.outD;
    plain.H = plain.outH = s.outH;
    plain.W = plain.outW = s.outW;
    plain.kH = plain.kW = plain.dH = plain.dW = plain.groups = 1;
    images_to_columns(stream, plain, ColumnLayout::together(plain), element, image(grad, n),
                      gradients);
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
                 .beta = sum ? 0.0 : 1.0,
                 .c = sum ? sum->part() : bytes(gw),
                 .ldc = T};
    ConvShape whole = part;
    whole.N = 1;
    multiply(gw.device, g, whole, {0, T * NP}, {0, Kg * NP}, {0, Kg * T});
    if (sum) {
      sum->add(gw);
    }
  });
  if (sum) {
    sum->finish(gw);
  }
}

}  // namespace thc
