// Several products, or sums of products, that do not depend on each other: how threads share them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/linalg/blocked_gemm.h"
#include "cpu/parallel.h"

namespace th::cpu {

/// Few large products are divided among all threads, one after the other; small ones, and many, are
/// handed out.
class ManyProducts {
 public:
  /// `items` of `cost` each (see parallel_items), made of products of so many multiplications.
  ManyProducts(int64_t items, int64_t multiplications, int64_t cost)
      : items_(items),
        cost_(cost),
        workers_(pays_to_divide(items, multiplications) ? 1 : workers_for(items, cost)) {}

  /// Threads with items and working memory of their own.
  int64_t workers() const { return workers_; }
  /// For gemm_workspace: the threads that a product may have.
  int64_t team() const { return workers_ == 1 ? threads::share() : 1; }

  /// f(first, last, worker), all of one worker's items.
  template <class F>
  void run(const F& f) const {
    parallel_items(
        items_, cost_,
        [&](int64_t first, int64_t last) { f(first, last, workers_ == 1 ? 0 : threads::part()); },
        workers_);  // the thread's share may have grown
  }

 private:
  /// Multiplications of a product that is worth the waiting for each other at its end.
  static constexpr int64_t kLarge = 128 * 128 * 128;

  /// Whether as many threads have work then as if items were handed out.
  static bool pays_to_divide(int64_t items, int64_t multiplications) {
    const int64_t share = threads::share();
    return items == 1 || (multiplications > kLarge && items < 4 * share &&
                          multiplications / kThreadGrain >= std::min(items, share));
  }

  int64_t items_, cost_, workers_;
};

}  // namespace th::cpu
