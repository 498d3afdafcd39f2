// Element types: names, sizes, and the one place where a run-time tag becomes a C++ type.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "TH_core.h"
#include "core/runtime/error.h"
#include "functors/numeric.h"

#pragma GCC visibility push(default)  // for backends in libraries of their own
namespace th {

/// "FloatTensor" is class_name(TH_FLOAT) + "Tensor".
const char* class_name(int dtype);

namespace detail {

struct DtypeRow {
  const char* name;
  int64_t size;
  bool floating;
  int computed;
};
enum Kind { Integral, Floating };

}  // namespace detail

template <class T>
constexpr int dtype_of = -1;
#define TH_DTYPE(TAG, NAME, ELEMENT, C, FIELD, KIND, COMPUTED) \
  template <>                                                  \
  inline constexpr int dtype_of<ELEMENT> = TAG;
#include "ops/dtypes.def"
#undef TH_DTYPE

namespace detail {

inline constexpr DtypeRow dtype_rows[] = {
#define TH_DTYPE(TAG, NAME, ELEMENT, C, FIELD, KIND, COMPUTED) \
  {#NAME, sizeof(ELEMENT), KIND == Floating, dtype_of<COMPUTED>},
#include "ops/dtypes.def"
#undef TH_DTYPE
};

}  // namespace detail

constexpr int64_t element_size(int dtype) { return detail::dtype_rows[dtype].size; }
constexpr bool is_floating(int dtype) { return detail::dtype_rows[dtype].floating; }
constexpr bool is_integral(int dtype) { return !is_floating(dtype); }
/// The type that elements are widened to before anything is computed: float for the 16-bit ones.
constexpr int compute_dtype(int dtype) { return detail::dtype_rows[dtype].computed; }
constexpr bool is_half(int dtype) { return compute_dtype(dtype) != dtype; }
constexpr bool is_computed(int dtype) { return compute_dtype(dtype) == dtype; }
constexpr bool is_narrow(int dtype) { return element_size(dtype) <= 4; }

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
    fail(class_name(dtype), "Tensor is not supported; wanted one of ", list,
         ". Convert it first, as in x:float()");
  }
};

namespace detail {

/// All members of some sets.
template <class... Sets>
struct Join;
template <class... A>
struct Join<TypeSet<A...>> {
  using Set = TypeSet<A...>;
};
template <class... A, class... B, class... Rest>
struct Join<TypeSet<A...>, TypeSet<B...>, Rest...> {
  using Set = typename Join<TypeSet<A..., B...>, Rest...>::Set;
};

/// The members whose tags fulfil a condition.
template <bool belongs(int), class... Types>
auto members(TypeSet<Types...>) ->
    typename Join<TypeSet<>,
                  std::conditional_t<belongs(dtype_of<Types>), TypeSet<Types>, TypeSet<>>...>::Set;

#define TH_DTYPE(TAG, NAME, ELEMENT, C, FIELD, KIND, COMPUTED) , TypeSet<ELEMENT>
using AllTypes = typename Join<TypeSet<>
#include "ops/dtypes.def"
                               >::Set;
#undef TH_DTYPE

}  // namespace detail

using AllTypes = detail::AllTypes;
using Numeric = AllTypes;
using Integral = decltype(detail::members<is_integral>(AllTypes{}));
using Floating = decltype(detail::members<is_floating>(AllTypes{}));
/// What is left once the 16-bit types were widened.
using ComputeTypes = decltype(detail::members<is_computed>(AllTypes{}));
/// What layers, products and LAPACK compute in.
using RealTypes = decltype(detail::members<is_floating>(ComputeTypes{}));
/// Up to 32 bits.
using NarrowTypes = decltype(detail::members<is_narrow>(AllTypes{}));

}  // namespace th

#pragma GCC visibility pop
