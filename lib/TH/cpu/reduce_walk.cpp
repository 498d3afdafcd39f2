#include "cpu/reduce_walk.h"

#include <algorithm>
#include <bit>
#include <memory>

#include "core/dtype.h"
#include "core/tensor.h"
#include "cpu/aliasing.h"
#include "cpu/kernels/kernels.h"
#include "cpu/parallel.h"

namespace th::cpu {
namespace {

/// Where elements lie, and as what kernels want to see them.
struct Elements {
  const char* base;
  int dtype;
  int compute;
  int64_t size;

  explicit Elements(const TH_Tensor& t)
      : base(bytes(t)),
        dtype(t.dtype),
        compute(compute_dtype(t.dtype)),
        size(element_size(t.dtype)) {}

  const char* at(int64_t offset) const { return base + offset * size; }
  bool converts() const { return dtype != compute; }

  /// n elements, `stride` apart, to contiguous ones of the compute type. n <= kReduceLeaf.
  void load(void* to, int64_t offset, int64_t stride, int64_t n) const {
    const ConvertKernels& k = convert_kernels();
    alignas(64) char raw[kReduceLeaf * 2];  // only 16-bit types are converted
    const void* from = at(offset);
    if (stride != 1) {
      const int log2 = std::countr_zero(static_cast<uint64_t>(size));
      void* gathered = converts() ? raw : to;
      if (stride == 0) {
        k.fill[log2](gathered, from, n);
      } else {
        k.gather[log2](gathered, from, stride, n);
      }
      from = gathered;
    }
    if (stride == 1 || converts()) {
      k.convert[dtype][compute](to, from, n);
    }
  }
};

/// Elements of the compute type, gathered for a kernel.
struct Buffer {
  alignas(64) char data[kReduceLeaf * 8];
};

int threads_for(int64_t elements) {
  return elements < 2 * kGrain || omp_in_parallel() ? 1 : omp_get_max_threads();
}

/// The positions in the accumulators of argmin and argmax, counted from 1.
void store_positions(int64_t* to, int64_t stride, const char* acc, int64_t items, int compute) {
  const auto* found = reinterpret_cast<const int64_t*>(acc + positions_offset(items, element_size(compute)));
  for (int64_t i = 0; i < items; ++i) {
    to[i * stride] = found[i] + 1;
  }
}

// --- all elements -------------------------------------------------------------------------------

/// All elements of a tensor in the order of memory, dimensions joined where they can be.
class Flat {
 public:
  explicit Flat(const TH_Tensor& t) : elements_(t) {
    int order[TH_MAX_DIMS];
    int count = 0;
    for (int d = 0; d < t.ndim; ++d) {
      if (t.sizes[d] != 1) {
        order[count++] = d;
      }
    }
    std::stable_sort(order, order + count, [&](int a, int b) { return t.strides[a] > t.strides[b]; });
    for (int i = 0; i < count; ++i) {
      const int64_t size = t.sizes[order[i]];
      const int64_t stride = t.strides[order[i]];
      if (ndim_ > 0 && strides_[ndim_ - 1] == size * stride) {
        sizes_[ndim_ - 1] *= size;
        strides_[ndim_ - 1] = stride;
      } else {
        sizes_[ndim_] = size;
        strides_[ndim_] = stride;
        ++ndim_;
      }
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
      int64_t offset = 0;
      int64_t rest = begin;
      for (int d = last; d >= 0; --d) {
        offset += rest % sizes_[d] * strides_[d];
        rest /= sizes_[d];
      }
      const int64_t run = std::min(n, sizes_[last] - begin % sizes_[last]);
      if (direct && run >= kDirectRun) {
        kernel.rows(acc, 1, elements_.at(offset), 0, run, 0, p);
      } else {
        elements_.load(buffer.data + buffered * element_size(elements_.compute), offset, strides_[last], run);
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

// --- one dimension ------------------------------------------------------------------------------

/// A plan for reducing dimension `dim`: n elements, `stride` apart, for each result.
///
/// Results are made in blocks of neighbours along one of the other dimensions, the run. If the
/// reduced dimension is the one whose elements lie closest together, a block's results are reduced
/// row after row; otherwise all at once, like the columns of a matrix.
class DimWalk {
 public:
  DimWalk(const Reduction& reduction, const TH_Tensor& x, int dim)
      : reduction_(reduction), elements_(x), n_(x.sizes[dim]), stride_(x.strides[dim]) {
    int ndim = 0;
    int64_t sizes[TH_MAX_DIMS];
    int64_t strides[TH_MAX_DIMS];
    for (int d = 0; d < x.ndim; ++d) {
      if (d == dim || x.sizes[d] == 1) {
        continue;
      }
      if (ndim > 0 && strides[ndim - 1] == x.sizes[d] * x.strides[d]) {
        sizes[ndim - 1] *= x.sizes[d];
        strides[ndim - 1] = x.strides[d];
      } else {
        sizes[ndim] = x.sizes[d];
        strides[ndim] = x.strides[d];
        ++ndim;
      }
    }
    int run = ndim - 1;
    for (int d = ndim - 1; d >= 0; --d) {
      if (strides[d] > 0 && (stride_ == 0 || n_ == 1 || strides[d] < stride_) &&
          (!columns_ || strides[d] < strides[run])) {
        run = d;
        columns_ = true;
      }
    }
    int64_t out_stride = 1;
    for (int d = ndim - 1; d >= 0; --d) {
      if (d == run) {
        run_size_ = sizes[d];
        run_stride_ = strides[d];
        run_out_ = out_stride;
      } else {
        outer_[outer_count_++] = {sizes[d], strides[d], out_stride};
        runs_ *= sizes[d];
      }
      out_stride *= sizes[d];
    }
    set_blocks();
    set_parts(runs_ * run_size_ * n_);
  }

  void run(TH_Tensor& r, TH_Tensor* positions) const {
    const int64_t tasks = runs_ * blocks_ * parts_;
    if (threads_ == 1) {
      for (int64_t task = 0; task < tasks; ++task) {
        reduce(r, positions, task);
      }
      return;
    }
    parallel_items(tasks, runs_ * run_size_ * n_ / tasks, [&](int64_t begin, int64_t end) {
      for (int64_t task = begin; task < end; ++task) {
        reduce(r, positions, task);
      }
    });
    if (parts_ > 1) {
      for (int64_t group = 0; group < runs_ * blocks_; ++group) {
        const Block block = locate(group);
        for (int64_t part = 1; part < parts_; ++part) {
          reduction_.kernel.combine(partial(group, 0), partial(group, part), block.items);
        }
        store(r, positions, block, partial(group, 0));
      }
    }
  }

 private:
  struct Outer {
    int64_t size, stride, out_stride;
  };
  struct Block {
    int64_t offset;  // of the first result's first element
    int64_t out;     // of the first result
    int64_t items;
  };

  bool direct() const { return !elements_.converts() && (columns_ ? run_stride_ : stride_) == 1; }

  void set_blocks() {
    if (!columns_) {
      leaf_ = kReduceLeaf;
      width_ = n_ <= kReduceLeaf / kReduceItems ? kReduceItems : std::max<int64_t>(kReduceLeaf / n_, 1);
    } else {
      blocks_ = (run_size_ + kReduceItems - 1) / kReduceItems;
      width_ = ((run_size_ + blocks_ - 1) / blocks_ + 15) / 16 * 16;
      // A few columns side by side: several rows make a longer one.
      if (direct() && stride_ == run_size_ && run_size_ <= kReduceItems / 8 &&
          reduction_.kernel.gather != nullptr) {
        fold_ = n_ < kReduceLeafRows ? 1 : std::min(kReduceItems / run_size_, n_ / 4);
      }
      leaf_ = direct() ? kReduceLeafRows : std::clamp<int64_t>(kReduceLeaf / width_, 1, kReduceLeafRows);
    }
    width_ = std::min(width_, run_size_);
    blocks_ = width_ == run_size_ ? 1 : (run_size_ + width_ - 1) / width_;
  }

  /// Too few blocks for the threads: cut each along the reduced dimension.
  void set_parts(int64_t elements) {
    threads_ = threads_for(elements);
    const int64_t groups = runs_ * blocks_;
    if (threads_ > 1 && groups < 4 * threads_ && groups % threads_ != 0) {
      const int64_t longest = std::max<int64_t>(1, n_ * width_ / kReduceLeaf);
      parts_ = std::min({static_cast<int64_t>(threads_), (4 * threads_ + groups - 1) / groups, longest, n_});
    }
    if (parts_ > 1) {
      partials_ = std::make_unique_for_overwrite<char[]>(
          static_cast<size_t>(groups * parts_ * width_ * kAccumulatorBytes));
    }
  }

  char* partial(int64_t group, int64_t part) const {
    return partials_.get() + (group * parts_ + part) * width_ * kAccumulatorBytes;
  }

  Block locate(int64_t group) const {
    if (group == 0) {
      return {0, 0, width_};
    }
    const int64_t first = group % blocks_ * width_;
    Block block{first * run_stride_, first * run_out_, std::min(width_, run_size_ - first)};
    int64_t rest = group / blocks_;
    for (int d = 0; d < outer_count_; ++d) {
      const int64_t index = rest % outer_[d].size;
      rest /= outer_[d].size;
      block.offset += index * outer_[d].stride;
      block.out += index * outer_[d].out_stride;
    }
    return block;
  }

  void reduce(TH_Tensor& r, TH_Tensor* positions, int64_t task) const {
    // Divisions take longer than all the rest for a small tensor.
    const bool whole = parts_ == 1;
    const Block block = locate(whole ? task : task / parts_);
    const int64_t begin = whole ? 0 : n_ * (task % parts_) / parts_;
    const int64_t end = whole ? n_ : n_ * (task % parts_ + 1) / parts_;
    alignas(64) char own[kReduceItems * kAccumulatorBytes];
    char* acc = whole ? own : partial(task / parts_, task % parts_);
    reduction_.kernel.init(acc, block.items, begin);
    if (!columns_) {
      take_rows(acc, block, begin, end);
    } else if (fold_ > 1) {
      take_folded(acc, block, begin, end);
    } else {
      take_columns(acc, block, begin, end);
    }
    if (whole) {
      store(r, positions, block, acc);
    }
  }

  void take_rows(char* acc, const Block& block, int64_t begin, int64_t end) const {
    const ReduceKernel& kernel = reduction_.kernel;
    const double p = reduction_.p;
    if (direct()) {
      reduce_tree(kernel, acc, block.items, begin, end, leaf_, [&](void* a, int64_t first, int64_t n) {
        kernel.rows(a, block.items, elements_.at(block.offset + first), run_stride_, n, first, p);
      });
      return;
    }
    Buffer buffer;
    reduce_tree(kernel, acc, block.items, begin, end, leaf_, [&](void* a, int64_t first, int64_t n) {
      const int64_t row = n * element_size(elements_.compute);
      for (int64_t i = 0; i < block.items; ++i) {
        elements_.load(buffer.data + i * row, block.offset + i * run_stride_ + first * stride_, stride_, n);
      }
      kernel.rows(a, block.items, buffer.data, n, n, first, p);
    });
  }

  void take_columns(char* acc, const Block& block, int64_t begin, int64_t end) const {
    const ReduceKernel& kernel = reduction_.kernel;
    const double p = reduction_.p;
    if (direct()) {
      reduce_tree(kernel, acc, block.items, begin, end, leaf_, [&](void* a, int64_t first, int64_t n) {
        kernel.columns(a, block.items, elements_.at(block.offset + first * stride_), stride_, n, first, p);
      });
      return;
    }
    Buffer buffer;
    reduce_tree(kernel, acc, block.items, begin, end, leaf_, [&](void* a, int64_t first, int64_t n) {
      const int64_t row = block.items * element_size(elements_.compute);
      for (int64_t i = 0; i < n; ++i) {
        elements_.load(buffer.data + i * row, block.offset + (first + i) * stride_, run_stride_, block.items);
      }
      kernel.columns(a, block.items, buffer.data, block.items, n, first, p);
    });
  }

  void take_folded(char* acc, const Block& block, int64_t begin, int64_t end) const {
    const ReduceKernel& kernel = reduction_.kernel;
    const int64_t items = block.items * fold_;
    const int64_t long_rows = (end - begin) / fold_;
    const char* x = elements_.at(block.offset + begin * stride_);
    alignas(64) char wide[kReduceItems * kAccumulatorBytes];
    kernel.init(wide, items, 0);
    reduce_tree(kernel, wide, items, 0, long_rows, leaf_, [&](void* a, int64_t first, int64_t n) {
      kernel.columns(a, items, x + first * items * elements_.size, items, n, 0, reduction_.p);
    });
    kernel.gather(acc, block.items, wide, fold_);
    begin += long_rows * fold_;
    reduce_tree(kernel, acc, block.items, begin, end, leaf_, [&](void* a, int64_t first, int64_t n) {
      kernel.columns(a, block.items, elements_.at(block.offset + first * stride_), stride_, n, 0, reduction_.p);
    });
  }

  void store(TH_Tensor& r, TH_Tensor* positions, const Block& block, const char* acc) const {
    char* to = bytes(r) + block.out * elements_.size;
    const bool in_place = run_out_ == 1 && !elements_.converts();
    const ConvertKernels& k = convert_kernels();
    alignas(64) char values[kReduceItems * 8];
    reduction_.finish(in_place ? to : values, acc, block.items, static_cast<double>(n_), reduction_.p);
    if (!in_place) {
      alignas(64) char raw[kReduceItems * 2];
      const char* from = values;
      if (elements_.converts()) {
        k.convert[elements_.compute][elements_.dtype](raw, values, block.items);
        from = raw;
      }
      k.scatter[std::countr_zero(static_cast<uint64_t>(elements_.size))](to, run_out_, from, block.items);
    }
    if (positions != nullptr) {
      store_positions(data<int64_t>(*positions) + block.out, run_out_, acc, block.items, elements_.compute);
    }
  }

  const Reduction& reduction_;
  Elements elements_;
  int64_t n_;
  int64_t stride_;
  bool columns_ = false;
  int64_t run_size_ = 1;
  int64_t run_stride_ = 1;
  int64_t run_out_ = 1;
  int64_t runs_ = 1;
  int64_t width_ = 1;   // results per block
  int64_t blocks_ = 1;  // blocks per run
  int64_t fold_ = 1;    // rows taken as one
  int64_t leaf_ = 1;
  int64_t parts_ = 1;  // per block, along the reduced dimension
  int threads_ = 1;
  int outer_count_ = 0;
  Outer outer_[TH_MAX_DIMS];
  std::unique_ptr<char[]> partials_;
};

// --- small tensors ------------------------------------------------------------------------------

/// Whether t, which may have that shape already, is compact after a resize.
bool becomes_compact(const TH_Tensor& t, std::span<const int64_t> shape) {
  return is_contiguous(t) || !std::equal(shape.begin(), shape.end(), t.sizes, t.sizes + t.ndim);
}

/// The common case without a plan, whose making takes longer than the work: a few rows, or the
/// columns of a small matrix. Returns false when that is not the case at hand.
bool reduce_small(const Reduction& reduction,
                  TH_Tensor* r,
                  TH_Tensor* positions,
                  const TH_Tensor& x,
                  int dim,
                  std::span<const int64_t> shape) {
  if (is_half(x.dtype) || !is_contiguous(x)) {
    return false;
  }
  int64_t outer = 1;
  int64_t inner = 1;
  for (int d = 0; d < x.ndim; ++d) {
    outer *= d < dim ? x.sizes[d] : 1;
    inner *= d > dim ? x.sizes[d] : 1;
  }
  const int64_t n = x.sizes[dim];
  const int64_t items = outer * inner;
  const bool rows = inner == 1 && n <= kReduceLeaf;
  const bool columns = outer == 1 && inner > 1 && n <= kReduceLeafRows;
  if (!(rows || columns) || items > kReduceItems || items * n >= 2 * kGrain || shares_memory(*r, x) ||
      !becomes_compact(*r, shape) ||
      (positions != nullptr && (shares_memory(*positions, x) || !becomes_compact(*positions, shape)))) {
    return false;
  }
  resize(*r, shape);
  if (positions != nullptr) {
    resize(*positions, shape);
  }
  const ReduceKernel& kernel = reduction.kernel;
  alignas(64) char acc[kReduceItems * kAccumulatorBytes];
  kernel.init(acc, items, 0);
  if (rows) {
    kernel.rows(acc, items, bytes(x), n, n, 0, reduction.p);
  } else {
    kernel.columns(acc, items, bytes(x), inner, n, 0, reduction.p);
  }
  reduction.finish(bytes(*r), acc, items, static_cast<double>(n), reduction.p);
  if (positions != nullptr) {
    store_positions(data<int64_t>(*positions), 1, acc, items, x.dtype);
  }
  return true;
}

}  // namespace

void reduce_all(const ReduceKernel& kernel, double p, const TH_Tensor& x, void* acc) {
  kernel.init(acc, 1, 0);
  const int64_t n = numel(x);
  if (n <= kReduceLeaf && !is_half(x.dtype) && is_contiguous(x)) {
    kernel.rows(acc, 1, bytes(x), 0, n, 0, p);
    return;
  }
  const Flat flat(x);
  const auto take = [&](void* a, int64_t begin, int64_t count) { flat.take(kernel, p, a, begin, count); };
  const int threads = threads_for(n);
  if (threads == 1) {
    reduce_tree(kernel, acc, 1, 0, n, kReduceLeaf, take);
    return;
  }
  struct alignas(64) Part {
    char acc[kAccumulatorBytes];
  };
  const auto parts = std::make_unique_for_overwrite<Part[]>(static_cast<size_t>(threads));
  parallel_items(threads, n / threads, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      kernel.init(parts[i].acc, 1, 0);
      reduce_tree(kernel, parts[i].acc, 1, n * i / threads, n * (i + 1) / threads, kReduceLeaf, take);
    }
  });
  for (int i = 0; i < threads; ++i) {
    kernel.combine(acc, parts[i].acc, 1);
  }
}

void reduce_dim(const Reduction& reduction, TH_Tensor* r, TH_Tensor* positions, const TH_Tensor* x, int dim) {
  int64_t sizes[TH_MAX_DIMS];
  std::copy_n(x->sizes, x->ndim, sizes);
  sizes[dim] = 1;
  const std::span<const int64_t> shape(sizes, static_cast<size_t>(x->ndim));
  if (reduce_small(reduction, r, positions, *x, dim, shape)) {
    return;
  }
  const DimWalk walk(reduction, *x, dim);
  Result result(r, shape, Result::Compact, {x});
  if (positions == nullptr) {
    walk.run(result.tensor(), nullptr);
  } else {
    Result places(positions, shape, Result::Compact, {x});
    walk.run(result.tensor(), &places.tensor());
    places.finish();
  }
  result.finish();
}

}  // namespace th::cpu
