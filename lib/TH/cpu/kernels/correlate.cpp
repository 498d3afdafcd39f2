#include "cpu/kernels/correlate.h"

#include "core/tensor/dtype.h"
#include "functors/numeric.h"

namespace th::cpu::TH_ISA {
namespace {

template <class T>
inline T multiply_add(T sum, T a, T b) {
  return static_cast<T>(wrapping(sum) + wrapping(a) * wrapping(b));
}

template <class T>
void row(void* out_v, const void* in_v, const void* kernel_v, int64_t n, int64_t taps) {
  T* __restrict__ out = static_cast<T*>(out_v);
  const T* in = static_cast<const T*>(in_v);
  const T* kernel = static_cast<const T*>(kernel_v);
  // A block of sums stays in registers while all taps pass over it.
  constexpr int kBlock = 256 / static_cast<int>(sizeof(T));
  int64_t i = 0;
  for (; i + kBlock <= n; i += kBlock) {
    T sum[kBlock];
    for (int j = 0; j < kBlock; ++j) {
      sum[j] = out[i + j];
    }
    for (int64_t t = 0; t < taps; ++t) {
      const T tap = kernel[t];
      for (int j = 0; j < kBlock; ++j) {
        sum[j] = multiply_add(sum[j], tap, in[i + t + j]);
      }
    }
    for (int j = 0; j < kBlock; ++j) {
      out[i + j] = sum[j];
    }
  }
  for (int64_t t = 0; t < taps; ++t) {
    const T tap = kernel[t];
    for (int64_t j = i; j < n; ++j) {
      out[j] = multiply_add(out[j], tap, in[j + t]);
    }
  }
}

}  // namespace

void set_kernels(CorrelateKernels& k) {
  [&]<class... T>(TypeSet<T...>) { ((k.row[dtype_of<T>] = row<T>), ...); }(ComputeTypes{});
}

}  // namespace th::cpu::TH_ISA
