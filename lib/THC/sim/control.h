// What only a simulated machine can do, for tests and for the allocator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <cuda_runtime.h>

namespace thc::sim {

/// What a simulated machine is made of. The environment gives the first one: THC_SIM_DEVICES (1),
/// THC_SIM_MEMORY per device (1G), THC_SIM_SEED (1), THC_SIM_DRIVER (the toolkit's version; 0: no
/// driver), THC_SIM_CUDNN (90000; 0: none), THC_SIM_FAIL.
struct Machine {
  int devices = 1;
  size_t memory = size_t{1} << 30;  // bytes per device
  uint64_t seed = 1;
  int driver = CUDART_VERSION;
  int cudnn = 90000;  // 0: none
};
const Machine& machine();

/// Start the drawing of the order of work anew.
void set_seed(uint64_t seed);
/// The next number that decides about the order of work; for tasks.
uint64_t draw();
/// As if another driver or cuDNN was installed; 0: none.
void set_driver(int version);
void set_cudnn(int version);

/// Let the `count`th call of a function from now on fail once: with `error`, or what is usual for
/// it when that is cudaSuccess. "kernel" counts kernels and faults as it runs; "fault" counts calls
/// of any functions, and before that one the current device breaks, so that a fault of earlier work
/// can be found anywhere. 0 takes it back.
void fail(const std::string& call, int count, cudaError_t error = cudaSuccess);
/// "cudaMalloc:3,kernel:1:700"
void fail(const std::string& rules);

/// Forget faults, as only a new process can on a real device. Work that was queued is dropped.
void reset();

/// More about the latest fault than CUDA would tell; empty when there is none.
std::string fault_text();

/// Overwrite memory with NaNs (bytes of 0xff) in a stream's order.
void poison(int device, cudaStream_t stream, void* ptr, size_t bytes);

/// Tasks of all streams that have not run yet.
size_t pending();

}  // namespace thc::sim
