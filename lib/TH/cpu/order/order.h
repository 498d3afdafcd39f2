// What the operations on order share: lines along a dimension, packed into integers and sorted.
#pragma once

#include <limits>

#include "core/tensor/tensor.h"
#include "cpu/kernels/order.h"
#include "cpu/parallel.h"

namespace th::cpu {

/// The lines of a tensor along one dimension, each to give `out` values with their positions.
///
/// Lines are contiguous for whoever works on them, whatever the tensors' strides, and a line's
/// results may be written as soon as the line itself has been read: r may be x.
class Lines {
 public:
  /// For results of x's sizes with `out` along dim. `sorted` is how many elements of each line will
  /// be sorted. Call check_ordered() first.
  Lines(TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x, int dim, int64_t out, int64_t sorted);

  const TH_Tensor& tensor() const { return x_; }
  /// Of the elements as they are sorted: int for a LongTensor of small numbers.
  int dtype() const { return x_.dtype; }
  int64_t length() const { return x_.sizes[x_.ndim - 1]; }
  int64_t count() const { return count_; }

  const char* line(int64_t i) const { return bytes(x_) + i * length() * element_size(x_.dtype); }
  char* values(int64_t i) const { return written(r_, values_) + i * out_ * element_size(x_.dtype); }
  int64_t* positions(int64_t i) const {
    return reinterpret_cast<int64_t*>(written(indices_, positions_)) + i * out_;
  }

  /// Give the results their sizes, and the elements where these were written elsewhere.
  void finish();

 private:
  /// Room for a result; where it cannot be written directly, a compact tensor of that type.
  Tensor place(TH_Tensor* result, int dtype, bool direct) const;
  static char* written(const TH_Tensor* result, const TH_Tensor& own) {
    return bytes(own.ndim > 0 ? own : *result);
  }
  void deliver(TH_Tensor* result, const Tensor& own) const;

  TH_Tensor* r_;
  TH_Tensor* indices_;
  int dim_;
  int64_t out_;
  Tensor x_;  // dim is the last of its dimensions here
  int64_t count_;
  int64_t sizes_[TH_MAX_DIMS];  // of the results
  Tensor values_, positions_;   // empty: written directly
};

/// Room for `capacity` packed elements for each thread that works on `lines`. Short lines use the
/// thread's stack.
template <class P>
class Workspace {
 public:
  static constexpr int64_t kLocal = 256;
  struct Local {
    P packed[kLocal];
  };

  Workspace(int64_t capacity, const Lines& lines)
      : capacity_(capacity), parts_(std::min<int64_t>(threads::share(), lines.count())) {
    if (capacity > kLocal) {
      const int64_t words = parts_ * capacity * static_cast<int64_t>(sizeof(P) / 8);
      memory_ = Tensor::like(lines.tensor(), TH_LONG, {&words, 1});
    }
  }

  /// Into how many parts a loop over the lines may be divided.
  int64_t parts() const { return parts_; }

  P* of_thread(Local& local) const {
    if (capacity_ <= kLocal) {
      return local.packed;
    }
    auto* all = static_cast<P*>(memory_.store->data);
    return all + (parts_ == 1 ? 0 : threads::part() * capacity_);
  }

 private:
  int64_t capacity_;
  int64_t parts_;
  Tensor memory_;
};

/// go<P>() with the packing that fits the lines.
template <class F>
void with_packing(const Lines& lines, F&& go) {
  if (element_size(lines.dtype()) <= 4 && lines.length() <= std::numeric_limits<uint32_t>::max()) {
    go.template operator()<Narrow>();
  } else {
    go.template operator()<Wide>();
  }
}

void sort_packed(Narrow* packed, int64_t n);
void sort_packed(Wide* packed, int64_t n);

/// Sort the k first ones of a line to the front of `packed`, which has room for
/// capacity_for(k, n) elements.
template <class P>
void pack_smallest(P* packed, const void* x, int dtype, int64_t n, int64_t k, typename P::Key flip);
int64_t capacity_for(int64_t k, int64_t n);

}  // namespace th::cpu
