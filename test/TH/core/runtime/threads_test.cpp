#include "core/runtime/threads.h"

#include <atomic>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "TH.h"
#include "TH/support/convolutions.h"
#include "TH/support/tensors.h"
#include "cpu/parallel.h"

namespace th::test {
namespace {

class Threads : public testing::Test {
 protected:
  void SetUp() override { TH_setNumThreads(3); }
  void TearDown() override { TH_setNumThreads(TH_getNumCores()); }
};

// A worker that takes one thread for itself leaves the others what they had.
TEST_F(Threads, ThatSayWhatTheyWantTakeNoShareFromOthers) {
  threads::set_share(0);  // as at first
  const int before = threads::share();
  std::atomic<bool> counted = false;
  std::atomic<bool> done = false;
  std::thread worker([&] {
    TH_setNumThreads(1);
    EXPECT_EQ(threads::share(), 1);
    counted = true;
    while (!done) {
      std::this_thread::yield();
    }
  });
  while (!counted) {
    std::this_thread::yield();
  }
  EXPECT_EQ(threads::share(), before);
  done = true;
  worker.join();
  EXPECT_EQ(threads::share(), before);
}

TEST_F(Threads, DoEveryPartOnce) {
  for (const int64_t parts : {1, 2, 3, 4, 50}) {
    std::vector<std::atomic<int>> done(static_cast<size_t>(parts));
    threads::run(
        parts,
        [](void* context, int64_t part) {
          EXPECT_TRUE(threads::inside());
          EXPECT_EQ(threads::part(), part);
          EXPECT_EQ(threads::share(), 1);  // no teams within teams
          ++static_cast<std::atomic<int>*>(context)[part];
        },
        done.data());
    EXPECT_FALSE(threads::inside());
    for (const auto& times : done) {
      EXPECT_EQ(times, 1);
    }
  }
}

TEST_F(Threads, AreTheSameOnesFromLoopToLoop) {
  const auto count = [] {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return std::distance(begin(tasks), end(tasks));
  };
  std::atomic<int64_t> sum = 0;
  const auto loop = [&](int64_t items) {
    cpu::parallel_items(items, cpu::kGrain,
                        [&](int64_t begin, int64_t end) { sum += end - begin; });
  };
  loop(3);
  const auto before = count();
  for (int i = 0; i < 200; ++i) {
    loop(2 + i % 5);
    ASSERT_EQ(count(), before);
  }
}

TEST_F(Threads, ShareTheCoresUntilSomebodyAsks) {
  threads::set_share(0);
  const int before = TH_getNumThreads();
  std::thread([] {
    const int cores = TH_getNumCores();
    EXPECT_LE(TH_getNumThreads(), std::max(1, cores / 2));  // the test's own thread is one user
    TH_setNumThreads(5);
    EXPECT_EQ(TH_getNumThreads(), 5);
  }).join();
  EXPECT_EQ(TH_getNumThreads(), before);
}

#ifndef __SANITIZE_THREAD__  // which cannot follow a fork
/// Runs f in a child of fork; whether it returned true within the time.
template <class F>
bool in_child(F&& f) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(f() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Products, sums, sorting, a convolution and LAPACK, each large enough for several threads.
bool everything_works() {
  const auto filled = [](const Sizes& sizes, double value, int dtype) {
    Tensor t = make(dtype, sizes);
    TH_fill(&t, value);
    return t;
  };
  Tensor r = empty(TH_FLOAT);
  const Tensor zero = filled({300, 300}, 0, TH_FLOAT);
  const Tensor ones = filled({300, 300}, 1, TH_FLOAT);
  if (TH_addmm(&r, 0, &zero, 1, &ones, &ones) != TH_OK || values(r)[777] != 300) {
    return false;
  }
  double sum = 0;
  const Tensor many = filled({1000000}, 2, TH_FLOAT);
  if (TH_sum_all(&sum, &many) != TH_OK || sum != 2e6) {
    return false;
  }
  const Tensor x = filled({4, 32, 20, 20}, 1, TH_FLOAT);
  const Tensor w = filled({32, 32, 3, 3}, 1, TH_FLOAT);
  Tensor y = empty(TH_FLOAT);
  if (conv2d(&y, &x, &w, nullptr, 1, 1, 0, 0, 1) != TH_OK || std::abs(values(y)[99] - 288) > 1e-2) {
    return false;
  }
  Tensor a = filled({200, 200}, 0, TH_DOUBLE);
  for (int64_t i = 0; i < 200; ++i) {
    data<double>(a)[i * 201] = 4;
  }
  Tensor inverse = empty(TH_DOUBLE);
  return TH_inverse(&inverse, &a) == TH_OK && values(inverse)[201] == 0.25;
}

TEST_F(Threads, OfAChildOfForkAreOne) {
  ASSERT_TRUE(everything_works());  // there is a team now
  EXPECT_TRUE(in_child([] {
    return TH_getNumThreads() == 1 && everything_works() &&
           in_child([] { return everything_works(); });
  }));
  EXPECT_EQ(TH_getNumThreads(), 3);
  EXPECT_TRUE(everything_works());
}

/// A child has the locks as they were when it was made, and only the thread that made it: one that
/// another thread held would stay taken for ever.
TEST_F(Threads, LeaveNoLockTakenInAChildOfFork) {
  const auto allocate = [] {
    Tensor small = make(TH_FLOAT, {10}), large = make(TH_FLOAT, {300000});
    return TH_fill(&small, 1) == TH_OK && TH_fill(&large, 1) == TH_OK;
  };
  std::atomic<bool> over{false};
  std::vector<std::thread> others;
  for (int i = 0; i < 3; ++i) {
    others.emplace_back([&] {
      while (!over) {
        EXPECT_TRUE(allocate());
        TH_emptyCache();
      }
    });
  }
  for (int i = 0; i < 50; ++i) {
    EXPECT_TRUE(in_child(allocate));
  }
  over = true;
  for (std::thread& thread : others) {
    thread.join();
  }
}

TEST_F(Threads, LeaveTemporaryFilesToTheProcessThatMadeThem) {
  const std::string path = testing::TempDir() + "th_temporary_" + std::to_string(getpid());
  TH_StorageRef s{};
  ASSERT_EQ(TH_Storage_map(&s, TH_FLOAT, path.c_str(), true, true, 10), TH_OK);
  EXPECT_TRUE(in_child([&] {
    TH_StorageRef_release(&s);
    return true;
  }));
  EXPECT_EQ(access(path.c_str(), F_OK), 0);
  TH_StorageRef_release(&s);
  EXPECT_NE(access(path.c_str(), F_OK), 0);
}
#endif

}  // namespace
}  // namespace th::test
