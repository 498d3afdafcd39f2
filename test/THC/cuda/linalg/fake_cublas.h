// A cuBLAS that looks at its arguments as the real one does, and multiplies on the host. For the
// program of fake_cudnn.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/vendor/handles.h"
#include "core/vendor/vendor.h"
#include "functors/numeric.h"

namespace thc::test {

struct FakeCublas {
  cublasComputeType_t compute{};     ///< of the last product
  std::vector<cublasStatus_t> says;  ///< to the next products, before it multiplies
};
inline FakeCublas fake_cublas;

namespace detail {

inline double element(const void* p, cudaDataType_t type, int64_t i) {
  switch (type) {
    case CUDA_R_16F:
      return static_cast<float>(static_cast<const th::Half*>(p)[i]);
    case CUDA_R_16BF:
      return static_cast<float>(static_cast<const th::BFloat16*>(p)[i]);
    case CUDA_R_32F:
      return static_cast<const float*>(p)[i];
    default:
      return static_cast<const double*>(p)[i];
  }
}
inline void set_element(void* p, cudaDataType_t type, int64_t i, double value) {
  switch (type) {
    case CUDA_R_16F:
      static_cast<th::Half*>(p)[i] = th::Half(static_cast<float>(value));
      break;
    case CUDA_R_16BF:
      static_cast<th::BFloat16*>(p)[i] = th::BFloat16(static_cast<float>(value));
      break;
    case CUDA_R_32F:
      static_cast<float*>(p)[i] = static_cast<float>(value);
      break;
    default:
      static_cast<double*>(p)[i] = value;
  }
}

/// As its reference describes it: column-major, factors in the type that is computed in.
inline cublasStatus_t gemm(cublasHandle_t, cublasOperation_t op_a, cublasOperation_t op_b,
                           int64_t m, int64_t n, int64_t k, const void* alpha, const void* a,
                           cudaDataType_t a_type, int64_t lda, long long stride_a, const void* b,
                           cudaDataType_t b_type, int64_t ldb, long long stride_b, const void* beta,
                           void* c, cudaDataType_t c_type, int64_t ldc, long long stride_c,
                           int64_t batch, cublasComputeType_t compute, cublasGemmAlgo_t) {
  const bool wide = compute == CUBLAS_COMPUTE_64F;
  const bool fits =
      wide ? a_type == CUDA_R_64F
           : a_type == CUDA_R_32F ||
                 (compute == CUBLAS_COMPUTE_32F && (a_type == CUDA_R_16F || a_type == CUDA_R_16BF));
  const bool a_fits = lda >= std::max<int64_t>(1, op_a == CUBLAS_OP_N ? m : k);
  const bool b_fits = ldb >= std::max<int64_t>(1, op_b == CUBLAS_OP_N ? k : n);
  if (m < 0 || n < 0 || k < 0 || batch < 0 || !a_fits || !b_fits || ldc < std::max<int64_t>(1, m) ||
      alpha == nullptr || beta == nullptr) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (!fits || a_type != b_type || a_type != c_type) {
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  fake_cublas.compute = compute;
  if (!fake_cublas.says.empty()) {
    const cublasStatus_t status = fake_cublas.says.front();
    fake_cublas.says.erase(fake_cublas.says.begin());
    return status;
  }
  const auto factor = [wide](const void* p) {
    return wide ? *static_cast<const double*>(p) : double{*static_cast<const float*>(p)};
  };
  for (int64_t i = 0; i < batch; ++i) {
    for (int64_t column = 0; column < n; ++column) {
      for (int64_t row = 0; row < m; ++row) {
        double sum = 0;
        for (int64_t t = 0; t < k; ++t) {
          const int64_t at_a = op_a == CUBLAS_OP_N ? row + t * lda : t + row * lda;
          const int64_t at_b = op_b == CUBLAS_OP_N ? t + column * ldb : column + t * ldb;
          sum += element(a, a_type, i * stride_a + at_a) * element(b, b_type, i * stride_b + at_b);
        }
        const int64_t at_c = i * stride_c + row + column * ldc;
        const double before = factor(beta) == 0 ? 0 : factor(beta) * element(c, c_type, at_c);
        set_element(c, c_type, at_c, factor(alpha) * sum + before);
      }
    }
  }
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace detail
}  // namespace thc::test

namespace thc {

const CuBlas& cublas() {
  static const CuBlas functions = [] {
    CuBlas f{};
    f.gemm = test::detail::gemm;
    return f;
  }();
  return functions;
}
cublasHandle_t cublas_handle(int, cudaStream_t) { return nullptr; }
void check_cublas(cublasStatus_t status, const char* call) {
  TH_CHECK(status == CUBLAS_STATUS_SUCCESS, call, " says ", static_cast<int>(status));
}

}  // namespace thc
