#include "core/runtime/threads.h"

#include <algorithm>
#include <atomic>

#include <omp.h>
#include <pthread.h>

#include "core/runtime/error.h"
#include "core/runtime/interrupt.h"
#include "core/runtime/thread_own.h"

namespace th::threads {
namespace {

/// What the process may use; libgomp has read OMP_NUM_THREADS.
const int limit = omp_get_max_threads();

std::atomic<int> users = 0;
std::atomic<bool> child_of_fork = false;

const int registered = pthread_atfork(nullptr, nullptr, [] {
  child_of_fork = true;
  omp_set_num_threads(1);
});

/// A thread among those that divide the limit. One that has said how many it wants is none of them:
/// workers that take one each, to load data, leave the others what they had.
struct User {
  bool counts = false;
  User() { count(true); }
  ~User() { count(false); }
  void count(bool on) {
    if (on != counts) {
      users.fetch_add(on ? 1 : -1, std::memory_order_relaxed);
      counts = on;
    }
  }
};

/// Plain numbers, apart from User: reaching a variable with a destructor costs a call.
struct Self {
  int wanted = 0;
  User* user = nullptr;
  bool inside = false;
  int64_t part = 0;
  std::atomic<bool>* undone = nullptr;  // of the outermost loop
};
TH_THREAD_OWN Self self;

void count_me() {
  static thread_local User user;
  self.user = &user;
}

#ifdef TH_TSAN
// libgomp's barriers are invisible to ThreadSanitizer, and this file is not instrumented: what one
// thread does before the loop, and the parts before its end, is said here.
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
void acquire(void* address) { __tsan_acquire(address); }
void release(void* address) { __tsan_release(address); }
#else
void acquire(void*) {}
void release(void*) {}
#endif

}  // namespace

int share() {
  if (self.inside || child_of_fork.load(std::memory_order_relaxed)) {
    return 1;
  }
  if (self.wanted > 0) {
    return self.wanted;
  }
  if (self.user == nullptr) [[unlikely]] {
    count_me();
  }
  return std::max(1, limit / std::max(1, users.load(std::memory_order_relaxed)));
}

void set_share(int count) {
  if (self.user == nullptr) {
    count_me();
  }
  self.user->count(count == 0);
  self.wanted = count;
}

int cores() { return omp_get_num_procs(); }
bool inside() { return self.inside; }
int64_t part() { return self.part; }

void run(int64_t parts, void (*work)(void* context, int64_t part), void* context) {
  const int team = share();
  char before = 0;
  char after = 0;
  std::atomic<bool> left = false;
  const bool outermost = !self.inside;
  std::atomic<bool>* undone = outermost ? &left : self.undone;
  release(&before);
#pragma omp parallel num_threads(team) if (team > 1)
  {
    acquire(&before);
    const Self outside = self;
    self.inside = true;
    self.undone = undone;
    // The team may be smaller than was asked for.
    for (self.part = omp_get_thread_num(); self.part < parts; self.part += omp_get_num_threads()) {
      if (interrupt::asked()) [[unlikely]] {
        interrupt::left_undone();
        break;
      }
      work(context, self.part);
    }
    self = outside;
    release(&after);
  }
  acquire(&after);
  if (outermost && left.load(std::memory_order_relaxed)) [[unlikely]] {
    interrupt::left_undone();
  }
}

int lend(int most) {
  const int count = std::min(share(), most);
  if (omp_get_max_threads() != count) {
    omp_set_num_threads(count);
  }
  return count;
}

}  // namespace th::threads

void th::interrupt::left_undone() {
  if (!threads::self.inside) {
    fail("interrupted");
  }
  threads::self.undone->store(true, std::memory_order_relaxed);
}
