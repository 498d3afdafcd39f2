// A thread of the operating system that runs Lua code in a state of its own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <csetjmp>
#include <csignal>
#include <functional>
#include <mutex>
#include <string>

#include <pthread.h>

#include "core/lua_api.h"

namespace threads {

class Thread {
 public:
  /// Starts it. The code, called `name` as Lua names chunks, gets (argument, number). at_end is
  /// called on the thread, when all is over.
  Thread(std::string code, std::string name, void* argument, int number,
         std::function<void()> at_end = {});
  /// Waits for its end.
  ~Thread();
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  bool wait(int milliseconds);
  bool ended();
  /// Why it ended; empty when it ended well.
  const std::string& error() const { return error_; }
  bool is_self() const;

  /// What runs from now on may be made to fail, in functions that lie deeper than so many others.
  void allow_stopping(bool allowed, int depth = 0) {
    depth_.store(depth);
    times_.store(0);
    turn_.fetch_add(1);
    stoppable_.store(allowed);
  }
  /// Makes it fail with the error "interrupted", at Lua's next instruction; asked a second time, at
  /// every one. Compiled loops do not look for that: when asking is of no use, the thread is ended
  /// and its Lua state forgotten.
  void ask_to_stop();

 private:
  static void* main(void* self);
  static void finish(void* self);
  static void on_signal(int, siginfo_t*, void* context);
  static void stop_hook(lua_State* L, lua_Debug*);
  static pthread_key_t key();
  void run();
  void work();

  const std::string code_, name_;
  void* const argument_;
  const int number_;
  const std::function<void()> at_end_;
  pthread_t thread_{};
  lua_State* L_ = nullptr;
  sigjmp_buf base_;
  /// Whether what runs now is what was asked to stop: a signal may come late, a hook be looked at
  /// late, and the next job must not fail for the last one's sake.
  bool meant() const { return stoppable_.load() && wanted_.load() == turn_.load(); }

  std::atomic<bool> stoppable_ = false;
  std::atomic<int> turn_ = 0;
  std::atomic<int> wanted_ = -1;  // the turn that is to stop
  std::atomic<int> depth_ = 0;
  std::atomic<int> times_ = 0;  // that it was asked
  std::atomic<int> asked_ = 0;  // since it has last noticed
  bool returned_ = false;
  std::string error_;
  std::mutex guard_;
  std::condition_variable over_;
  bool ended_ = false;
};

/// At the end of the process: threads that still run are stopped, for libraries are taken down
/// under them.
void stop_all_at_exit();

}  // namespace threads
