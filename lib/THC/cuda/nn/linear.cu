// Affine maps of vectors: y = x W' + b.
#include "core/checks_nn.h"
#include "core/vendor.h"
#include "core/aliasing.h"
#include "cuda/fill_backend.h"
#include "cuda/launch.h"

namespace thc {
namespace {

/// A matrix whose rows or columns lie in memory without gaps; a copy of one that has neither.
struct Matrix {
  Tensor t;
  bool by_rows;
  int64_t step;  // from row to row, or from column to column

  explicit Matrix(const TH_Tensor& matrix) : t(matrix) {
    if (!lies(0, 1) && !lies(1, 0)) {
      t = contiguous(t);
    }
    by_rows = lies(0, 1);
    step = by_rows ? outer_step(0, 1) : outer_step(1, 0);
  }

 private:
  bool lies(int outer, int inner) const {
    return (t.strides[inner] == 1 || t.sizes[inner] == 1) &&
           (t.strides[outer] >= t.sizes[inner] || t.sizes[outer] == 1);
  }
  int64_t outer_step(int outer, int inner) const {
    return t.sizes[outer] == 1 ? t.sizes[inner] : t.strides[outer];
  }
};

/// One sample as a batch.
Tensor rows_of(const TH_Tensor& x) {
  Tensor rows(x);
  if (x.ndim == 1) {
    unsqueeze(rows, x, 0);
  }
  return rows;
}

/// r (N x outputs, compact) starts as the bias in every row.
void put_bias(TH_Tensor& r, const TH_Tensor& bias) {
  const Tensor row = contiguous(bias);
  const int64_t strides[] = {0, 1};
  Tensor every;
  init(every, r.dtype, r.device_type, r.device);
  set_storage(every, row.store, row.offset, sizes_of(r), strides);
  th::copy(r, every);
}

void linear(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight, const TH_Tensor* bias) {
  check_linear(r, x, weight, bias);
  const Matrix in(rows_of(*x));  // r may be one of the operands
  const Matrix w(*weight);
  const int64_t samples = in.t.sizes[0];
  const int64_t outputs = w.t.sizes[0];
  const int64_t sizes[] = {samples, outputs};
  const Tensor start = bias == nullptr ? Tensor() : Tensor(*bias);
  Result out(r,
             std::span(sizes).last(static_cast<size_t>(x->ndim)),
             Result::Compact,
             {&in.t, &w.t, &start});
  Tensor y = rows_of(out.tensor());
  if (bias != nullptr) {
    put_bias(y, start);
  }
  // Column-major, y is outputs x samples: W x'.
  Gemm gemm{};
  gemm.dtype = y.dtype;
  gemm.m = outputs;
  gemm.n = samples;
  gemm.k = w.t.sizes[1];
  gemm.alpha = 1;
  gemm.transpose_a = w.by_rows;
  gemm.a = bytes(w.t);
  gemm.lda = w.step;
  gemm.transpose_b = !in.by_rows;
  gemm.b = bytes(in.t);
  gemm.ldb = in.step;
  gemm.beta = bias != nullptr ? 1 : 0;
  gemm.c = bytes(y);
  gemm.ldc = outputs;
  gemm.batch = 1;
  vendor_gemm(y.device, gemm);
  out.finish();
}

}  // namespace

void fill_linear(Backend& b) { b.linear = linear; }

}  // namespace thc
