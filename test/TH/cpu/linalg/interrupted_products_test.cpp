// A product that nobody waits for any more ends soon, on one thread too, where no loop's end asks.
#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "TH/support/tensors.h"
#include "TH_interrupt.h"
#include "cpu/linalg/blocked_gemm.h"

namespace th::test {
namespace {

class InterruptedProducts : public testing::Test {
 protected:
  void SetUp() override {
    TH_setNumThreads(1);
    before_ = std::signal(SIGINT, TH_interrupt);
    TH_interrupt(SIGINT);
  }
  void TearDown() override {
    TH_forgetInterrupts();
    std::signal(SIGINT, before_);
    TH_setNumThreads(TH_getNumCores());
  }

 private:
  void (*before_)(int) = nullptr;
};

Tensor ones(std::initializer_list<int64_t> sizes) {
  Tensor t = make(TH_FLOAT, sizes);
  TH_fill(&t, 1);
  return t;
}

void expect_interrupted(int status) {
  ASSERT_EQ(status, TH_ERROR);
  EXPECT_NE(std::string(TH_lastError()).find("interrupted"), std::string::npos) << TH_lastError();
}

TEST_F(InterruptedProducts, OfFewRowsEndBetweenStrips) {
  const Tensor a = ones({20, 300});
  Tensor r = make(TH_FLOAT, {20, 400});
  const Tensor b = ones({300, 400});
  expect_interrupted(TH_addmm(&r, 0, &r, 1, &a, &b));
  Tensor turned = ones({400, 300});
  transpose(turned, turned, 0, 1);
  const Tensor two = ones({2, 300});
  Tensor few = make(TH_FLOAT, {2, 400});
  expect_interrupted(TH_addmm(&few, 0, &few, 1, &two, &turned));
}

TEST_F(InterruptedProducts, OfABatchEndBetweenMatrices) {
  const Tensor a = ones({9, 8, 8});
  Tensor each = make(TH_FLOAT, {9, 8, 8}), sum = make(TH_FLOAT, {8, 8});
  expect_interrupted(TH_baddbmm(&each, 0, &each, 1, &a, &a));
  expect_interrupted(TH_addbmm(&sum, 0, &sum, 1, &a, &a));
}

TEST_F(InterruptedProducts, OfIntegersEndBetweenRows) {
  Tensor a = make(TH_INT, {30, 20}), r = make(TH_INT, {30, 30}), b = make(TH_INT, {20, 30});
  TH_fill(&a, 1);
  TH_fill(&b, 1);
  TH_fill(&r, 7);
  expect_interrupted(TH_addmm(&r, 0, &r, 1, &a, &b));
  EXPECT_EQ(values(r), std::vector<double>(900, 7));
}

TEST_F(InterruptedProducts, OfPanelsEndBeforeTheNextIsPacked) {
  constexpr int64_t kSide = 300;
  const std::vector<float> a(kSide * kSide, 1);
  std::vector<float> c(kSide * kSide);
  const cpu::Gemm<float> g = {false, true,     kSide, kSide, kSide,    1,    a.data(),
                              kSide, a.data(), kSide, 0,     c.data(), kSide};
  std::vector<float> workspace(static_cast<size_t>(cpu::blocked_workspace(g)), 7);
  EXPECT_THROW(cpu::blocked_gemm<float>(g, workspace), Error);
  EXPECT_TRUE(std::all_of(workspace.begin(), workspace.end(), [](float x) { return x == 7; }));
}

}  // namespace
}  // namespace th::test
