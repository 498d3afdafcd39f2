#include "cuda/launch.h"

#include "THC/support/devices.h"

namespace thc::test {
namespace {

using Launch = OnDevices;

struct Nothing {
  TH_HD void operator()(int64_t) const {}
  template <class Block>
  TH_D void operator()(Block&) const {}
};

struct Wide {
  static constexpr int kMostThreads = 1024;
  template <class Block>
  TH_D void operator()(Block&) const {}
};

template <class F>
std::string text_of(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST_F(Launch, MoreBlocksThanAGridHasAreRefused) {
  activate(0);
  const int64_t most = int64_t{0x7fffffff};
  EXPECT_NE(text_of([&] {
              launch(nullptr, most * kThreads + 1, Nothing{});
            }).find("2147483648 blocks of 256 threads"),
            std::string::npos);
  EXPECT_NE(text_of([&] { launch(nullptr, INT64_MAX, Nothing{}); }), "");
  EXPECT_NE(text_of([&] { launch_blocks(nullptr, most + 1, 32, 0, Nothing{}); }), "");
  EXPECT_NE(text_of([&] { launch_blocks(nullptr, 1, 32, (48 << 10) + 1, Nothing{}); }), "");
  EXPECT_EQ(text_of([&] { launch(nullptr, 0, Nothing{}); }), "");
}

TEST_F(Launch, ThreadsAreBoundedByWhatTheKernelIsCompiledFor) {
  activate(0);
  EXPECT_NE(text_of([&] { launch_blocks(nullptr, 1, 512, 0, Nothing{}); }).find("256 threads"),
            std::string::npos);
  EXPECT_EQ(text_of([&] { launch_blocks(nullptr, 1, 512, 0, Wide{}); }), "");
  EXPECT_NE(text_of([&] { launch_blocks(nullptr, 1, 1056, 0, Wide{}); }), "");
  THC_synchronize(0);
}

TEST_F(Launch, AnElementTooManyIsAnErrorOfTheScriptsLineAndNotAShortResult) {
  // One element, seen 2^31 times 256 times: no memory is needed to ask for it.
  Tensor t = on_device(TH_FLOAT, {1, 1});
  const int64_t sizes[] = {int64_t{1} << 20, int64_t{1} << 20};
  expand(t, t, sizes);
  EXPECT_NE(error_of(TH_fill(&t, 1)).find("too much for one kernel"), std::string::npos);
}

}  // namespace
}  // namespace thc::test
