// Sums over the elements of a loss: blocks over parts of a fixed size, then one over the parts, so
// that a sum has the same bits every time.
#pragma once

#include <algorithm>

#include "core/memory/allocator.h"
#include "cuda/launch.h"

namespace thc {

/// A block sums up the terms of a part. Terms has a type Value, whose default is zero, an addition
/// Op, and term(i).
template <class Terms>
struct SumParts {
  using Value = typename Terms::Value;
  Terms terms;
  int64_t n;
  int64_t part;
  Value* sums;

  template <class Block>
  TH_D void operator()(Block& block) const {
    const typename Terms::Op op;
    const int64_t begin = block.index() * part;
    const int64_t end = begin + part < n ? begin + part : n;
    Value sum{};
    for (int64_t i = begin + block.thread(); i < end; i += block.threads()) {
      sum = op(sum, terms.term(i));
    }
    sum = block.reduce(sum, op);
    if (block.thread() == 0) {
      sums[block.index()] = sum;
    }
  }
};

/// The parts' sums as terms.
template <class Terms>
struct Parts {
  using Value = typename Terms::Value;
  using Op = typename Terms::Op;
  const Value* sums;
  TH_HD Value term(int64_t i) const { return sums[i]; }
};

/// The sum of n terms, on the device.
template <class Terms>
class DeviceSum {
 public:
  using Value = typename Terms::Value;

  DeviceSum(const TH_Tensor& where, const Terms& terms, int64_t n)
      : part_(std::max(kPart, (n + kMostParts - 1) / kMostParts)),
        parts_((n + part_ - 1) / part_),
        stream_(stream_for(where)),
        // The parts' sums, and before them the total.
        scratch_(where, (1 + parts_) * static_cast<int64_t>(sizeof(Value))) {
    Value* const total = scratch_.data<Value>();
    const int threads = n <= kWarp ? kWarp : kThreads;
    if (parts_ == 1) {
      launch_blocks(stream_, 1, threads, 0, SumParts<Terms>{terms, n, part_, total});
      return;
    }
    launch_blocks(stream_, parts_, threads, 0, SumParts<Terms>{terms, n, part_, total + 1});
    launch_blocks(stream_, 1, threads, 0,
                  SumParts<Parts<Terms>>{{total + 1}, parts_, parts_, total});
  }

  const Value* on_device() const { return scratch_.template data<Value>(); }
  Value wait() const { return fetch(on_device(), stream_); }

 private:
  static constexpr int64_t kPart = 4096;
  static constexpr int64_t kMostParts = 1024;
  int64_t part_;
  int64_t parts_;
  cudaStream_t stream_;
  Scratch scratch_;
};

}  // namespace thc
