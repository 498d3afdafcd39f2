// Sorting, and what is found by it: the k smallest, the k-th, the median, the most frequent.
#include "core/tensor/aliasing.h"
#include "core/tensor/ordered_parts.h"
#include "cuda/launch.h"
#include "cuda/lines.h"
#include "cuda/order/order.h"
#include "cuda/order/order_keys.h"
#include "cuda/register.h"

namespace thc {
namespace {

/// Where the `out` results of each line go.
struct LineTarget {
  char* base;
  int32_t dtype;
  OffsetCalculator lines;
  int64_t stride;

  LineTarget(const TH_Tensor& t, int dim)
      : base(bytes(t)), dtype(t.dtype), lines(lines_along(t, dim)), stride(t.strides[dim]) {}
  TH_HD int64_t offset(int64_t line, int64_t j) const { return lines.offset(line) + j * stride; }
};

/// Elements first, first + 1, ... of each line's order.
struct Taken {
  int64_t n;
  int64_t first;
  int64_t out;
  TH_HD int64_t source(int64_t i) const { return i / out * n + first + i % out; }
};

struct TakeValues {
  LineTarget to;
  Taken taken;
  const uint64_t* keys;
  uint64_t mask;
  uint64_t flip;
  TH_HD void operator()(int64_t i) const {
    const uint64_t key = (keys[taken.source(i)] & mask) ^ flip;
    store_ordered(to.base, to.dtype, to.offset(i / taken.out, i % taken.out), key);
  }
};

struct TakePositions {
  LineTarget to;
  Taken taken;
  const int64_t* positions;
  TH_HD void operator()(int64_t i) const {
    reinterpret_cast<int64_t*>(to.base)[to.offset(i / taken.out, i % taken.out)] =
        positions[taken.source(i)] + 1;
  }
};

/// The results get x's sizes with `out` along the dimension. The sorted lines hold all that is
/// needed of x, so that they may share its memory.
void resize_results(TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x, int dim, int64_t out) {
  const SizesWith wanted(*x, dim, out);
  reserve(*r, wanted);
  resize(*indices, wanted);
  resize(*r, wanted);
}

/// Elements first ... last (of 0 ... n - 1) of each line's order.
void take_ordered(TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x, int dim, int64_t first,
                  int64_t last, bool descending) {
  const SortedLines lines(*x, dim, descending);
  const Taken taken{lines.length(), first, last - first + 1};
  resize_results(r, indices, x, dim, taken.out);
  const int64_t results = lines.count() * taken.out;
  launch(lines.stream(), results,
         TakeValues{LineTarget(*r, dim), taken, lines.keys(), lines.key_mask(), lines.flip()});
  launch(lines.stream(), results,
         TakePositions{LineTarget(*indices, dim), taken, lines.positions()});
}

void sort(TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x, int dim, bool descending) {
  check_ordered(r, indices, x, dim);
  take_ordered(r, indices, x, dim, 0, x->sizes[dim] - 1, descending);
}

/// A block finds the longest run of equal keys in its line; of the smallest key if there are
/// several. The answer is the element of the run that came last in the tensor.
struct LongestRun {
  const uint64_t* keys;
  const int64_t* positions;
  uint64_t mask;
  // The two zeros of floating types are one number. Their keys are neighbours.
  uint64_t minus_zero;
  uint64_t zero;
  int64_t n;
  int64_t* best;  // by line: where in it

  struct Run {
    int64_t length;
    int64_t last;
  };
  struct Longer {
    TH_HD Run operator()(Run a, Run b) const {
      if (a.length != b.length) {
        return a.length > b.length ? a : b;
      }
      return a.last < b.last ? a : b;
    }
  };

  TH_HD uint64_t raw(int64_t i) const { return keys[i] & mask; }
  TH_HD uint64_t number(int64_t i) const { return raw(i) == minus_zero ? zero : raw(i); }

  /// The first element from `begin` on, which is before `end`, for which before(i) is false.
  template <class F>
  TH_HD static int64_t partition_point(int64_t begin, int64_t end, F before) {
    while (begin < end) {
      const int64_t middle = begin + (end - begin) / 2;
      if (before(middle)) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }

  template <class Block>
  TH_D void operator()(Block& block) const {
    const int64_t base = block.index() * n;
    Run longest{0, 0};
    for (int64_t j = block.thread(); j < n; j += block.threads()) {
      const uint64_t value = number(base + j);
      if (j + 1 < n && number(base + j + 1) == value) {
        continue;  // its last element speaks for a run
      }
      const int64_t begin =
          partition_point(base, base + j, [&](int64_t i) { return number(i) < value; });
      longest = Longer{}(longest, {base + j + 1 - begin, j});
    }
    longest = block.reduce(longest, Longer{});
    if (block.thread() != 0) {
      return;
    }
    int64_t last = longest.last;
    if (raw(base + last) == zero && minus_zero != zero) {
      const int64_t plus =
          partition_point(base, base + last, [&](int64_t i) { return raw(i) < zero; });
      if (plus > base && raw(plus - 1) == minus_zero &&
          positions[plus - 1] > positions[base + last]) {
        last = plus - 1 - base;
      }
    }
    best[block.index()] = last;
  }
};

struct TakeBest {
  LineTarget values;
  LineTarget places;
  const uint64_t* keys;
  const int64_t* positions;
  uint64_t mask;
  int64_t n;
  const int64_t* best;
  bool take_values;
  TH_HD void operator()(int64_t line) const {
    const int64_t i = line * n + best[line];
    if (take_values) {
      store_ordered(values.base, values.dtype, values.offset(line, 0), keys[i] & mask);
    } else {
      reinterpret_cast<int64_t*>(places.base)[places.offset(line, 0)] = positions[i] + 1;
    }
  }
};

/// The most frequent value, the smallest of several, at its last position.
void mode(TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x, int dim) {
  check_ordered(r, indices, x, dim);
  const SortedLines lines(*x, dim, false);
  const Scratch best(*x, lines.count() * int64_t{8});
  resize_results(r, indices, x, dim, 1);
  const int64_t n = lines.length();
  const uint64_t zero = uint64_t{1} << (8 * element_size(lines.dtype()) - 1);
  launch_blocks(
      lines.stream(), lines.count(), n <= 4 * kWarp ? kWarp : kThreads, 0,
      LongestRun{lines.keys(), lines.positions(), lines.key_mask(),
                 is_floating(lines.dtype()) ? zero - 1 : zero, zero, n, best.data<int64_t>()});
  TakeBest take{LineTarget(*r, dim),  LineTarget(*indices, dim),
                lines.keys(),         lines.positions(),
                lines.key_mask(),     n,
                best.data<int64_t>(), true};
  launch(lines.stream(), lines.count(), take);
  take.take_values = false;
  launch(lines.stream(), lines.count(), take);
}

}  // namespace

void register_sort(th::SortTable& b) {
  b.sort = sort;
  b.mode = mode;
  register_ordered_parts<take_ordered>(b);
}

}  // namespace thc
