// Element types: names, sizes, and the one place where a run-time tag becomes a C++ type.
#pragma once

#include <cstdint>
#include <utility>

#include "TH.h"
#include "core/error.h"
#include "functors/numeric.h"

#pragma GCC visibility push(default)  // for backends in libraries of their own
namespace th {

/// "FloatTensor" is class_name(TH_FLOAT) + "Tensor".
const char* class_name(int dtype);

constexpr int64_t element_size(int dtype) {
  constexpr int64_t sizes[] = {1, 1, 2, 4, 8, 2, 2, 4, 8};
  return sizes[dtype];
}
constexpr bool is_floating(int dtype) { return dtype >= TH_HALF; }
constexpr bool is_integral(int dtype) { return dtype < TH_HALF; }
/// 16-bit floating types are widened to float before anything is computed.
constexpr bool is_half(int dtype) { return dtype == TH_HALF || dtype == TH_BFLOAT16; }
constexpr int compute_dtype(int dtype) { return is_half(dtype) ? TH_FLOAT : dtype; }

template <class T>
constexpr int dtype_of = -1;
template <>
inline constexpr int dtype_of<uint8_t> = TH_BYTE;
template <>
inline constexpr int dtype_of<int8_t> = TH_CHAR;
template <>
inline constexpr int dtype_of<int16_t> = TH_SHORT;
template <>
inline constexpr int dtype_of<int32_t> = TH_INT;
template <>
inline constexpr int dtype_of<int64_t> = TH_LONG;
template <>
inline constexpr int dtype_of<Half> = TH_HALF;
template <>
inline constexpr int dtype_of<BFloat16> = TH_BFLOAT16;
template <>
inline constexpr int dtype_of<float> = TH_FLOAT;
template <>
inline constexpr int dtype_of<double> = TH_DOUBLE;

/// A set of element types; `dispatch(dtype, f)` calls f<T>() for the member that dtype names.
template <class... Types>
struct TypeSet {
  static constexpr bool contains(int dtype) { return ((dtype_of<Types> == dtype) || ...); }

  template <class F>
  static void dispatch(int dtype, F&& f) {
    if (!((dtype_of<Types> == dtype ? (f.template operator()<Types>(), true) : false) || ...)) {
      unsupported(dtype);
    }
  }

  [[noreturn]] static void unsupported(int dtype) {
    std::string list;
    ((list += std::string(list.empty() ? "" : ", ") + class_name(dtype_of<Types>) + "Tensor"), ...);
    fail(class_name(dtype),
         "Tensor is not supported; wanted one of ",
         list,
         ". Convert it first, as in x:float()");
  }
};

using AllTypes = TypeSet<uint8_t, int8_t, int16_t, int32_t, int64_t, Half, BFloat16, float, double>;
using Integral = TypeSet<uint8_t, int8_t, int16_t, int32_t, int64_t>;
using Floating = TypeSet<Half, BFloat16, float, double>;
using Numeric = AllTypes;
/// What is left once the 16-bit types were widened.
using ComputeTypes = TypeSet<uint8_t, int8_t, int16_t, int32_t, int64_t, float, double>;

}  // namespace th

#pragma GCC visibility pop
