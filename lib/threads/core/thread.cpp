#include "core/thread.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <dlfcn.h>
#include <ucontext.h>
#include <unistd.h>

#include "core/locks.h"
#include "core/runtime/error.h"

namespace threads {
namespace {

constinit thread_local Thread* self = nullptr;

// Ignored where nobody handles it, and used by hardly anybody: as Go does.
constexpr int kSignal = SIGURG;
/// So often the hook alone is asked for before compiled code is left by force.
constexpr int kPatience = 10;

/// Threads that have not ended, for the end of the process.
struct Living {
  std::mutex mutex;
  std::vector<Thread*> threads;
};
Living& living() {
  static auto* instance = new Living;
  return *instance;
}

/// LuaJIT's compiled code belongs to no file and lies within 2 GB of LuaJIT itself. oneDNN makes
/// code too, which may not be left from within a team of OpenMP's.
bool in_compiled_code([[maybe_unused]] void* context) {
  static const auto in_parallel =
      reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "omp_in_parallel"));
#if defined(__x86_64__)
  auto* at = reinterpret_cast<void*>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  auto* at = reinterpret_cast<void*>(static_cast<ucontext_t*>(context)->uc_mcontext.pc);
#else
  void* at = nullptr;
#endif
  const auto distance = reinterpret_cast<intptr_t>(at) -
                        reinterpret_cast<intptr_t>(reinterpret_cast<void*>(lua::api().newstate));
  Dl_info info;
  return at != nullptr && std::abs(distance) < (intptr_t{1} << 31) && dladdr(at, &info) == 0 &&
         (in_parallel == nullptr || in_parallel() == 0);
}

int with_traceback(lua_State* L) {
  const lua::Api& api = lua::api();
  const char* message = api.tolstring(L, 1, nullptr);
  api.traceback(L, L, message == nullptr ? "an error that is no text" : message, 1);
  return 1;
}

}  // namespace

pthread_key_t Thread::key() {
  static const pthread_key_t key = [] {
    pthread_key_t k;
    TH_CHECK(pthread_key_create(&k, finish) == 0, "no room for a thread's own data");
    return k;
  }();
  return key;
}

Thread::Thread(std::string code, std::string name, void* argument, int number,
               std::function<void()> at_end)
    : code_(std::move(code)),
      name_(std::move(name)),
      argument_(argument),
      number_(number),
      at_end_(std::move(at_end)) {
  lua::api();
  key();
  static const bool prepared = [] {
    struct sigaction action {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO;
    sigaction(kSignal, &action, nullptr);
    stop_all_at_exit();
    return true;
  }();
  static_cast<void>(prepared);
  Living& all = living();
  const std::lock_guard lock(all.mutex);
  all.threads.push_back(this);
  // LuaJIT's profiler is of one state, which lives on another thread.
  sigset_t mask, before;
  sigemptyset(&mask);
  sigaddset(&mask, SIGPROF);
  pthread_sigmask(SIG_BLOCK, &mask, &before);
  const int failure = pthread_create(&thread_, nullptr, main, this);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (failure != 0) {
    all.threads.pop_back();
    th::fail("the system starts no further thread: ", std::strerror(failure));
  }
}

Thread::~Thread() {
  pthread_join(thread_, nullptr);
  Living& all = living();
  const std::lock_guard lock(all.mutex);
  std::erase(all.threads, this);
}

void* Thread::main(void* data) {
  auto* thread = static_cast<Thread*>(data);
  self = thread;
  // Whatever ends the thread, its own end or pthread_exit, comes to finish().
  pthread_setspecific(key(), thread);
  thread->run();
  return nullptr;
}

// Nothing with a destructor may live here or in what calls it: a signal's handler jumps back.
void Thread::run() {
  if (sigsetjmp(base_, 1) == 0) {
    work();
  } else {
    error_ = "stopped in compiled code";
    returned_ = true;
  }
}

void Thread::work() {
  const lua::Api& api = lua::api();
  L_ = api.newstate();
  if (L_ == nullptr) {
    error_ = "no memory for a Lua state";
    returned_ = true;
    return;
  }
  api.openlibs(L_);
  api.pushcclosure(L_, with_traceback, 0);
  bool failed = api.loadbuffer(L_, code_.data(), code_.size(), name_.c_str()) != 0;
  if (!failed) {
    api.pushlightuserdata(L_, argument_);
    api.pushnumber(L_, number_);
    failed = api.pcall(L_, 2, 0, 1) != 0;
  }
  allow_stopping(false);
  if (failed) {
    const char* message = api.tolstring(L_, -1, nullptr);
    error_ = message == nullptr ? "an error that is no text" : message;
  }
  returned_ = true;
  lua_State* closing = L_;
  L_ = nullptr;
  api.close(closing);
}

void Thread::finish(void* data) {
  auto* thread = static_cast<Thread*>(data);
  thread->stoppable_.store(false);
  unlock_all();
  if (!thread->returned_) {
    thread->error_ = "its code has ended the thread (pthread_exit)";
  }
  if (thread->at_end_) {
    thread->at_end_();
  }
  const std::lock_guard lock(thread->guard_);
  thread->ended_ = true;
  thread->over_.notify_all();
}

bool Thread::wait(int milliseconds) {
  std::unique_lock lock(guard_);
  return over_.wait_for(lock, std::chrono::milliseconds(milliseconds), [&] { return ended_; });
}

bool Thread::ended() {
  const std::lock_guard lock(guard_);
  return ended_;
}

bool Thread::is_self() const { return self == this; }

void Thread::stop_hook(lua_State* L, lua_Debug*) {
  const lua::Api& api = lua::api();
  if (self == nullptr || !self->meant()) {
    api.sethook(L, nullptr, 0, 0);
    return;
  }
  self->asked_.store(0);
  alignas(16) char ar[lua::kDebugBytes];
  if (L == self->L_ &&
      api.getstack(L, self->depth_.load(), reinterpret_cast<lua_Debug*>(ar)) == 0) {
    return;
  }
  if (self->times_.load() < 2) {
    api.sethook(L, nullptr, 0, 0);
  }
  api.error(L, "interrupted");
}

// On the thread itself, wherever it is: lua_sethook is made for that.
void Thread::on_signal(int, siginfo_t*, void* context) {
  Thread* thread = self;
  if (thread == nullptr || !thread->meant() || thread->L_ == nullptr) {
    return;
  }
  const int error = errno;
  lua::api().sethook(thread->L_, stop_hook, lua::kHookMask, 1);
  thread->times_.fetch_add(1);
  if (thread->asked_.fetch_add(1) >= kPatience && in_compiled_code(context)) {
    siglongjmp(thread->base_, 1);
  }
  errno = error;
}

void Thread::ask_to_stop() {
  const std::lock_guard lock(guard_);
  if (!ended_) {
    wanted_.store(turn_.load());
    pthread_kill(thread_, kSignal);
  }
}

void stop_all_at_exit() {
  static const pid_t maker = getpid();
  on_exit(
      [](int status, void*) {
        if (getpid() != maker) {  // a child of fork has none of them
          return;
        }
        Living& all = living();
        constexpr int kTries = 100;
        for (int i = 0; i <= kTries; ++i) {
          const std::lock_guard lock(all.mutex);
          const bool one_lives =
              std::any_of(all.threads.begin(), all.threads.end(), [](Thread* thread) {
                if (thread->is_self() || thread->ended()) {
                  return false;
                }
                thread->ask_to_stop();
                return true;
              });
          // Not on the main thread, which goes on: libraries must not be taken down under it.
          const bool elsewhere = self != nullptr;
          if (!one_lives && !elsewhere) {
            return;
          }
          if (!one_lives || i == kTries) {
            // Not all files: somebody may wait for input, with the lock of stdin.
            std::fflush(stdout);
            std::fflush(stderr);
            _exit(status);
          }
          usleep(10000);
        }
      },
      nullptr);
}

}  // namespace threads
