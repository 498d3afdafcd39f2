// How kernels find the elements of a tensor with any strides.
#pragma once

#include <cstdint>

#include "core/tensor/dimensions.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "functors/numeric.h"

namespace thc {

/// Division of numbers below 2^31 by one that is fixed at launch: a multiplication and a shift.
/// Source: Granlund and Montgomery, "Division by invariant integers using multiplication", PLDI
/// 1994, section 4.
struct Divisor {
  uint32_t value = 1;
  uint32_t multiplier = 0;
  uint32_t shift = 0;

  Divisor() = default;
  explicit Divisor(uint32_t divisor) : value(divisor) {
    while (shift < 31 && (uint32_t{1} << shift) < divisor) {
      ++shift;
    }
    const uint64_t power = uint64_t{1} << shift;
    multiplier = static_cast<uint32_t>(((power - divisor) << 32) / divisor + 1);
  }

  TH_HD uint32_t divide(uint32_t n) const {
    const auto high = static_cast<uint32_t>((static_cast<uint64_t>(n) * multiplier) >> 32);
    return (high + n) >> shift;
  }
};

/// Position in row-major order -> offset in elements, with neighbouring dimensions joined where
/// they can be. Below 2^31 elements without 64-bit divisions.
struct OffsetCalculator {
  int32_t ndim = 0;
  bool wide = false;  // 2^31 elements or more
  int64_t sizes[TH_MAX_DIMS];
  int64_t strides[TH_MAX_DIMS];
  Divisor divisors[TH_MAX_DIMS];

  OffsetCalculator() = default;
  explicit OffsetCalculator(const TH_Tensor& t) : OffsetCalculator(t.ndim, t.sizes, t.strides) {}
  OffsetCalculator(int count, const int64_t* the_sizes, const int64_t* the_strides) {
    int64_t n = 1;
    for (int d = 0; d < count; ++d) {
      n *= the_sizes[d];
      th::join_dimension(ndim, sizes, the_sizes[d], th::Steps{strides, the_strides[d]});
    }
    wide = n > 0x7fffffff;
    for (int d = 0; d < ndim && !wide; ++d) {
      divisors[d] = Divisor(static_cast<uint32_t>(sizes[d]));
    }
  }

  /// Whether elements lie side by side.
  bool compact() const { return ndim == 0 || (ndim == 1 && strides[0] == 1); }

  TH_HD int64_t offset(int64_t position) const {
    if (ndim <= 1) {
      return ndim == 0 ? 0 : position * strides[0];
    }
    int64_t result = 0;
    if (!wide) {
      auto rest = static_cast<uint32_t>(position);
      for (int d = ndim - 1; d > 0; --d) {
        const uint32_t quotient = divisors[d].divide(rest);
        result += static_cast<int64_t>(rest - quotient * divisors[d].value) * strides[d];
        rest = quotient;
      }
      return result + rest * strides[0];
    }
    for (int d = ndim - 1; d > 0; --d) {
      const int64_t quotient = position / sizes[d];
      result += (position - quotient * sizes[d]) * strides[d];
      position = quotient;
    }
    return result + position * strides[0];
  }
};

/// What T is kept in between loading and storing.
template <class T>
TH_HD inline Compute<T> widen(T x) {
  return static_cast<Compute<T>>(x);
}
template <class T>
TH_HD inline T narrow(Compute<T> x) {
  return static_cast<T>(x);
}

/// A tensor's elements in row-major order, seen as C: float for the three narrow floating types,
/// otherwise C is the element type itself.
template <class C>
struct Elements {
  char* base;
  int32_t dtype;
  OffsetCalculator layout;

  Elements() = default;
  explicit Elements(const TH_Tensor& t) : base(th::bytes(t)), dtype(t.dtype), layout(t) {}

  TH_HD C load(int64_t position) const { return load_at(layout.offset(position)); }
  TH_HD void store(int64_t position, C value) const { store_at(layout.offset(position), value); }

  /// By offset in elements.
  TH_HD C load_at(int64_t offset) const {
    if constexpr (std::is_same_v<C, float>) {
      switch (dtype) {
#define TH_DTYPE(TAG, NAME, ELEMENT, PLAIN, FIELD, KIND, COMPUTED)                      \
  case TAG:                                                                             \
    if constexpr (std::is_same_v<COMPUTED, float> && !std::is_same_v<ELEMENT, float>) { \
      return widen(reinterpret_cast<const ELEMENT*>(base)[offset]);                     \
    }                                                                                   \
    break;
#include "ops/dtypes.def"
#undef TH_DTYPE
        default:
          break;
      }
    }
    return reinterpret_cast<const C*>(base)[offset];
  }
  TH_HD void store_at(int64_t offset, C value) const {
    if constexpr (std::is_same_v<C, float>) {
      switch (dtype) {
#define TH_DTYPE(TAG, NAME, ELEMENT, PLAIN, FIELD, KIND, COMPUTED)                      \
  case TAG:                                                                             \
    if constexpr (std::is_same_v<COMPUTED, float> && !std::is_same_v<ELEMENT, float>) { \
      reinterpret_cast<ELEMENT*>(base)[offset] = narrow<ELEMENT>(value);                \
      return;                                                                           \
    }                                                                                   \
    break;
#include "ops/dtypes.def"
#undef TH_DTYPE
        default:
          break;
      }
    }
    reinterpret_cast<C*>(base)[offset] = value;
  }
};

}  // namespace thc
