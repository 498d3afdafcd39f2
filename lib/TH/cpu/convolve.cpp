// Convolution and correlation by their definition: every overlap of a kernel with its input.
//
// All forms are one correlation, row by row: a convolution mirrors the kernel first, a full one
// lets the kernel hang over the edges. Every product is computed as it is written, never one with
// padding, so that infinite and NaN elements spoil only what they touch.
#include <algorithm>
#include <vector>

#include "core/checks/signal.h"
#include "core/device_functions.h"
#include "core/tables/signal.h"
#include "core/tensor/tensor.h"
#include "cpu/kernels/correlate.h"
#include "cpu/operands.h"
#include "cpu/parallel.h"
#include "cpu/register.h"
#include "cpu/select.h"

namespace th::cpu {
namespace {

const CorrelateKernels& kernels() {
  static const CorrelateKernels table = select_kernels<CorrelateKernels>();
  return table;
}

/// The part of a row that one row of the kernel contributes to.
void add_row(const CorrelationSizes& p,
             void (*row)(void*, const void*, const void*, int64_t, int64_t), int64_t size,
             char* out, const char* in, const char* kernel) {
  const int64_t taps = p.kernel[2];
  if (!p.full) {
    row(out, in, kernel, p.out[2], taps);
    return;
  }
  const int64_t pad = taps - 1;
  const int64_t width = p.in[2];
  const auto edge = [&](int64_t first, int64_t last) {
    for (int64_t x = first; x < last; ++x) {
      const int64_t t = std::max<int64_t>(0, pad - x);
      const int64_t end = std::min(taps, width + pad - x);
      row(out + x * size, in + (x - pad + t) * size, kernel + t * size, 1, end - t);
    }
  };
  edge(0, pad);
  if (width > pad) {
    row(out + pad * size, in, kernel, width - pad, taps);
  }
  edge(std::max(width, pad), p.out[2]);
}

void correlate(const CorrelationSizes& p, const Tensor& x, const Tensor& kernel,
               const Tensor& result) {
  const auto row = kernels().row[result.dtype];
  const int64_t size = element_size(result.dtype);
  // By name: clang before 16 captures no structured bindings.
  const int64_t depth = p.out[0], height = p.out[1], width = p.out[2];
  const int64_t pad_z = p.full ? p.kernel[0] - 1 : 0;
  const int64_t pad_y = p.full ? p.kernel[1] - 1 : 0;
  const int64_t cost = (p.bank ? p.planes : 1) * volume(p.kernel) * width;
  parallel_items(p.outputs * depth * height, cost, [&](int64_t begin, int64_t end) {
    for (int64_t item = begin; item < end; ++item) {
      const int64_t y = item % height;
      const int64_t z = item / height % depth;
      const int64_t q = item / height / depth;
      char* out = bytes(result) + item * width * size;
      std::fill_n(out, width * size, char{0});
      for (int64_t plane = p.bank ? 0 : q; plane < (p.bank ? p.planes : q + 1); ++plane) {
        const char* in = bytes(x) + plane * volume(p.in) * size;
        const int64_t which = p.bank ? q * p.planes + plane : q;
        const char* taps = bytes(kernel) + which * volume(p.kernel) * size;
        for (int64_t kz = 0; kz < p.kernel[0]; ++kz) {
          const int64_t iz = z + kz - pad_z;
          if (iz < 0 || iz >= p.in[0]) {
            continue;
          }
          for (int64_t ky = 0; ky < p.kernel[1]; ++ky) {
            const int64_t iy = y + ky - pad_y;
            if (iy >= 0 && iy < p.in[1]) {
              add_row(p, row, size, out, in + (iz * p.in[1] + iy) * p.in[2] * size,
                      taps + (kz * p.kernel[1] + ky) * p.kernel[2] * size);
            }
          }
        }
      }
    }
  });
}

/// Reverse each kernel, in place.
void mirror(const Tensor& kernel, int64_t count) {
  ComputeTypes::dispatch(kernel.dtype, [&]<class T>() {
    T* k = data<T>(kernel);
    const T* last = k + numel(kernel);
    for (; k != last; k += count) {
      std::reverse(k, k + count);
    }
  });
}

void convolve(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* kernel, int rank, bool mirrored,
              bool full) {
  const CorrelationSizes p = check_correlation(r, x, kernel, rank, full);
  const Tensor taps = compact_copy(*kernel);
  if (mirrored) {
    mirror(taps, volume(p.kernel));
  }
  const std::vector<int64_t> sizes = p.result(*x, rank);
  const Tensor result = Tensor::like(*x, taps.dtype, sizes);
  correlate(p, compact(*x), taps, result);
  resize(*r, sizes);
  copy(*r, result);
}

template <int Rank, bool Mirrored>
void operation(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* kernel, bool full) {
  convolve(r, x, kernel, Rank, Mirrored, full);
}

}  // namespace

void register_convolve(SignalTable& b) {
  b.conv2 = operation<2, true>;
  b.xcorr2 = operation<2, false>;
  b.conv3 = operation<3, true>;
  b.xcorr3 = operation<3, false>;
}

}  // namespace th::cpu
