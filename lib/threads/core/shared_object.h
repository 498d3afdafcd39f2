// Objects with a count of references and a number by which every thread finds them.
#pragma once

#include <atomic>
#include <mutex>
#include <new>
#include <unordered_map>

namespace threads {

template <class T>
class SharedObject {
 public:
  SharedObject() {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    id_ = ++all.last;
    all.objects.emplace(id_, static_cast<T*>(this));
  }
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

  double id() const { return id_; }
  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }

  void release() {
    Registry& all = registry();
    {
      // Under the lock: find() must not meet an object whose last reference is being given up.
      const std::lock_guard lock(all.mutex);
      if (references_.fetch_sub(1, std::memory_order_acq_rel) > 1) {
        return;
      }
      all.objects.erase(id_);
    }
    delete static_cast<T*>(this);
  }

  static T* find(double id) {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    const auto found = all.objects.find(id);
    if (found == all.objects.end()) {
      return nullptr;
    }
    found->second->retain();
    return found->second;
  }

 private:
  struct Registry {
    std::mutex mutex;
    double last = 0;
    std::unordered_map<double, T*> objects;
  };

  /// Never destroyed: threads may outlive the end of main.
  static Registry& registry() {
    static auto* instance = new Registry;
    return *instance;
  }

  double id_;
  std::atomic<int> references_ = 1;
};

/// A new object; NULL without memory, for C knows no exceptions.
template <class T, class... Arguments>
T* made(Arguments... arguments) noexcept {
  try {
    return new T(arguments...);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace threads
