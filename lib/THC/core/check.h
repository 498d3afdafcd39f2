// Every call of CUDA is checked here, and its failure explained.
#pragma once

#include <cuda_runtime.h>

#include "core/error.h"

namespace thc {

using namespace th;

/// Throws th::Error (or OutOfMemory): what failed, why, and what to do.
[[noreturn]] void cuda_failed(cudaError_t error, const char* call);

/// "the driver is older than the toolkit ...": cause and remedy of an error, in the user's words.
std::string explain(cudaError_t error);

/// Whether the error stays for the rest of the process: nothing on the device works any more.
bool is_sticky(cudaError_t error);

}  // namespace thc

/// For calls of the runtime: THC_CHECK(cudaMemcpyAsync(...)).
#define THC_CHECK(...)                              \
  do {                                              \
    const cudaError_t thc_error_ = (__VA_ARGS__);   \
    if (thc_error_ != cudaSuccess) [[unlikely]] {   \
      ::thc::cuda_failed(thc_error_, #__VA_ARGS__); \
    }                                               \
  } while (false)
