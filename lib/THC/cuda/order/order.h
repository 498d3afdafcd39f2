// The lines of a tensor along a dimension, each in order.
#pragma once

#include "core/memory/allocator.h"
#include "cuda/offsets.h"

namespace thc {

/// The elements of x as keys, line after line, each line sorted; their positions with them. Equal
/// elements keep their order, -0 comes before +0 and NaN after everything else; all of that but the
/// order of equal elements reversed when `descending`. x is not needed afterwards.
class SortedLines {
 public:
  SortedLines(const TH_Tensor& x, int dim, bool descending);

  int64_t count() const { return count_; }
  int64_t length() const { return n_; }
  int dtype() const { return dtype_; }
  cudaStream_t stream() const { return stream_; }

  /// Element j of line i lies at i * length() + j. Only the bits of `key_mask` belong to the key.
  const uint64_t* keys() const { return keys_; }
  uint64_t key_mask() const { return narrow_ ? 0xffffffffu : ~uint64_t{0}; }
  /// What to xor keys with before they are turned into elements.
  uint64_t flip() const { return flip_; }
  /// Counted from 0, along the dimension.
  const int64_t* positions() const { return positions_; }

 private:
  cudaStream_t stream_;
  int dtype_;
  int64_t n_;
  int64_t count_;
  bool narrow_;
  uint64_t flip_;
  Scratch scratch_;
  uint64_t* keys_;
  int64_t* positions_;
};

}  // namespace thc
