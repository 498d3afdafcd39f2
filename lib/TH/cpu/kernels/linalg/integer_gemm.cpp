#include "cpu/kernels/linalg/integer_gemm.h"

#include "core/tensor/dtype.h"

namespace th::cpu::TH_ISA {
namespace {

template <class T>
void gemm(int64_t m, int64_t n, int64_t k, const void* pa, const void* pb, bool transposed,
          void* pc) {
  const T* a = static_cast<const T*>(pa);
  const T* b = static_cast<const T*>(pb);
  T* c = static_cast<T*>(pc);
  if (transposed) {
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        auto sum = wrapping(T(0));
        for (int64_t p = 0; p < k; ++p) {
          sum += wrapping(a[i * k + p]) * wrapping(b[j * k + p]);
        }
        c[i * n + j] = static_cast<T>(wrapping(c[i * n + j]) + sum);
      }
    }
    return;
  }
  // A block of B, 64 rows of 512 columns, serves every row of A before it leaves the cache.
  for (int64_t p0 = 0; p0 < k; p0 += 64) {
    const int64_t p1 = p0 + 64 < k ? p0 + 64 : k;
    for (int64_t j0 = 0; j0 < n; j0 += 512) {
      const int64_t count = j0 + 512 < n ? 512 : n - j0;
      for (int64_t i = 0; i < m; ++i) {
        T* out = c + i * n + j0;
        for (int64_t p = p0; p < p1; ++p) {
          const auto factor = wrapping(a[i * k + p]);
          const T* row = b + p * n + j0;
#pragma GCC ivdep
          for (int64_t j = 0; j < count; ++j) {
            out[j] = static_cast<T>(wrapping(out[j]) + factor * wrapping(row[j]));
          }
        }
      }
    }
  }
}

template <class T>
int64_t dot(int64_t n, const void* px, const void* py) {
  const T* x = static_cast<const T*>(px);
  const T* y = static_cast<const T*>(py);
  uint64_t sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    sum += static_cast<uint64_t>(static_cast<int64_t>(x[i])) *
           static_cast<uint64_t>(static_cast<int64_t>(y[i]));
  }
  return static_cast<int64_t>(sum);
}

template <class T>
void scale_add(int64_t n, void* pr, double beta_number, const void* pt, double alpha_number,
               const void* pc) {
  T* r = static_cast<T*>(pr);
  const T* t = static_cast<const T*>(pt);
  const T* c = static_cast<const T*>(pc);
  const auto beta = wrapping(from_number<T>(beta_number));
  const auto alpha = wrapping(from_number<T>(alpha_number));
  for (int64_t i = 0; i < n; ++i) {
    r[i] = static_cast<T>(beta * wrapping(t[i]) + alpha * wrapping(c[i]));
  }
}

}  // namespace

void set_kernels(IntegerGemmKernels& table) {
  [&]<class... T>(TypeSet<T...>) {
    ((table.by_dtype[dtype_of<T>] = {gemm<T>, dot<T>, scale_add<T>}), ...);
  }(Integral{});
}

}  // namespace th::cpu::TH_ISA
