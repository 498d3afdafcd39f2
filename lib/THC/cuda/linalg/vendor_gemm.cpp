// Products of matrices by cuBLAS.
#include "core/stream.h"
#include "core/tensor/dtype.h"
#include "core/vendor/handles.h"
#include "core/vendor/trouble.h"
#include "core/vendor/vendor.h"

namespace thc {
namespace {

/// By type, so that a new one does not compile before it has an entry.
template <class T>
constexpr cudaDataType_t data_type_of() = delete;
template <>
constexpr cudaDataType_t data_type_of<th::Half>() {
  return CUDA_R_16F;
}
template <>
constexpr cudaDataType_t data_type_of<th::BFloat16>() {
  return CUDA_R_16BF;
}
template <>
constexpr cudaDataType_t data_type_of<float>() {
  return CUDA_R_32F;
}
template <>
constexpr cudaDataType_t data_type_of<double>() {
  return CUDA_R_64F;
}

cudaDataType_t data_type(int dtype) {
  cudaDataType_t type{};
  th::Floating::dispatch(dtype, [&]<class T>() { type = data_type_of<T>(); });
  return type;
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
  constexpr const char* kCall = "cublasGemmStridedBatchedEx";
  const auto call = [&] {
    return cublas().gemm(handle, operation(g.transpose_a), operation(g.transpose_b), g.m, g.n, g.k,
                         wide ? static_cast<const void*>(&alpha) : &alpha_float, g.a, type, g.lda,
                         g.stride_a, g.b, type, g.ldb, g.stride_b,
                         wide ? static_cast<const void*>(&beta) : &beta_float, g.c, type, g.ldc,
                         g.stride_c, g.batch, compute_type(g.dtype), CUBLAS_GEMM_DEFAULT);
  };
  // What adds to C is not made again: the first attempt may have added already.
  check_cublas(beta == 0 ? with_room(kCall, call) : call(), kCall);
  return true;
}

}  // namespace thc
