// threads.Thread: a thread for one piece of code.
#include <memory>

#include "core/runtime/error.h"
#include "core/thread.h"
#include "threads.h"

struct threads_Thread {
  explicit threads_Thread(std::string code)
      : id(next_id()), thread(std::move(code), "=(thread)", nullptr, 0) {
    thread.allow_stopping(true);
  }
  static double next_id() {
    static std::atomic<int64_t> last = 0;
    return static_cast<double>(++last);
  }
  const double id;
  threads::Thread thread;
};

extern "C" {

int threads_thread_new(threads_Thread** thread, const char* code, int64_t length) {
  return th::guarded("threads.Thread", [&] {
    *thread = new threads_Thread(std::string(code, static_cast<size_t>(length)));
  });
}

double threads_thread_id(const threads_Thread* thread) { return thread->id; }
bool threads_thread_wait(threads_Thread* thread, int milliseconds) {
  return thread->thread.wait(milliseconds);
}
const char* threads_thread_error(threads_Thread* thread) {
  const std::string& error = thread->thread.error();
  return error.empty() ? nullptr : error.c_str();
}
void threads_thread_free(threads_Thread* thread) { delete thread; }

}  // extern "C"
