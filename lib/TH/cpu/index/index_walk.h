// The loop nest of everything that reads or writes at positions along a dimension:
//     at[..., positions[...] - 1, ...]  <->  other[..., i, ...]
// Elements go to `other` (Gather) or to `at` (Scatter, AddTo). Strides may be anything, 0 included.
#pragma once

#include <cstdlib>
#include <cstring>
#include <span>
#include <type_traits>

#include "core/tensor/dimensions.h"
#include "core/tensor/dtype.h"
#include "cpu/parallel.h"

namespace th::cpu {

/// Strides, in elements, of one of the tensors that are walked together.
struct Side {
  int64_t along = 0;  // along the dimension of the positions
  int64_t run = 0;    // along the innermost of the others
  int64_t outer[TH_MAX_DIMS] = {};
};

struct Nest {
  int64_t along;       // steps along the dimension of the positions
  int64_t run = 1;     // size of the innermost of the other dimensions
  int64_t planes = 1;  // of along x run elements
  int ndim = 0;        // of the remaining dimensions
  int64_t sizes[TH_MAX_DIMS];
  Side at, other, positions;

  /// A null pointer stands for strides of 0.
  Nest(std::span<const int64_t> shape, int dim, const int64_t* at_strides,
       const int64_t* other_strides, const int64_t* position_strides)
      : along(shape[dim]) {
    const int64_t* strides[] = {at_strides, other_strides, position_strides};
    Side* sides[] = {&at, &other, &positions};
    for (int s = 0; s < 3; ++s) {
      sides[s]->along = strides[s] == nullptr ? 0 : strides[s][dim];
    }
    for (int d = 0; d < static_cast<int>(shape.size()); ++d) {
      if (d != dim) {
        const auto stride = [&](int s) { return strides[s] == nullptr ? 0 : strides[s][d]; };
        join_dimension(ndim, sizes, shape[d], Steps{at.outer, stride(0)},
                       Steps{other.outer, stride(1)}, Steps{positions.outer, stride(2)});
      }
    }
    if (ndim > 0) {  // the last one is the run
      --ndim;
      run = sizes[ndim];
      for (Side* side : sides) {
        side->run = side->outer[ndim];
      }
    }
    for (int d = 0; d < ndim; ++d) {
      planes *= sizes[d];
    }
  }

  /// Where a plane begins in a tensor.
  int64_t offset(const Side& side, int64_t plane) const {
    return offset_at(plane, ndim, sizes, side.outer);
  }
};

/// What happens between an element of `at` and one of `other`.
struct Gather {
  static constexpr bool writes_at = false;
  template <class T>
  static void move(T& at, T& other) {
    other = at;
  }
};

struct Scatter {
  static constexpr bool writes_at = true;
  template <class T>
  static void move(T& at, T& other) {
    at = other;
  }
};

struct AddTo {
  static constexpr bool writes_at = true;
  template <class T>
  static void move(T& at, T& other) {
    if constexpr (is_half_type<T>) {
      at = T(static_cast<float>(at) + static_cast<float>(other));
    } else {
      at = static_cast<T>(wrapping(at) + wrapping(other));
    }
  }
};

/// n elements, each at its own position.
template <class Move, class T>
void at_positions(T* at, int64_t step, int64_t at_stride, T* other, int64_t other_stride,
                  const int64_t* positions, int64_t position_stride, int64_t n) {
  const auto loop = [=](auto step, auto at_stride, auto other_stride, auto position_stride) {
    const auto move = [=](int64_t i) __attribute__((always_inline)) {
      Move::move(at[(positions[i * position_stride] - 1) * step + i * at_stride],
                 other[i * other_stride]);
    };
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
      __builtin_prefetch(positions + (i + 2048) * position_stride);
#pragma GCC unroll 8
      for (int64_t j = 0; j < 8; ++j) {
        move(i + j);
      }
    }
    for (; i < n; ++i) {
      move(i);
    }
  };
  constexpr std::integral_constant<int64_t, 0> zero;
  constexpr std::integral_constant<int64_t, 1> one;
  const bool unit = other_stride == 1 && position_stride == 1;
  if (unit && step == 1 && at_stride == 0) {
    loop(one, zero, one, one);
  } else if (unit && at_stride == 0) {
    loop(step, zero, one, one);
  } else if (unit && at_stride == 1) {
    loop(step, one, one, one);
  } else {
    loop(step, at_stride, other_stride, position_stride);
  }
}

/// n elements at one position.
template <class Move, class T>
void row(T* at, int64_t at_stride, T* other, int64_t other_stride, int64_t n) {
  if (at_stride != 1 || other_stride != 1) {
    for (int64_t i = 0; i < n; ++i) {
      Move::move(at[i * at_stride], other[i * other_stride]);
    }
  } else if constexpr (std::is_same_v<Move, Gather>) {
    std::memcpy(other, at, static_cast<size_t>(n) * sizeof(T));
  } else if constexpr (std::is_same_v<Move, Scatter>) {
    std::memcpy(at, other, static_cast<size_t>(n) * sizeof(T));
  } else {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) {
      Move::move(at[i], other[i]);
    }
  }
}

/// Ask for a row's first cache lines. The processor cannot guess which row comes next.
template <class T>
inline void prefetch(const T* at, int64_t n) {
  const char* address = reinterpret_cast<const char*>(at);
  const int64_t bytes = std::min<int64_t>(n * static_cast<int64_t>(sizeof(T)), 4 * 64);
  for (int64_t i = 0; i < bytes; i += 64) {
    __builtin_prefetch(address + i);
  }
}

/// The part [k0, k1) x [j0, j1) (along the dimension x along the run) of one plane.
template <class Move, class T>
void plane(const Nest& nest, T* at, T* other, const int64_t* positions, int64_t k0, int64_t k1,
           int64_t j0, int64_t j1) {
  const Side& a = nest.at;
  const Side& o = nest.other;
  const Side& p = nest.positions;
  const bool by_rows = nest.run > 1 && std::abs(a.run) <= std::abs(a.along);
  if (by_rows && p.run == 0) {
    const auto row_at = [&](int64_t k) {
      return at + (positions[k * p.along] - 1) * a.along + j0 * a.run;
    };
    constexpr int64_t ahead = 8;
    for (int64_t k = k0; k < k1; ++k) {
      prefetch(row_at(std::min(k + ahead, k1 - 1)), a.run == 1 ? j1 - j0 : 0);
      row<Move>(row_at(k), a.run, other + k * o.along + j0 * o.run, o.run, j1 - j0);
    }
  } else if (by_rows) {
    for (int64_t k = k0; k < k1; ++k) {
      at_positions<Move>(at + j0 * a.run, a.along, a.run, other + k * o.along + j0 * o.run, o.run,
                         positions + k * p.along + j0 * p.run, p.run, j1 - j0);
    }
  } else {
    for (int64_t j = j0; j < j1; ++j) {
      at_positions<Move>(at + j * a.run, a.along, int64_t{0}, other + k0 * o.along + j * o.run,
                         o.along, positions + k0 * p.along + j * p.run, p.along, k1 - k0);
    }
  }
}

/// So many elements as elements of cheap work. Rows that lie in order are copied, 16 bytes in the
/// time of one: 128 pictures of 28 x 28 floats take one thread 25 us, less than to wake another.
template <class Move, class T>
int64_t cost_of(const Nest& nest, int64_t elements) {
  const bool copies = nest.run > 1 && nest.at.run == 1 && nest.other.run == 1 &&
                      nest.positions.run == 0 && !std::is_same_v<Move, AddTo>;
  return copies ? elements * static_cast<int64_t>(sizeof(T)) / 16 : elements;
}

/// Walk the whole nest. Threads never write one element twice: where positions choose what is
/// written, all steps along the dimension stay on one thread, in order, so that the last one wins.
template <class Move, class T>
void walk_positions(const Nest& nest, T* at, T* other, const int64_t* positions) {
  const int64_t team = threads::share();
  const bool split_along = !Move::writes_at && nest.along >= nest.run;
  const int64_t length = split_along ? nest.along : nest.run;
  const int64_t slices = nest.planes >= 2 * team ? 1 : std::min(team, (length + 15) / 16);
  parallel_items(nest.planes * slices, cost_of<Move, T>(nest, nest.along * nest.run / slices),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t item = begin; item < end; ++item) {
                     const int64_t index = item / slices;
                     const int64_t slice = item % slices;
                     const int64_t first = length * slice / slices;
                     const int64_t last = length * (slice + 1) / slices;
                     plane<Move>(nest, at + nest.offset(nest.at, index),
                                 other + nest.offset(nest.other, index),
                                 positions + nest.offset(nest.positions, index),
                                 split_along ? first : 0, split_along ? last : nest.along,
                                 split_along ? 0 : first, split_along ? nest.run : last);
                   }
                 });
}

}  // namespace th::cpu
