// Softmax and its logarithm along one dimension.
#include "cpu/kernels/nn/softmax.h"

#include <algorithm>

#include "core/checks/nn.h"
#include "core/tables/nn.h"
#include "core/tensor/aliasing.h"
#include "cpu/register.h"
#include "cpu/select.h"
#include "cpu/widened_parts.h"

namespace th::cpu {

const SoftmaxKernels& softmax_kernels() {
  static const SoftmaxKernels table = select_kernels<SoftmaxKernels>();
  return table;
}

namespace {

/// An exponential and what is around it, in cheap operations.
constexpr int64_t kCost = 8;

/// Sizes before, at and after dimension `dim`.
struct Extents {
  int64_t outer = 1, n = 1, inner = 1;

  Extents(const TH_Tensor& x, int dim) : n(x.sizes[dim]) {
    for (int d = 0; d < x.ndim; ++d) {
      (d < dim ? outer : inner) *= d == dim ? 1 : x.sizes[d];
    }
  }
};

/// by_rows(elements of some rows, how many rows, working memory) where rows lie along memory;
/// by_columns(elements of some columns, working memory) otherwise. Of 16-bit types there is memory
/// for so many of the elements `arrays` times, one `size` behind the other.
template <class T, class Rows, class Columns>
void in_parts(const Extents& e, int dtype, int64_t arrays, const Rows& by_rows,
              const Columns& by_columns) {
  if (e.inner == 1) {
    const int64_t some = rows_at_once(dtype, e.n, e.outer);
    const auto rows = widened_items<T>(dtype, e.outer, e.n * kCost, arrays * some * e.n);
    rows.run([&](int64_t begin, int64_t end, T* own) {
      for (int64_t i = begin; i < end; i += some) {
        const int64_t count = std::min(some, end - i);
        by_rows(Lines::one(i * e.n, count * e.n), count, own);
      }
    });
    return;
  }
  const int64_t blocks = (e.inner + kSoftmaxColumns - 1) / kSoftmaxColumns;
  const int64_t width = std::min(e.inner, kSoftmaxColumns);
  const auto columns =
      widened_items<T>(dtype, e.outer * blocks, e.n * width * kCost, arrays * e.n * width);
  columns.run([&](int64_t begin, int64_t end, T* own) {
    for (int64_t item = begin; item < end; ++item) {
      const int64_t first = item % blocks * kSoftmaxColumns;
      by_columns(Lines{item / blocks * e.n * e.inner + first, e.n,
                       std::min(kSoftmaxColumns, e.inner - first), e.inner},
                 own);
    }
  });
}

template <bool Log>
void forward(TH_Tensor* r, const TH_Tensor* x, int dim) {
  check_softmax(r, x, dim);
  const Extents e(*x, dim);
  const Tensor in = contiguous(*x);
  Result out(r, sizes_of(in), Result::Compact, {&in});
  RealTypes::dispatch(compute_dtype(in.dtype), [&]<class T>() {
    const SoftmaxRow<T>& k = softmax_kernels().row<T>();
    const WidenedParts<T> from(in), to(out, in.dtype);
    in_parts<T>(
        e, in.dtype, 2,
        [&](const Lines& lines, int64_t rows, T* own) {
          T* const y = to.place(lines.first, own + lines.size());
          k.rows[Log](rows, e.n, from.read(lines, own), y);
          to.commit(lines, y);
        },
        [&](const Lines& lines, T* own) {
          T* const y = to.place(lines.first, own + lines.size());
          k.columns[Log](e.n, lines.each, to.step(lines), from.read(lines, own), y);
          to.commit(lines, y);
        });
  });
  out.finish();
}

template <bool Log>
void backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* y, int dim) {
  check_softmax_backward(r, g, y, dim);
  const Extents e(*y, dim);
  const Tensor grad = contiguous(*g);
  const Tensor out_y = contiguous(*y);
  Result out(r, sizes_of(out_y), Result::Compact, {&grad, &out_y});
  RealTypes::dispatch(compute_dtype(out_y.dtype), [&]<class T>() {
    const SoftmaxRow<T>& k = softmax_kernels().row<T>();
    const WidenedParts<T> gs(grad), ys(out_y), to(out, out_y.dtype);
    in_parts<T>(
        e, out_y.dtype, 2,
        [&](const Lines& lines, int64_t rows, T* own) {
          T* const gx = to.place(lines.first, own);
          k.rows_backward[Log](rows, e.n, gs.read(lines, own), ys.read(lines, own + lines.size()),
                               gx);
          to.commit(lines, gx);
        },
        [&](const Lines& lines, T* own) {
          T* const gx = to.place(lines.first, own);
          k.columns_backward[Log](e.n, lines.each, to.step(lines), gs.read(lines, own),
                                  ys.read(lines, own + lines.size()), gx);
          to.commit(lines, gx);
        });
  });
  out.finish();
}

}  // namespace

void register_softmax(NnTable& b) {
  b.softmax = forward<false>;
  b.softmax_backward = backward<false>;
  b.log_softmax = forward<true>;
  b.log_softmax_backward = backward<true>;
}

}  // namespace th::cpu
