#include "cpu/kernels/nn/loss.h"

#include "core/dtype.h"
#include "functors/loss.h"

#define TH_INDEPENDENT _Pragma("GCC ivdep")

namespace th::cpu::TH_ISA {
namespace {

template <class Op, class T>
[[gnu::noipa]] void terms(void* const* p, int64_t n, const double* scalars) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  const T* t = static_cast<const T*>(p[2]);
  const T* w = static_cast<const T*>(p[3]);
  const T a = from_number<T>(scalars[0]);
  const T b = from_number<T>(scalars[1]);
  TH_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    r[i] = Op::forward(x[i], t[i], a, b);
  }
  if (w != nullptr) {
    TH_INDEPENDENT
    for (int64_t i = 0; i < n; ++i) {
      r[i] *= w[i];
    }
  }
}

template <class Op, class T>
[[gnu::noipa]] void gradients(void* const* p, int64_t n, const double* scalars) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  const T* t = static_cast<const T*>(p[2]);
  const T* w = static_cast<const T*>(p[3]);
  const T a = from_number<T>(scalars[0]);
  const T b = from_number<T>(scalars[1]);
  const T scale = from_number<T>(scalars[2]);
  TH_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    r[i] = scale * Op::backward(x[i], t[i], a, b);
  }
  if (w != nullptr) {
    TH_INDEPENDENT
    for (int64_t i = 0; i < n; ++i) {
      r[i] *= w[i];
    }
  }
}

}  // namespace

void fill(LossKernels& table) {
#define TH_LOSS(NAME, FUNCTOR, FORMULA)                                           \
  table.NAME.by_dtype[TH_FLOAT] = terms<functors::FUNCTOR, float>;                \
  table.NAME.by_dtype[TH_DOUBLE] = terms<functors::FUNCTOR, double>;              \
  table.NAME##_backward.by_dtype[TH_FLOAT] = gradients<functors::FUNCTOR, float>; \
  table.NAME##_backward.by_dtype[TH_DOUBLE] = gradients<functors::FUNCTOR, double>;
#include "ops/element_loss.def"
#undef TH_LOSS
}

}  // namespace th::cpu::TH_ISA
