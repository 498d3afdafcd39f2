#include "core/runtime/interrupt.h"

#include <atomic>
#include <csignal>

#include "TH_interrupt.h"

namespace th::interrupt {
namespace {

// A signal handler may use what is free of locks.
std::atomic<bool> wanted = false;
std::atomic<int> times = 0;
std::atomic<void (*)(int)> next = nullptr;
static_assert(decltype(wanted)::is_always_lock_free && decltype(times)::is_always_lock_free &&
              decltype(next)::is_always_lock_free);

}  // namespace

bool asked() { return wanted.load(std::memory_order_relaxed); }

}  // namespace th::interrupt

void TH_interrupt(int signal) {
  using namespace th::interrupt;
  times.fetch_add(1);
  wanted = true;
  if (const auto handler = next.load()) {
    handler(signal);
  }
  struct sigaction profiler;
  if (sigaction(SIGPROF, nullptr, &profiler) == 0 && profiler.sa_handler != SIG_DFL &&
      profiler.sa_handler != SIG_IGN) {
    std::raise(SIGPROF);
  }
  std::signal(signal, TH_interrupt);
}

void TH_onInterrupt(void (*handler)(int)) { th::interrupt::next = handler; }
int TH_interrupts() { return th::interrupt::times; }
void TH_takeInterrupt() { th::interrupt::wanted = false; }
void TH_forgetInterrupts() {
  th::interrupt::wanted = false;
  th::interrupt::times = 0;
}
