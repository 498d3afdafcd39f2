#include "functors/pointwise.h"

#include "core/tensor/dtype.h"
#include "cpu/kernels/kernels.h"
#include "cpu/kernels/whole_vectors.h"

// Every iteration stands alone: an operand may be the result itself, but never overlap it shifted.
#define TH_INDEPENDENT _Pragma("GCC ivdep")

namespace th::cpu::TH_ISA {
namespace {

// No loop is inlined or specialised: its code is one, whoever calls it.
#define TH_LOOP                \
  template <class Op, class T> \
  [[gnu::noipa]] void

TH_LOOP unary(void* const* p, int64_t n, const double*) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  TH_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    r[i] = Op::forward(x[i]);
  }
}

TH_LOOP unary_backward(void* const* p, int64_t n, const double*) {
  T* r = static_cast<T*>(p[0]);
  const T* g = static_cast<const T*>(p[1]);
  const T* x = static_cast<const T*>(p[2]);
  const T* y = static_cast<const T*>(p[3]);
  TH_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    r[i] = Op::backward(g[i], x[i], y[i]);
  }
}

TH_LOOP scalar(void* const* p, int64_t n, const double* scalars) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  const T value = from_number<T>(scalars[0]);
  TH_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    r[i] = Op::forward(x[i], value);
  }
}

TH_LOOP scalar2(void* const* p, int64_t n, const double* scalars) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  const T a = from_number<T>(scalars[0]);
  const T b = from_number<T>(scalars[1]);
  TH_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    r[i] = Op::forward(x[i], a, b);
  }
}

TH_LOOP scalar2_backward(void* const* p, int64_t n, const double* scalars) {
  T* r = static_cast<T*>(p[0]);
  const T* g = static_cast<const T*>(p[1]);
  const T* x = static_cast<const T*>(p[2]);
  const T* y = static_cast<const T*>(p[3]);
  const T a = from_number<T>(scalars[0]);
  const T b = from_number<T>(scalars[1]);
  TH_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    r[i] = Op::backward(g[i], x[i], y[i], a, b);
  }
}

TH_LOOP binary(void* const* p, int64_t n, const double*) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  const T* y = static_cast<const T*>(p[2]);
  TH_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    r[i] = Op::forward(x[i], y[i]);
  }
}

TH_LOOP binary_scalar(void* const* p, int64_t n, const double* scalars) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  const T* y = static_cast<const T*>(p[2]);
  const T value = from_number<T>(scalars[0]);
  TH_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    r[i] = Op::forward(x[i], value, y[i]);
  }
}

TH_LOOP ternary_scalar(void* const* p, int64_t n, const double* scalars) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  const T* y = static_cast<const T*>(p[2]);
  const T* z = static_cast<const T*>(p[3]);
  const T value = from_number<T>(scalars[0]);
  TH_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    r[i] = Op::forward(x[i], value, y[i], z[i]);
  }
}

/// The first pointer is the result's.
template <Kernel loop, class T, int Count>
void in_vectors(void* const* p, int64_t n, const double* scalars) {
  by_whole_vectors<T, Count, pointers(1, Count - 1), pointer(0)>(
      p, n, [=](void* const* from, int64_t count) { loop(from, count, scalars); });
}

/// The kernel of a loop over Count pointers.
template <class Op, class T, Kernel loop, int Count>
constexpr Kernel kernel_of() {
  if constexpr (std::is_floating_point_v<T> && requires { Op::calls_libm; }) {
    return in_vectors<loop, T, Count>;
  } else {
    return loop;
  }
}

/// fill<T>() for each type of the row's set, as far as loops see it: 16-bit types arrive as float.
template <class Types, class Fill>
void each_type(Fill&& fill) {
  const auto one = [&]<class T>() {
    if constexpr (Types::contains(dtype_of<T>)) {
      fill.template operator()<T>();
    }
  };
  [&]<class... Ts>(TypeSet<Ts...>) { (one.template operator()<Ts>(), ...); }(ComputeTypes{});
}

}  // namespace

void set_kernels(PointwiseKernels& table) {
#define TH_ROW(NAME, LOOP, COUNT, FUNCTOR, DTYPES)                             \
  each_type<DTYPES>([&]<class T>() {                                           \
    using Op = functors::FUNCTOR;                                              \
    table.NAME.by_dtype[dtype_of<T>] = kernel_of<Op, T, LOOP<Op, T>, COUNT>(); \
  });
#define TH_UNARY(NAME, FUNCTOR, DTYPES, FORMULA) \
  TH_ROW(NAME, unary, 2, FUNCTOR, DTYPES)        \
  TH_ROW(NAME##_backward, unary_backward, 4, FUNCTOR, Floating)
#define TH_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) TH_ROW(NAME, scalar, 2, FUNCTOR, DTYPES)
#define TH_SCALAR2(NAME, FUNCTOR, DTYPES, FORMULA) \
  TH_ROW(NAME, scalar2, 2, FUNCTOR, DTYPES)        \
  TH_ROW(NAME##_backward, scalar2_backward, 4, FUNCTOR, Floating)
#define TH_BINARY(NAME, FUNCTOR, DTYPES, FORMULA) TH_ROW(NAME, binary, 3, FUNCTOR, DTYPES)
#define TH_BINARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) \
  TH_ROW(NAME, binary_scalar, 3, FUNCTOR, DTYPES)
#define TH_TERNARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) \
  TH_ROW(NAME, ternary_scalar, 4, FUNCTOR, DTYPES)
#include "ops/pointwise.def"
}

}  // namespace th::cpu::TH_ISA
