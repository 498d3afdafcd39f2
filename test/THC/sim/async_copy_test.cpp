// Copies that are not waited for: what a script may see of them depends on the order of work, which
// only simulated streams let a test choose.
#include "THC/support/devices.h"
#include "cuda/copy.h"

namespace thc::test {
namespace {

using AsyncCopy = OnDevices;

TEST_F(AsyncCopy, PinnedMemoryIsReadAndWrittenLater) {
  TH_StorageRef ref{};
  ASSERT_EQ(THC_PinnedStorage_new(&ref, TH_FLOAT, 64), TH_OK);
  Tensor host;
  init(host, TH_FLOAT, TH_CPU, 0);
  const int64_t length = 64;
  set_storage(host, ref.store, 0, std::span(&length, 1), {});
  TH_StorageRef_release(&ref);
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

}  // namespace
}  // namespace thc::test
