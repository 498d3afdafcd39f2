// Device memory and pinned host memory, each from caching pools.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

#include "TH_core.h"
#include "core/device.h"
#include "core/memory/block_pool/pool.h"

namespace thc {

/// The pool of a device's memory.
BlockPool& device_pool(int device);
/// The pool of page-locked host memory, which all devices copy from and to directly.
BlockPool& pinned_pool();

/// A block for work on a stream of the device. Throws OutOfMemory, saying who holds what.
Block* allocate_block(int device, int64_t bytes, cudaStream_t stream);
Block* allocate_pinned(int64_t bytes);

/// Tell the pools that work on `stream` uses t's memory, before that work is enqueued. For the
/// tensors of an operation the dispatcher has done it; operands in lists have to be named.
void note_use(const TH_Tensor& t, cudaStream_t stream);

/// Whether a host tensor lies in pinned memory.
bool is_pinned(const TH_Tensor& t);
/// A storage of the CPU over pinned memory.
TH_Storage* new_pinned_storage(int dtype, int64_t length);

void empty_cache();

/// Whether a device's pool grows in ranges of addresses filled page by page, or in segments.
bool memory_ranges(int device);
/// From now on; what was taken before stays. Throws where the device cannot map pages.
void set_memory_ranges(int device, bool on);
/// Let kernels of `by` reach the pages of `device`, or no longer.
void set_mapped_access(int device, int by, bool enabled);

/// Device memory for the length of a scope on the host: it goes back to the pool at the end, where
/// only later work of the same stream can get it.
class Scratch {
 public:
  Scratch(int device, cudaStream_t stream, int64_t bytes)
      : device_(device), block_(allocate_block(device, bytes, stream)) {}
  /// Room for the current stream of t's device.
  Scratch(const TH_Tensor& t, int64_t bytes);
  Scratch(const Scratch&) = delete;
  ~Scratch() { device_pool(device_).free(block_); }

  template <class T>
  T* data() const {
    return static_cast<T*>(block_->ptr);
  }

 private:
  int device_;
  Block* block_;
};

/// `count` elements from device memory, after all work of the stream so far. Waits.
void fetch_bytes(void* host, const void* memory, int64_t bytes, cudaStream_t stream);
template <class T>
T fetch(const T* memory, cudaStream_t stream) {
  T value;
  fetch_bytes(&value, memory, sizeof(T), stream);
  return value;
}

}  // namespace thc
