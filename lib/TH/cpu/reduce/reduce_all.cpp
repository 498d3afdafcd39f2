// All elements of a tensor into one accumulator.
#include <algorithm>
#include <memory>

#include "core/tensor/dimensions.h"
#include "cpu/reduce/reduce_elements.h"
#include "cpu/reduce/reduce_walk.h"

namespace th::cpu {
namespace {

/// All elements of a tensor in the order of memory, dimensions joined where they can be.
class Flat {
 public:
  Flat(const TH_Tensor& t, const ReduceKernel& kernel) : elements_(t, kernel) {
    int order[TH_MAX_DIMS];
    int count = 0;
    for (int d = 0; d < t.ndim; ++d) {
      if (t.sizes[d] != 1) {
        order[count++] = d;
      }
    }
    std::stable_sort(order, order + count,
                     [&](int a, int b) { return t.strides[a] > t.strides[b]; });
    for (int i = 0; i < count; ++i) {
      join_dimension(ndim_, sizes_, t.sizes[order[i]], Steps{strides_, t.strides[order[i]]});
    }
    if (ndim_ == 0) {
      sizes_[0] = 1;
      strides_[0] = 1;
      ndim_ = 1;
    }
  }

  /// Elements [begin, begin + n), n <= kReduceLeaf.
  void take(const ReduceKernel& kernel, double p, void* acc, int64_t begin, int64_t n) const {
    const int last = ndim_ - 1;
    const bool direct = strides_[last] == 1 && !elements_.converts();
    Buffer buffer;
    int64_t buffered = 0;
    while (n > 0) {
      const int64_t offset = offset_at(begin, ndim_, sizes_, strides_);
      const int64_t run = std::min(n, sizes_[last] - begin % sizes_[last]);
      if (direct && run >= kDirectRun) {
        kernel.rows(acc, 1, elements_.at(offset), 0, run, 0, p);
      } else {
        elements_.load(buffer.data + buffered * element_size(elements_.seen), offset,
                       strides_[last], run);
        buffered += run;
      }
      begin += run;
      n -= run;
    }
    if (buffered > 0) {
      kernel.rows(acc, 1, buffer.data, 0, buffered, 0, p);
    }
  }

 private:
  /// Shorter runs are cheaper to gather than to reduce one by one.
  static constexpr int64_t kDirectRun = 128;

  Elements elements_;
  int ndim_ = 0;
  int64_t sizes_[TH_MAX_DIMS];
  int64_t strides_[TH_MAX_DIMS];
};

}  // namespace

void reduce_all(const ReduceKernel& kernel, double p, const TH_Tensor& x, void* acc) {
  kernel.init(acc, 1, 0);
  const int64_t n = numel(x);
  if (n <= kReduceLeaf && x.dtype == kernel.element && is_contiguous(x)) {
    kernel.rows(acc, 1, bytes(x), 0, n, 0, p);
    return;
  }
  const Flat flat(x, kernel);
  const auto take = [&](void* a, int64_t begin, int64_t count) {
    flat.take(kernel, p, a, begin, count);
  };
  // Cut by the length alone, so that the number of threads changes no bit of the result.
  const int64_t pieces = (n + kGrain - 1) / kGrain;
  if (pieces == 1) {
    reduce_tree(kernel, acc, 1, 0, n, kReduceLeaf, take);
    return;
  }
  struct alignas(64) Part {
    char acc[kAccumulatorBytes];
  };
  const auto parts = std::make_unique_for_overwrite<Part[]>(static_cast<size_t>(pieces));
  parallel_items(pieces, kGrain, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      kernel.init(parts[i].acc, 1, 0);
      reduce_tree(kernel, parts[i].acc, 1, i * kGrain, std::min(n, (i + 1) * kGrain), kReduceLeaf,
                  take);
    }
  });
  for (int64_t i = 0; i < pieces; ++i) {
    kernel.combine(acc, parts[i].acc, 1);
  }
}

}  // namespace th::cpu
