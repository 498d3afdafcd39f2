// Kernels that fold elements into accumulators, compiled once per instruction set.
//
// Accumulators of `items` results lie side by side, component after component: positions follow the
// values, and for moments means and squared deviations follow the counts (see the offsets below).
// A kernel adds to what the accumulators hold already.
#pragma once

#include <cstdint>

#include "TH_core.h"
#include "cpu/kernels/table.h"

namespace th::cpu {

/// Elements of one row that a kernel takes at a time. Longer rows are cut by the caller, which also
/// keeps rounding errors small: it joins the parts as a tree.
inline constexpr int64_t kReduceLeaf = 4096;
/// Rows that a kernel takes at a time when it reduces columns.
inline constexpr int64_t kReduceLeafRows = 64;
/// Results that share one block of accumulators.
inline constexpr int64_t kReduceItems = 512;
/// The most that one result's accumulator takes.
inline constexpr int64_t kAccumulatorBytes = 24;

struct ReduceKernel {
  /// Type of the elements that it reads.
  int element;
  /// Empty accumulators; positions start at `first`.
  void (*init)(void* acc, int64_t items, int64_t first);
  /// acc[i] takes row i: n <= kReduceLeaf elements from x + i * stride on. `first` is the position
  /// of a row's first element, p the functor's parameter.
  void (*rows)(void* acc, int64_t items, const void* x, int64_t stride, int64_t n, int64_t first,
               double p);
  /// acc[i] takes column i: n <= kReduceLeafRows elements, `stride` apart, from x + i on.
  void (*columns)(void* acc, int64_t items, const void* x, int64_t stride, int64_t n, int64_t first,
                  double p);
  /// acc[i] takes what `later` gathered from elements that come after its own.
  void (*combine)(void* acc, const void* later, int64_t items);
  /// acc[i] takes wide[i], wide[items + i], ... of `groups` times as many accumulators. Null where
  /// the order of elements matters.
  void (*gather)(void* acc, int64_t items, const void* wide, int64_t groups);
};

/// Results of the compute type from accumulators of n elements each: a functor's `finish`.
using Finish = void (*)(void* r, const void* acc, int64_t items, double n, double p);

/// Where the positions begin, behind values of `size` bytes each.
constexpr int64_t positions_offset(int64_t items, int64_t size) {
  return (items * size + 7) / 8 * 8;
}

/// By compute type; empty where the reduction does not exist for it. What has a kernel for a 16-bit
/// type itself needs no conversion.
struct ReduceRow {
  ReduceKernel by_dtype[TH_NUM_DTYPES] = {};
};

struct ReduceKernels {
  // Accumulators: double, or int64_t for integers.
  ReduceRow sum, prod;
  // Accumulators: the elements' own type.
  ReduceRow min, max;
  // Values in the elements' own type, then positions in int64_t.
  ReduceRow argmin, argmax;
  // Floating types only. Counts, means and squared deviations, all double.
  ReduceRow moments;
  // Floating types only, accumulators of double.
  ReduceRow count_nonzero, sum_magnitudes, sum_squares, sum_powers, max_magnitude, min_magnitude;
  // By compute type. From accumulators of the wide type:
  Finish total[TH_NUM_DTYPES] = {};
  Finish mean[TH_NUM_DTYPES] = {};
  Finish square_root[TH_NUM_DTYPES] = {};
  Finish root[TH_NUM_DTYPES] = {};
  // ... of the elements' own type:
  Finish extreme[TH_NUM_DTYPES] = {};
  // ... of moments:
  Finish variance[TH_NUM_DTYPES] = {};
  Finish deviation[TH_NUM_DTYPES] = {};

  /// Whether n elements are the same numbers (NaN differs from NaN, -0 equals 0).
  bool (*equal[TH_NUM_DTYPES])(const void* x, const void* y, int64_t n) = {};
};

TH_KERNEL_TABLE(ReduceKernels)

const ReduceKernels& reduce_kernels();

}  // namespace th::cpu
