// Affine maps of vectors: y = x W' + b.
#include "core/aliasing.h"
#include "core/checks/nn.h"
#include "core/product.h"
#include "core/vendor.h"
#include "cuda/launch.h"
#include "cuda/register.h"

namespace thc {
namespace {

MatrixView view_of(const Tensor& t) {
  return {&t, 1, t.sizes[0], t.sizes[1], 0, t.strides[0], t.strides[1]};
}

/// One sample as a batch.
Tensor rows_of(const TH_Tensor& x) {
  Tensor rows(x);
  if (x.ndim == 1) {
    unsqueeze(rows, x, 0);
  }
  return rows;
}

/// r (N x outputs, compact) starts as the bias, compact too, in every row.
void put_bias(TH_Tensor& r, const TH_Tensor& bias) {
  const int64_t strides[] = {0, 1};
  Tensor every;
  init(every, r.dtype, r.device_type, r.device);
  set_storage(every, bias.store, bias.offset, sizes_of(r), strides);
  th::copy(r, every);
}

void linear(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight, const TH_Tensor* bias) {
  check_linear(r, x, weight, bias);
  const Tensor in = rows_of(*x);  // r may be one of the operands
  const Tensor w(*weight);
  const Tensor start = bias == nullptr ? Tensor() : contiguous(*bias);
  const DenseMatrices rows(view_of(in));
  const DenseMatrices weights(view_of(w));
  const int64_t outputs = w.sizes[0];
  const int64_t sizes[] = {in.sizes[0], outputs};
  Result out(
      r, std::span(sizes).last(static_cast<size_t>(x->ndim)), Result::Compact, {&in, &w, &start});
  Tensor y = rows_of(out.tensor());
  if (bias != nullptr) {
    put_bias(y, start);
  }
  // The library reads columns: y, N x outputs by rows, is W x' to it.
  Gemm gemm{};
  gemm.dtype = y.dtype;
  gemm.m = outputs;
  gemm.n = in.sizes[0];
  gemm.k = w.sizes[1];
  gemm.alpha = 1;
  gemm.transpose_a = !weights.layout().transposed;
  gemm.a = weights.first();
  gemm.lda = weights.layout().row;
  gemm.transpose_b = rows.layout().transposed;
  gemm.b = rows.first();
  gemm.ldb = rows.layout().row;
  gemm.beta = bias != nullptr ? 1 : 0;
  gemm.c = bytes(y);
  gemm.ldc = outputs;
  vendor_gemm(y.device, gemm);
  out.finish();
}

}  // namespace

void register_linear(Backend& b) { b.linear = linear; }

}  // namespace thc
