// Selecting by masks (ByteTensors of 0 and 1), and the coordinates of non-zero elements.
//
// What a mask selects is numbered in row-major order. Threads work on chunks of the mask: the ones
// are counted first, so that each chunk knows where its share of the selection begins.
#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "core/checks/index.h"
#include "core/tables/index.h"
#include "core/tensor/aliasing.h"
#include "core/tensor/dtype.h"
#include "core/tensor/element_size.h"
#include "core/tensor/tensor.h"
#include "cpu/elementwise.h"
#include "cpu/kernels/index.h"
#include "cpu/parallel.h"
#include "cpu/register.h"

namespace th::cpu {
namespace {

/// A compact mask, its chunks and how many ones come before each of them.
class Mask {
 public:
  /// Throws on elements other than 0 and 1.
  explicit Mask(const TH_Tensor& t) : mask_(contiguous(t)), n_(numel(t)) {
    const int64_t chunks = std::clamp<int64_t>(n_ / kGrain, 1, threads::share());
    starts_.resize(chunks + 1);
    parallel_items(chunks, n_ / chunks, [&](int64_t first, int64_t last) {
      for (int64_t c = first; c < last; ++c) {
        starts_[c + 1] = index_kernels().count_ones(values() + begin(c), begin(c + 1) - begin(c));
      }
    });
    for (int64_t c = 0; c < chunks; ++c) {
      if (starts_[c + 1] < 0) [[unlikely]] {
        refuse();
      }
      starts_[c + 1] += starts_[c];
    }
  }

  const Tensor& tensor() const { return mask_; }
  const uint8_t* values() const { return data<uint8_t>(mask_); }
  int64_t ones() const { return starts_.back(); }

  /// f(begin, first, ones) for each chunk: where it begins, the number of ones before it and in it.
  template <class F>
  void for_each_chunk(F&& f) const {
    const int64_t chunks = static_cast<int64_t>(starts_.size()) - 1;
    parallel_items(chunks, n_ / chunks, [&](int64_t first, int64_t last) {
      for (int64_t c = first; c < last; ++c) {
        f(begin(c), starts_[c], starts_[c + 1] - starts_[c]);
      }
    });
  }

 private:
  int64_t begin(int64_t chunk) const {
    return n_ * chunk / (static_cast<int64_t>(starts_.size()) - 1);
  }

  [[noreturn]] void refuse() const {
    const uint8_t* bad = std::find_if(values(), values() + n_, [](uint8_t v) { return v > 1; });
    not_a_mask(bad - values(), int{*bad});
  }

  Tensor mask_;
  int64_t n_;
  std::vector<int64_t> starts_;
};

/// f(element, how many were before it) for each element of r that the compact mask selects, one by
/// one. Loops that also rewrite what is not selected would undo a write where elements of r are one
/// in memory.
template <class T, class F>
void each_selected(const TH_Tensor& r, const Tensor& mask, F&& f) {
  int64_t at[TH_MAX_DIMS] = {};
  T* element = data<T>(r);
  const uint8_t* selected = data<uint8_t>(mask);
  const int64_t n = numel(r);
  for (int64_t i = 0, found = 0; i < n; ++i) {
    if (selected[i] != 0) {
      f(*element, found++);
    }
    for (int d = r.ndim - 1; d >= 0; --d) {
      element += r.strides[d];
      if (++at[d] < r.sizes[d]) {
        break;
      }
      element -= r.sizes[d] * r.strides[d];
      at[d] = 0;
    }
  }
}

Mask checked_mask(const TH_Tensor* mask, const TH_Tensor* t) {
  check_mask(mask, t);
  return Mask(*mask);
}

void masked_select(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* mask) {
  TH_CHECK(r != nullptr, "the result is missing");
  const Mask ones = checked_mask(mask, x);
  check_same_dtype(*r, *x);
  const Tensor source = contiguous(*x);
  const int64_t size = ones.ones();
  if (size == 0) {
    resize(*r, {});
    return;
  }
  Result result(r, {&size, 1}, Result::Compact, {&source, &ones.tensor()});
  with_size(element_size(source.dtype), [&]<class T>() {
    T* to = data<T>(result.tensor());
    ones.for_each_chunk([&](int64_t begin, int64_t first, int64_t count) {
      T* out = to + first;
      const T* from = data<T>(source) + begin;
      const uint8_t* selected = ones.values() + begin;
      for (int64_t i = 0, found = 0; found < count; ++i) {  // no branch for the mask to mislead
        out[found] = from[i];
        found += selected[i];
      }
    });
  });
  result.finish();
}

void masked_copy(TH_Tensor* r, const TH_Tensor* mask, const TH_Tensor* x) {
  const Mask ones = checked_mask(mask, r);
  TH_CHECK(x != nullptr, "the source is missing");
  check_same_dtype(*r, *x);
  check_masked_source(*x, ones.ones());
  if (ones.ones() == 0) {
    return;
  }
  const Tensor source = shares_memory(*x, *r) ? clone(*x) : contiguous(*x);
  if (may_overlap_itself(*r)) {
    const Tensor safe = unaliased(ones.tensor(), *r);
    with_size(element_size(r->dtype), [&]<class T>() {
      const T* from = data<T>(source);
      each_selected<T>(*r, safe, [&](T& element, int64_t found) { element = from[found]; });
    });
    return;
  }
  // A copy is what is written when r is not compact, or is its own mask.
  const bool elsewhere = !is_contiguous(*r) || shares_memory(ones.tensor(), *r);
  Tensor to = elsewhere ? clone(*r) : Tensor(*r);
  with_size(element_size(r->dtype), [&]<class T>() {
    ones.for_each_chunk([&](int64_t begin, int64_t first, int64_t count) {
      T* out = data<T>(to) + begin;
      const T* from = data<T>(source) + first;
      const uint8_t* selected = ones.values() + begin;
      for (int64_t i = 0, used = 0; used < count; ++i) {
        out[i] = selected[i] != 0 ? from[used] : out[i];
        used += selected[i];
      }
    });
  });
  if (elsewhere) {
    copy(*r, to);
  }
}

void masked_fill(TH_Tensor* r, const TH_Tensor* mask, double value) {
  const Mask ones = checked_mask(mask, r);
  const Tensor safe = unaliased(*mask, *r);
  const bool one_by_one = may_overlap_itself(*r);
  AllTypes::dispatch(r->dtype, [&]<class T>() {
    const T element = from_number<T>(value);
    if (one_by_one) {
      const Tensor own = unaliased(ones.tensor(), *r);
      each_selected<T>(*r, own, [&](T& selected, int64_t) { selected = element; });
      return;
    }
    double bytes;  // the kernel takes the element's bytes
    std::memcpy(&bytes, &element, sizeof(T));
    const Kernel kernel = index_kernels().masked_fill[std::countr_zero(sizeof(T))];
    const Operand operands[] = {{r, r->dtype}, {r, r->dtype}, {&safe, TH_BYTE}};
    elementwise(kernel, operands, 3, &bytes, 1);
  });
}

void nonzero(TH_Tensor* r, const TH_Tensor* x) {
  TH_CHECK(r != nullptr && x != nullptr, "the result or the tensor is missing");
  check_dtype(*r, TH_LONG, "the result");
  const Tensor source(*x);  // r may be x
  if (source.ndim == 0) {
    resize(*r, {});
    return;
  }
  const int ndim = source.ndim;
  const Tensor marks = Tensor::like(source, TH_BYTE, sizes_of(source));
  const int dtype = compute_dtype(source.dtype);
  const double zero = 0;
  const Operand operands[] = {{&marks, TH_BYTE}, {&source, dtype}};
  elementwise(compare_kernels().ne_value.by_dtype[dtype], operands, 2, &zero, 1);

  const Mask mask(marks);
  if (mask.ones() == 0) {
    resize(*r, {});
    return;
  }
  const int64_t sizes[] = {mask.ones(), ndim};
  Result result(r, sizes, Result::Compact, {});
  int64_t* const coordinates = data<int64_t>(result.tensor());
  const int64_t columns = source.sizes[ndim - 1];
  mask.for_each_chunk([&](int64_t begin, int64_t first, int64_t count) {
    int64_t* out = coordinates + first * ndim;
    const int64_t* const end = out + count * ndim;
    int64_t row = begin / columns;
    int64_t j = begin % columns;
    const uint8_t* marked = mask.values() + row * columns;
    while (out < end) {
      int64_t* const row_begin = out;
      for (; j < columns && out < end; ++j) {
        out[ndim - 1] = j + 1;
        out += marked[j] * ndim;
      }
      for (int64_t d = ndim - 2, rest = row; d >= 0; --d) {
        const int64_t index = rest % source.sizes[d] + 1;
        rest /= source.sizes[d];
        for (int64_t* at = row_begin; at < out; at += ndim) {
          at[d] = index;
        }
      }
      marked += columns;
      ++row;
      j = 0;
    }
  });
  result.finish();
}

}  // namespace

void register_mask(IndexTable& b) {
  b.masked_select = masked_select;
  b.masked_copy = masked_copy;
  b.masked_fill = masked_fill;
  b.nonzero = nonzero;
}

}  // namespace th::cpu
