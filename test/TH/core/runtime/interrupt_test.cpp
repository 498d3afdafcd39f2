#include "core/runtime/interrupt.h"

#include <chrono>
#include <csignal>
#include <cstring>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "TH/support/convolutions.h"
#include "TH/support/tensors.h"
#include "TH_interrupt.h"
#include "cpu/parallel.h"

namespace th::test {
namespace {

int handled = 0;
void handle(int signal) {
  ++handled;
  std::signal(signal, SIG_DFL);  // as LuaJIT's does
}

class Interrupt : public testing::Test {
 protected:
  void SetUp() override {
    handled = 0;
    TH_onInterrupt(handle);
    before_ = std::signal(SIGINT, TH_interrupt);
  }
  void TearDown() override {
    TH_forgetInterrupts();
    TH_onInterrupt(nullptr);
    std::signal(SIGINT, before_);
  }

 private:
  void (*before_)(int) = nullptr;
};

TEST_F(Interrupt, CallsTheHandlerAndStaysInstalled) {
  EXPECT_EQ(TH_interrupts(), 0);
  EXPECT_FALSE(interrupt::asked());
  std::raise(SIGINT);
  std::raise(SIGINT);
  EXPECT_EQ(handled, 2);
  EXPECT_EQ(TH_interrupts(), 2);
  EXPECT_TRUE(interrupt::asked());
}

TEST_F(Interrupt, IsForgotten) {
  std::raise(SIGINT);
  TH_takeInterrupt();
  EXPECT_FALSE(interrupt::asked());
  EXPECT_EQ(TH_interrupts(), 1);
  TH_forgetInterrupts();
  EXPECT_EQ(TH_interrupts(), 0);
}

TEST_F(Interrupt, GivesUpAProduct) {
  Tensor a = make(TH_DOUBLE, {400, 400});
  Tensor b = make(TH_DOUBLE, {400, 400});
  Tensor c = make(TH_DOUBLE, {400, 400});
  ASSERT_EQ(TH_fill(&a, 1), TH_OK);
  ASSERT_EQ(TH_fill(&b, 1), TH_OK);
  ASSERT_EQ(TH_fill(&c, 0), TH_OK);
  const auto product = [&] { return TH_addmm(&c, 0, &c, 1, &a, &b); };
  ASSERT_EQ(product(), TH_OK);
  TH_interrupt(SIGINT);
  EXPECT_EQ(product(), TH_ERROR);
  EXPECT_NE(std::strstr(TH_lastError(), "interrupted"), nullptr);
  TH_takeInterrupt();
  ASSERT_EQ(product(), TH_OK);
  double value = 0;
  const int64_t last[] = {399, 399};
  ASSERT_EQ(TH_get(&value, &c, last), TH_OK);
  EXPECT_EQ(value, 400);
}

/// Some tenths of a second each, on one thread: by Winograd's way, and directly.
TEST_F(Interrupt, GivesUpAConvolutionThatRuns) {
  const int threads = TH_getNumThreads();
  ASSERT_EQ(TH_setNumThreads(1), TH_OK);
  for (const int dtype : {TH_FLOAT, TH_DOUBLE}) {
    const int64_t N = dtype == TH_FLOAT ? 32 : 4, planes = dtype == TH_FLOAT ? 512 : 256;
    Tensor x = make(dtype, {N, planes, 28, 28});
    Tensor w = make(dtype, {planes, planes, 3, 3});
    Tensor gw = make(dtype, {planes, planes, 3, 3});
    Tensor y = make(dtype, {N, planes, 28, 28});
    for (Tensor* t : {&x, &w, &gw}) {
      ASSERT_EQ(TH_fill(t, 0.5), TH_OK);
    }
    const auto gives_up = [&](auto&& pass) {
      std::thread user([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        TH_interrupt(SIGINT);
      });
      const int status = pass();
      const std::string message = status == TH_OK ? "" : TH_lastError();
      user.join();
      TH_forgetInterrupts();
      EXPECT_NE(message.find("interrupted"), std::string::npos) << class_name(dtype);
    };
    gives_up([&] { return conv2d(&y, &x, &w, nullptr, 1, 1, 1, 1, 1); });
    gives_up([&] { return conv2d_backward_input(&y, &x, &x, &w, 1, 1, 1, 1, 1); });
    if (dtype == TH_FLOAT) {
      gives_up([&] { return conv2d_backward_weight(&gw, nullptr, &x, &x, 1, 1, 1, 1, 1, 1); });
    }
  }
  ASSERT_EQ(TH_setNumThreads(threads), TH_OK);
}

TEST_F(Interrupt, LeavesLoopsThroughTheirEnd) {
  TH_setNumThreads(3);
  TH_interrupt(SIGINT);
  int64_t done = 0;
  EXPECT_THROW(cpu::parallel_items(3, cpu::kGrain, [&](int64_t, int64_t) { ++done; }), Error);
  EXPECT_EQ(done, 0);
  EXPECT_FALSE(threads::inside());
  TH_setNumThreads(TH_getNumCores());
}

TEST_F(Interrupt, FailsForPartsLeftOutThoughItWasTakenMeanwhile) {
  TH_setNumThreads(1);
  const auto nothing = [](void*, int64_t) {};
  const auto interrupted = [](void*, int64_t) {
    TH_interrupt(SIGINT);
    threads::run(
        2, [](void*, int64_t) {}, nullptr);  // leaves all its parts out
    TH_takeInterrupt();
  };
  EXPECT_THROW(threads::run(1, interrupted, nullptr), Error);
  EXPECT_NO_THROW(threads::run(2, nothing, nullptr));
  TH_setNumThreads(TH_getNumCores());
}

}  // namespace
}  // namespace th::test
