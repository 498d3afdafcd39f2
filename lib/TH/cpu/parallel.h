// Threads: one loop, split into even ranges.
#pragma once

#include <algorithm>
#include <cstdint>

#include <omp.h>

namespace th::cpu {

/// Elements of cheap work below which a second thread costs more than it saves.
inline constexpr int64_t kGrain = 32768;

/// Call f(begin, end) on ranges that cover [0, n), at least `grain` long, on several threads at
/// once. f must not throw: an exception cannot leave a parallel region. Ranges begin at multiples
/// of 64, so that no two threads write one cache line of bytes.
template <class F>
void parallel_for(int64_t n, int64_t grain, F&& f) {
  const int64_t wanted = std::min<int64_t>(omp_get_max_threads(), n / std::max<int64_t>(grain, 1));
  if (wanted <= 1 || omp_in_parallel()) {
    f(int64_t{0}, n);
    return;
  }
#pragma omp parallel num_threads(static_cast <int>(wanted))
  {
    const int64_t threads = omp_get_num_threads();
    const int64_t step = ((n + threads - 1) / threads + 63) / 64 * 64;
    const int64_t begin = std::min(n, omp_get_thread_num() * step);
    const int64_t end = std::min(n, begin + step);
    if (begin < end) {
      f(begin, end);
    }
  }
}

/// As parallel_for, for few, heavy items (rows, images): ranges of any length.
template <class F>
void parallel_items(int64_t items, int64_t cost_per_item, F&& f) {
  const int64_t wanted = std::min<int64_t>({static_cast<int64_t>(omp_get_max_threads()),
                                            items,
                                            items * std::max<int64_t>(cost_per_item, 1) / kGrain});
  if (wanted <= 1 || omp_in_parallel()) {
    f(int64_t{0}, items);
    return;
  }
#pragma omp parallel num_threads(static_cast <int>(wanted))
  {
    const int64_t threads = omp_get_num_threads();
    const int64_t id = omp_get_thread_num();
    const int64_t begin = items * id / threads;
    const int64_t end = items * (id + 1) / threads;
    if (begin < end) {
      f(begin, end);
    }
  }
}

}  // namespace th::cpu
