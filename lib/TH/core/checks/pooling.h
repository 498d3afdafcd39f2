// What every backend checks before it pools: N x C x T x H x W or C x T x H x W, with as many of T,
// H, W as the pooling has directions.
#pragma once

#include <algorithm>
#include <array>

#include "core/checks/nn.h"
#include "core/checks/window_numbers.h"
#include "functors/pooling.h"

namespace th {

/// The planes of x and the pooling of each.
struct Pooling {
  PoolShape shape;
  int64_t planes = 1;
  int dims = 0;  // directions
  int ndim = 0;
  std::array<int64_t, 5> sizes{};  // of the output

  std::span<const int64_t> out() const { return {sizes.data(), static_cast<size_t>(ndim)}; }
  int64_t in_plane() const { return shape.in_elements(); }
  int64_t out_plane() const { return shape.out_elements(); }
  /// Of a plane, for splitting the work.
  int64_t cost() const {
    int64_t window = 1;
    for (const PoolAxis& a : shape.axes) {
      window *= std::min(a.kernel, a.in);
    }
    return in_plane() + out_plane() * window;
  }
};

/// The numbers of a pooling operation, one for each of `dims` directions.
struct Windows {
  int dims;
  const int64_t *kernel, *stride, *padding, *dilation;
  bool ceil_mode;

  std::span<const int64_t> list(const int64_t* numbers) const {
    return {numbers, static_cast<size_t>(dims)};
  }
  std::string text(const int64_t* numbers) const { return shape(list(numbers)); }
  template <class Good>
  bool all(const Good& good) const {
    for (int d = 0; d < dims; ++d) {
      if (!good(d)) {
        return false;
      }
    }
    return true;
  }
};

inline void check_directions(int dims, std::initializer_list<const int64_t*> lists) {
  TH_CHECK(dims >= 1 && dims <= 3, "got ", dims, " directions, expected 1, 2 or 3");
  for (const int64_t* list : lists) {
    TH_CHECK(list != nullptr, "a list of numbers for the directions is missing");
  }
}

/// Planes and input sizes.
inline Pooling check_pool_input(const TH_Tensor& x, int dims) {
  constexpr const char* kShapes[] = {"N x C x T or C x T", "N x C x H x W or C x H x W",
                                     "N x C x T x H x W or C x T x H x W"};
  TH_CHECK(x.ndim == dims + 1 || x.ndim == dims + 2, "input is ", shape(x), ", expected ",
           kShapes[dims - 1]);
  Pooling p;
  p.dims = dims;
  p.ndim = x.ndim;
  for (int d = 0; d < x.ndim; ++d) {
    p.sizes[static_cast<size_t>(d)] = x.sizes[d];
    if (d < x.ndim - dims) {
      p.planes *= x.sizes[d];
    } else {
      p.shape.axes[3 - x.ndim + d].in = x.sizes[d];
    }
  }
  return p;
}

/// floor((size + 2 pad - reach) / step) + 1, or with ceil, where one window may also be larger than
/// the padded input; a last window that would begin in the padding behind the input is left out. 0
/// where no window fits.
inline int64_t pooled_size(const PoolAxis& a, bool ceil_mode) {
  const int64_t room =
      a.in + 2 * a.pad - ((a.kernel - 1) * a.dilation + 1) + (ceil_mode ? a.stride - 1 : 0);
  if (room < 0) {
    return 0;
  }
  const int64_t count = room / a.stride + 1;
  return (count - 1) * a.stride >= a.in + a.pad ? count - 1 : count;
}

inline void check_windows(const Windows& w) {
  check_directions(w.dims, {w.kernel, w.stride, w.padding, w.dilation});
  check_numbers("kernel", w.list(w.kernel), 1);
  check_numbers("stride", w.list(w.stride), 1);
  check_numbers("dilation", w.list(w.dilation), 1);
  TH_CHECK(w.all([&](int d) { return w.padding[d] >= 0 && w.padding[d] <= w.kernel[d] / 2; }),
           "padding is ", w.text(w.padding), ", it must be from 0 to half of the kernel (",
           w.text(w.kernel), ")");
}

/// Only with dilation may a window miss the input although it begins before it and ends behind.
inline bool every_window_has_elements(const functors::Strided& windows, int d) {
  for (int64_t i = 0; windows.s.axes[d].dilation > 1 && i < windows.s.axes[d].out; ++i) {
    if (windows.taps(0, d, i).count == 0) {
      return false;
    }
  }
  return true;
}

inline Pooling check_pool_shape(const TH_Tensor& x, const Windows& w) {
  check_windows(w);
  Pooling p = check_pool_input(x, w.dims);
  bool fits = true;
  std::array<int64_t, 3> out;
  for (int d = 0; d < w.dims; ++d) {
    PoolAxis& a = p.shape.axes[3 - w.dims + d];
    a = {a.in, 1, w.kernel[d], w.stride[d], w.padding[d], w.dilation[d]};
    a.out = out[static_cast<size_t>(d)] = pooled_size(a, w.ceil_mode);
    p.sizes[static_cast<size_t>(x.ndim - w.dims + d)] = a.out;
    fits = fits && a.out > 0;
  }
  TH_CHECK(fits, "input is ", shape(x), ", too small for a kernel of ", w.text(w.kernel),
           " with padding ", w.text(w.padding), ": the output would be ", w.text(out.data()));
  TH_CHECK(w.all([&](int d) { return every_window_has_elements({p.shape}, 3 - w.dims + d); }),
           "input is ", shape(x), ": with a dilation of ", w.text(w.dilation),
           " some windows have no element of it");
  checked_count(p.out());
  return p;
}

inline Pooling check_adaptive_shape(const TH_Tensor& x, int dims, const int64_t* sizes) {
  check_directions(dims, {sizes});
  Pooling p = check_pool_input(x, dims);
  for (int d = 0; d < dims; ++d) {
    PoolAxis& a = p.shape.axes[3 - dims + d];
    a.out = p.sizes[static_cast<size_t>(x.ndim - dims + d)] = sizes[d];
    TH_CHECK(a.out > 0, "an output of size ", a.out, " is wanted, sizes must be at least 1");
    a.kernel = a.in / a.out + 1;
  }
  checked_count(p.out());
  return p;
}

inline Pooling check_fractional_shape(const TH_Tensor& x, const TH_Tensor* samples, int dims,
                                      const int64_t* kernel, const int64_t* sizes) {
  check_directions(dims, {kernel, sizes});
  TH_CHECK(samples != nullptr, "an operand is missing");
  Pooling p = check_adaptive_shape(x, dims, sizes);
  for (int d = 0; d < dims; ++d) {
    PoolAxis& a = p.shape.axes[3 - dims + d];
    a.kernel = kernel[d];
    TH_CHECK(a.kernel > 0 && a.out <= a.in - a.kernel, "input is ", shape(x), ", too small for ",
             a.out, " windows of size ", a.kernel, " in a direction of ", a.in);
  }
  check_same_dtype(x, *samples);
  TH_CHECK(numel(*samples) == p.planes * dims, "samples is ", shape(*samples), ", expected ",
           p.planes, " x ", dims, " numbers for an input of ", shape(x));
  return p;
}

// --- operands -----------------------------------------------------------------------------------

inline void check_pool_operands(const TH_Tensor* r, const TH_Tensor* x) {
  TH_CHECK(r != nullptr && x != nullptr, "an operand is missing");
  check_floating(*x);
  check_same_dtype(*r, *x);
}

inline void check_max_operands(const TH_Tensor* r, const TH_Tensor* indices, const TH_Tensor* x) {
  TH_CHECK(indices != nullptr, "an operand is missing");
  check_pool_operands(r, x);
  check_dtype(*indices, TH_LONG, "indices");
}

inline void check_pool_gradient(const TH_Tensor* g, const Pooling& p, const TH_Tensor& x) {
  TH_CHECK(g != nullptr, "an operand is missing");
  check_same_dtype(x, *g);
  TH_CHECK(numel(*g) == p.planes * p.out_plane(), "gradOutput is ", shape(*g), ", expected ",
           shape(p.out()), " for an input of ", shape(x));
}

/// The values of `indices` are the backend's to check: see indices_out_of_range.
inline void check_max_gradient(const TH_Tensor* g, const TH_Tensor& indices, const Pooling& p,
                               const TH_Tensor& x) {
  check_pool_gradient(g, p, x);
  TH_CHECK(numel(indices) == p.planes * p.out_plane(), "indices is ", shape(indices), ", expected ",
           shape(p.out()), ", as the forward pass made it for an input of ", shape(x));
}

[[noreturn]] inline void indices_out_of_range(const Pooling& p) {
  const int64_t sizes[] = {p.shape.axes[0].in, p.shape.axes[1].in, p.shape.axes[2].in};
  fail("indices holds positions outside of 1 to ", p.in_plane(), ", the planes' ",
       shape(std::span<const int64_t>(sizes).last(static_cast<size_t>(p.dims))),
       " elements; run the forward pass on this input first");
}

}  // namespace th
