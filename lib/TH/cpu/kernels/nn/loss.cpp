#include "cpu/kernels/nn/loss.h"

#include "core/tensor/dtype.h"
#include "cpu/kernels/whole_vectors.h"
#include "functors/loss.h"

#define TH_INDEPENDENT _Pragma("GCC ivdep")

namespace th::cpu::TH_ISA {
namespace {

template <class T>
[[gnu::always_inline]] inline void weigh(T* r, int64_t n, const T* w) {
  if (w != nullptr) {
    TH_INDEPENDENT
    for (int64_t i = 0; i < n; ++i) {
      r[i] *= w[i];
    }
  }
}

template <class Op, class T>
[[gnu::noipa]] void terms(void* const* p, int64_t n, const double* scalars) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  const T* t = static_cast<const T*>(p[2]);
  const T a = from_number<T>(scalars[0]);
  const T b = from_number<T>(scalars[1]);
  TH_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    r[i] = Op::forward(x[i], t[i], a, b);
  }
  weigh(r, n, static_cast<const T*>(p[3]));
}

template <class Op, class T>
[[gnu::noipa]] void gradients(void* const* p, int64_t n, const double* scalars) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  const T* t = static_cast<const T*>(p[2]);
  const T a = from_number<T>(scalars[0]);
  const T b = from_number<T>(scalars[1]);
  const T scale = from_number<T>(scalars[2]);
  TH_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    r[i] = scale * Op::backward(x[i], t[i], a, b);
  }
  weigh(r, n, static_cast<const T*>(p[3]));
}

/// A loop over result, x, target and weights, which may be null.
template <Kernel loop, class T>
void in_vectors(void* const* p, int64_t n, const double* scalars) {
  by_whole_vectors<T, 4, pointers(1, 3), pointer(0)>(
      p, n, [=](void* const* from, int64_t count) { loop(from, count, scalars); });
}

}  // namespace

void set_kernels(LossKernels& table) {
#define TH_ROW(ROW, LOOP, FUNCTOR)                                            \
  ROW.by_dtype[TH_FLOAT] = in_vectors<LOOP<functors::FUNCTOR, float>, float>; \
  ROW.by_dtype[TH_DOUBLE] = in_vectors<LOOP<functors::FUNCTOR, double>, double>;
#define TH_LOSS(NAME, FUNCTOR, FORMULA) \
  TH_ROW(table.NAME, terms, FUNCTOR)    \
  TH_ROW(table.NAME##_backward, gradients, FUNCTOR)
#include "ops/nn/element_loss.def"
#undef TH_LOSS
#undef TH_ROW
}

}  // namespace th::cpu::TH_ISA
