// A lock that is held for some ten nanoseconds, and a container with one and a count of references.
#pragma once

#include <atomic>
#include <vector>

#include <sched.h>

namespace tds {

class SpinLock {
 public:
  void lock() {
    for (int tries = 0; held_.exchange(true, std::memory_order_acquire); ++tries) {
      while (held_.load(std::memory_order_relaxed)) {
        if (++tries > 100) {  // who holds it may not be running
          sched_yield();
        }
      }
    }
  }
  void unlock() { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_ = false;
};

class Container {
 public:
  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }

  /// Containers within containers within containers ... go one after the other: a chain of a million
  /// would be as many calls within calls.
  void release() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) != 1) {
      return;
    }
    static thread_local std::vector<Container*>* dying = nullptr;
    if (dying != nullptr) {
      dying->push_back(this);
      return;
    }
    std::vector<Container*> list{this};
    dying = &list;
    while (!list.empty()) {
      Container* next = list.back();
      list.pop_back();
      delete next;
    }
    dying = nullptr;
  }

  SpinLock lock;

 protected:
  virtual ~Container() = default;

 private:
  std::atomic<int> references_ = 1;
};

}  // namespace tds
