// Block kernels on the host: each thread of a block is a fiber, so that barriers and shuffles are
// real and a thread that misses one is found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace thc::sim {

inline constexpr int kWarpSize = 32;

/// The fibers of one block after the other; see block.cpp.
class BlockRunner;

/// What a block kernel sees of its block, as DeviceBlock in launch.h.
class Block {
 public:
  int64_t index() const { return index_; }
  int64_t count() const { return count_; }
  int thread() const { return thread_; }
  int threads() const { return threads_; }

  /// Wait until every thread of the block that has not returned is here.
  void sync() const;

  /// The block's shared memory; holds rubbish until written.
  template <class T>
  T* shared() const {
    return static_cast<T*>(shared_);
  }

  /// All 32 threads of the warp must call; a lane outside the warp answers with one's own value.
  template <class T>
  T shuffle_down(T value, int delta) const {
    const int lane = thread_ % kWarpSize;
    return exchange(value, lane + delta < kWarpSize ? thread_ + delta : thread_);
  }
  template <class T>
  T shuffle_xor(T value, int mask) const {
    return exchange(value, thread_ ^ mask);
  }

  /// op over the values of all threads, in the order a device takes.
  template <class T, class Op>
  T reduce(T value, Op op) const {
    put(slot(thread_), value);
    sync();
    if (thread_ == 0) {
      T partial[kMaxThreads / kWarpSize] = {};
      const int warps = threads_ / kWarpSize;
      for (int w = 0; w < warps; ++w) {
        T lanes[kWarpSize];
        for (int i = 0; i < kWarpSize; ++i) {
          lanes[i] = get<T>(slot(w * kWarpSize + i));
        }
        for (int width = kWarpSize / 2; width > 0; width /= 2) {
          for (int i = 0; i < width; ++i) {  // lane 0's half of the butterfly
            lanes[i] = op(lanes[i], lanes[i + width]);
          }
        }
        partial[w] = lanes[0];
      }
      T result = partial[0];
      for (int w = 1; w < warps; ++w) {
        result = op(result, partial[w]);
      }
      put(result_slot(), result);
    }
    sync();
    return get<T>(result_slot());
  }

  static constexpr int kMaxThreads = 1024;
  static constexpr size_t kSlotBytes = 64;

 private:
  friend class BlockRunner;

  template <class T>
  static void put(void* slot, const T& value) {
    static_assert(sizeof(T) <= kSlotBytes && std::is_trivially_copyable_v<T>);
    std::memcpy(slot, &value, sizeof(T));
  }
  template <class T>
  static T get(const void* slot) {
    T value;
    std::memcpy(static_cast<void*>(&value), slot, sizeof(T));
    return value;
  }
  template <class T>
  T exchange(T value, int from) const {
    put(slot(thread_), value);
    sync_warp();
    const T other = get<T>(slot(from));
    sync_warp();
    return other;
  }
  void sync_warp() const;
  void* slot(int thread) const { return slots_ + static_cast<size_t>(thread) * kSlotBytes; }
  void* result_slot() const { return slot(kMaxThreads); }

  BlockRunner* runner_ = nullptr;
  void* shared_ = nullptr;
  char* slots_ = nullptr;
  int64_t index_ = 0;
  int64_t count_ = 0;
  int thread_ = 0;
  int threads_ = 0;
};

/// The body of one thread: call(kernel, block).
using ThreadBody = void (*)(const void* kernel, Block& block);

/// Run all blocks, one after the other. Throws th::Error when threads of a block miss each other at
/// a barrier or a shuffle.
void run_blocks(int64_t blocks, int threads, size_t shared_bytes, const void* kernel,
                ThreadBody body);

template <class Kernel>
void run_blocks(int64_t blocks, int threads, size_t shared_bytes, const Kernel& kernel) {
  run_blocks(blocks, threads, shared_bytes, &kernel,
             [](const void* k, Block& block) { (*static_cast<const Kernel*>(k))(block); });
}

}  // namespace thc::sim
