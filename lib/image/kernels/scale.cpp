// A row of the result: old rows are weighted and added to one row of numbers (contiguous, so the
// compiler vectorises it), then each of its elements is the weighted sum of some neighbours.
#include <cstring>

#include "kernels/numbers.h"
#include "kernels/parts.h"

namespace th::image::TH_ISA {
namespace {

template <class A>
const A* weights_of(const Axis& axis, int64_t i) {
  if constexpr (std::is_same_v<A, double>) {
    return axis.exact + i * axis.taps;
  } else {
    return axis.weights + i * axis.taps;
  }
}

template <int N, class T, class A>
void add_rows(A* __restrict r, const T* __restrict x, int64_t stride, const A* weights, int64_t n) {
  A w[N];
  for (int k = 0; k < N; ++k) {
    w[k] = weights[k];
  }
  for (int64_t i = 0; i < n; ++i) {
    A sum = w[0] * static_cast<A>(x[i]);
    for (int k = 1; k < N; ++k) {
      sum += w[k] * static_cast<A>(x[k * stride + i]);
    }
    r[i] = to_whole<T>(sum);
  }
}

template <class T, class A>
void add_many_rows(A* __restrict r, const T* __restrict x, int64_t stride, const A* weights,
                   int64_t count, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    r[i] = weights[0] * static_cast<A>(x[i]);
  }
  for (int64_t k = 1; k < count; ++k) {
    for (int64_t i = 0; i < n; ++i) {
      r[i] += weights[k] * static_cast<A>(x[k * stride + i]);
    }
  }
  for (int64_t i = 0; i < n; ++i) {
    r[i] = to_whole<T>(r[i]);
  }
}

/// Old rows to one of as many elements. Weights of 0 at the end are left out: what lies there may
/// be beyond the picture, or infinite.
template <class T, class A>
void vertical(A* __restrict r, const T* __restrict x, const Axis& rows, int64_t row,
              int64_t width) {
  const A* w = weights_of<A>(rows, row);
  x += rows.first[row] * width;
  int64_t count = rows.taps;
  while (count > 1 && w[count - 1] == 0) {
    --count;
  }
  switch (count) {
    case 1:
      return add_rows<1>(r, x, width, w, width);
    case 2:
      return add_rows<2>(r, x, width, w, width);
    case 3:
      return add_rows<3>(r, x, width, w, width);
    case 4:
      return add_rows<4>(r, x, width, w, width);
    default:
      return add_many_rows(r, x, width, w, count, width);
  }
}

/// Any numbers: weights of 0 are not multiplied.
template <class A>
void horizontal_exact(A* r, const A* x, const Axis& columns) {
  for (int64_t i = 0; i < columns.size; ++i) {
    const A* w = weights_of<A>(columns, i);
    const A* at = x + columns.first[i];
    A sum = w[0] * at[0];
    for (int64_t k = 1; k < columns.taps; ++k) {
      if (w[k] != 0) {
        sum += w[k] * at[k];
      }
    }
    r[i] = sum;
  }
}

using Four = float __attribute__((vector_size(16)));

inline Four load(const float* p) {
  Four v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}

inline Four products(const float* x, const Axis& columns, int64_t i) {
  const float* w = columns.weights + i * columns.taps;
  const float* at = x + columns.first[i];
  Four sum = load(w) * load(at);
  for (int64_t k = 4; k < columns.taps; k += 4) {
    sum += load(w + k) * load(at + k);
  }
  return sum;
}

/// Finite numbers: four elements at a time. x has taps elements of 0 behind its last.
void horizontal_finite(float* r, const float* x, const Axis& columns) {
  for (int64_t i = 0; i < columns.size; i += 4) {
    const int64_t last = columns.size - 1;
    const Four a = products(x, columns, i);
    const Four b = products(x, columns, i + 1 < last ? i + 1 : last);
    const Four c = products(x, columns, i + 2 < last ? i + 2 : last);
    const Four d = products(x, columns, i + 3 < last ? i + 3 : last);
    const Four ab =
        __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const Four cd =
        __builtin_shufflevector(c, d, 0, 4, 1, 5) + __builtin_shufflevector(c, d, 2, 6, 3, 7);
    const Four sums =
        __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    __builtin_memcpy(r + i, &sums, sizeof sums);  // r has room for three more
  }
}

bool is_finite(const float* x, int64_t n) {
  float sum = 0;
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    sum += (x[i] - x[i] == 0) ? 0.0F : 1.0F;
  }
  return sum == 0;
}

template <class T, class A>
void to_elements(T* __restrict r, const A* __restrict x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    r[i] = to_element<T>(x[i]);
  }
}

template <class T>
void scale_rows(void* r, const void* x, const Axis& rows, const Axis& columns, int64_t begin,
                int64_t end, void* scratch) {
  using A = Computed<T>;
  const int64_t width = columns.old_size;
  A* row = static_cast<A*>(scratch);
  A* sums = row + width + columns.taps;
  for (int64_t k = 0; k < columns.taps; ++k) {
    row[width + k] = 0;
  }
  for (int64_t y = begin; y < end; ++y) {
    vertical(row, static_cast<const T*>(x), rows, y, width);
    if constexpr (std::is_same_v<A, float>) {
      if (is_whole<T> || is_finite(row, width)) {
        horizontal_finite(sums, row, columns);
      } else {
        horizontal_exact(sums, row, columns);
      }
    } else {
      horizontal_exact(sums, row, columns);
    }
    to_elements(static_cast<T*>(r) + y * columns.size, sums, columns.size);
  }
}

}  // namespace

void fill_scale(Kernels& table) {
  for_types([&]<class T>() { table.scale_rows[dtype_of<T>] = scale_rows<T>; });
}

}  // namespace th::image::TH_ISA
