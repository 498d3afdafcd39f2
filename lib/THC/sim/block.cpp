#include "sim/block.h"

#include <exception>
#include <memory>
#include <new>
#include <vector>

#include <sys/mman.h>

#include "core/runtime/error.h"
#include "sim/fiber.h"
#include "sim/order.h"

namespace thc::sim {

/// Keeps stacks and slots from one kernel to the next. One per host thread.
class BlockRunner {
 public:
  BlockRunner() : slots_(new char[(Block::kMaxThreads + 1) * Block::kSlotBytes]) {}
  ~BlockRunner() {
    if (stacks_ != nullptr) {
      munmap(stacks_, kStack * Block::kMaxThreads);
    }
  }

  void run(int64_t blocks, int threads, size_t shared_bytes, const void* kernel, ThreadBody body) {
    TH_CHECK(threads >= 1 && threads <= Block::kMaxThreads, "a block cannot have ", threads,
             " threads");
    TH_CHECK(shared_bytes <= kMaxShared, "a block cannot have ", shared_bytes,
             " bytes of shared memory; ", kMaxShared, " is the most");
    reserve(threads);
    shared_.resize((shared_bytes + 15) / 16 * 2 + 2);
    kernel_ = kernel;
    body_ = body;
    Order order(blocks);
    for (int64_t b = 0; b < blocks; ++b) {
      run_block(order.next(), blocks, threads);
    }
  }

  void wait(bool warp_only) {
    Thread& self = threads_[static_cast<size_t>(running_)];
    self.state = warp_only ? State::kAtWarp : State::kAtBlock;
    switch_fiber(self.context, main_);
  }

 private:
  enum class State : uint8_t { kReady, kAtWarp, kAtBlock, kDone };
  struct Thread {
    FiberContext context;
    Block block;
    State state;
  };

  static constexpr size_t kStack = size_t{128} << 10;
  static constexpr size_t kMaxShared = size_t{48} << 10;

  static BlockRunner*& current() {
    thread_local BlockRunner* runner = nullptr;
    return runner;
  }

  void reserve(int threads) {
    if (stacks_ == nullptr) {
      void* memory = mmap(nullptr, kStack * Block::kMaxThreads, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (memory == MAP_FAILED) {
        throw std::bad_alloc();
      }
      stacks_ = static_cast<char*>(memory);
    }
    if (threads_.size() < static_cast<size_t>(threads)) {
      threads_.resize(static_cast<size_t>(threads));
    }
  }

  /// Where a fiber begins.
  static void enter() {
    BlockRunner& runner = *current();
    Thread& self = runner.threads_[static_cast<size_t>(runner.running_)];
    try {
      runner.body_(runner.kernel_, self.block);
    } catch (...) {
      runner.error_ = std::current_exception();
    }
    self.state = State::kDone;
    switch_fiber(self.context, runner.main_);
  }

  void run_block(int64_t index, int64_t count, int threads) {
    current() = this;
    error_ = nullptr;
    std::fill(shared_.begin(), shared_.end(), ~uint64_t{0});
    for (int t = 0; t < threads; ++t) {
      Thread& thread = threads_[static_cast<size_t>(t)];
      thread.block.runner_ = this;
      thread.block.shared_ =
          shared_.data() + (reinterpret_cast<uintptr_t>(shared_.data()) % 16) / 8;
      thread.block.slots_ = slots_.get();
      thread.block.index_ = index;
      thread.block.count_ = count;
      thread.block.thread_ = t;
      thread.block.threads_ = threads;
      thread.state = State::kReady;
      prepare_fiber(thread.context, stacks_ + kStack * static_cast<size_t>(t), kStack, enter);
    }
    for (bool any = true; any;) {
      any = resume(threads);
      if (error_ != nullptr) {
        std::rethrow_exception(error_);
      }
      release(index, threads);
    }
  }

  /// Run every thread that can go on; false when all have returned. In another order each time:
  /// what needs a barrier and has none gives different answers.
  bool resume(int threads) {
    bool any = false;
    Order order(threads);
    for (int i = 0; i < threads; ++i) {
      const auto t = static_cast<int>(order.next());
      Thread& thread = threads_[static_cast<size_t>(t)];
      if (thread.state == State::kReady) {
        running_ = t;
        switch_fiber(main_, thread.context);
      }
      any = any || thread.state != State::kDone;
    }
    return any;
  }

  /// Let those go on whose barrier is complete.
  void release(int64_t index, int threads) {
    bool warps = false;
    for (int first = 0; first < threads; first += kWarpSize) {
      const int last = std::min(first + kWarpSize, threads);
      int waiting = 0;
      for (int t = first; t < last; ++t) {
        waiting += state(t) == State::kAtWarp;
      }
      if (waiting == 0) {
        continue;
      }
      for (int t = first; t < last; ++t) {
        TH_CHECK(state(t) == State::kAtWarp, "threads of a warp part ways: in block ", index, " ",
                 waiting, " of the threads ", first, " to ", last - 1,
                 " wait in a shuffle, but thread ", t,
                 state(t) == State::kDone ? " has returned" : " waits at a barrier");
        state(t) = State::kReady;
      }
      warps = true;
    }
    if (warps) {
      return;
    }
    for (int t = 0; t < threads; ++t) {
      if (state(t) == State::kAtBlock) {
        state(t) = State::kReady;
      }
    }
  }

  State& state(int thread) { return threads_[static_cast<size_t>(thread)].state; }

  char* stacks_ = nullptr;
  std::unique_ptr<char[]> slots_;
  std::vector<uint64_t> shared_;
  std::vector<Thread> threads_;
  FiberContext main_;
  int running_ = 0;
  std::exception_ptr error_;
  const void* kernel_ = nullptr;
  ThreadBody body_ = nullptr;
};

void Block::sync() const { runner_->wait(false); }
void Block::sync_warp() const { runner_->wait(true); }

void run_blocks(int64_t blocks, int threads, size_t shared_bytes, const void* kernel,
                ThreadBody body) {
  thread_local BlockRunner runner;
  runner.run(blocks, threads, shared_bytes, kernel, body);
}

}  // namespace thc::sim
