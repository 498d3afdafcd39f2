// Copies that are not waited for: what a script may see of them depends on the order of work, which
// only simulated streams let a test choose.
#include "THC/support/devices.h"
#include "cuda/copy.h"

namespace thc::test {
namespace {

using AsyncCopy = OnDevices;

Tensor pinned(const Sizes& sizes) {
  Tensor host;
  init(host, TH_FLOAT, TH_CPU, 0);
  TH_Storage* const memory = new_pinned_storage(TH_FLOAT, 0);
  set_storage(host, memory, 0, sizes, {});
  th::release(memory);
  return host;
}

TEST_F(AsyncCopy, PinnedMemoryIsReadAndWrittenLater) {
  Tensor host = pinned({64});
  Tensor x = on_device(TH_FLOAT, {64});
  TH_fill(&host, 2);
  copy_async(x, host);
  TH_fill(&host, 3);  // a race, which the simulation shows
  EXPECT_EQ(th::test::values(download(x)), std::vector<double>(64, 3));
  copy_async(host, x);
  EXPECT_GT(sim::pending(), 0u);
  TH_fill(&host, 0);
  THC_synchronize(0);
  EXPECT_EQ(th::test::values(host), std::vector<double>(64, 3));
}

TEST_F(AsyncCopy, PinnedMemoryThatGrowsTakesWithItWhatIsStillToCome) {
  Tensor host = pinned({64});
  Tensor x = on_device(TH_FLOAT, {64});
  TH_fill(&host, 2);
  TH_fill(&x, 3);
  copy_async(host, x);
  resize(host, Sizes{100000});
  narrow(host, host, 0, 0, 64);
  EXPECT_EQ(th::test::values(host), std::vector<double>(64, 3));
}

TEST_F(AsyncCopy, PinnedMemoryWithGapsIsTheCallersAgainWithoutWaiting) {
  Tensor host = pinned({64, 2});
  narrow(host, host, 1, 0, 1);
  TH_fill(&host, 2);
  Tensor x = on_device(TH_FLOAT, {64, 1});
  ASSERT_EQ(TH_copy(&x, &host), TH_OK);
  EXPECT_GT(sim::pending(), 0u);
  TH_fill(&host, 3);
  EXPECT_EQ(th::test::values(download(x)), std::vector<double>(64, 2));
}

TEST_F(AsyncCopy, PageableMemoryIsTheCallersAgainOnReturn) {
  // Small and large, another type, a source with gaps: each takes another way through the host.
  for (const int64_t n : {int64_t{64}, int64_t{2} << 20}) {
    for (const int dtype : {TH_FLOAT, TH_DOUBLE}) {
      for (const bool narrowed : {false, true}) {
        Tensor host = th::test::make(TH_FLOAT, {n, 2});
        if (narrowed) {
          narrow(host, host, 1, 0, 1);
        }
        Tensor x = on_device(dtype, th::test::sizes(host));
        TH_fill(&host, 2);
        ASSERT_EQ(TH_copy(&x, &host), TH_OK);
        TH_fill(&host, 3);
        EXPECT_EQ(th::test::values(download(x)),
                  std::vector<double>(static_cast<size_t>(numel(host)), 2));
      }
    }
  }
}

TEST_F(AsyncCopy, SmallUploadsDoNotWait) {
  const Tensor host = th::test::make(TH_FLOAT, {1000});
  Tensor x = on_device(TH_FLOAT, {1000});
  ASSERT_EQ(TH_copy(&x, &host), TH_OK);
  EXPECT_GT(sim::pending(), 0u);
}

TEST_F(AsyncCopy, UploadsWaitWherePinnedMemoryCannotBeHad) {
  THC_setMemoryLimit(THC_PINNED, 1);
  Tensor host = th::test::make(TH_FLOAT, {1000});
  TH_fill(&host, 2);
  Tensor x = on_device(TH_FLOAT, {1000});
  EXPECT_EQ(TH_copy(&x, &host), TH_OK);
  TH_fill(&host, 3);
  THC_setMemoryLimit(THC_PINNED, 0);
  EXPECT_EQ(th::test::values(download(x)), std::vector<double>(1000, 2));
}

}  // namespace
}  // namespace thc::test
