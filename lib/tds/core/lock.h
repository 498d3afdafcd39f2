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

/// What one thread alone can reach is not locked. Whoever hands a container to another thread, or puts
/// it into one that several reach, says so before (share).
class Container {
 public:
  bool shared() const { return shared_; }
  void share() {
    if (!shared_) {
      shared_ = true;
      static thread_local std::vector<Container*>* list = nullptr;
      in_turn(list, [](Container* next) { next->share_elements(); });
    }
  }

  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }

  void release() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      static thread_local std::vector<Container*>* list = nullptr;
      in_turn(list, [](Container* next) { delete next; });
    }
  }

  class Guard {
   public:
    explicit Guard(Container* container) : container_(container->shared_ ? container : nullptr) {
      if (container_ != nullptr) {
        container_->lock_.lock();
      }
    }
    ~Guard() {
      if (container_ != nullptr) {
        container_->lock_.unlock();
      }
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    Container* const container_;
  };

 protected:
  virtual ~Container() = default;
  virtual void share_elements() = 0;

 private:
  /// Containers within containers within containers ... one after the other: a chain of a million
  /// would be as many calls within calls.
  template <class F>
  void in_turn(std::vector<Container*>*& list, F&& f) {
    if (list != nullptr) {
      list->push_back(this);
      return;
    }
    std::vector<Container*> mine{this};
    list = &mine;
    while (!mine.empty()) {
      Container* next = mine.back();
      mine.pop_back();
      f(next);
    }
    list = nullptr;
  }

  SpinLock lock_;
  bool shared_ = false;
  std::atomic<int> references_ = 1;
};

}  // namespace tds
