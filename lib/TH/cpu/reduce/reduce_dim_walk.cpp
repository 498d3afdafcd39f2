#include "cpu/reduce/reduce_dim_walk.h"

#include <algorithm>

#include "core/tensor/dimensions.h"

namespace th::cpu {

void store_positions(int64_t* to, int64_t stride, const char* acc, int64_t items, int compute) {
  const auto* found =
      reinterpret_cast<const int64_t*>(acc + positions_offset(items, element_size(compute)));
  for (int64_t i = 0; i < items; ++i) {
    to[i * stride] = found[i] + 1;
  }
}

DimWalk::DimWalk(const Reduction& reduction, const TH_Tensor& x, int dim)
    : reduction_(reduction),
      elements_(x, reduction.kernel),
      n_(x.sizes[dim]),
      stride_(x.strides[dim]) {
  int ndim = 0;
  int64_t sizes[TH_MAX_DIMS];
  int64_t strides[TH_MAX_DIMS];
  for (int d = 0; d < x.ndim; ++d) {
    if (d != dim) {
      join_dimension(ndim, sizes, x.sizes[d], Steps{strides, x.strides[d]});
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

void DimWalk::run(TH_Tensor& r, TH_Tensor* positions) const {
  const int64_t tasks = runs_ * blocks_ * parts_;
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

void DimWalk::set_blocks() {
  if (!columns_) {
    leaf_ = kReduceLeaf;
    width_ =
        n_ <= kReduceLeaf / kReduceItems ? kReduceItems : std::max<int64_t>(kReduceLeaf / n_, 1);
  } else {
    blocks_ = (run_size_ + kReduceItems - 1) / kReduceItems;
    width_ = ((run_size_ + blocks_ - 1) / blocks_ + 15) / 16 * 16;
    // A few columns side by side: several rows make a longer one.
    if (direct() && stride_ == run_size_ && run_size_ <= kReduceItems / 8 &&
        reduction_.kernel.gather != nullptr) {
      fold_ = n_ < kReduceLeafRows ? 1 : std::min(kReduceItems / run_size_, n_ / 4);
    }
    leaf_ =
        direct() ? kReduceLeafRows : std::clamp<int64_t>(kReduceLeaf / width_, 1, kReduceLeafRows);
  }
  width_ = std::min(width_, run_size_);
  blocks_ = width_ == run_size_ ? 1 : (run_size_ + width_ - 1) / width_;
}

/// Few blocks of many elements are cut along the reduced dimension, however many threads there are:
/// their number changes no bit of a result.
void DimWalk::set_parts(int64_t elements) {
  constexpr int64_t kTasks = 32;
  const int64_t groups = runs_ * blocks_;
  if (groups < kTasks) {
    parts_ = std::clamp<int64_t>(elements / (groups * kGrain), 1,
                                 std::min((kTasks + groups - 1) / groups, n_));
  }
  if (parts_ > 1) {
    partials_ = std::make_unique_for_overwrite<char[]>(
        static_cast<size_t>(groups * parts_ * width_ * kAccumulatorBytes));
  }
}

DimWalk::Block DimWalk::locate(int64_t group) const {
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

void DimWalk::reduce(TH_Tensor& r, TH_Tensor* positions, int64_t task) const {
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

void DimWalk::take_rows(char* acc, const Block& block, int64_t begin, int64_t end) const {
  const ReduceKernel& kernel = reduction_.kernel;
  const double p = reduction_.p;
  if (direct()) {
    reduce_tree(
        kernel, acc, block.items, begin, end, leaf_, [&](void* a, int64_t first, int64_t n) {
          kernel.rows(a, block.items, elements_.at(block.offset + first), run_stride_, n, first, p);
        });
    return;
  }
  Buffer buffer;
  reduce_tree(kernel, acc, block.items, begin, end, leaf_, [&](void* a, int64_t first, int64_t n) {
    const int64_t row = n * element_size(elements_.seen);
    for (int64_t i = 0; i < block.items; ++i) {
      elements_.load(buffer.data + i * row, block.offset + i * run_stride_ + first * stride_,
                     stride_, n);
    }
    kernel.rows(a, block.items, buffer.data, n, n, first, p);
  });
}

void DimWalk::take_columns(char* acc, const Block& block, int64_t begin, int64_t end) const {
  const ReduceKernel& kernel = reduction_.kernel;
  const double p = reduction_.p;
  if (direct()) {
    reduce_tree(kernel, acc, block.items, begin, end, leaf_,
                [&](void* a, int64_t first, int64_t n) {
                  kernel.columns(a, block.items, elements_.at(block.offset + first * stride_),
                                 stride_, n, first, p);
                });
    return;
  }
  Buffer buffer;
  reduce_tree(kernel, acc, block.items, begin, end, leaf_, [&](void* a, int64_t first, int64_t n) {
    const int64_t row = block.items * element_size(elements_.seen);
    for (int64_t i = 0; i < n; ++i) {
      elements_.load(buffer.data + i * row, block.offset + (first + i) * stride_, run_stride_,
                     block.items);
    }
    kernel.columns(a, block.items, buffer.data, block.items, n, first, p);
  });
}

void DimWalk::take_folded(char* acc, const Block& block, int64_t begin, int64_t end) const {
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
    kernel.columns(a, block.items, elements_.at(block.offset + first * stride_), stride_, n, 0,
                   reduction_.p);
  });
}

void DimWalk::store(TH_Tensor& r, TH_Tensor* positions, const Block& block, const char* acc) const {
  char* to = bytes(r) + block.out * elements_.size;
  const int result = compute_dtype(elements_.dtype);
  const bool converts = result != elements_.dtype;
  const bool in_place = run_out_ == 1 && !converts;
  const ConvertKernels& k = convert_kernels();
  alignas(64) char values[kReduceItems * 8];
  reduction_.finish(in_place ? to : values, acc, block.items, static_cast<double>(n_),
                    reduction_.p);
  if (!in_place) {
    alignas(64) char raw[kReduceItems * 2];
    const char* from = values;
    if (converts) {
      k.convert[result][elements_.dtype](raw, values, block.items);
      from = raw;
    }
    k.scatter[std::countr_zero(static_cast<uint64_t>(elements_.size))](to, run_out_, from,
                                                                       block.items);
  }
  if (positions != nullptr) {
    store_positions(data<int64_t>(*positions) + block.out, run_out_, acc, block.items, result);
  }
}

}  // namespace th::cpu
