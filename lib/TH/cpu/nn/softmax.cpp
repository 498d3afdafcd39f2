// Softmax and its logarithm along one dimension.
#include "cpu/kernels/nn/softmax.h"

#include <algorithm>

#include "core/checks/nn.h"
#include "core/tables/nn.h"
#include "cpu/operands.h"
#include "cpu/parallel.h"
#include "cpu/register.h"
#include "cpu/select.h"

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

/// by_rows(first row, rows) where rows lie along memory; by_columns(offset, columns) otherwise.
template <class Rows, class Columns>
void each_part(const Extents& e, const Rows& by_rows, const Columns& by_columns) {
  if (e.inner == 1) {
    parallel_items(e.outer, e.n * kCost,
                   [&](int64_t begin, int64_t end) { by_rows(begin, end - begin); });
    return;
  }
  const int64_t blocks = (e.inner + kSoftmaxColumns - 1) / kSoftmaxColumns;
  const int64_t width = std::min(e.inner, kSoftmaxColumns);
  parallel_items(e.outer * blocks, e.n * width * kCost, [&](int64_t begin, int64_t end) {
    for (int64_t item = begin; item < end; ++item) {
      const int64_t first = item % blocks * kSoftmaxColumns;
      by_columns(item / blocks * e.n * e.inner + first, std::min(kSoftmaxColumns, e.inner - first));
    }
  });
}

template <bool Log>
void forward(TH_Tensor* r, const TH_Tensor* x, int dim) {
  check_softmax(r, x, dim);
  const Extents e(*x, dim);
  const Tensor in = compact(*x);
  Output out(r, sizes_of(in), {&in});
  RealTypes::dispatch(in.dtype, [&]<class T>() {
    const SoftmaxRow<T>& k = softmax_kernels().row<T>();
    const T* from = data<T>(in);
    T* to = out.data<T>();
    each_part(
        e,
        [&](int64_t first, int64_t rows) {
          k.rows[Log](rows, e.n, from + first * e.n, to + first * e.n);
        },
        [&](int64_t offset, int64_t columns) {
          k.columns[Log](e.n, columns, e.inner, from + offset, to + offset);
        });
  });
  out.finish();
}

template <bool Log>
void backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* y, int dim) {
  check_softmax_backward(r, g, y, dim);
  const Extents e(*y, dim);
  const Tensor grad = compact(*g);
  const Tensor out_y = compact(*y);
  Output out(r, sizes_of(out_y), {&grad, &out_y});
  RealTypes::dispatch(out_y.dtype, [&]<class T>() {
    const SoftmaxRow<T>& k = softmax_kernels().row<T>();
    const T* gp = data<T>(grad);
    const T* yp = data<T>(out_y);
    T* to = out.data<T>();
    each_part(
        e,
        [&](int64_t first, int64_t rows) {
          const int64_t at = first * e.n;
          k.rows_backward[Log](rows, e.n, gp + at, yp + at, to + at);
        },
        [&](int64_t at, int64_t columns) {
          k.columns_backward[Log](e.n, columns, e.inner, gp + at, yp + at, to + at);
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
