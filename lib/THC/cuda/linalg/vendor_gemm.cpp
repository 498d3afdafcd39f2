// Products of matrices by cuBLAS.
#include "core/dtype.h"
#include "core/handles.h"
#include "core/stream.h"
#include "core/vendor.h"

namespace thc {
namespace {

cudaDataType_t data_type(int dtype) {
  switch (dtype) {
    case TH_HALF:
      return CUDA_R_16F;
    case TH_BFLOAT16:
      return CUDA_R_16BF;
    case TH_FLOAT:
      return CUDA_R_32F;
    default:
      return CUDA_R_64F;
  }
}

cublasComputeType_t compute_type(int dtype) {
  switch (dtype) {
    case TH_DOUBLE:
      return CUBLAS_COMPUTE_64F;
    case TH_FLOAT:
      return vendor_options().tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
    default:
      return CUBLAS_COMPUTE_32F;
  }
}

}  // namespace

VendorOptions& vendor_options() {
  static VendorOptions options;
  return options;
}

bool vendor_gemm(int device, const Gemm& g) {
  if (!is_floating(g.dtype)) {
    return false;
  }
  activate(device);
  const cublasHandle_t handle = cublas_handle(device, current_stream(device));
  const double alpha = g.alpha;
  const double beta = g.beta;
  const auto alpha_float = static_cast<float>(alpha);
  const auto beta_float = static_cast<float>(beta);
  const bool wide = g.dtype == TH_DOUBLE;
  const cudaDataType_t type = data_type(g.dtype);
  const auto operation = [](bool transpose) { return transpose ? CUBLAS_OP_T : CUBLAS_OP_N; };
  check_cublas(cublas().gemm(handle,
                             operation(g.transpose_a),
                             operation(g.transpose_b),
                             g.m,
                             g.n,
                             g.k,
                             wide ? static_cast<const void*>(&alpha) : &alpha_float,
                             g.a,
                             type,
                             g.lda,
                             g.stride_a,
                             g.b,
                             type,
                             g.ldb,
                             g.stride_b,
                             wide ? static_cast<const void*>(&beta) : &beta_float,
                             g.c,
                             type,
                             g.ldc,
                             g.stride_c,
                             g.batch,
                             compute_type(g.dtype),
                             CUBLAS_GEMM_DEFAULT),
               "cublasGemmStridedBatchedEx");
  return true;
}

}  // namespace thc
