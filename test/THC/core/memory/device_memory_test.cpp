#include "core/memory/device_memory.h"

#include <vector>

#include "THC/support/devices.h"
#include "sim/tasks.h"

namespace thc::test {
namespace {

constexpr size_t kPage = size_t{2} << 20;

/// Work that has run when the flag says so.
void enqueue_flag(bool& ran) {
  activate(0);
  sim::enqueue(nullptr, "kernel", [&ran] { ran = true; });
}

/// What a pool may rely on, whether or not events can be had.
template <class Memory>
void check_events(Memory& memory, th::Stream stream) {
  bool ran = false;
  enqueue_flag(ran);
  th::Event event = memory.record(stream);
  ASSERT_NE(event, nullptr);
  EXPECT_FALSE(ran);
  EXPECT_FALSE(memory.passed(event) && !ran);
  memory.synchronize(event);
  EXPECT_TRUE(ran);
  EXPECT_TRUE(memory.passed(event));
  memory.destroy(event);
  empty_cache();
  for (const char* call : {"cudaEventRecord", "cudaEventCreateWithFlags"}) {
    ran = false;
    enqueue_flag(ran);
    sim::fail(call, 1);
    // Events given back are used again before one is made.
    std::vector<th::Event> taken;
    while ((event = memory.record(stream)) != nullptr && taken.size() < 10) {
      taken.push_back(event);
    }
    EXPECT_EQ(event, nullptr) << call;  // nullptr: has passed
    EXPECT_TRUE(ran) << call;
    for (th::Event each : taken) {
      memory.destroy(each);
    }
  }
}

using Memory = OnDevices;

TEST_F(Memory, OfADeviceComesFromThatDeviceWhateverIsCurrent) {
  DeviceMemory memory(2, kPage);
  activate(0);
  void* ptr = memory.allocate(1000);
  ASSERT_NE(ptr, nullptr);
  cudaPointerAttributes attributes;
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, ptr), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
  EXPECT_EQ(attributes.device, 2);
  int current = -1;
  cudaGetDevice(&current);
  EXPECT_EQ(current, 0);
  memory.free(ptr, 1000);
  sim::fail("cudaMalloc", 1);
  EXPECT_EQ(memory.allocate(1000), nullptr);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);  // the failure is not left for others to find
}

TEST_F(Memory, EventsOfADeviceHoldWhatTheyPromise) {
  DeviceMemory memory(0, kPage);
  check_events(memory, nullptr);
}

TEST_F(Memory, AStreamThatCannotWaitIsWaitedFor) {
  DeviceMemory memory(0, kPage);
  bool ran = false;
  enqueue_flag(ran);
  th::Event event = memory.record(nullptr);
  sim::fail("cudaStreamWaitEvent", 1);
  memory.wait(nullptr, event);
  EXPECT_TRUE(ran);
  memory.destroy(event);
}

TEST_F(Memory, PinnedIsTheHostsAndKnownToAllDevices) {
  PinnedMemory memory;
  void* ptr = memory.allocate(1000);
  ASSERT_NE(ptr, nullptr);
  static_cast<char*>(ptr)[999] = 1;
  cudaPointerAttributes attributes;
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, ptr), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
  memory.free(ptr, 1000);
  sim::fail("cudaHostAlloc", 1);
  EXPECT_EQ(memory.allocate(1000), nullptr);
  EXPECT_EQ(PinnedMemory::key(1, nullptr), PinnedMemory::key(1, nullptr));
  EXPECT_NE(PinnedMemory::key(1, nullptr), PinnedMemory::key(2, nullptr));
}

TEST_F(Memory, EventsOfPinnedMemoryHoldWhatTheyPromise) {
  PinnedMemory memory;
  check_events(memory, PinnedMemory::key(0, nullptr));
}

}  // namespace
}  // namespace thc::test
