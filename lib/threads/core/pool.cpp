// Threads that do jobs: what waits to be done, for anybody or for one of them, and what came of it.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <limits>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <unistd.h>

#include "core/locks.h"
#include "core/message.h"
#include "core/plain.h"
#include "core/runtime/error.h"
#include "core/thread.h"
#include "threads.h"

namespace threads {
namespace {

/// Functions of lua/threads/worker.lua below a job's: the chunk, run, pcall, step, xpcall, perform.
constexpr int kWorkerDepth = 6;

struct Job {
  double number = 0;
  Message message;
};

struct Result {
  threads_Job job{};
  Message message;
};

struct Worker {
  std::unique_ptr<Thread> thread;
  std::deque<Job> jobs;         // that are for it alone
  std::optional<double> doing;  // number of the job
  double parcel = 0;            // that it came with; it may have been stopped before it was read
  bool dead = false;
};

}  // namespace
}  // namespace threads

using std::chrono::milliseconds;
using threads::Job;
using threads::kWorkerDepth;
using threads::Message;
using threads::Worker;

struct threads_Pool {
  threads_Pool(int count, const std::string& code, const char* name)
      : workers(static_cast<size_t>(count)) {
    try {
      const std::lock_guard lock(guard);  // a worker that begins may ask for its entry
      for (int i = 1; i <= count; ++i) {
        worker(i).thread =
            std::make_unique<threads::Thread>(code, name, this, i, [this, i] { worker_ended(i); });
      }
    } catch (...) {
      stop();
      throw;
    }
  }
  ~threads_Pool() { stop(); }

  Worker& worker(int i) { return workers.at(static_cast<size_t>(i) - 1); }

  void stop() {
    const std::lock_guard lock(guard);
    stopping = true;
    for_workers.notify_all();
  }

  bool room(int i) {
    if (i > 0) {
      return worker(i).jobs.size() < workers.size();
    }
    return jobs.size() < workers.size() || std::isfinite(allowed);
  }

  bool may_begin_one() const { return !jobs.empty() && jobs.front().number <= allowed; }

  bool dead(int i) {
    if (i > 0) {
      return worker(i).dead;
    }
    for (const Worker& w : workers) {
      if (!w.dead) {
        return false;
      }
    }
    return true;
  }

  void report(double number, int i, int outcome, Message message = {}) {
    results.splice(results.end(), spare, spare.begin());
    results.back() = {{number, 0, i, outcome}, std::move(message)};
    for_owner.notify_all();
  }

  /// Of the job that a worker has at hand.
  void report_own(int i, int outcome, Message message = {}) {
    Worker& me = worker(i);
    threads::drop_parcel(std::exchange(me.parcel, 0));
    if (me.doing) {
      report(*me.doing, i, outcome, std::move(message));
      me.doing.reset();
    }
  }

  void give_up(std::deque<Job>& list, int i, int outcome) {
    for (const Job& job : list) {
      report(job.number, i, outcome);
    }
    list.clear();
  }

  /// On the worker's thread, the last that it does.
  void worker_ended(int i) {
    const std::lock_guard lock(guard);
    Worker& w = worker(i);
    w.dead = true;
    report_own(i, THREADS_DIED);
    give_up(w.jobs, i, THREADS_DIED);
    if (dead(0)) {
      give_up(jobs, i, THREADS_DIED);
    }
    for_owner.notify_all();
  }

  const pid_t maker = getpid();
  std::mutex guard;
  std::condition_variable for_workers, for_owner;
  std::deque<Job> jobs;                                      // for anybody
  double allowed = std::numeric_limits<double>::infinity();  // the last that may begin
  std::list<threads::Result> results;
  std::list<threads::Result> spare;       // one for each job: a result needs no memory
  std::list<threads::Result> being_read;  // by the owner
  bool stopping = false;
  std::vector<Worker> workers;  // last: their threads use all the others
};

extern "C" {

int threads_pool_new(threads_Pool** pool, int count, const char* code, int64_t length,
                     const char* name) {
  return th::guarded("threads.Threads", [&] {
    *pool = new threads_Pool(count, std::string(code, static_cast<size_t>(length)), name);
  });
}

bool threads_pool_accepts(threads_Pool* pool, int worker) {
  const std::lock_guard lock(pool->guard);
  return pool->room(worker);
}

int threads_pool_put(threads_Pool* pool, int worker, TH_StorageRef* bytes, double number,
                     double parcel) {
  const std::lock_guard lock(pool->guard);
  if (pool->dead(worker)) {
    return -1;
  } else if (!pool->room(worker)) {
    return 0;
  }
  const int status = th::guarded("threads", [&] {
    auto& list = worker == 0 ? pool->jobs : pool->worker(worker).jobs;
    list.emplace_back();
    try {
      pool->spare.emplace_back();
    } catch (...) {
      list.pop_back();
      throw;
    }
    list.back() = {number, Message(bytes, parcel)};
  });
  if (status != TH_OK) {
    return -2;
  }
  if (worker != 0) {
    pool->for_workers.notify_all();
  } else if (number <= pool->allowed) {
    pool->for_workers.notify_one();
  }
  return 1;
}

void threads_pool_allow(threads_Pool* pool, double number) {
  const std::lock_guard lock(pool->guard);
  const double more = number - std::exchange(pool->allowed, number);
  if (pool->jobs.empty() || more <= 0) {
    return;
  } else if (more > 1) {
    pool->for_workers.notify_all();
  } else {  // another one, though a job may wait for a worker that was told and is not awake yet
    pool->for_workers.notify_one();
  }
}

bool threads_pool_result(threads_Pool* pool, TH_StorageRef* bytes, threads_Job* job) {
  const std::lock_guard lock(pool->guard);
  if (pool->results.empty()) {
    return false;
  }
  auto& result = pool->results.front();
  *job = result.job;
  result.message.hand_over(bytes, &job->parcel);
  pool->results.pop_front();
  return true;
}

/// (message, function that gives an empty tensor handle, function that gives an instance) -> object
static int read_message(lua_State* L) {
  const auto& api = threads::lua::api();
  const auto* message = static_cast<const Message*>(api.topointer(L, 1));
  if (!threads::plain::read(L, message->bytes())) {
    api.error(L, "the message was read before");
  }
  return 1;
}

/// For package.loadlib: (threads_Pool *, function that gives an empty tensor handle, function that
/// gives an instance of the class of a name, threads_Job *) -> true and the next result, which is
/// taken, or false and why it cannot be loaded; nothing where it is no plain message, or there is
/// none: threads_pool_result tells.
[[gnu::visibility("default")]] int threads_pool_receive(lua_State* L) {
  const auto& api = threads::lua::api();
  auto* pool = *static_cast<threads_Pool* const*>(api.topointer(L, 1));
  auto* job = static_cast<threads_Job*>(const_cast<void*>(api.topointer(L, 4)));
  std::list<threads::Result>::iterator result;
  {
    const std::lock_guard lock(pool->guard);
    result = pool->results.begin();
    if (result == pool->results.end() || result->job.outcome != THREADS_DONE ||
        !threads::plain::is(result->message.bytes())) {
      return 0;
    }
    pool->being_read.splice(pool->being_read.end(), pool->results, result);
  }
  api.pushcclosure(L, read_message, 0);
  api.pushlightuserdata(L, &result->message);
  api.pushvalue(L, threads::plain::kNewTensor);
  api.pushvalue(L, threads::plain::kNewInstance);
  const bool read = api.pcall(L, 3, 1, 0) == 0;
  *job = result->job;  // reading may have run code that took another one
  pool->being_read.erase(result);
  api.pushboolean(L, read ? 1 : 0);
  api.pushvalue(L, -2);
  return 2;
}

bool threads_pool_wait(threads_Pool* pool, int worker, int time) {
  std::unique_lock lock(pool->guard);
  return pool->for_owner.wait_for(lock, milliseconds(time), [&] {
    return !pool->results.empty() || (worker >= 0 && (pool->room(worker) || pool->dead(worker)));
  });
}

const char* threads_pool_reason(threads_Pool* pool, int worker) {
  return pool->worker(worker).thread->error().c_str();
}

bool threads_pool_cancel(threads_Pool* pool) {
  const std::lock_guard lock(pool->guard);
  pool->give_up(pool->jobs, 0, THREADS_STOPPED);
  bool running = false;
  for (Worker& worker : pool->workers) {
    pool->give_up(worker.jobs, 0, THREADS_STOPPED);
    if (worker.doing) {
      worker.thread->ask_to_stop();
      running = true;
    }
  }
  return running;
}

void threads_pool_pause(threads_Pool* pool) {
  std::unique_lock lock(pool->guard);
  pool->for_owner.wait_for(lock, milliseconds(10));
}

void threads_pool_stop(threads_Pool* pool) { pool->stop(); }

static bool all_ended(threads_Pool* pool) {
  return std::all_of(pool->workers.begin(), pool->workers.end(),
                     [](const Worker& worker) { return worker.thread->ended(); });
}

bool threads_pool_ended(threads_Pool* pool, int time) {
  for (Worker& worker : pool->workers) {
    if (!worker.thread->wait(time)) {
      return false;
    }
  }
  return true;
}

int threads_pool_results(threads_Pool* pool) {
  const std::lock_guard lock(pool->guard);
  return static_cast<int>(pool->results.size());
}

bool threads_pool_is_child(const threads_Pool* pool) { return pool->maker != getpid(); }

void threads_pool_free(void* memory) {
  auto* pool = static_cast<threads_Pool*>(memory);
  if (!threads_pool_is_child(pool)) {  // there are no threads to wait for in a child of fork
    pool->stop();
    // Jobs that nobody waits for may come to their end, but a script that ends does not wait for an
    // endless one.
    constexpr auto kGrace = std::chrono::seconds(1);
    const auto start = std::chrono::steady_clock::now();
    while (!all_ended(pool)) {
      if (std::chrono::steady_clock::now() - start > kGrace) {
        threads_pool_cancel(pool);
      }
      threads_pool_pause(pool);
    }
    delete pool;
  }
}

int threads_pool_take(threads_Pool* pool, int worker, TH_StorageRef* bytes, threads_Job* job,
                      int time) {
  threads::unlock_all();
  threads::end_watch(false);
  std::unique_lock lock(pool->guard);
  Worker& me = pool->worker(worker);
  me.thread->allow_stopping(false);
  pool->report_own(worker, THREADS_STOPPED);  // made to fail outside of what catches errors
  std::deque<Job>* list = nullptr;
  const auto something = [&] {
    list = !me.jobs.empty() ? &me.jobs : pool->may_begin_one() ? &pool->jobs : nullptr;
    return list != nullptr || pool->stopping;
  };
  if (time < 0) {
    pool->for_workers.wait(lock, something);
  } else if (!pool->for_workers.wait_for(lock, milliseconds(time), something)) {
    return 0;
  }
  if (list == nullptr) {
    return -1;
  }
  Job next = std::move(list->front());
  list->pop_front();
  *job = {next.number, 0, worker, THREADS_DONE};
  next.message.hand_over(bytes, &job->parcel);
  me.doing = next.number;
  me.parcel = job->parcel;
  me.thread->allow_stopping(true, kWorkerDepth);
  pool->for_owner.notify_all();
  return 1;
}

void threads_pool_finish(threads_Pool* pool, int worker, int outcome, TH_StorageRef* bytes,
                         double parcel) {
  threads::unlock_all();  // before anybody hears that the job is done
  threads::end_watch(outcome == THREADS_DONE);
  const std::lock_guard lock(pool->guard);
  Worker& me = pool->worker(worker);
  me.thread->allow_stopping(false);
  pool->report_own(worker, outcome, Message(bytes, parcel));
}

}  // extern "C"
