// Kernels of the script's own: CUDA C that is compiled while it runs. The CUDA build calls NVRTC,
// found at run time, and the driver; the simulated one opens what the host's compiler made.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <cuda_runtime.h>

namespace thc {

/// Sizes in x, y and z; each argument in 8 bytes of its own, at their beginning.
struct KernelLaunch {
  uint32_t grid[3];
  uint32_t block[3];
  size_t shared_bytes;
  std::span<const uint64_t> arguments;

  int64_t blocks() const { return int64_t{grid[0]} * grid[1] * grid[2]; }
  int threads() const { return static_cast<int>(block[0] * block[1] * block[2]); }
};

class ScriptKernel {
 public:
  virtual ~ScriptKernel() = default;
  /// Enqueued on a stream of the kernel's device, which is active.
  virtual void launch(cudaStream_t stream, const KernelLaunch& launch) = 0;
};

/// What compiles, and for which devices: "NVRTC 13.0 sm_90". Code that is kept depends on it.
std::string kernel_target(int device);
/// Code for a device. `address` is an expression for the kernel's: its name, or `(void
/// (*)(float*))f` where there are other functions of that name. Throws what the compiler says.
std::string compile_kernel(const std::string& source, const std::string& address, int device);
/// A kernel of compiled code; lives as long as the process, for work of it may be in any queue.
ScriptKernel* open_kernel(const std::string& code, const std::string& name, int device);

}  // namespace thc
