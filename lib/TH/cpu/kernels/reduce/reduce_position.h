// Extremes and their positions. Part of kernels/reduce.cpp.
#pragma once

#include <cstddef>

#include "cpu/kernels/reduce/reduce_row.h"

namespace th::cpu::TH_ISA {
namespace {

/// The first element that is `value`, or the first NaN when that is one; there is one.
template <class T>
TH_INLINE int64_t find(const T* x, int64_t n, T value) {
  constexpr int64_t kBlock = 64;
  const bool nan = value != value;
  int64_t begin = 0;
  for (; begin + kBlock <= n; begin += kBlock) {
    int found = 0;
    for (int64_t k = 0; k < kBlock; ++k) {
      found |= nan ? x[begin + k] != x[begin + k] : x[begin + k] == value;
    }
    if (found) {
      break;
    }
  }
  const int64_t end = begin + kBlock < n ? begin + kBlock : n;
  int64_t first = end;
  for (int64_t k = begin; k < end; ++k) {
    const bool here = nan ? x[k] != x[k] : x[k] == value;
    const int64_t candidate = here ? k : end;
    first = candidate < first ? candidate : first;
  }
  return first;
}

template <class Op, class T>
struct FoldPosition {
  /// Positions within a leaf are as wide as values where that is possible, so that both take the
  /// same vector lanes.
  using Local = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;

  /// Results with few elements, and few results, are made side by side in the lanes of one vector.
  static constexpr int64_t kShort = 48;
  static constexpr int64_t kNarrow = 16;
  static constexpr int kLaneBytes = kVectorBytes < 32 ? kVectorBytes : 32;
  static constexpr int kTogether = sizeof(T) < 4 ? 8 : kLaneBytes / sizeof(T);

  /// Lane l takes the n elements x[offset[l]], x[offset[l] + step], ...; the first `used` lanes are
  /// kept.
  TH_INLINE static void lanes(T* value, int64_t* position, int used, const T* x,
                              const int64_t (&offset)[kTogether], int64_t step, int64_t n,
                              int64_t first) {
    using Values [[gnu::vector_size(kTogether * sizeof(T))]] = T;
    using Places = decltype(Values{} == Values{});  // integers as wide as T
    using Place =
        std::conditional_t<sizeof(T) == 8, int64_t,
                           std::conditional_t<sizeof(T) == 4, int32_t,
                                              std::conditional_t<sizeof(T) == 2, int16_t, int8_t>>>;
    static_assert(kShort <= INT8_MAX && kReduceLeafRows <= INT8_MAX);
    Values best{};
    for (int l = 0; l < kTogether; ++l) {
      best[l] = value[l < used ? l : 0];
    }
    Places at = Places{} - 1;
    for (int64_t k = 0; k < n; ++k, x += step) {
      Values next{};
      for (int l = 0; l < kTogether; ++l) {
        next[l] = x[offset[l]];
      }
      const Places better = Op::displaces(best, next);
      best = better ? next : best;
      at = better ? Places{} + static_cast<Place>(k) : at;
    }
    T values[kTogether];
    Place places[kTogether];
    std::memcpy(values, &best, sizeof(best));
    std::memcpy(places, &at, sizeof(at));
    for (int l = 0; l < used; ++l) {
      value[l] = values[l];
      position[l] = places[l] >= 0 ? first + places[l] : position[l];
    }
  }

  static int64_t* positions(void* acc, int64_t items) {
    return reinterpret_cast<int64_t*>(static_cast<char*>(acc) + positions_offset(items, sizeof(T)));
  }

  static void init(void* acc, int64_t items, int64_t first) {
    T* value = static_cast<T*>(acc);
    int64_t* position = positions(acc, items);
    for (int64_t i = 0; i < items; ++i) {
      value[i] = Op::template identity<T>();
      position[i] = first;
    }
  }

  static void rows(void* acc, int64_t items, const void* x, int64_t stride, int64_t n,
                   int64_t first, double) {
    T* value = static_cast<T*>(acc);
    int64_t* position = positions(acc, items);
    const T* row = static_cast<const T*>(x);
    int64_t i = 0;
    if (n <= kShort) {
      int64_t offset[kTogether];
      for (int l = 0; l < kTogether; ++l) {
        offset[l] = l * stride;
      }
      for (; i + kTogether <= items; i += kTogether, row += kTogether * stride) {
        lanes(value + i, position + i, kTogether, row, offset, 1, n, first);
      }
    }
    for (; i < items; ++i, row += stride) {
      const T best = reduce_row<Op, T>(row, n, 0);
      if (Op::displaces(value[i], best)) {
        value[i] = best;
        position[i] = first + find(row, n, best);
      }
    }
  }

  static void columns(void* acc, int64_t items, const void* x, int64_t stride, int64_t n,
                      int64_t first, double) {
    T* value = static_cast<T*>(acc);
    int64_t* position = positions(acc, items);
    const T* row = static_cast<const T*>(x);
    if (items <= kNarrow) {
      for (int64_t j = 0; j < items; j += kTogether) {
        const int used = items - j < kTogether ? static_cast<int>(items - j) : kTogether;
        int64_t offset[kTogether];
        for (int l = 0; l < kTogether; ++l) {
          offset[l] = l < used ? l : 0;
        }
        lanes(value + j, position + j, used, row + j, offset, stride, n, first);
      }
      return;
    }
    Local local[kReduceItems];
    for (int64_t j = 0; j < items; ++j) {
      local[j] = -1;
    }
    Local i = 0;
    for (; i + 2 <= static_cast<Local>(n); i += 2, row += 2 * stride) {
      const T* x0 = row;
      const T* x1 = row + stride;
#pragma GCC ivdep
      for (int64_t j = 0; j < items; ++j) {
        const bool second = Op::displaces(x0[j], x1[j]);
        const T best = second ? x1[j] : x0[j];
        const Local at = second ? i + 1 : i;
        const bool better = Op::displaces(value[j], best);
        value[j] = better ? best : value[j];
        local[j] = better ? at : local[j];
      }
    }
    if (i < static_cast<Local>(n)) {
#pragma GCC ivdep
      for (int64_t j = 0; j < items; ++j) {
        const bool better = Op::displaces(value[j], row[j]);
        value[j] = better ? row[j] : value[j];
        local[j] = better ? i : local[j];
      }
    }
#pragma GCC ivdep
    for (int64_t j = 0; j < items; ++j) {
      position[j] = local[j] >= 0 ? first + local[j] : position[j];
    }
  }

  static void combine(void* acc, const void* later, int64_t items) {
    T* value = static_cast<T*>(acc);
    int64_t* position = positions(acc, items);
    const T* later_value = static_cast<const T*>(later);
    const int64_t* later_position = positions(const_cast<void*>(later), items);
    for (int64_t i = 0; i < items; ++i) {
      if (Op::displaces(value[i], later_value[i])) {
        value[i] = later_value[i];
        position[i] = later_position[i];
      }
    }
  }

  static constexpr std::nullptr_t gather = nullptr;
};

}  // namespace
}  // namespace th::cpu::TH_ISA
