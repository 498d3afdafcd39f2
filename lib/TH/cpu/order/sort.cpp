// Sorting, and what is found by it: the k smallest, the k-th, the median, the most frequent.
//
// Equal elements are ordered by their position everywhere, -0 before +0, NaN after everything else
// (before it in descending order).
#include <algorithm>

#include "core/tensor/dtype.h"
#include "core/tensor/ordered_parts.h"
#include "cpu/order/order.h"
#include "cpu/register.h"

namespace th::cpu {
namespace {

/// Cheap operations per element, for the decision whether threads help.
constexpr int64_t kSortCost = 8;
constexpr int64_t kScanCost = 2;

template <class P>
typename P::Key flip_for(bool descending) {
  return descending ? ~typename P::Key{0} : 0;
}

/// work(i, packed) for each line, with room for `capacity` packed elements.
template <class P, class F>
void for_each_line(const Lines& lines, int64_t capacity, int64_t cost, F&& work) {
  const Workspace<P> workspace(capacity, lines);
  const auto range = [&](int64_t begin, int64_t end) {
    typename Workspace<P>::Local local;
    P* packed = workspace.of_thread(local);
    for (int64_t i = begin; i < end; ++i) {
      work(i, packed);
    }
  };
  parallel_items(lines.count(), lines.length() * cost, range, workspace.parts());
}

void sort(TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x, int dim, bool descending) {
  check_ordered(r, indices, x, dim);
  const int64_t n = x->sizes[dim];
  Lines lines(r, indices, x, dim, n, n);
  with_packing(lines, [&]<class P>() {
    const auto pack = order_kernels<P>().pack[lines.dtype()];
    const auto unpack = order_kernels<P>().unpack[lines.dtype()];
    const auto flip = flip_for<P>(descending);
    for_each_line<P>(lines, n, kSortCost, [&](int64_t i, P* packed) {
      pack(packed, lines.line(i), 0, n, flip);
      sort_packed(packed, n);
      unpack(lines.values(i), lines.positions(i), packed, n, flip);
    });
  });
  lines.finish();
}

/// Elements first ... last (of 0 ... n - 1) of each line's order.
void take_ordered(TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x, int dim, int64_t first,
                  int64_t last, bool descending) {
  Lines lines(r, indices, x, dim, last - first + 1, last + 1);
  const int64_t n = lines.length();
  with_packing(lines, [&]<class P>() {
    const auto unpack = order_kernels<P>().unpack[lines.dtype()];
    const auto flip = flip_for<P>(descending);
    const int64_t cost = 2 * (last + 1) < n ? kScanCost : kSortCost;
    for_each_line<P>(lines, capacity_for(last + 1, n), cost, [&](int64_t i, P* packed) {
      pack_smallest(packed, lines.line(i), lines.dtype(), n, last + 1, flip);
      unpack(lines.values(i), lines.positions(i), packed + first, last - first + 1, flip);
    });
  });
  lines.finish();
}

/// The last element of the longest run of equal keys; of the smallest key if there are several.
template <class P>
P most_frequent(const P* packed, int64_t n, typename P::Key minus_zero, typename P::Key zero) {
  const auto number = [&](P p) { return p.key() == minus_zero ? zero : p.key(); };
  P best = packed[0];
  int64_t longest = 0;
  for (int64_t begin = 0; begin < n;) {
    P last = packed[begin];
    int64_t end = begin + 1;
    for (; end < n && number(packed[end]) == number(packed[begin]); ++end) {
      if (packed[end].position() > last.position()) {
        last = packed[end];
      }
    }
    if (end - begin > longest) {
      longest = end - begin;
      best = last;
    }
    begin = end;
  }
  return best;
}

/// The most frequent value, the smallest of several, at its last position.
void mode(TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x, int dim) {
  check_ordered(r, indices, x, dim);
  const int64_t n = x->sizes[dim];
  Lines lines(r, indices, x, dim, 1, n);
  with_packing(lines, [&]<class P>() {
    using Key = typename P::Key;
    const auto pack = order_kernels<P>().pack[lines.dtype()];
    const auto unpack = order_kernels<P>().unpack[lines.dtype()];
    // The two zeros of floating types are one number. Their keys are neighbours.
    const Key zero = Key{1} << (8 * element_size(lines.dtype()) - 1);
    const Key minus_zero = is_floating(lines.dtype()) ? zero - 1 : zero;
    for_each_line<P>(lines, n, kSortCost, [&](int64_t i, P* packed) {
      pack(packed, lines.line(i), 0, n, 0);
      sort_packed(packed, n);
      const P best = most_frequent(packed, n, minus_zero, zero);
      unpack(lines.values(i), lines.positions(i), &best, 1, 0);
    });
  });
  lines.finish();
}

}  // namespace

void register_sort(SortTable& b) {
  b.sort = sort;
  b.mode = mode;
  register_ordered_parts<take_ordered>(b);
}

}  // namespace th::cpu
