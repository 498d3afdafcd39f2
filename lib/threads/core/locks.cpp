// Mutexes and condition variables for Lua: waiting is done in slices, by whoever calls.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/shared_object.h"
#include "threads.h"

struct threads_Mutex : threads::SharedObject<threads_Mutex> {
  std::mutex guard;
  std::condition_variable unlocked;
  std::thread::id owner;  // of nobody: not locked
};

struct threads_Condition : threads::SharedObject<threads_Condition> {
  std::mutex guard;
  std::condition_variable changed;
  int waiting = 0;
  int signals = 0;  // for those that wait and have not noticed yet
};

using std::chrono::milliseconds;

extern "C" {

threads_Mutex* threads_mutex_new() { return new threads_Mutex; }
threads_Mutex* threads_mutex_find(double id) { return threads_Mutex::find(id); }
void threads_mutex_retain(threads_Mutex* mutex) { mutex->retain(); }
void threads_mutex_release(void* mutex) { static_cast<threads_Mutex*>(mutex)->release(); }
double threads_mutex_id(const threads_Mutex* mutex) { return mutex->id(); }

int threads_mutex_lock(threads_Mutex* mutex, int time) {
  const auto me = std::this_thread::get_id();
  const std::thread::id nobody;
  std::unique_lock lock(mutex->guard);
  if (mutex->owner == me) {
    return -1;
  }
  if (!mutex->unlocked.wait_for(lock, milliseconds(time),
                                [&] { return mutex->owner == nobody; })) {
    return 0;
  }
  mutex->owner = me;
  return 1;
}

int threads_mutex_unlock(threads_Mutex* mutex) {
  {
    const std::lock_guard lock(mutex->guard);
    if (mutex->owner != std::this_thread::get_id()) {
      return mutex->owner == std::thread::id() ? 0 : -1;
    }
    mutex->owner = {};
  }
  mutex->unlocked.notify_one();
  return 1;
}

threads_Condition* threads_condition_new() { return new threads_Condition; }
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
  --condition->signals;
  return true;
}

void threads_condition_end(threads_Condition* condition, bool signalled) {
  const std::lock_guard lock(condition->guard);
  --condition->waiting;
  // Who gives up leaves a signal that came in the last moment to another.
  if (!signalled && condition->signals > condition->waiting) {
    condition->signals = condition->waiting;
  } else if (!signalled && condition->signals > 0) {
    condition->changed.notify_one();
  }
}

}  // extern "C"
