// A lock for sections of a few nanoseconds that are rarely contended.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace th {

/// Locks with one atomic exchange and unlocks with a plain store, where a mutex that threads can
/// sleep on needs a second exchange: a quarter of the time of a cached allocation. Who has to wait
/// spins for a microsecond, then sleeps in growing naps, so that a thread that was preempted or
/// waits for a driver inside the section gets the core. Not recursive.
class SpinLock {
 public:
  void lock() {
    if (taken_.exchange(true, std::memory_order_acquire)) [[unlikely]] {
      wait();
    }
  }
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  [[gnu::noinline]] void wait() {
    std::chrono::microseconds nap{0};
    do {
      for (int i = 0; i < 40 && taken_.load(std::memory_order_relaxed); ++i) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
      }
      if (taken_.load(std::memory_order_relaxed)) {
        nap.count() == 0 ? std::this_thread::yield() : std::this_thread::sleep_for(nap);
        nap = std::min(nap * 2 + std::chrono::microseconds(1), std::chrono::microseconds(100));
      }
    } while (taken_.exchange(true, std::memory_order_acquire));
  }

  std::atomic<bool> taken_{false};
};

}  // namespace th
