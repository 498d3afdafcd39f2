// Mutexes and condition variables for Lua: waiting is done in slices, by whoever calls.
#include "core/locks.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

#include "core/shared_object.h"
#include "threads.h"

struct threads_Mutex : threads::SharedObject<threads_Mutex> {
  std::mutex guard;
  std::condition_variable unlocked;
  double owner = 0;               // number of a thread; of nobody: not locked
  threads_Mutex* next = nullptr;  // that the same thread has locked
};

struct threads_Condition : threads::SharedObject<threads_Condition> {
  std::mutex guard;
  std::condition_variable changed;
  int waiting = 0;
  int signals = 0;  // for those that wait and have not noticed yet
};

using std::chrono::milliseconds;

namespace threads {
namespace {

/// The system gives the id of a thread that has ended to another; these numbers never come again.
double me() {
  static std::atomic<int64_t> last = 0;
  static constinit thread_local double number = 0;
  if (number == 0) {
    number = static_cast<double>(++last);
  }
  return number;
}

/// What the calling thread has locked, with a reference to each.
constinit thread_local threads_Mutex* locked = nullptr;

void let_go(threads_Mutex* mutex) {
  threads_Mutex** place = &locked;
  while (*place != mutex) {
    place = &(*place)->next;
  }
  *place = mutex->next;
  mutex->next = nullptr;
  {
    const std::lock_guard lock(mutex->guard);
    mutex->owner = 0;
  }
  mutex->unlocked.notify_one();
  mutex->release();
}

}  // namespace

void unlock_all() {
  while (locked != nullptr) {
    let_go(locked);
  }
}

}  // namespace threads

extern "C" {

threads_Mutex* threads_mutex_new() { return threads::made<threads_Mutex>(); }
threads_Mutex* threads_mutex_find(double id) { return threads_Mutex::find(id); }
void threads_mutex_retain(threads_Mutex* mutex) { mutex->retain(); }
void threads_mutex_release(void* mutex) { static_cast<threads_Mutex*>(mutex)->release(); }
double threads_mutex_id(const threads_Mutex* mutex) { return mutex->id(); }

int threads_mutex_lock(threads_Mutex* mutex, int time) {
  const double me = threads::me();
  std::unique_lock lock(mutex->guard);
  if (mutex->owner == me) {
    return -1;
  }
  if (!mutex->unlocked.wait_for(lock, milliseconds(time), [&] { return mutex->owner == 0; })) {
    return 0;
  }
  mutex->owner = me;
  mutex->retain();
  mutex->next = std::exchange(threads::locked, mutex);
  return 1;
}

int threads_mutex_unlock(threads_Mutex* mutex) {
  {
    const std::lock_guard lock(mutex->guard);
    if (mutex->owner != threads::me()) {
      return mutex->owner == 0 ? 0 : -1;
    }
  }
  threads::let_go(mutex);
  return 1;
}

threads_Condition* threads_condition_new() { return threads::made<threads_Condition>(); }
threads_Condition* threads_condition_find(double id) { return threads_Condition::find(id); }
void threads_condition_retain(threads_Condition* condition) { condition->retain(); }
void threads_condition_release(void* condition) {
  static_cast<threads_Condition*>(condition)->release();
}
double threads_condition_id(const threads_Condition* condition) { return condition->id(); }

void threads_condition_signal(threads_Condition* condition) {
  const std::lock_guard lock(condition->guard);
  if (condition->signals < condition->waiting) {
    ++condition->signals;
    condition->changed.notify_one();
  }
}

void threads_condition_begin(threads_Condition* condition) {
  const std::lock_guard lock(condition->guard);
  ++condition->waiting;
}

bool threads_condition_wait(threads_Condition* condition, int time) {
  std::unique_lock lock(condition->guard);
  if (!condition->changed.wait_for(lock, milliseconds(time),
                                   [&] { return condition->signals > 0; })) {
    return false;
  }
  // Here, not in `end`: between the two a signal would be kept for somebody who is served already.
  --condition->signals;
  --condition->waiting;
  return true;
}

void threads_condition_end(threads_Condition* condition, bool signalled) {
  if (signalled) {
    return;
  }
  const std::lock_guard lock(condition->guard);
  --condition->waiting;
  // Who gives up leaves a signal that came in the last moment to another.
  if (condition->signals > condition->waiting) {
    condition->signals = condition->waiting;
  } else if (condition->signals > 0) {
    condition->changed.notify_one();
  }
}

}  // extern "C"
