// Loops on several threads: one loop, split into even ranges.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/runtime/threads.h"

namespace th::cpu {

/// Elements of cheap work below which a second thread costs more than it saves.
inline constexpr int64_t kGrain = 32768;

/// Call f(begin, end) on ranges that cover [0, n), at least `grain` long, on several threads at
/// once. f must not throw: an exception cannot leave a thread. Ranges begin at multiples of 64, so
/// that no two threads write one cache line of bytes.
template <class F>
void parallel_for(int64_t n, int64_t grain, F&& f) {
  int64_t parts = n / std::max<int64_t>(grain, 1);
  if (parts > 1) {
    parts = std::min<int64_t>(parts, threads::share());
  }
  if (parts <= 1) {
    f(int64_t{0}, n);
    return;
  }
  const int64_t step = ((n + parts - 1) / parts + 63) / 64 * 64;
  auto work = [&](int64_t part) {
    const int64_t begin = std::min(n, part * step);
    const int64_t end = std::min(n, begin + step);
    if (begin < end) {
      f(begin, end);
    }
  };
  threads::run(
      parts, [](void* context, int64_t part) { (*static_cast<decltype(work)*>(context))(part); },
      &work);
}

/// On how many threads parallel_items runs such a loop, at most: on fewer where the share is less
/// by then.
inline int64_t workers_for(int64_t items, int64_t cost_per_item, int64_t most = INT64_MAX) {
  const int64_t parts =
      std::min({most, items, items * std::max<int64_t>(cost_per_item, 1) / kGrain});
  return parts > 1 ? std::min<int64_t>(parts, threads::share()) : 1;
}

/// As parallel_for, for few, heavy items (rows, images): ranges of any length, `most` of them.
template <class F>
void parallel_items(int64_t items, int64_t cost_per_item, F&& f, int64_t most = INT64_MAX) {
  const int64_t parts = workers_for(items, cost_per_item, most);
  if (parts == 1) {
    f(int64_t{0}, items);
    return;
  }
  auto work = [&](int64_t part) {
    const int64_t begin = items * part / parts;
    const int64_t end = items * (part + 1) / parts;
    if (begin < end) {
      f(begin, end);
    }
  };
  threads::run(
      parts, [](void* context, int64_t part) { (*static_cast<decltype(work)*>(context))(part); },
      &work);
}

}  // namespace th::cpu
