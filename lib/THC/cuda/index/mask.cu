// Selecting by masks (ByteTensors of 0 and 1), and the coordinates of non-zero elements.
//
// What a mask selects is numbered in row-major order: a scan over the mask says how many ones come
// before each element.
#include <thrust/scan.h>

#include "core/checks/index.h"
#include "core/tables/index.h"
#include "core/tensor/aliasing.h"
#include "core/tensor/element_size.h"
#include "cuda/element_bits.h"
#include "cuda/first.h"
#include "cuda/register.h"
#include "cuda/wide_elements.h"

namespace thc {
namespace {

struct NeitherZeroNorOne {
  const uint8_t* mask;
  TH_HD bool operator()(int64_t i) const { return mask[i] > 1; }
};

/// Throws on elements other than 0 and 1; waits.
void refuse_other_values(const Tensor& mask) {
  const int64_t bad = first_where(mask, numel(mask), NeitherZeroNorOne{data<uint8_t>(mask)});
  if (bad >= 0) [[unlikely]] {
    not_a_mask(bad, fetch(data<uint8_t>(mask) + bad, stream_for(mask)));
  }
}

struct CountOnes {
  const uint8_t* mask;
  const int64_t* before;
  int64_t n;
  int64_t* ones;
  TH_HD void operator()(int64_t) const { *ones = before[n - 1] + mask[n - 1]; }
};

/// A compact mask of zeros and ones, and how many ones come before each element.
class Mask {
 public:
  explicit Mask(Tensor mask)
      : mask_(std::move(mask)), n_(numel(mask_)), before_(mask_, (n_ + 1) * int64_t{8}) {
    if (n_ == 0) {
      return;
    }
    const cudaStream_t stream = stream_for(mask_);
    const uint8_t* const ones = values();
    int64_t* const before = before_.data<int64_t>();
    const int64_t n = n_;
    run(stream, [=](const auto& policy) {
      thrust::exclusive_scan(policy, ones, ones + n, before, int64_t{0});
    });
    launch(stream, 1, CountOnes{ones, before, n, before + n});
    ones_ = fetch(before + n, stream);
  }

  const Tensor& tensor() const { return mask_; }
  const uint8_t* values() const { return data<uint8_t>(mask_); }
  const int64_t* before() const { return before_.data<int64_t>(); }
  int64_t ones() const { return ones_; }

 private:
  Tensor mask_;
  int64_t n_;
  Scratch before_;
  int64_t ones_ = 0;
};

/// A compact mask for t, checked.
Tensor checked_mask(const TH_Tensor* mask, const TH_Tensor* t) {
  check_mask(mask, t);
  Tensor compact = contiguous(*mask);
  refuse_other_values(compact);
  return compact;
}

template <class U>
struct Select {
  U* r;
  const U* x;
  OffsetCalculator r_layout;
  OffsetCalculator x_layout;
  const uint8_t* mask;
  const int64_t* before;
  TH_HD void operator()(int64_t i) const {
    if (mask[i] != 0) {
      r[r_layout.offset(before[i])] = x[x_layout.offset(i)];
    }
  }
};

void masked_select(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* mask) {
  TH_CHECK(r != nullptr, "the result is missing");
  const Mask ones(checked_mask(mask, x));
  check_same_dtype(*r, *x);
  const Tensor source(*x);  // r may be x
  const int64_t size = ones.ones();
  if (size == 0) {
    resize(*r, {});
    return;
  }
  Result result(r, {&size, 1}, Result::Any, {&source, &ones.tensor()});
  TH_Tensor& to = result.tensor();
  with_size(element_size(source.dtype), [&]<class U>() {
    launch(stream_for(to), numel(source),
           Select<U>{data<U>(to), data<U>(source), OffsetCalculator(to), OffsetCalculator(source),
                     ones.values(), ones.before()});
  });
  result.finish();
}

template <class U>
struct Distribute {
  U* r;
  const U* x;
  OffsetCalculator r_layout;
  OffsetCalculator x_layout;
  const uint8_t* mask;
  const int64_t* before;
  TH_HD void operator()(int64_t i) const {
    if (mask[i] != 0) {
      r[r_layout.offset(i)] = x[x_layout.offset(before[i])];
    }
  }
};

void masked_copy(TH_Tensor* r, const TH_Tensor* mask, const TH_Tensor* x) {
  Tensor checked = checked_mask(mask, r);
  const Mask ones(shares_memory(checked, *r) ? clone(checked) : std::move(checked));
  TH_CHECK(x != nullptr, "the source is missing");
  check_same_dtype(*r, *x);
  check_masked_source(*x, ones.ones());
  if (ones.ones() == 0) {
    return;
  }
  const Tensor source = unaliased(*x, *r);
  with_size(element_size(r->dtype), [&]<class U>() {
    launch(stream_for(*r), numel(*r),
           Distribute<U>{data<U>(*r), data<U>(source), OffsetCalculator(*r),
                         OffsetCalculator(source), ones.values(), ones.before()});
  });
}

template <class U>
struct FillMasked {
  U* r;
  OffsetCalculator layout;
  const uint8_t* mask;
  U value;
  TH_HD void operator()(int64_t i) const {
    if (mask[i] != 0) {
      r[layout.offset(i)] = value;
    }
  }
};

void masked_fill(TH_Tensor* r, const TH_Tensor* mask, double value) {
  const Tensor safe = unaliased(checked_mask(mask, r), *r);
  const uint64_t bits = element_bits(r->dtype, value);
  with_size(element_size(r->dtype), [&]<class U>() {
    launch(stream_for(*r), numel(*r),
           FillMasked<U>{data<U>(*r), OffsetCalculator(*r), data<uint8_t>(safe),
                         static_cast<U>(bits)});
  });
}

template <class W>
struct MarkNonZero {
  WideElements<W> x;
  OffsetCalculator layout;
  uint8_t* marks;
  TH_HD void operator()(int64_t i) const { marks[i] = x.load(layout.offset(i)) != 0 ? 1 : 0; }
};

/// One row of coordinates, counted from 1, for each mark.
struct Coordinates {
  int64_t* r;
  OffsetCalculator layout;
  const uint8_t* marks;
  const int64_t* before;
  int64_t sizes[TH_MAX_DIMS];
  int32_t ndim;
  TH_HD void operator()(int64_t i) const {
    if (marks[i] == 0) {
      return;
    }
    const int64_t row = before[i] * ndim;
    int64_t rest = i;
    for (int d = ndim - 1; d >= 0; --d) {
      r[layout.offset(row + d)] = rest % sizes[d] + 1;
      rest /= sizes[d];
    }
  }
};

void nonzero(TH_Tensor* r, const TH_Tensor* x) {
  TH_CHECK(r != nullptr && x != nullptr, "the result or the tensor is missing");
  check_dtype(*r, TH_LONG, "the result");
  if (x->ndim == 0) {
    resize(*r, {});
    return;
  }
  Coordinates kernel{};
  kernel.ndim = x->ndim;
  std::copy_n(x->sizes, x->ndim, kernel.sizes);
  const int64_t n = numel(*x);
  Tensor marks = Tensor::like(*x, TH_BYTE, sizes_of(*x));
  with_wide(x->dtype, [&]<class W>() {
    launch(stream_for(*x), n,
           MarkNonZero<W>{WideElements<W>(*x), OffsetCalculator(*x), data<uint8_t>(marks)});
  });
  const Mask mask(std::move(marks));
  if (mask.ones() == 0) {
    resize(*r, {});
    return;
  }
  const int64_t sizes[] = {mask.ones(), kernel.ndim};
  resize(*r, sizes);  // x, which r may be, was read
  kernel.r = data<int64_t>(*r);
  kernel.layout = OffsetCalculator(*r);
  kernel.marks = mask.values();
  kernel.before = mask.before();
  launch(stream_for(*r), n, kernel);
}

}  // namespace

void register_mask(th::IndexTable& b) {
  b.masked_select = masked_select;
  b.masked_copy = masked_copy;
  b.masked_fill = masked_fill;
  b.nonzero = nonzero;
}

}  // namespace thc
