// The one way to run device code.
//
// A kernel is a struct whose members are its arguments and whose call operator is its body:
//
//   struct Axpy {                             // one thread per index
//     float* r; const float* x; float a;
//     TH_HD void operator()(int64_t i) const { r[i] += a * x[i]; }
//   };
//   launch(stream, n, Axpy{r, x, a});
//
//   struct RowSum {                           // threads of a block work together
//     template <class Block> TH_D void operator()(Block& block) const {
//       float sum = 0;
//       for (int64_t j = block.thread(); j < columns; j += block.threads()) sum += ...;
//       sum = block.reduce(sum, Plus{});
//       if (block.thread() == 0) r[block.index()] = sum;
//     }
//     static constexpr int kMostThreads = 1024;   // where it is to have more than kThreads
//   };
//   launch_blocks(stream, rows, 256, 0, RowSum{...});
//
//   run(stream, [=](const auto& policy) {     // a whole algorithm of Thrust
//     thrust::sort(policy, keys, keys + n);
//   });
//
// Under CUDA these are kernels on the stream. In the simulated build (THC_SIMULATED) they are tasks
// of a simulated stream: the same struct, called in a loop or by fibers (sim/block.h), indices and
// blocks in an order that is drawn.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

#include "core/check.h"
#include "core/memory/allocator.h"
#include "core/stream.h"
#include "functors/numeric.h"

#ifdef THC_SIMULATED
#include <thrust/system/cpp/execution_policy.h>

#include "sim/block.h"
#include "sim/order.h"
#include "sim/tasks.h"
#else
#include <thrust/execution_policy.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>

#include "core/memory/thrust_memory.h"
#endif

// Code for the device alone: the bodies of block kernels.
#ifdef __CUDACC__
#define TH_D __device__
#else
#define TH_D
#endif

namespace thc {

/// Threads of a block for index kernels.
inline constexpr int kThreads = 256;
inline constexpr int kWarp = 32;

namespace detail {

/// The most threads that a block kernel is launched with, which bounds the registers that a thread
/// of it may have: what it says of itself as `kMostThreads`, otherwise kThreads.
template <class Kernel>
constexpr int most_threads() {
  if constexpr (requires { Kernel::kMostThreads; }) {
    return Kernel::kMostThreads;
  } else {
    return kThreads;
  }
}

/// Arguments travel with each launch. Devices take 32,764 bytes; a kernel that needs more than a
/// page has something in it that belongs into memory.
template <class Kernel>
constexpr bool travels = sizeof(Kernel) <= 4096 - sizeof(int64_t);

/// The blocks that index kernels take for n indices, of which each can be one.
inline int64_t blocks_for(int64_t n) { return n / kThreads + (n % kThreads != 0 ? 1 : 0); }

/// enqueue() launches a kernel and returns what CUDA says of that launch alone, not of calls before
/// it. A kernel's code is loaded when it is first launched; where the device has no memory for it,
/// the cache is given back and this kernel launched once more. The operation must not be: kernels
/// of it that ran already may have added to what is there.
template <class Enqueue>
void launch_with_room(const Enqueue& enqueue) {
  cudaError_t error = enqueue();
  if (error == cudaErrorMemoryAllocation) [[unlikely]] {
    cudaGetLastError();
    empty_cache();
    error = enqueue();
  }
  if (error != cudaSuccess) [[unlikely]] {
    launch_failed(error);
  }
}

}  // namespace detail

#ifdef THC_SIMULATED

template <class Kernel>
void launch(cudaStream_t stream, int64_t n, const Kernel& kernel) {
  static_assert(detail::travels<Kernel>);
  if (n > 0) {
    check_launch(detail::blocks_for(n), kThreads, kThreads, 0);
    detail::launch_with_room(
        [&] { return sim::enqueue(stream, "kernel", [=] { sim::in_any_order(n, kernel); }); });
  }
}

template <class Kernel>
void launch_blocks(cudaStream_t stream, int64_t blocks, int threads, size_t shared_bytes,
                   const Kernel& kernel) {
  static_assert(detail::travels<Kernel>);
  if (blocks > 0) {
    check_launch(blocks, threads, detail::most_threads<Kernel>(), shared_bytes);
    detail::launch_with_room([&] {
      return sim::enqueue(stream, "block kernel", [=] {
        sim::run_blocks(blocks, threads, shared_bytes, [&](sim::Block& block) { kernel(block); });
      });
    });
  }
}

template <class Algorithm>
void run(cudaStream_t stream, const Algorithm& algorithm) {
  THC_CHECK(sim::enqueue(stream, "algorithm", [=] { algorithm(thrust::cpp::par); }));
}

#else

/// What a block kernel sees of its block.
class DeviceBlock {
 public:
  __device__ int64_t index() const { return blockIdx.x; }
  __device__ int64_t count() const { return gridDim.x; }
  __device__ int thread() const { return static_cast<int>(threadIdx.x); }
  __device__ int threads() const { return static_cast<int>(blockDim.x); }
  __device__ void sync() const { __syncthreads(); }

  /// The block's shared memory as elements; what launch_blocks was given, uninitialised.
  template <class T>
  __device__ T* shared() const {
    extern __shared__ __align__(16) unsigned char memory[];
    return reinterpret_cast<T*>(memory);
  }

  /// The value of the thread `delta` places on in this warp; beyond its end, one's own.
  template <class T>
  __device__ T shuffle_down(T value, int delta) const {
    return words(value, [=](uint32_t w) { return __shfl_down_sync(0xffffffffu, w, delta); });
  }
  template <class T>
  __device__ T shuffle_xor(T value, int mask) const {
    return words(value, [=](uint32_t w) { return __shfl_xor_sync(0xffffffffu, w, mask); });
  }

  /// op over the values of all threads, known to all of them. op is associative; the order is fixed
  /// by the number of threads, a multiple of 32.
  template <class T, class Op>
  __device__ T reduce(T value, Op op) const {
    __shared__ T partial[kWarp];
    for (int delta = kWarp / 2; delta > 0; delta /= 2) {
      value = op(value, shuffle_xor(value, delta));
    }
    __syncthreads();  // partial may still be read from the last call
    if (threadIdx.x % kWarp == 0) {
      partial[threadIdx.x / kWarp] = value;
    }
    __syncthreads();
    T result = partial[0];
    for (int w = 1; w < static_cast<int>(blockDim.x) / kWarp; ++w) {
      result = op(result, partial[w]);
    }
    return result;
  }

 private:
  /// f on each 32-bit word of a value: the hardware shuffles nothing larger.
  template <class T, class F>
  __device__ static T words(const T& value, F f) {
    static_assert(std::is_trivially_copyable_v<T>);
    uint32_t w[(sizeof(T) + 3) / 4] = {};
    memcpy(w, &value, sizeof(T));
#pragma unroll
    for (uint32_t& each : w) {
      each = f(each);
    }
    T result;
    memcpy(&result, w, sizeof(T));
    return result;
  }
};

namespace detail {

// With the least number of blocks that a multiprocessor is to hold: without it the compiler saves
// registers until it has to spill some.
template <class Kernel>
__global__ void __launch_bounds__(kThreads, 2)
    index_kernel(int64_t n, const __grid_constant__ Kernel kernel) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i < n) {
    kernel(i);
  }
}

template <class Kernel>
__global__ void __launch_bounds__(most_threads<Kernel>(), most_threads<Kernel>() > kThreads ? 1 : 2)
    block_kernel(const __grid_constant__ Kernel kernel) {
  DeviceBlock block;
  kernel(block);
}

/// Unlike <<< >>> this has an answer of its own. `f` is the kernel, `arguments` are its parameters.
template <class F, class... Arguments>
void launch_kernel(cudaStream_t stream, F* f, int64_t blocks, int threads, size_t shared_bytes,
                   const Arguments&... arguments) {
  void* pointers[] = {const_cast<Arguments*>(&arguments)...};
  launch_with_room([&] {
    return cudaLaunchKernel(reinterpret_cast<const void*>(f), dim3(static_cast<unsigned>(blocks)),
                            dim3(static_cast<unsigned>(threads)), pointers, shared_bytes, stream);
  });
}

}  // namespace detail

template <class Kernel>
void launch(cudaStream_t stream, int64_t n, const Kernel& kernel) {
  static_assert(detail::travels<Kernel>);
  if (n > 0) {
    const int64_t blocks = detail::blocks_for(n);
    check_launch(blocks, kThreads, kThreads, 0);
    detail::launch_kernel(stream, detail::index_kernel<Kernel>, blocks, kThreads, 0, n, kernel);
  }
}

template <class Kernel>
void launch_blocks(cudaStream_t stream, int64_t blocks, int threads, size_t shared_bytes,
                   const Kernel& kernel) {
  static_assert(detail::travels<Kernel>);
  if (blocks > 0) {
    check_launch(blocks, threads, detail::most_threads<Kernel>(), shared_bytes);
    detail::launch_kernel(stream, detail::block_kernel<Kernel>, blocks, threads, shared_bytes,
                          kernel);
  }
}

template <class Algorithm>
void run(cudaStream_t stream, const Algorithm& algorithm) {
  ThrustMemory memory(stream);
  try {
    algorithm(thrust::cuda::par_nosync(memory).on(stream));
  } catch (const thrust::system_error& e) {
    if (e.code().category() != thrust::cuda_category()) {
      throw;
    }
    cuda_failed(static_cast<cudaError_t>(e.code().value()), "an algorithm of Thrust");
  }
}

#endif

}  // namespace thc
