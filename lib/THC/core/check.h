// Every call of CUDA is checked here, and its failure explained.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

#include "core/runtime/error.h"

namespace thc {

using namespace th;

/// Throws th::Error (or OutOfMemory): what failed, why, and what to do.
[[noreturn]] void cuda_failed(cudaError_t error, const char* call);

/// "the driver is older than the toolkit ...": cause and remedy of an error, in the user's words.
std::string explain(cudaError_t error);

/// Whether the error stays for the rest of the process: nothing on the device works any more.
bool is_sticky(cudaError_t error);

/// Throws the fault that earlier work left on the current device, if there is one. For calls of
/// libraries that have a CUDA runtime of their own: they say of a fault only that they failed.
void throw_device_fault(const char* call);

/// What a launch may ask of every device, without asking it first.
inline constexpr int64_t kMostBlocks = 0x7fffffff;
inline constexpr size_t kMostSharedBytes = size_t{48} << 10;

/// When a kernel could not be launched, also with the cache given back. Never OutOfMemory: that
/// would let an operation be made again of which kernels ran already.
[[noreturn]] void launch_failed(cudaError_t error);

[[noreturn]] void launch_refused(int64_t blocks, int threads, int most_threads, size_t shared);

/// Throws on what no device can launch: the grid's numbers are 32 bits wide, and what is cut off
/// would be results that nobody computed. `most_threads` is what the kernel was compiled for.
inline void check_launch(int64_t blocks, int threads, int most_threads, size_t shared) {
  if (blocks < 1 || blocks > kMostBlocks || threads < 1 || threads > most_threads ||
      shared > kMostSharedBytes) [[unlikely]] {
    launch_refused(blocks, threads, most_threads, shared);
  }
}

}  // namespace thc

/// For calls of the runtime: THC_CHECK(cudaMemcpyAsync(...)).
#define THC_CHECK(...)                              \
  do {                                              \
    const cudaError_t thc_error_ = (__VA_ARGS__);   \
    if (thc_error_ != cudaSuccess) [[unlikely]] {   \
      ::thc::cuda_failed(thc_error_, #__VA_ARGS__); \
    }                                               \
  } while (false)
