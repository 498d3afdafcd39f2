// Threads that each do what a Lua state does, all at once: build with preset `tsan` and run
//   TH_STRESS_SECONDS=60 build/tsan/bin/th_tests --gtest_filter='States*'
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "TH/support/convolutions.h"
#include "TH/support/tensors.h"
#include "TH_account.h"
#include "core/memory/account.h"
#include "core/memory/host_allocator.h"

#ifdef __SANITIZE_THREAD__
/// What is not instrumented but calls memcpy and the like, which are.
extern "C" const char* __tsan_default_suppressions() {  // NOLINT: its name
  return "called_from_lib:libdnnl.so\ncalled_from_lib:libgomp.so\n";
}
#endif

namespace th::test {
namespace {

std::chrono::duration<double> duration() {
  const char* seconds = std::getenv("TH_STRESS_SECONDS");
  return std::chrono::duration<double>(seconds == nullptr ? 2 : std::atof(seconds));
}

/// Storages that threads have given away, each filled with one number.
class Exchange {
 public:
  ~Exchange() {
    for (TH_StorageRef& s : shared_) {
      TH_StorageRef_release(&s);
    }
  }
  void give(const TH_StorageRef& s) {
    TH_StorageRef ours{};
    TH_StorageRef_set(&ours, s.store);
    const std::lock_guard lock(mutex_);
    shared_.push_back(ours);
    if (shared_.size() > 20) {
      TH_StorageRef_release(&shared_.front());
      shared_.erase(shared_.begin());
    }
  }
  bool take(std::mt19937& random, TH_StorageRef& s) {
    const std::lock_guard lock(mutex_);
    if (shared_.empty()) {
      return false;
    }
    TH_StorageRef_set(&s, shared_[random() % shared_.size()].store);
    return true;
  }

 private:
  std::mutex mutex_;
  std::vector<TH_StorageRef> shared_;
};

class State {
 public:
  State(unsigned seed, Exchange& exchange)
      : random_(seed), exchange_(exchange), generator_(TH_Generator_new()) {
    TH_Generator_manualSeed(generator_, seed);
  }
  ~State() { TH_Generator_free(generator_); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void step() {
    storages();
    borrowed();
    products();
    convolutions();
    numbers();
    if (random_() % 50 == 0) {
      TH_emptyCache();
      TH_setNumThreads(1 + static_cast<int>(random_() % 2));
    }
  }

 private:
  Tensor filled(const Sizes& sizes, double value, int dtype = TH_FLOAT) {
    Tensor t = make(dtype, sizes);
    EXPECT_EQ(TH_fill(&t, value), TH_OK);
    return t;
  }

  void storages() {
    TH_StorageRef s{};
    const auto n = static_cast<int64_t>(1 + random_() % 200000);
    ASSERT_EQ(TH_Storage_new(&s, TH_FLOAT, TH_CPU, 0, n), TH_OK);
    ASSERT_EQ(TH_Storage_fill(&s, static_cast<double>(n)), TH_OK);
    ASSERT_EQ(TH_Storage_resize(&s, n + 1000), TH_OK);  // it is ours alone: it may move
    ASSERT_EQ(TH_Storage_fill(&s, static_cast<double>(n)), TH_OK);
    TH_Storage_share(&s);
    exchange_.give(s);
    const int64_t length = n + 1000;
    EXPECT_EQ(TH_Storage_resize(&s, length), TH_OK);
    EXPECT_EQ(TH_Storage_resize(&s, length - 1), TH_ERROR);
    EXPECT_EQ(TH_Storage_resize(&s, length + 1), TH_ERROR);  // there may be room
    EXPECT_EQ(TH_Storage_resize(&s, 2 * length), TH_ERROR);
    TH_StorageRef_release(&s);
  }

  /// Somebody's storage: all its elements are the same.
  void borrowed() {
    TH_StorageRef s{};
    if (!exchange_.take(random_, s)) {
      return;
    }
    Tensor t = empty(TH_FLOAT);
    const int64_t n = s.store->length;
    ASSERT_EQ(TH_setStorage(&t, &s, 0, 1, &n, nullptr), TH_OK);
    double least = 0;
    double most = 0;
    ASSERT_EQ(TH_min_all(&least, &t), TH_OK);
    ASSERT_EQ(TH_max_all(&most, &t), TH_OK);
    EXPECT_EQ(least, most);
    TH_StorageRef_release(&s);
  }

  void products() {
    for (const int dtype : {TH_FLOAT, TH_DOUBLE}) {
      const Tensor a = filled({90, 110}, 1, dtype);
      const Tensor b = filled({110, 70}, 2, dtype);
      const Tensor zero = filled({90, 70}, 0, dtype);
      Tensor r = empty(dtype);
      ASSERT_EQ(TH_addmm(&r, 0, &zero, 1, &a, &b), TH_OK);
      EXPECT_EQ(values(r)[123], 220);
    }
  }

  void convolutions() {
    const Tensor x = filled({2, 32, 8, 8}, 1);
    const Tensor w = filled({32, 32, 3, 3}, 1);
    Tensor y = empty(TH_FLOAT);
    Tensor gx = empty(TH_FLOAT);
    Tensor gw = filled({32, 32, 3, 3}, 0);
    ASSERT_EQ(conv2d(&y, &x, &w, nullptr, 1, 1, 0, 0, 1), TH_OK);
    EXPECT_EQ(values(y)[77], 288);
    ASSERT_EQ(conv2d_backward_input(&gx, &y, &x, &w, 1, 1, 0, 0, 1), TH_OK);
    ASSERT_EQ(conv2d_backward_weight(&gw, nullptr, &y, &x, 1, 1, 0, 0, 1, 1), TH_OK);
    EXPECT_EQ(values(gw)[5], 2 * 36 * 288);
  }

  void numbers() {
    Tensor t = make(TH_DOUBLE, {5000});
    ASSERT_EQ(TH_uniform(&t, generator_, 0, 1), TH_OK);
    double sum = 0;
    ASSERT_EQ(TH_sum_all(&sum, &t), TH_OK);
    EXPECT_NEAR(sum, 2500, 250);
    Tensor sorted = empty(TH_DOUBLE);
    Tensor positions = empty(TH_LONG);
    ASSERT_EQ(TH_sort(&sorted, &positions, &t, 0, false), TH_OK);
    EXPECT_LE(values(sorted)[10], values(sorted)[11]);
  }

  std::mt19937 random_;
  Exchange& exchange_;
  TH_Generator* generator_;
};

TEST(States, WorkSideBySide) {
  Exchange exchange;
  const auto end = std::chrono::steady_clock::now() + duration();
  std::vector<std::thread> states;
  for (unsigned i = 0; i < 8; ++i) {
    states.emplace_back([&, i] {
      State state(i, exchange);
      do {
        state.step();
      } while (std::chrono::steady_clock::now() < end && !testing::Test::HasFatalFailure());
    });
  }
  for (std::thread& s : states) {
    s.join();
  }
}

TEST(States, CountTheirOwnMemory) {
  const double before = TH_account()->made + TH_account()->elsewhere;
  TH_StorageRef s{};
  std::thread([&] {
    ASSERT_EQ(TH_Storage_new(&s, TH_DOUBLE, TH_CPU, 0, 1000), TH_OK);
    EXPECT_GE(TH_account()->made, 8000);
  }).join();
  TH_StorageRef ours{};
  ASSERT_EQ(TH_Storage_new(&ours, TH_DOUBLE, TH_CPU, 0, 500), TH_OK);
  EXPECT_EQ(TH_account()->made + TH_account()->elsewhere, before + 4000);
  TH_StorageRef_release(&s);  // of a thread that has ended: nothing to do with us
  TH_StorageRef_release(&ours);
  EXPECT_EQ(TH_account()->made + TH_account()->elsewhere, before);
}

TEST(States, CollectWhenAnotherHasNoMemoryLeft) {
  constexpr int64_t kMiB = int64_t{1} << 20;
  BlockPool& pool = HostAllocator::instance().pool();
  TH_emptyCache();
  pool.set_limit(static_cast<size_t>(pool.live_bytes() + 300 * kMiB));
  std::atomic<bool> has_garbage = false;
  std::atomic<bool> done = false;
  std::thread other([&] {
    TH_StorageRef garbage{};
    ASSERT_EQ(TH_Storage_new(&garbage, TH_BYTE, TH_CPU, 0, 200 * kMiB), TH_OK);
    TH_Account* account = TH_account();
    account->threshold = 1e12;
    has_garbage = true;
    while (!done) {  // what a binding does before it allocates
      if (account->made + account->elsewhere > std::atomic_ref<double>(account->threshold).load()) {
        TH_StorageRef_release(&garbage);
        std::atomic_ref<double>(account->threshold).store(1e12);
      }
      std::this_thread::yield();
    }
    TH_StorageRef_release(&garbage);
  });
  while (!has_garbage) {
    std::this_thread::yield();
  }
  TH_StorageRef s{};
  EXPECT_EQ(TH_Storage_new(&s, TH_BYTE, TH_CPU, 0, 200 * kMiB), TH_OUT_OF_MEMORY);
  TH_lastResort();
  EXPECT_EQ(TH_Storage_new(&s, TH_BYTE, TH_CPU, 0, 200 * kMiB), TH_OK);
  done = true;
  other.join();
  TH_StorageRef_release(&s);
  pool.set_limit(0);
}

TEST(States, AreNotAskedToCollectWhereOthersHaveReleasedAllThatTheyMade) {
  for (const bool released : {false, true}) {
    TH_StorageRef s{};
    TH_Account* account = nullptr;
    std::atomic<bool> made = false;
    std::atomic<bool> done = false;
    std::thread other([&] {
      ASSERT_EQ(TH_Storage_new(&s, TH_BYTE, TH_CPU, 0, 1000), TH_OK);
      account = TH_account();
      account->threshold = 1e12;
      made = true;
      while (!done) {
        std::this_thread::yield();
      }
    });
    while (!made) {
      std::this_thread::yield();
    }
    if (released) {
      TH_StorageRef_release(&s);
    }
    const Appeal appeal;
    EXPECT_EQ(std::atomic_ref<double>(account->threshold).load() == 1e12, released);
    done = true;
    other.join();
    TH_StorageRef_release(&s);
  }
}

}  // namespace
}  // namespace th::test
