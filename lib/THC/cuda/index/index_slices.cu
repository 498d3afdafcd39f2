// Slices written at positions along a dimension, or added to what is there.
//
// Where a position comes twice the last one wins, and sums are made in the order of the positions,
// as on the CPU, whatever order threads run in: the positions are sorted first.
#include "core/tables/index.h"
#include "core/tensor/element_size.h"
#include "core/tensor/sizes_with.h"
#include "cuda/index/index_place.h"
#include "cuda/order/sort_pairs.h"
#include "cuda/register.h"

namespace thc {
namespace {

/// x with r's sizes, but n along dim. The slices of x may have another shape with the same number
/// of elements; they are rearranged then.
Tensor slices_like(const TH_Tensor& r, int dim, int64_t n, const TH_Tensor& x) {
  check_slices(r, dim, n, x);
  Tensor source = unaliased(x, r);
  const SizesWith sizes(r, dim, n);
  if (std::ranges::equal(sizes, sizes_of(source))) {
    return source;
  }
  // Slice after slice in memory, then the same memory with r's other sizes behind `dim`.
  const auto dim_first = [dim](const TH_Tensor& t) {
    int64_t order[TH_MAX_DIMS] = {dim};
    for (int d = 0, k = 1; d < t.ndim; ++d) {
      if (d != dim) {
        order[k++] = d;
      }
    }
    Tensor moved;
    permute(moved, t, {order, static_cast<size_t>(t.ndim)});
    return moved;
  };
  const Tensor slices = contiguous(dim_first(source));
  int64_t wanted[TH_MAX_DIMS] = {n};
  for (int d = 0, k = 1; d < r.ndim; ++d) {
    if (d != dim) {
      wanted[k++] = sizes.data()[d];
    }
  }
  Tensor arranged;
  view(arranged, slices, {wanted, static_cast<size_t>(r.ndim)});
  int64_t back[TH_MAX_DIMS];
  for (int d = 0; d < r.ndim; ++d) {
    back[d] = d == dim ? 0 : d < dim ? d + 1 : d;
  }
  permute(arranged, arranged, {back, static_cast<size_t>(r.ndim)});
  return arranged;
}

struct KeysOfPositions {
  const int64_t* positions;
  uint64_t* keys;
  int64_t* steps;
  TH_HD void operator()(int64_t i) const {
    keys[i] = static_cast<uint64_t>(positions[i]);
    steps[i] = i;
  }
};

/// Positions in ascending order with their steps: those of one position follow one another.
class SortedPositions {
 public:
  explicit SortedPositions(const Tensor& positions)
      : n_(numel(positions)), scratch_(positions, n_ * 16) {
    const cudaStream_t stream = stream_for(positions);
    launch(stream, n_, KeysOfPositions{data<int64_t>(positions), keys(), steps()});
    sort_pairs(stream, keys(), steps(), n_);
  }
  uint64_t* keys() const { return scratch_.data<uint64_t>(); }
  int64_t* steps() const { return scratch_.data<int64_t>() + n_; }

 private:
  int64_t n_;
  Scratch scratch_;
};

/// All steps that write to one position of r, by the thread of the first of them.
template <class T, bool kAdd>
struct WriteSlices {
  T* r;
  const T* x;
  OffsetCalculator r_rest;  // over the other dimensions
  OffsetCalculator x_rest;
  int64_t r_stride;  // along the dimension
  int64_t x_stride;
  int64_t n;
  int64_t rest;  // elements of a slice
  const uint64_t* keys;
  const int64_t* steps;

  TH_HD void operator()(int64_t i) const {
    const int64_t first = i / rest;
    const uint64_t key = keys[first];
    if (first > 0 && keys[first - 1] == key) {
      return;
    }
    const int64_t element = i % rest;
    T& to = r[r_rest.offset(element) + (static_cast<int64_t>(key) - 1) * r_stride];
    const T* from = x + x_rest.offset(element);
    if constexpr (kAdd) {
      Compute<T> sum = widen(to);
      for (int64_t k = first; k < n && keys[k] == key; ++k) {
        sum = static_cast<Compute<T>>(wrapping(sum) + wrapping(widen(from[steps[k] * x_stride])));
      }
      to = convert<T>(sum);
    } else {
      int64_t last = first;
      while (last + 1 < n && keys[last + 1] == key) {
        ++last;
      }
      to = from[steps[last] * x_stride];
    }
  }
};

template <class T, bool kAdd>
void write_slices(TH_Tensor& r, int dim, const Tensor& x, const SortedPositions& order, int64_t n) {
  const SizesWith slice(r, dim, 1);
  const int64_t rest = count(slice);
  launch(
      stream_for(r), n * rest,
      WriteSlices<T, kAdd>{data<T>(r), data<T>(x), along(slice, r.strides), along(slice, x.strides),
                           r.strides[dim], x.strides[dim], n, rest, order.keys(), order.steps()});
}

void index_copy(TH_Tensor* r, int dim, const TH_Tensor* positions, const TH_Tensor* x) {
  const Tensor p = positions_into(r, dim, positions);
  check_defined(x, "the source");
  const Tensor source = slices_like(*r, dim, p.sizes[0], *x);
  const SortedPositions order(p);
  with_size(element_size(r->dtype),
            [&]<class U>() { write_slices<U, false>(*r, dim, source, order, p.sizes[0]); });
}

void index_add(TH_Tensor* r, int dim, const TH_Tensor* positions, const TH_Tensor* x) {
  const Tensor p = positions_into(r, dim, positions);
  check_defined(x, "the source");
  const Tensor source = slices_like(*r, dim, p.sizes[0], *x);
  const SortedPositions order(p);
  AllTypes::dispatch(r->dtype,
                     [&]<class T>() { write_slices<T, true>(*r, dim, source, order, p.sizes[0]); });
}

}  // namespace

void register_index_slices(th::IndexTable& b) {
  b.index_copy = index_copy;
  b.index_add = index_add;
}

}  // namespace thc
