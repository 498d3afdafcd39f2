#include "functors/pointwise.h"

#include "core/tensor/dtype.h"
#include "cpu/kernels/kernels.h"
#include "cpu/kernels/rounding.h"
#include "cpu/kernels/whole_vectors.h"

// Every iteration stands alone: an operand may be the result itself, but never overlap it shifted.
#define TH_INDEPENDENT _Pragma("GCC ivdep")

namespace th::cpu::TH_ISA {
namespace {

/// An element as operations see it, and what they return as an element: 16-bit types are computed
/// in float, and widened and rounded in registers.
template <class T>
[[gnu::always_inline]] inline Compute<T> seen(T x) {
  return static_cast<Compute<T>>(x);
}

// No loop is inlined or specialised: its code is one, whoever calls it.
#define TH_LOOP                \
  template <class Op, class T> \
  [[gnu::noipa]] void

TH_LOOP unary(void* const* p, int64_t n, const double*) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  rounded_parts(
      r, n, [=](Compute<T> * to, int64_t begin, int64_t end) __attribute__((always_inline)) {
        TH_INDEPENDENT
        for (int64_t i = begin; i < end; ++i) {
          to[i - begin] = Op::forward(seen(x[i]));
        }
      });
}

TH_LOOP unary_backward(void* const* p, int64_t n, const double*) {
  T* r = static_cast<T*>(p[0]);
  const T* g = static_cast<const T*>(p[1]);
  const T* x = static_cast<const T*>(p[2]);
  const T* y = static_cast<const T*>(p[3]);
  rounded_parts(
      r, n, [=](Compute<T> * to, int64_t begin, int64_t end) __attribute__((always_inline)) {
        TH_INDEPENDENT
        for (int64_t i = begin; i < end; ++i) {
          to[i - begin] = Op::backward(seen(g[i]), seen(x[i]), seen(y[i]));
        }
      });
}

TH_LOOP scalar(void* const* p, int64_t n, const double* scalars) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  const auto value = from_number<Compute<T>>(scalars[0]);
  rounded_parts(
      r, n, [=](Compute<T> * to, int64_t begin, int64_t end) __attribute__((always_inline)) {
        TH_INDEPENDENT
        for (int64_t i = begin; i < end; ++i) {
          to[i - begin] = Op::forward(seen(x[i]), value);
        }
      });
}

TH_LOOP scalar2(void* const* p, int64_t n, const double* scalars) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  const auto a = from_number<Compute<T>>(scalars[0]);
  const auto b = from_number<Compute<T>>(scalars[1]);
  rounded_parts(
      r, n, [=](Compute<T> * to, int64_t begin, int64_t end) __attribute__((always_inline)) {
        TH_INDEPENDENT
        for (int64_t i = begin; i < end; ++i) {
          to[i - begin] = Op::forward(seen(x[i]), a, b);
        }
      });
}

TH_LOOP scalar2_backward(void* const* p, int64_t n, const double* scalars) {
  T* r = static_cast<T*>(p[0]);
  const T* g = static_cast<const T*>(p[1]);
  const T* x = static_cast<const T*>(p[2]);
  const T* y = static_cast<const T*>(p[3]);
  const auto a = from_number<Compute<T>>(scalars[0]);
  const auto b = from_number<Compute<T>>(scalars[1]);
  rounded_parts(
      r, n, [=](Compute<T> * to, int64_t begin, int64_t end) __attribute__((always_inline)) {
        TH_INDEPENDENT
        for (int64_t i = begin; i < end; ++i) {
          to[i - begin] = Op::backward(seen(g[i]), seen(x[i]), seen(y[i]), a, b);
        }
      });
}

TH_LOOP binary(void* const* p, int64_t n, const double*) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  const T* y = static_cast<const T*>(p[2]);
  rounded_parts(
      r, n, [=](Compute<T> * to, int64_t begin, int64_t end) __attribute__((always_inline)) {
        TH_INDEPENDENT
        for (int64_t i = begin; i < end; ++i) {
          to[i - begin] = Op::forward(seen(x[i]), seen(y[i]));
        }
      });
}

TH_LOOP binary_scalar(void* const* p, int64_t n, const double* scalars) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  const T* y = static_cast<const T*>(p[2]);
  const auto value = from_number<Compute<T>>(scalars[0]);
  rounded_parts(
      r, n, [=](Compute<T> * to, int64_t begin, int64_t end) __attribute__((always_inline)) {
        TH_INDEPENDENT
        for (int64_t i = begin; i < end; ++i) {
          to[i - begin] = Op::forward(seen(x[i]), value, seen(y[i]));
        }
      });
}

TH_LOOP ternary_scalar(void* const* p, int64_t n, const double* scalars) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  const T* y = static_cast<const T*>(p[2]);
  const T* z = static_cast<const T*>(p[3]);
  const auto value = from_number<Compute<T>>(scalars[0]);
  rounded_parts(
      r, n, [=](Compute<T> * to, int64_t begin, int64_t end) __attribute__((always_inline)) {
        TH_INDEPENDENT
        for (int64_t i = begin; i < end; ++i) {
          to[i - begin] = Op::forward(seen(x[i]), value, seen(y[i]), seen(z[i]));
        }
      });
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

/// Elements of bfloat16 are widened and rounded by a few operations on vectors, so that loops take
/// them as they lie: but where a function is called for each vector, beside which blocks of floats
/// are nothing. For those and for half, which has instructions of its own that the compiler does
/// not find, loops see blocks of float.
template <class Op, class T>
constexpr bool has_loop() {
  return !is_half_type<T> || (std::is_same_v<T, BFloat16> && !requires { Op::calls_libm; });
}

/// fill<T>() for each type of the row's set that has a loop of its own.
template <class Op, class Types, class Fill>
void each_type(Fill&& fill) {
  const auto one = [&]<class T>() {
    if constexpr (Types::contains(dtype_of<T>) && has_loop<Op, T>()) {
      fill.template operator()<T>();
    }
  };
  [&]<class... Ts>(TypeSet<Ts...>) { (one.template operator()<Ts>(), ...); }(AllTypes{});
}

}  // namespace

void set_kernels(PointwiseKernels& table) {
#define TH_ROW(NAME, LOOP, COUNT, FUNCTOR, DTYPES)                             \
  each_type<functors::FUNCTOR, DTYPES>([&]<class T>() {                        \
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
