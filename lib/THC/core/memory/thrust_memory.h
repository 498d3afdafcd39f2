// Where Thrust's algorithms get their temporary device memory.
#pragma once

#include <unordered_map>

#include "core/memory/allocator.h"

namespace thc {

/// An allocator as thrust::cuda::par(...) wants it, over the device's pool.
class ThrustMemory {
 public:
  using value_type = char;

  explicit ThrustMemory(cudaStream_t stream) : stream_(stream) {
    THC_CHECK(cudaGetDevice(&device_));
  }

  char* allocate(std::ptrdiff_t bytes) {
    Block* block = allocate_block(device_, bytes, stream_);
    try {
      blocks_.emplace(block->begin(), block);
    } catch (...) {
      device_pool(device_).free(block);
      throw;
    }
    return block->begin();
  }

  void deallocate(char* memory, size_t) {
    const auto found = blocks_.find(memory);
    device_pool(device_).free(found->second);
    blocks_.erase(found);
  }

 private:
  cudaStream_t stream_;
  int device_;
  std::unordered_map<char*, Block*> blocks_;
};

}  // namespace thc
