// Device memory that is mapped page by page.
#include <vector>

#include "THC/support/devices.h"
#include "core/memory/device_memory.h"
#include "sim/tasks.h"

namespace thc::test {
namespace {

constexpr size_t kMiB = size_t{1} << 20;
constexpr size_t kPage = 2 * kMiB;

class Ranges : public OnDevices {
 protected:
  static size_t free_on(int device) {
    int64_t free = 0;
    int64_t total = 0;
    EXPECT_EQ(THC_memoryUsage(device, &free, &total), TH_OK);
    return static_cast<size_t>(free);
  }
  static void assign(int device, cudaStream_t stream, char* at, float value) {
    const DeviceGuard guard(device);
    sim::enqueue(stream, "kernel", [=] { *reinterpret_cast<float*>(at) = value; });
  }
  static float value_of(int device, const char* at) {
    const DeviceGuard guard(device);
    return fetch(reinterpret_cast<const float*>(at), nullptr);
  }
};

TEST_F(Ranges, GetMemoryFromTheDeviceWhereAndWhenItIsMapped) {
  DeviceMemory memory(1, kPage);
  ASSERT_TRUE(memory.has_ranges());
  const size_t free = free_on(1);
  auto* range = static_cast<char*>(memory.reserve(100 * kMiB, false));
  ASSERT_NE(range, nullptr);
  EXPECT_EQ(reinterpret_cast<size_t>(range) % kPage, 0u);
  EXPECT_EQ(free_on(1), free) << "addresses cost nothing";
  ASSERT_TRUE(memory.map(range + 10 * kMiB, 40 * kMiB));
  EXPECT_EQ(free_on(1), free - 40 * kMiB);
  // The pieces are one memory for whoever uses it.
  char* const border = range + (10 + 16) * kMiB;
  assign(1, nullptr, border - 4, 1);
  assign(1, nullptr, border, 2);
  EXPECT_EQ(value_of(1, border - 4), 1);
  EXPECT_EQ(value_of(1, border), 2);
  memory.unmap(range + 10 * kMiB, 40 * kMiB, nullptr);
  EXPECT_EQ(free_on(1), free);
  memory.unreserve(range, 100 * kMiB);
}

TEST_F(Ranges, CanBeGivenBackInThePiecesTheyWereMappedIn) {
  DeviceMemory memory(0, kPage);
  auto* range = static_cast<char*>(memory.reserve(100 * kMiB, false));
  ASSERT_TRUE(memory.map(range, 40 * kMiB));
  std::vector<size_t> borders;
  for (size_t at = 0; at <= 60 * kMiB; at += kPage) {
    if (memory.is_border(range + at)) {
      borders.push_back(at / kMiB);
    }
  }
  EXPECT_EQ(borders, (std::vector<size_t>{0, 16, 32, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60}));
  memory.unmap(range + 16 * kMiB, 16 * kMiB, nullptr);
  EXPECT_TRUE(memory.is_border(range + 20 * kMiB));
  assign(0, nullptr, range, 1);
  EXPECT_EQ(value_of(0, range), 1) << "the pieces beside it stay";
  ASSERT_TRUE(memory.map(range + 16 * kMiB, 2 * kMiB));
  memory.unmap(range, 18 * kMiB, nullptr);
  memory.unmap(range + 32 * kMiB, 8 * kMiB, nullptr);
  memory.unreserve(range, 100 * kMiB);
}

TEST_F(Ranges, ChangeNothingWhenMappingFails) {
  DeviceMemory memory(0, kPage);
  const size_t free = free_on(0);
  auto* range = static_cast<char*>(memory.reserve(100 * kMiB, false));
  for (const char* call : {"cuMemCreate", "cuMemMap", "cuMemSetAccess"}) {
    for (const int count : {1, 3}) {
      sim::fail(call, count);
      EXPECT_FALSE(memory.map(range, 40 * kMiB)) << call;
      EXPECT_EQ(free_on(0), free) << call;
      EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
    }
  }
  sim::fail("cuMemCreate", 1);
  EXPECT_FALSE(memory.map(range, 66 * kMiB)) << "the device has 64";
  EXPECT_EQ(free_on(0), free);
  EXPECT_FALSE(memory.map(range, kPage)) << "the failure was still to come: no piece was mapped";
  ASSERT_TRUE(memory.map(range, 40 * kMiB));
  memory.unmap(range, 40 * kMiB, nullptr);
  memory.unreserve(range, 100 * kMiB);
  sim::fail("cuMemAddressReserve", 1);
  EXPECT_EQ(memory.reserve(100 * kMiB, false), nullptr);
}

TEST_F(Ranges, WaitForTheirStreamBeforeTheyGo) {
  DeviceMemory memory(0, kPage);
  auto* range = static_cast<char*>(memory.reserve(4 * kMiB, false));
  ASSERT_TRUE(memory.map(range, 4 * kMiB));
  reserve_streams(2, true);  // of the kind that does not wait for the default stream
  const cudaStream_t stream = stream_at(0, 2);
  bool ran = false;
  activate(0);
  sim::enqueue(stream, "kernel", [&ran, range] {
    *range = 1;
    ran = true;
  });
  memory.unmap(range, 4 * kMiB, stream);
  EXPECT_TRUE(ran);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << sim::fault_text();
  memory.unreserve(range, 4 * kMiB);
}

TEST_F(Ranges, OfAPoolAreNotTakenFromOtherStreamsWork) {
  // Tensors of one stream are used on another and dropped, and the cache is given back at once.
  reserve_streams(2, false);
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    sim::set_seed(seed);
    set_current_stream(0, 1);
    Tensor sum = on_device(TH_FLOAT, {1000});
    ASSERT_EQ(TH_fill(&sum, 0), TH_OK);
    synchronize(0);
    {
      Tensor x = on_device(TH_FLOAT, {1000 * 1000});
      Tensor part;
      narrow(part, x, 0, 0, 1000);
      ASSERT_EQ(TH_fill(&x, 3), TH_OK);
      synchronize_stream(0, 1);
      set_current_stream(0, 2);
      ASSERT_EQ(TH_add_scaled(&sum, &sum, 1, &part), TH_OK);
    }
    int64_t bytes = 0;
    ASSERT_EQ(THC_emptyCache(0, &bytes), TH_OK);
    EXPECT_GE(bytes, 4000 * 1000);
    EXPECT_EQ(th::test::values(download(sum)), std::vector<double>(1000, 3.0)) << sim::fault_text();
    set_current_stream(0, 0);
  }
}

TEST_F(Ranges, AreOpenToPeersThatWereGivenAccess) {
  DeviceMemory early(0, kPage);
  auto* range = static_cast<char*>(early.reserve(8 * kMiB, false));
  ASSERT_TRUE(early.map(range, 2 * kMiB));
  set_peer_access(1, 0, true);
  early.set_access(1, true);
  ASSERT_TRUE(early.map(range + 4 * kMiB, 2 * kMiB));
  for (const size_t at : {0 * kMiB, 4 * kMiB}) {
    assign(1, nullptr, range + at, 7);
    synchronize(1);
    EXPECT_EQ(value_of(0, range + at), 7);
  }
  early.set_access(1, false);
  set_peer_access(1, 0, false);
  assign(1, nullptr, range, 8);
  activate(1);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  sim::reset();
  early.unmap(range, 2 * kMiB, nullptr);
  early.unmap(range + 4 * kMiB, 2 * kMiB, nullptr);
  early.unreserve(range, 8 * kMiB);
}

TEST_F(Ranges, OfPoolsFollowTheAccessOfPeers) {
  // A kernel of device 2 that reads a tensor of device 1, made before or after access was given.
  const Tensor before = on_device(TH_FLOAT, {1000});
  set_peer_access(1, 0, true);
  const Tensor after = on_device(TH_FLOAT, {3000 * 1000});
  for (const Tensor* t : {&before, &after}) {
    assign(1, nullptr, static_cast<char*>(t->store->data), 5);
    synchronize(1);
    EXPECT_EQ(value_of(0, static_cast<char*>(t->store->data)), 5);
  }
  sim::fail("cuMemSetAccess", 1);
  const std::string text = error_of(THC_setPeerAccess(1, 0, false));
  EXPECT_NE(text.find("refuses to change device 2's access to the memory of device 1"),
            std::string::npos)
      << text;
  EXPECT_TRUE(peer_access(1, 0));
  activate(1);
  ASSERT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaSuccess);
  set_peer_access(1, 0, false);
}

TEST_F(Ranges, AreNotThereWithoutAllThatTheyNeed) {
  for (const char* call : {"cuDeviceGetAttribute", "cuMemGetAllocationGranularity"}) {
    sim::fail(call, 1, cudaErrorNotSupported);
    DeviceMemory memory(3, kPage);
    EXPECT_FALSE(memory.has_ranges()) << call;
    EXPECT_EQ(memory.reserve(100 * kMiB, false), nullptr);
    memory.set_access(1, true);  // nothing to do
  }
  EXPECT_FALSE(DeviceMemory(3, kMiB).has_ranges()) << "half of the device's pages";
  // A pool then takes segments.
  sim::fail("cuDeviceGetAttribute", 1, cudaErrorNotSupported);
  DeviceMemory memory(3, kPage);
  PoolConfig config;
  config.range_bytes = 64 * kMiB;
  BlockPool pool(memory, config);
  EXPECT_NE(pool.allocate(3 * kMiB), nullptr);
  EXPECT_EQ(pool.statistics().reserved.current, int64_t(20 * kMiB));
}

TEST_F(Ranges, AreLeftAloneWhereTheDriverRefusesThePageThatIsTried) {
  for (const char* call : {"cuMemAddressReserve", "cuMemCreate", "cuMemMap", "cuMemSetAccess"}) {
    sim::fail(call, 1, cudaErrorNotSupported);
    const size_t free = free_on(1);
    DeviceMemory memory(1, kPage);
    EXPECT_FALSE(memory.has_ranges()) << call;
    EXPECT_EQ(free_on(1), free) << call;
  }
  // A device that is full now has not refused.
  sim::fail("cuMemCreate", 1);
  DeviceMemory memory(1, kPage);
  EXPECT_TRUE(memory.has_ranges());
}

TEST_F(Ranges, TheDriversOwnErrorIsKept) {
  DeviceMemory memory(0, kPage);
  void* const range = memory.reserve(kPage, true);
  const auto refuse = [&](const char* call, cudaError_t error) {
    sim::fail(call, 1, error);
    EXPECT_FALSE(memory.map(range, kPage));
    return take_refusal();
  };
  for (const char* call : {"cuMemCreate", "cuMemMap", "cuMemSetAccess"}) {
    const Refusal refusal = refuse(call, cudaErrorNotSupported);
    EXPECT_EQ(refusal.error, cudaErrorNotSupported);
    EXPECT_TRUE(refusal.is_fault());
    EXPECT_NE(std::string(refusal.call).find(std::string(call).substr(2)), std::string::npos);
  }
  EXPECT_FALSE(refuse("cuMemCreate", cudaErrorMemoryAllocation).is_fault());
  EXPECT_EQ(take_refusal().error, cudaSuccess) << "it was taken";
  refuse("cuMemMap", cudaErrorNotSupported);
  ASSERT_TRUE(memory.map(range, kPage));
  EXPECT_FALSE(take_refusal().is_fault()) << "it has worked since";
  memory.unmap(range, kPage, nullptr);
  memory.unreserve(range, kPage);
}

TEST_F(Ranges, AFaultIsNoLackOfMemory) {
  for (const bool ranges : {true, false}) {
    ASSERT_EQ(THC_setMemoryRanges(0, ranges), TH_OK);
    activate(0);
    sim::fail("fault", 1, cudaErrorIllegalAddress);
    Tensor t;
    const int64_t sizes[] = {50 << 20};
    EXPECT_EQ(TH_new(&t, TH_BYTE, TH_CUDA, 0, 1, sizes), TH_ERROR);
    const std::string text = TH_lastError();
    EXPECT_NE(text.find("a kernel touched memory that is not its own"), std::string::npos) << text;
    EXPECT_EQ(text.find("out of memory"), std::string::npos) << text;
    sim::reset();
    ASSERT_EQ(THC_setMemoryRanges(0, true), TH_OK);
  }
}

}  // namespace
}  // namespace thc::test
