// The gradient of a convolution's input where its steps are above 1 or its padding is large.

#include <algorithm>
#include <cstring>
#include <vector>

#include "cpu/kernels/linalg/gemm.h"
#include "cpu/kernels/nn/conv.h"
#include "cpu/nn/conv/direct_conv.h"
#include "cpu/work_buffers.h"

namespace th::cpu {

// The products of dL/dy with every kernel element first, then their sums at each input element:
// for steps above 1, and where the zeros around dL/dy would be most of it.
template <class T>
void backward_input_by_accumulation(const ConvShape& s, const T* g, const T* weight, T* r) {
  const int64_t inputs = s.group_inputs();
  const int64_t outputs = s.group_outputs();
  const int64_t kernel = s.kernel();
  // Some input planes at a time, and stripes of rows of one output plane.
  const int64_t budget = kWorkingSet / 2 / static_cast<int64_t>(sizeof(T));
  int64_t planes = std::clamp<int64_t>(budget / (kernel * s.outH * s.outW), 1, inputs);
  const int64_t team = threads::share();
  if (s.N * s.groups < team) {
    planes = std::min(planes, std::max<int64_t>(1, inputs * s.N * s.groups / team));
  }
  const int64_t blocks = (inputs + planes - 1) / planes;
  const int64_t rows = std::clamp<int64_t>(budget / (planes * kernel * s.outW), 1, s.outH);
  const int64_t depth = std::max((s.outD - 1) * s.dD + s.reachD(), s.D + s.padD);
  const int64_t height = std::max((s.outH - 1) * s.dH + s.reachH(), s.H + s.padH);
  const int64_t width = std::max((s.outW - 1) * s.dW + s.reachW(), s.W + s.padW);
  const int64_t plane = height * width;
  const int64_t products = round_up(planes * kernel * round_up(rows * s.outW, kVector), 64);
  const int64_t grad_size = round_up(outputs * round_up(rows * s.outW, kVector), 64);
  const int64_t items = s.N * s.groups * blocks;
  const int64_t slices = slices_for(items, s.cost() / s.groups / blocks);
  const Buffers<T> buffers(slices, products + grad_size + planes * depth * plane);
  std::vector<int64_t> a_i, a_k, b_k;
  for (int64_t i = 0; i < planes * kernel; ++i) {
    a_i.push_back(i);
  }
  for (int64_t k = 0; k < outputs; ++k) {
    a_k.push_back(k * s.taps());
    b_k.push_back(k * round_up(rows * s.outW, kVector));
  }
  const auto gemm = gemm_kernels().row<T>().table_gemm;
  const auto accumulate = conv_kernels().row<T>().accumulate;
  // Rows from y on of output plane z, into the sums of `count` input planes from `first` on.
  const auto add_rows = [&](int64_t z, int64_t y, int64_t first, int64_t count, const T* from,
                            const T* kernels, T* product) {
    T* grad = product + products;
    T* sums = grad + grad_size;
    const int64_t n = std::min(rows, s.outH - y) * s.outW;
    const int64_t whole = round_up(n, kVector);
    for (int64_t k = 0; k < outputs; ++k) {
      std::memcpy(grad + b_k[static_cast<size_t>(k)],
                  from + ((k * s.outD + z) * s.outH + y) * s.outW,
                  static_cast<size_t>(n) * sizeof(T));
    }
    gemm({count * kernel, whole, outputs, kernels + first * kernel, a_i.data(), a_k.data(), grad,
          b_k.data(), product, whole, T(1), T(0), nullptr});
    for (int64_t c = 0; c < count; ++c) {
      accumulate({s.kD, n / s.outW, s.outW, s.dilD * plane, width, s.kH, s.kW, s.dH, s.dW, s.dilH,
                  s.dilW, product + c * kernel * whole, whole,
                  sums + (c * depth + z * s.dD) * plane + y * s.dH * width});
    }
  };
  parallel_items(slices, kGrain, [&](int64_t first_slice, int64_t last_slice) {
    for (int64_t slice = first_slice; slice < last_slice; ++slice) {
      T* product = buffers[slice];
      T* grad = product + products;
      T* sums = grad + grad_size;
      std::fill_n(grad, grad_size, T(0));
      const Share share(items, slice, slices);
      for (int64_t item = share.begin; item < share.end; ++item) {
        const int64_t first = item % blocks * planes;
        const int64_t count = std::min(planes, inputs - first);
        const int64_t group = item / blocks % s.groups;
        const int64_t image = item / blocks / s.groups;
        std::fill_n(sums, count * depth * plane, T(0));
        for (int64_t z = 0; z < s.outD; ++z) {
          for (int64_t y = 0; y < s.outH; y += rows) {
            add_rows(z, y, first, count, g + (image * s.K + group * outputs) * s.outputs(),
                     weight + group * outputs * s.taps(), product);
          }
        }
        T* to = r + ((image * s.groups + group) * inputs + first) * s.plane();
        for (int64_t c = 0; c < count; ++c) {
          for (int64_t d = 0; d < s.D; ++d) {
            const T* own = sums + (c * depth + d + s.padD) * plane + s.padH * width + s.padW;
            for (int64_t i = 0; i < s.H; ++i, to += s.W) {
              std::memcpy(to, own + i * width, static_cast<size_t>(s.W) * sizeof(T));
            }
          }
        }
      }
    }
  });
}

template void backward_input_by_accumulation<float>(const ConvShape&, const float*, const float*,
                                                    float*);
template void backward_input_by_accumulation<double>(const ConvShape&, const double*, const double*,
                                                     double*);

}  // namespace th::cpu
