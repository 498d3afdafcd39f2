// Running sums and products along a dimension.
#include <algorithm>
#include <memory>

#include "core/tables/reduce.h"
#include "core/tensor/aliasing.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "cpu/kernels/reduce/reduce.h"
#include "cpu/operands.h"
#include "cpu/parallel.h"
#include "cpu/register.h"
#include "functors/reduce.h"

namespace th::cpu {
namespace {

/// Columns whose running totals are kept at a time.
constexpr int64_t kPanel = 512;

/// r[i] = start, x[0], ..., x[i] combined; returns the last one before rounding.
template <class Op, class A, class T>
A scan_row(T* r, const T* x, int64_t n, A start) {
  A total = start;
  int64_t i = 0;
  if constexpr (std::is_same_v<Op, functors::Sum>) {
    // Four at a time, so that one addition in four waits for the one before.
    for (; i + 4 <= n; i += 4) {
      const A s0 = x[i];
      const A s1 = Op::combine(s0, static_cast<A>(x[i + 1]));
      const A s2 = Op::combine(s1, static_cast<A>(x[i + 2]));
      const A s3 = Op::combine(s2, static_cast<A>(x[i + 3]));
      r[i] = static_cast<T>(Op::combine(total, s0));
      r[i + 1] = static_cast<T>(Op::combine(total, s1));
      r[i + 2] = static_cast<T>(Op::combine(total, s2));
      total = Op::combine(total, s3);
      r[i + 3] = static_cast<T>(total);
    }
  }
  for (; i < n; ++i) {
    total = Op::combine(total, static_cast<A>(x[i]));
    r[i] = static_cast<T>(total);
  }
  return total;
}

/// The combination of n elements.
template <class Op, class A, class T>
A total_of(const T* x, int64_t n, const ReduceKernel& kernel) {
  A total = Op::template identity<A>();
  for (int64_t i = 0; i < n; i += kReduceLeaf) {
    kernel.rows(&total, 1, x + i, 0, std::min(kReduceLeaf, n - i), 0, 0);
  }
  return total;
}

/// A row in parts, each of which starts from the totals of those before. Who makes which part
/// changes no bit, so a row that one thread makes alone is cut as well.
template <class Op, class A, class T>
void scan_parts(T* r, const T* x, int64_t n, const ReduceKernel& kernel) {
  A start = Op::template identity<A>();
  for (int64_t begin = 0; begin < n; begin += kGrain) {
    const int64_t count = std::min(kGrain, n - begin);
    const bool last = begin + count == n;
    const A total = last ? start : total_of<Op, A>(x + begin, count, kernel);  // r may be x
    scan_row<Op>(r + begin, x + begin, count, start);
    start = Op::combine(start, total);
  }
}

/// As scan_parts, by all threads: totals first, then each part from where it starts.
template <class Op, class A, class T>
void scan_long_row(T* r, const T* x, int64_t n, const ReduceKernel& kernel, A* totals) {
  const int64_t parts = (n + kGrain - 1) / kGrain;
  const auto each_part = [&](const auto& visit) {
    parallel_items(parts, kGrain, [&](int64_t first, int64_t last) {
      for (int64_t part = first; part < last; ++part) {
        visit(part, part * kGrain, std::min(kGrain, n - part * kGrain));
      }
    });
  };
  each_part([&](int64_t part, int64_t begin, int64_t count) {
    totals[part] = total_of<Op, A>(x + begin, count, kernel);
  });
  A start = Op::template identity<A>();
  for (int64_t part = 0; part < parts; ++part) {
    const A total = totals[part];
    totals[part] = start;
    start = Op::combine(start, total);
  }
  each_part([&](int64_t part, int64_t begin, int64_t count) {
    scan_row<Op>(r + begin, x + begin, count, totals[part]);
  });
}

/// `columns` columns of n elements, `stride` apart.
template <class Op, class A, class T>
void scan_columns(T* r, const T* x, int64_t n, int64_t stride, int64_t columns) {
  A totals[kPanel];
  std::fill_n(totals, columns, Op::template identity<A>());
  for (int64_t i = 0; i < n; ++i, r += stride, x += stride) {
#pragma GCC ivdep
    for (int64_t j = 0; j < columns; ++j) {
      totals[j] = Op::combine(totals[j], static_cast<A>(x[j]));
      r[j] = static_cast<T>(totals[j]);
    }
  }
}

/// Both contiguous, outer x n x inner, where n belongs to the dimension.
template <class Op, class T>
void scan(T* r, const T* x, int64_t outer, int64_t n, int64_t inner, const ReduceRow& row) {
  using A = functors::Wide<T>;
  if (inner > 1) {
    const int64_t panels = (inner + kPanel - 1) / kPanel;
    parallel_items(outer * panels, n * std::min(inner, kPanel), [&](int64_t begin, int64_t end) {
      for (int64_t item = begin; item < end; ++item) {
        const int64_t first = item % panels * kPanel;
        const int64_t offset = item / panels * n * inner + first;
        scan_columns<Op, A>(r + offset, x + offset, n, inner, std::min(kPanel, inner - first));
      }
    });
    return;
  }
  const ReduceKernel& kernel = row.by_dtype[dtype_of<T>];
  const int64_t workers = std::min<int64_t>(threads::share(), n / kGrain);
  if (outer < workers) {
    const auto totals = std::make_unique<A[]>(static_cast<size_t>(n / kGrain + 1));
    for (int64_t i = 0; i < outer; ++i) {
      scan_long_row<Op, A>(r + i * n, x + i * n, n, kernel, totals.get());
    }
    return;
  }
  parallel_items(outer, n, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      scan_parts<Op, A>(r + i * n, x + i * n, n, kernel);
    }
  });
}

template <class Op>
void scan_dim(const ReduceRow& row, TH_Tensor* r, const TH_Tensor* x, int dim) {
  TH_CHECK(r != nullptr && x != nullptr, "an operand is missing");
  check_dim(*x, dim);
  check_same_dtype(*r, *x);
  const Tensor from = compact(*x);
  int64_t outer = 1;
  int64_t inner = 1;
  for (int d = 0; d < x->ndim; ++d) {
    outer *= d < dim ? x->sizes[d] : 1;
    inner *= d > dim ? x->sizes[d] : 1;
  }
  const auto run = [&](const auto& to) {
    ComputeTypes::dispatch(from.dtype, [&]<class T>() {
      scan<Op>(to.template operator()<T>(), data<T>(from), outer, from.sizes[dim], inner, row);
    });
  };
  if (is_half(x->dtype)) {
    reserve(*r, sizes_of(from));
    run([&]<class T>() { return data<T>(from); });  // in place: it is ours
    resize(*r, sizes_of(from));
    copy(*r, from);
    return;
  }
  if (r->store == from.store && r->offset == from.offset && same_sizes(*r, from) &&
      is_contiguous(*r)) {
    // In place: every element is read before it is written.
    run([&]<class T>() { return data<T>(*r); });
    return;
  }
  Result result(r, sizes_of(from), Result::Compact, {&from});
  run([&]<class T>() { return result.data<T>(); });
  result.finish();
}

}  // namespace

void register_scan(ReduceTable& b) {
  b.cumsum = [](TH_Tensor* r, const TH_Tensor* x, int dim) {
    scan_dim<functors::Sum>(reduce_kernels().sum, r, x, dim);
  };
  b.cumprod = [](TH_Tensor* r, const TH_Tensor* x, int dim) {
    scan_dim<functors::Prod>(reduce_kernels().prod, r, x, dim);
  };
}

}  // namespace th::cpu
