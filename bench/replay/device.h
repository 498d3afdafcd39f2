// A device of fixed size that has no memory, only counts.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/memory/block_pool/backend.h"
#include "core/memory/mapped_pieces.h"

namespace replay {

/// Addresses are made up. A call is a piece of memory taken or given back, by cudaMalloc and
/// cudaFree or by mapping; reserving addresses costs next to nothing and is not counted.
class Device final : public th::PoolBackend {
 public:
  Device(size_t capacity, bool has_ranges) : capacity_(capacity), has_ranges_(has_ranges) {}

  /// One piece; false: the device is full.
  bool take(size_t bytes) {
    if (bytes > capacity_ - in_use_) {
      return false;
    }
    in_use_ += bytes;
    peak_ = std::max(peak_, in_use_);
    count_call();
    return true;
  }
  void give(size_t bytes) {
    in_use_ -= bytes;
    count_call();
  }

  void* allocate(size_t bytes) noexcept override {
    return take(bytes) ? take_addresses(bytes) : nullptr;
  }
  void free(void*, size_t bytes) noexcept override { give(bytes); }
  void* reserve(size_t bytes, bool) noexcept override {
    return has_ranges_ ? take_addresses(bytes) : nullptr;
  }
  bool map(void* ptr, size_t bytes) noexcept override {
    return pieces_.map(
        ptr, bytes, [&](void*, size_t size) { return take(size); },
        [&](void*, size_t size) { give(size); });
  }
  void unmap(void* ptr, size_t bytes, th::Stream) noexcept override {
    pieces_.unmap(ptr, bytes, [&](void*, size_t size) { give(size); });
  }
  bool is_border(const void* page) const noexcept override { return pieces_.is_border(page); }

  void end_step() { ++step_; }
  int step() const { return step_; }
  size_t peak() const { return peak_; }
  long calls() const { return calls_; }
  /// The step that memory was last taken or given back in, counted from 1; 0: never.
  int last_step_with_calls() const { return last_step_with_calls_; }

 private:
  static constexpr size_t kAlignment = size_t{2} << 20;

  void count_call() {
    ++calls_;
    last_step_with_calls_ = step_;
  }
  void* take_addresses(size_t bytes) {
    const size_t ptr = next_address_;
    next_address_ += (bytes + 2 * kAlignment - 1) / kAlignment * kAlignment;  // never adjacent
    return reinterpret_cast<void*>(ptr);
  }

  const size_t capacity_;
  const bool has_ranges_;
  size_t in_use_ = 0;
  size_t peak_ = 0;
  long calls_ = 0;
  int step_ = 1;
  int last_step_with_calls_ = 0;
  size_t next_address_ = size_t{1} << 40;
  th::MappedPieces pieces_;
};

}  // namespace replay
