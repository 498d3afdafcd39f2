// Means over windows.
#include <algorithm>
#include <type_traits>
#include <vector>

#include "core/checks/pooling.h"
#include "core/tables/pooling.h"
#include "core/tensor/aliasing.h"
#include "cpu/kernels/nn/pooling.h"
#include "cpu/register.h"
#include "cpu/select.h"
#include "cpu/widened_parts.h"

namespace th::cpu {
namespace {

using functors::Adaptive;
using functors::Strided;
using functors::Taps;

const PoolKernels& kernels() {
  static const PoolKernels table = select_kernels<PoolKernels>();
  return table;
}

/// A plane's windows row by row of outputs: f(t, h, position of the row's first output).
template <class Windows, class F>
void for_rows(const Windows& windows, int64_t plane, const F& f) {
  const auto& axes = windows.s.axes;
  int64_t out = 0;
  for (int64_t t = 0; t < axes[0].out; ++t) {
    for (int64_t h = 0; h < axes[1].out; ++h, out += axes[2].out) {
      f(windows.taps(plane, 0, t), windows.taps(plane, 1, h), out);
    }
  }
}

/// f(first element) for each row of the input that a row of windows has.
template <class F>
void for_input_rows(const PoolShape& s, const Taps& t, const Taps& h, const F& f) {
  for (int64_t i = 0; i < t.count; ++i) {
    for (int64_t j = 0; j < h.count; ++j) {
      f(((t.begin + i * t.step) * s.axes[1].in + h.begin + j * h.step) * s.axes[2].in);
    }
  }
}

/// Windows in width, which are those of every row.
template <class Windows>
std::vector<Taps> columns_of(const Windows& windows) {
  std::vector<Taps> columns;
  columns.reserve(static_cast<size_t>(windows.s.axes[2].out));
  for (int64_t w = 0; w < windows.s.axes[2].out; ++w) {
    columns.push_back(windows.taps(0, 2, w));
  }
  return columns;
}

int64_t count_of(const Taps& t, const Taps& h, const Taps& w, bool with_padding) {
  return with_padding ? t.padded * h.padded * w.padded : t.count * h.count * w.count;
}

/// Adds up a window's rows first, by vectors, then what lies in its columns.
template <class T, class Windows>
void means(const Windows& windows, const std::vector<Taps>& columns, bool count_padding, const T* x,
           T* y, T* row) {
  const PoolShape& s = windows.s;
  const int64_t width = s.axes[2].in;
  for_rows(windows, 0, [&](const Taps& t, const Taps& h, int64_t) {
    std::fill_n(row, width, T(0));
    for_input_rows(s, t, h, [&](int64_t first) {
      for (int64_t w = 0; w < width; ++w) {
        row[w] += x[first + w];
      }
    });
    for (const Taps& w : columns) {
      T sum = 0;
      for (int64_t i = 0; i < w.count; ++i) {
        sum += row[w.begin + i * w.step];
      }
      *y++ = sum / static_cast<T>(count_of(t, h, w, count_padding));
    }
  });
}

/// Planes whose threads have memory for a row of the input's width, and behind it for elements of
/// 16 bits of an input's and an output's plane.
template <class T>
BufferedItems<T> planes_of(const Pooling& p, int dtype) {
  const int64_t row = p.shape.axes[2].in;
  return {p.planes, p.cost(), row + (is_half(dtype) ? p.in_plane() + p.out_plane() : 0)};
}

template <class Windows>
void forward(const Pooling& p, TH_Tensor* r, const TH_Tensor* x, bool count_padding) {
  const Tensor in = contiguous(*x);
  const Windows windows{p.shape};
  // Asks for memory before there is a table of as many windows.
  Result out(r, p.out(), Result::Compact, {&in});
  const bool by_vectors = std::is_same_v<Windows, Strided> && p.shape.axes[2].stride <= 2;
  const std::vector<Taps> columns = by_vectors ? std::vector<Taps>() : columns_of(windows);
  const int64_t inputs = p.in_plane(), outputs = p.out_plane();
  RealTypes::dispatch(compute_dtype(in.dtype), [&]<class T>() {
    const WidenedParts<T> from(in), to(out, in.dtype);
    const auto kernel = kernels().row<T>().means;
    planes_of<T>(p, in.dtype).run([&](int64_t begin, int64_t end, T* row) {
      T* const own = row + p.shape.axes[2].in;
      for (int64_t i = begin; i < end; ++i) {
        const T* const plane = from.read(i * inputs, inputs, own);
        T* const y = to.place(i * outputs, own + inputs);
        if (by_vectors) {
          kernel(p.shape, count_padding, plane, y);
        } else {
          means(windows, columns, count_padding, plane, y, row);
        }
        to.commit(i * outputs, outputs, y);
      }
    });
  });
  out.finish();
}

/// Spreads each gradient of a plane over its window: over its columns first, then over its rows.
/// Windows may overlap.
template <class T, class Windows>
void spread(const Windows& windows, const std::vector<Taps>& columns, bool count_padding,
            const T* g, T* r, T* row) {
  const PoolShape& s = windows.s;
  const int64_t width = s.axes[2].in;
  std::fill_n(r, s.in_elements(), T(0));
  for_rows(windows, 0, [&](const Taps& t, const Taps& h, int64_t) {
    std::fill_n(row, width, T(0));
    for (const Taps& w : columns) {
      const T share = *g++ / static_cast<T>(count_of(t, h, w, count_padding));
      for (int64_t k = 0; k < w.count; ++k) {
        row[w.begin + k * w.step] += share;
      }
    }
    for_input_rows(s, t, h, [&](int64_t first) {
      for (int64_t w = 0; w < width; ++w) {
        r[first + w] += row[w];
      }
    });
  });
}

template <class Windows>
void backward(const Pooling& p, TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x,
              bool count_padding) {
  const Tensor grad = contiguous(*g);
  const Tensor in(*x);  // for its sizes: r may be x
  const Windows windows{p.shape};
  const std::vector<Taps> columns = columns_of(windows);
  const int64_t inputs = p.in_plane(), outputs = p.out_plane();
  Result out(r, sizes_of(in), Result::Compact, {&grad});
  RealTypes::dispatch(compute_dtype(grad.dtype), [&]<class T>() {
    const WidenedParts<T> from(grad), to(out, grad.dtype);
    planes_of<T>(p, grad.dtype).run([&](int64_t begin, int64_t end, T* row) {
      T* const own = row + p.shape.axes[2].in;
      for (int64_t i = begin; i < end; ++i) {
        T* const plane = to.place(i * inputs, own);
        spread(windows, columns, count_padding, from.read(i * outputs, outputs, own + inputs),
               plane, row);
        to.commit(i * inputs, inputs, plane);
      }
    });
  });
  out.finish();
}

void avg_pool(TH_Tensor* r, const TH_Tensor* x, bool count_padding, int dims, const int64_t* kernel,
              const int64_t* stride, const int64_t* padding, const int64_t* dilation,
              bool ceil_mode) {
  check_pool_operands(r, x);
  const Pooling p = check_pool_shape(*x, {dims, kernel, stride, padding, dilation, ceil_mode});
  forward<Strided>(p, r, x, count_padding);
}

void avg_pool_backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x, bool count_padding,
                       int dims, const int64_t* kernel, const int64_t* stride,
                       const int64_t* padding, const int64_t* dilation, bool ceil_mode) {
  check_pool_operands(r, x);
  const Pooling p = check_pool_shape(*x, {dims, kernel, stride, padding, dilation, ceil_mode});
  check_pool_gradient(g, p, *x);
  backward<Strided>(p, r, g, x, count_padding);
}

void adaptive_avg_pool(TH_Tensor* r, const TH_Tensor* x, int dims, const int64_t* sizes) {
  check_pool_operands(r, x);
  const Pooling p = check_adaptive_shape(*x, dims, sizes);
  forward<Adaptive>(p, r, x, false);
}

void adaptive_avg_pool_backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x, int dims,
                                const int64_t* sizes) {
  check_pool_operands(r, x);
  const Pooling p = check_adaptive_shape(*x, dims, sizes);
  check_pool_gradient(g, p, *x);
  backward<Adaptive>(p, r, g, x, false);
}

}  // namespace

void register_average_pooling(PoolingTable& b) {
  b.avg_pool = avg_pool;
  b.avg_pool_backward = avg_pool_backward;
  b.adaptive_avg_pool = adaptive_avg_pool;
  b.adaptive_avg_pool_backward = adaptive_avg_pool_backward;
}

}  // namespace th::cpu
