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
  /// Starts it. The code gets (argument, number). at_end is called on the thread, when all is over.
  Thread(std::string code, void* argument, int number, std::function<void()> at_end = {});
  /// Waits for its end.
  ~Thread();
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  bool wait(int milliseconds);
  bool ended();
  /// Why it ended; empty when it ended well.
  const std::string& error() const { return error_; }
  bool is_self() const;

  /// What runs from now on may be made to fail.
  void allow_stopping(bool allowed) { stoppable_.store(allowed); }
  /// Makes it fail with the error "interrupted", at Lua's next instruction. Compiled loops do not
  /// look for that: when asking is of no use, the thread is ended and its Lua state forgotten.
  void ask_to_stop();

 private:
  static void* main(void* self);
  static void finish(void* self);
  static void on_signal(int, siginfo_t*, void* context);
  static void stop_hook(lua_State* L, lua_Debug*);
  static pthread_key_t key();
  void run();
  void work();

  const std::string code_;
  void* const argument_;
  const int number_;
  const std::function<void()> at_end_;
  pthread_t thread_{};
  lua_State* L_ = nullptr;
  sigjmp_buf base_;
  std::atomic<bool> stoppable_ = false;
  std::atomic<int> asked_ = 0;
  bool returned_ = false;
  std::string error_;
  std::mutex guard_;
  std::condition_variable over_;
  bool ended_ = false;
};

/// At the end of the process: threads that still run are stopped, for libraries are taken down under
/// them.
void stop_all_at_exit();

}  // namespace threads
