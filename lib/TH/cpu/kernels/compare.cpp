#include "core/tensor/dtype.h"
#include "cpu/kernels/kernels.h"
#include "functors/pointwise.h"

namespace th::cpu::TH_ISA {
namespace {

template <class Op, class T>
void compare(void* const* p, int64_t n, const double*) {
  uint8_t* r = static_cast<uint8_t*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  const T* y = static_cast<const T*>(p[2]);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    r[i] = Op::forward(x[i], y[i]);
  }
}

template <class Op, class T>
void compare_value(void* const* p, int64_t n, const double* scalars) {
  uint8_t* r = static_cast<uint8_t*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  const T value = from_number<T>(scalars[0]);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    r[i] = Op::forward(x[i], value);
  }
}

}  // namespace

void set_kernels(CompareKernels& table) {
  [&]<class... Ts>(TypeSet<Ts...>) {
#define TH_COMPARE(NAME, FUNCTOR, FORMULA)                                     \
  ((table.NAME.by_dtype[dtype_of<Ts>] = compare<functors::FUNCTOR, Ts>), ...); \
  ((table.NAME##_value.by_dtype[dtype_of<Ts>] = compare_value<functors::FUNCTOR, Ts>), ...);
#include "ops/compare.def"
  }(ComputeTypes{});
}

}  // namespace th::cpu::TH_ISA
