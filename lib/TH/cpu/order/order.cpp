#include "cpu/order/order.h"

#include <algorithm>

#include <hwy/contrib/sort/vqsort.h>

#include "core/backend.h"
#include "core/tensor/aliasing.h"
#include "cpu/select.h"

namespace th::cpu {

template <class P>
const OrderKernels<P>& order_kernels() {
  static const OrderKernels<P> table = select_kernels<OrderKernels<P>>();
  return table;
}
template const OrderKernels<Narrow>& order_kernels();
template const OrderKernels<Wide>& order_kernels();

// --- lines --------------------------------------------------------------------------------------

namespace {

/// Whether all elements of a compact LongTensor fit into 32 bits.
bool fits_int(const Tensor& x) {
  const int64_t* values = data<int64_t>(x);
  uint64_t upper = 0;
  for (int64_t i = 0, n = numel(x); i < n; ++i) {
    upper |= (static_cast<uint64_t>(values[i]) + 0x80000000u) >> 32;
  }
  return upper == 0;
}

/// x with its lines along dim one after the other; x itself when they lie so. 64-bit integers that
/// need no more than 32 bits (labels, positions) become such, where many of them are to be sorted:
/// that takes a fraction of the time.
Tensor with_lines_last(const TH_Tensor& x, int dim, int64_t sorted) {
  Tensor view;
  transpose(view, x, dim, x.ndim - 1);
  Tensor lines = contiguous(view);
  if (x.dtype != TH_LONG || sorted < 64 || sorted < x.sizes[dim] / 2 || !fits_int(lines)) {
    return lines;
  }
  Tensor ints = Tensor::like(lines, TH_INT, sizes_of(lines));
  copy(ints, lines);
  return ints;
}

}  // namespace

Lines::Lines(TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x, int dim, int64_t out,
             int64_t sorted)
    : r_(r),
      indices_(indices),
      dim_(dim),
      out_(out),
      x_(with_lines_last(*x, dim, sorted)),
      count_(numel(x_) / length()) {
  std::copy_n(x->sizes, x->ndim, sizes_);
  sizes_[dim] = out;
  const bool last = dim == x_.ndim - 1;
  const bool apart = !shares_memory(*r, *indices);
  const bool in_place =
      out == length() && bytes(*r) == bytes(x_) && is_contiguous(*r) && same_sizes(*r, x_);
  values_ = place(r, x_.dtype,
                  last && x_.dtype == r->dtype && apart && (in_place || !shares_memory(*r, x_)));
  positions_ = place(indices, TH_LONG, last && apart && !shares_memory(*indices, x_));
}

Tensor Lines::place(TH_Tensor* result, int dtype, bool direct) const {
  const std::span<const int64_t> sizes(sizes_, x_.ndim);
  reserve(*result, sizes);
  if (direct && becomes_compact(*result, sizes)) {
    return {};
  }
  int64_t swapped[TH_MAX_DIMS];
  std::copy(sizes.begin(), sizes.end(), swapped);
  std::swap(swapped[dim_], swapped[x_.ndim - 1]);
  return Tensor::like(*result, dtype, {swapped, sizes.size()});
}

void Lines::deliver(TH_Tensor* result, const Tensor& own) const {
  resize(*result, {sizes_, static_cast<size_t>(x_.ndim)});
  if (own.ndim > 0) {
    Tensor view;
    transpose(view, own, dim_, x_.ndim - 1);
    copy(*result, view);
  }
}

void Lines::finish() {
  deliver(r_, values_);
  deliver(indices_, positions_);
}

// --- sorting ------------------------------------------------------------------------------------

namespace {

/// Below this length the simplest sort beats the fastest.
constexpr int64_t kInsertion = 24;

template <class P>
void insertion_sort(P* packed, int64_t n) {
  for (int64_t i = 1; i < n; ++i) {
    const P moving = packed[i];
    int64_t j = i;
    for (; j > 0 && moving < packed[j - 1]; --j) {
      packed[j] = packed[j - 1];
    }
    packed[j] = moving;
  }
}

template <class Integer, class P>
void sort_with(P* packed, int64_t n) {
  static_assert(sizeof(P) == sizeof(Integer) && alignof(P) == alignof(Integer));
  if (n <= kInsertion) {
    insertion_sort(packed, n);
  } else {
    const hwy::Sorter sorter;
    sorter(reinterpret_cast<Integer*>(packed), static_cast<size_t>(n), hwy::SortAscending());
  }
}

}  // namespace

void sort_packed(Narrow* packed, int64_t n) { sort_with<uint64_t>(packed, n); }
void sort_packed(Wide* packed, int64_t n) { sort_with<hwy::uint128_t>(packed, n); }

namespace {

/// So few are kept in order by insertion, after every block; more are sorted now and then.
constexpr int64_t kFew = 32;

/// Insert packed[k, k + found) into the sorted packed[0, k), which drops its last ones.
template <class P>
void insert_best(P* packed, int64_t k, int64_t found) {
  for (int64_t i = k; i < k + found; ++i) {
    const P moving = packed[i];
    if (!(moving < packed[k - 1])) {
      continue;
    }
    int64_t j = k - 1;
    for (; j > 0 && moving < packed[j - 1]; --j) {
      packed[j] = packed[j - 1];
    }
    packed[j] = moving;
  }
}

}  // namespace

int64_t capacity_for(int64_t k, int64_t n) {
  return std::min(n, k <= kFew ? k + kScanBlock : k + std::max(k, 2 * kScanBlock));
}

template <class P>
void pack_smallest(P* packed, const void* x, int dtype, int64_t n, int64_t k,
                   typename P::Key flip) {
  const auto& kernels = order_kernels<P>();
  const int64_t capacity = capacity_for(k, n);
  const int64_t begin = k <= kFew ? std::min(n, std::max(k, kInsertion)) : capacity;
  kernels.pack[dtype](packed, x, 0, begin, flip);
  sort_packed(packed, begin);
  // The rest competes with the k best so far. Few get in: of random elements some k ln(n / k).
  for (int64_t next = begin; next < n;) {
    const int64_t found =
        kernels.scan[dtype](packed + k, capacity - k, x, &next, n, packed[k - 1].key(), flip);
    if (k <= kFew) {
      insert_best(packed, k, found);
    } else if (found > 0) {
      sort_packed(packed, k + found);
    }
  }
}
template void pack_smallest(Narrow*, const void*, int, int64_t, int64_t, uint32_t);
template void pack_smallest(Wide*, const void*, int, int64_t, int64_t, uint64_t);

}  // namespace th::cpu
