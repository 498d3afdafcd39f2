// Reductions of two tensors: distance and equality.
#include <algorithm>
#include <atomic>
#include <memory>

#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "cpu/kernels/kernels.h"
#include "cpu/parallel.h"
#include "cpu/reduce/reduce_walk.h"

namespace th::cpu {
namespace {

/// Elements compared or subtracted at a time; two blocks of doubles fit into the first-level cache.
constexpr int64_t kBlock = 1024;

/// n elements of a contiguous tensor in another type.
const void* load(void* buffer, const TH_Tensor& t, int dtype, int64_t begin, int64_t n) {
  const char* from = bytes(t) + begin * element_size(t.dtype);
  if (t.dtype == dtype) {
    return from;
  }
  convert_kernels().convert[t.dtype][dtype](buffer, from, n);
  return buffer;
}

}  // namespace

bool equal_elements(const TH_Tensor& x, const TH_Tensor& y) {
  const Tensor a = contiguous(x);
  const Tensor b = contiguous(y);
  const int dtype = compute_dtype(x.dtype);
  const auto same = reduce_kernels().equal[dtype];
  std::atomic<bool> different = false;
  parallel_for(numel(a), kGrain, [&](int64_t begin, int64_t end) {
    alignas(64) double xs[kBlock];
    alignas(64) double ys[kBlock];
    for (; begin < end && !different.load(std::memory_order_relaxed); begin += kBlock) {
      const int64_t n = std::min(kBlock, end - begin);
      if (!same(load(xs, a, dtype, begin, n), load(ys, b, dtype, begin, n), n)) {
        different.store(true, std::memory_order_relaxed);
      }
    }
  });
  return !different;
}

void reduce_difference(const ReduceKernel& kernel, double p, const TH_Tensor& x, const TH_Tensor& y,
                       void* acc) {
  const Tensor a = contiguous(x);
  const Tensor b = contiguous(y);
  const int64_t n = numel(a);
  const int64_t parts = n / kGrain + 1;  // whatever the number of threads
  const auto accumulators =
      std::make_unique<char[]>(static_cast<size_t>(parts * kAccumulatorBytes));
  const auto take = [&](void* to, int64_t begin, int64_t count) {
    alignas(64) double xs[kBlock];
    alignas(64) double ys[kBlock];
    alignas(64) double difference[kBlock];
    const auto* from_x = static_cast<const double*>(load(xs, a, TH_DOUBLE, begin, count));
    const auto* from_y = static_cast<const double*>(load(ys, b, TH_DOUBLE, begin, count));
    for (int64_t i = 0; i < count; ++i) {
      difference[i] = from_x[i] - from_y[i];
    }
    kernel.rows(to, 1, difference, 0, count, 0, p);
  };
  parallel_items(parts, n / parts, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      char* part = accumulators.get() + i * kAccumulatorBytes;
      kernel.init(part, 1, 0);
      reduce_tree(kernel, part, 1, n * i / parts, n * (i + 1) / parts, kBlock, take);
    }
  });
  kernel.init(acc, 1, 0);
  for (int64_t i = 0; i < parts; ++i) {
    kernel.combine(acc, accumulators.get() + i * kAccumulatorBytes, 1);
  }
}

}  // namespace th::cpu
