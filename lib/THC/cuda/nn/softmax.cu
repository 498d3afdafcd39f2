// Softmax and its logarithm along one dimension.
#include "core/checks/nn.h"
#include "core/tables/nn.h"
#include "core/tensor/aliasing.h"
#include "cuda/nn/softmax_columns.cuh"
#include "cuda/nn/softmax_rows.cuh"
#include "cuda/register.h"

namespace thc {
namespace {

/// g: NULL for the forward pass, in which x is the input; the backward pass has the output as x.
void along(TH_Tensor& r, const TH_Tensor* g, const TH_Tensor& x, int dim, bool log) {
  const int64_t n = x.sizes[dim];
  int64_t inner = 1;
  for (int d = dim + 1; d < x.ndim; ++d) {
    inner *= x.sizes[d];
  }
  const int64_t lines = numel(x) / n;
  const cudaStream_t stream = stream_for(r);
  Floating::dispatch(x.dtype, [&]<class T>() {
    const T* const gp = g == nullptr ? nullptr : data<T>(*g);
    if (inner == 1) {
      softmax_rows(stream, SoftmaxRows<T>{lines, n, log, gp, data<T>(x), data<T>(r)});
    } else {
      softmax_columns(stream,
                      SoftmaxColumns<T>{lines, n, inner, 0, log, gp, data<T>(x), data<T>(r)});
    }
  });
}

template <bool Log>
void forward(TH_Tensor* r, const TH_Tensor* x, int dim) {
  check_softmax(r, x, dim);
  const Tensor in = contiguous(*x);
  Result out(r, sizes_of(in), Result::Compact, {&in});
  along(out.tensor(), nullptr, in, dim, Log);
  out.finish();
}

template <bool Log>
void backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* y, int dim) {
  check_softmax_backward(r, g, y, dim);
  const Tensor grad = contiguous(*g);
  const Tensor in = contiguous(*y);
  Result out(r, sizes_of(in), Result::Compact, {&grad, &in});
  along(out.tensor(), &grad, in, dim, Log);
  out.finish();
}

}  // namespace

void register_softmax(th::NnTable& b) {
  b.softmax = forward<false>;
  b.softmax_backward = backward<false>;
  b.log_softmax = forward<true>;
  b.log_softmax_backward = backward<true>;
}

}  // namespace thc
