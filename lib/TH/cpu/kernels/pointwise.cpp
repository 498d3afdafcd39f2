#include "functors/pointwise.h"

#include "core/dtype.h"
#include "cpu/kernels/kernels.h"
#include "cpu/kernels/vectors.h"

// Every iteration stands alone: an operand may be the result itself, but never overlap it shifted.
#define TH_INDEPENDENT _Pragma("GCC ivdep")

namespace th::cpu::TH_ISA {
namespace {

/// Fewer elements than a vector has. A transcendental function of a few numbers takes as long as of
/// a vector: fill it up.
template <class Op, class T>
[[gnu::always_inline]] inline void unary_part(T* r, const T* x, int64_t n) {
  const Vector<T> part = load_part<T>(x, n, Vector<T>{} + x[0]);
  T values[kLanes<T>];
  std::memcpy(values, &part, sizeof(part));
  for (T& value : values) {
    value = Op::forward(value);
  }
  store_part<T>(r, n, load<Vector<T>>(values));
}

template <class Op, class T>
void unary(void* const* p, int64_t n, const double*) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  int64_t rest = 0;
  if constexpr (std::is_floating_point_v<T>) {
    rest = n % kLanes<T>;
    rest = rest > 1 ? rest : 0;  // a single number is exact to the last bit
  }
  TH_INDEPENDENT
  for (int64_t i = 0; i < n - rest; ++i) {
    r[i] = Op::forward(x[i]);
  }
  if constexpr (std::is_floating_point_v<T>) {
    if (rest > 0) {
      unary_part<Op>(r + n - rest, x + n - rest, rest);
    }
  }
}

template <class Op, class T>
void unary_backward(void* const* p, int64_t n, const double*) {
  T* r = static_cast<T*>(p[0]);
  const T* g = static_cast<const T*>(p[1]);
  const T* x = static_cast<const T*>(p[2]);
  const T* y = static_cast<const T*>(p[3]);
  TH_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    r[i] = Op::backward(g[i], x[i], y[i]);
  }
}

template <class Op, class T>
void scalar(void* const* p, int64_t n, const double* scalars) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  const T value = from_number<T>(scalars[0]);
  TH_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    r[i] = Op::forward(x[i], value);
  }
}

template <class Op, class T>
void scalar2(void* const* p, int64_t n, const double* scalars) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  const T a = from_number<T>(scalars[0]);
  const T b = from_number<T>(scalars[1]);
  TH_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    r[i] = Op::forward(x[i], a, b);
  }
}

template <class Op, class T>
void binary(void* const* p, int64_t n, const double*) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  const T* y = static_cast<const T*>(p[2]);
  TH_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    r[i] = Op::forward(x[i], y[i]);
  }
}

template <class Op, class T>
void binary_scalar(void* const* p, int64_t n, const double* scalars) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  const T* y = static_cast<const T*>(p[2]);
  const T value = from_number<T>(scalars[0]);
  TH_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    r[i] = Op::forward(x[i], value, y[i]);
  }
}

template <class Op, class T>
void ternary_scalar(void* const* p, int64_t n, const double* scalars) {
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

void fill(PointwiseKernels& table) {
#define TH_ROW(NAME, KERNEL, FUNCTOR, DTYPES) \
  each_type<DTYPES>(                          \
      [&]<class T>() { table.NAME.by_dtype[dtype_of<T>] = KERNEL<functors::FUNCTOR, T>; });
#define TH_UNARY(NAME, FUNCTOR, DTYPES, FORMULA) \
  TH_ROW(NAME, unary, FUNCTOR, DTYPES)           \
  TH_ROW(NAME##_backward, unary_backward, FUNCTOR, Floating)
#define TH_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) TH_ROW(NAME, scalar, FUNCTOR, DTYPES)
#define TH_SCALAR2(NAME, FUNCTOR, DTYPES, FORMULA) TH_ROW(NAME, scalar2, FUNCTOR, DTYPES)
#define TH_BINARY(NAME, FUNCTOR, DTYPES, FORMULA) TH_ROW(NAME, binary, FUNCTOR, DTYPES)
#define TH_BINARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) \
  TH_ROW(NAME, binary_scalar, FUNCTOR, DTYPES)
#define TH_TERNARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) \
  TH_ROW(NAME, ternary_scalar, FUNCTOR, DTYPES)
#include "ops/pointwise.def"
}

}  // namespace th::cpu::TH_ISA
