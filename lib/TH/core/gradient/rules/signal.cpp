// Convolutions of signals, histograms.
#include "core/gradient/derivation.h"
#include "core/gradient/rules/positions.h"

namespace th::gradient {
namespace {

using Product = void (*)(TH_Tensor*, const TH_Tensor*, const TH_Tensor*, bool full);

/// With the last dimensions in reverse order.
Value mirrored(Value x, int dims) {
  for (int d = 0; d < dims; ++d) {
    x = reversed(x, x.ndim - 1 - d);
  }
  return x;
}

/// x with a dimension `before` its planes, or behind them, along which it repeats `times`; then
/// both as one.
Value repeated(const Value& x, int64_t times, bool before) {
  std::vector<int64_t> sizes(x.shape().begin(), x.shape().end());
  const auto place = sizes.begin() + (before ? 0 : 1);
  sizes.insert(place, 1);
  const Value apart = viewed(compact(x), sizes);
  sizes[before ? 0 : 1] = times;
  const Value all = compact(expanded(apart, sizes));
  sizes.erase(sizes.begin());
  sizes[0] = times * x.sizes[0];
  return viewed(all, sizes);
}

/// By the signal: what is a convolution forwards is a correlation backwards, and what counts
/// complete overlaps counts all.
Value of_signal(const Value& grad, const Value& kernel, Product other, int dims, bool full) {
  const bool bank = kernel.ndim == dims + 2;
  return result(grad, other, grad, bank ? compact(transposed(kernel, 0, 1)) : kernel, !full);
}

/// By the kernel: the complete overlaps of the signal and the gradient, the larger one first.
Value of_kernel(const Value& grad, const Value& x, std::span<const int64_t> sizes,
                Product correlate, bool convolution, int dims, bool full) {
  const bool bank = static_cast<int>(sizes.size()) == dims + 2;
  const Value signal = bank ? repeated(x, sizes[0], true) : x;
  const Value g = bank ? repeated(grad, sizes[1], false) : grad;
  const Value all =
      full ? result(grad, correlate, g, signal, false) : result(grad, correlate, signal, g, false);
  const Value in_order = convolution == full ? all : mirrored(all, dims);
  return bank ? viewed(compact(in_order), sizes) : in_order;
}

}  // namespace

void define_signal(Derivative* table) {
#define PRODUCT(NAME, OTHER, CORRELATE, CONVOLUTION, DIMS)     \
  TH_DERIVATIVES(                                              \
      NAME, NAMES(r, x, kernel, full),                         \
      D(x, of_signal(grad, kernel, ops::OTHER, DIMS, full)) D( \
          kernel, of_kernel(grad, x, shape_of(kernel), ops::CORRELATE, CONVOLUTION, DIMS, full)))
  PRODUCT(conv2, xcorr2, xcorr2, true, 2)
  PRODUCT(xcorr2, conv2, xcorr2, false, 2)
  PRODUCT(conv3, xcorr3, xcorr3, true, 3)
  PRODUCT(xcorr3, conv3, xcorr3, false, 3)
#undef PRODUCT
  TH_CONSTANT(histc, "counts")
  TH_CONSTANT(bhistc, "counts")
}

}  // namespace th::gradient
