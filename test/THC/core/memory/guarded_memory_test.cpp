#include "core/memory/guarded_memory.h"

#include "TH/support/refusals.h"
#include "THC/support/devices.h"
#include "core/memory/block_pool/pool.h"
#include "sim/tasks.h"

namespace thc::test {
namespace {

constexpr size_t kPage = size_t{2} << 20;

class Guarded : public OnDevices {
 protected:
  static PoolConfig config() {
    PoolConfig config;
    config.guarded = true;
    config.granule = 16;
    return config;
  }
  /// The status of the device after a kernel has written one byte.
  static cudaError_t write(void* at) {
    activate(0);
    sim::enqueue(nullptr, "kernel", [at] { *static_cast<volatile char*>(at) = 1; });
    return cudaDeviceSynchronize();
  }

  DeviceMemory memory_{0, kPage};
  GuardedMemory guarded_{memory_, 0, kPage};
};

TEST_F(Guarded, BlocksEndBeforeAPageThatNobodyMayTouch) {
  BlockPool pool(guarded_, config());
  for (const size_t bytes : {size_t{16}, size_t{1008}, kPage, 3 * kPage + 32}) {
    Block* const first = pool.allocate(bytes);
    Block* const second = pool.allocate(bytes);
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(first->bytes, bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(first->ptr) % 16, 0u);
    EXPECT_EQ(write(first->begin()), cudaSuccess);
    EXPECT_EQ(write(first->end() - 1), cudaSuccess);
    EXPECT_EQ(write(first->end()), cudaErrorIllegalAddress) << bytes;
    sim::reset();
    pool.free(first);
    pool.free(second);
  }
  EXPECT_EQ(pool.statistics().reserved.current, 0);
}

TEST_F(Guarded, WhatIsFreedCannotBeTouchedButMayBeInUse) {
  BlockPool pool(guarded_, config());
  Block* const block = pool.allocate(1000);
  char* const at = block->begin();
  bool ran = false;
  activate(0);
  sim::enqueue(nullptr, "kernel", [&ran, at] {
    *at = 1;
    ran = true;
  });
  pool.free(block);  // waits
  EXPECT_TRUE(ran);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(write(at), cudaErrorIllegalAddress);
  sim::reset();
}

TEST_F(Guarded, SaysWhenThereIsNoMemoryAndLeavesNothingBehind) {
  BlockPool pool(guarded_, config());
  EXPECT_EQ(pool.allocate(sim::machine().memory + 1), nullptr);
  Block* const block = pool.allocate(sim::machine().memory / 2);
  ASSERT_NE(block, nullptr);
  pool.free(block);
  EXPECT_EQ(pool.statistics().segments.current, 0);
}

TEST_F(Guarded, NeedsPages) {
  sim::fail("cuMemMap", 1, cudaErrorNotSupported);
  DeviceMemory without(0, kPage);
  th::test::expect_refusal("THC_MEMORY is 'guard', but device 1 or its driver cannot map memory",
                           [&] { GuardedMemory(without, 0, kPage); });
}

}  // namespace
}  // namespace thc::test
