// What a BlockPool counts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace th {

/// A quantity that rises and falls. What was taken away so far is total - current.
struct Counter {
  int64_t current = 0;
  int64_t peak = 0;   ///< highest current since the last reset
  int64_t total = 0;  ///< everything ever added

  void add(int64_t n) {
    current += n;
    total += n;
    peak = std::max(peak, current);
  }
  void remove(int64_t n) { current -= n; }
  void reset_peak() { peak = current; }
};

/// Blocks of one size class: at least `bytes`, less than the next class.
struct ClassStatistics {
  size_t bytes = 0;
  Counter blocks;
};

/// A consistent picture of one pool. Bytes unless said otherwise.
struct PoolStatistics {
  Counter requested;  ///< asked for by live blocks
  Counter allocated;  ///< held by live blocks, rounding included
  Counter reserved;   ///< taken from the backend
  Counter inactive;   ///< free, but between live blocks, so that it cannot be given back whole
  Counter blocks;     ///< live blocks
  Counter segments;   ///< pieces or ranges taken from the backend
  Counter inactive_blocks;  ///< the free pieces `inactive` consists of
  int64_t retries = 0;      ///< times the cache was released because memory had run out
  int64_t failures = 0;     ///< requests refused in the end
  int64_t limit = 0;        ///< the most that may be reserved; 0: no limit
  std::vector<ClassStatistics> by_class;  ///< classes that were ever used, ascending
};

}  // namespace th
