#include "core/memory/allocator.h"

#include <vector>

#include "THC/support/devices.h"
#include "core/memory/storage.h"

namespace thc::test {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

/// With ranges that are filled page by page (true), and with segments.
class Allocator : public OnDevices, public testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    OnDevices::SetUp();
    set_ranges(GetParam());
  }
  void TearDown() override {
    OnDevices::TearDown();
    set_ranges(true);
  }
  static void set_ranges(bool on) {
    for (int d = 0; d < device_count(); ++d) {
      ASSERT_EQ(THC_setMemoryRanges(d, on), TH_OK);
      bool is_on = !on;
      ASSERT_EQ(THC_memoryRanges(d, &is_on), TH_OK);
      ASSERT_EQ(is_on, on);
    }
  }
  static THC_MemoryStatistics statistics(int device) {
    THC_MemoryStatistics s;
    EXPECT_EQ(THC_memoryStatistics(device, &s), TH_OK);
    return s;
  }
  static int64_t free_on(int device) {
    int64_t free = 0;
    int64_t total = 0;
    EXPECT_EQ(THC_memoryUsage(device, &free, &total), TH_OK);
    return free;
  }
};

TEST_P(Allocator, GivesAFreedBlockToTheNextTensorWithoutAskingTheDevice) {
  void* first;
  {
    const Tensor t = on_device(TH_FLOAT, {1000, 1000});
    first = t.store->data;
  }
  for (const char* call : {"cudaMalloc", "cuMemCreate"}) {
    sim::fail(call, 1);  // any call would fail
  }
  const Tensor t = on_device(TH_FLOAT, {1000, 1000});
  EXPECT_EQ(t.store->data, first);
}

TEST_P(Allocator, CountsBytesPerDevice) {
  const THC_MemoryStatistics before = statistics(1);
  const Tensor t = on_device(TH_DOUBLE, {kMiB}, Layout::Compact, 1);
  const THC_MemoryStatistics during = statistics(1);
  EXPECT_EQ(during.requested.current - before.requested.current, 8 * kMiB);
  EXPECT_EQ(during.blocks.current - before.blocks.current, 1);
  EXPECT_GE(during.reserved.current, 8 * kMiB);
  EXPECT_EQ(free_on(1), static_cast<int64_t>(sim::machine().memory) - during.reserved.current);
  EXPECT_EQ(statistics(2).requested.current, 0);
}

TEST_P(Allocator, LiveBytesAreThoseOfAllDevices) {
  const int64_t* live = TH_liveBytes(TH_CUDA);
  ASSERT_NE(live, nullptr);
  const int64_t before = *live;
  {
    const Tensor a = on_device(TH_BYTE, {kMiB}, Layout::Compact, 0);
    const Tensor b = on_device(TH_BYTE, {kMiB}, Layout::Compact, 3);
    EXPECT_EQ(*live - before, 2 * kMiB);
  }
  EXPECT_EQ(*live, before);
}

TEST_P(Allocator, NewTensorsHoldNaNAlsoInReusedMemory) {
  {
    Tensor t = on_device(TH_FLOAT, {100});
    ASSERT_EQ(TH_fill(&t, 1), TH_OK);
  }
  for (double x : th::test::values(download(on_device(TH_FLOAT, {100})))) {
    EXPECT_TRUE(std::isnan(x));
  }
}

TEST_P(Allocator, EmptyCacheGivesMemoryBackToTheDevice) {
  { const Tensor t = on_device(TH_BYTE, {30 * kMiB}); }
  EXPECT_LT(free_on(0), static_cast<int64_t>(sim::machine().memory));
  int64_t bytes = 0;
  ASSERT_EQ(THC_emptyCache(0, &bytes), TH_OK);
  EXPECT_GE(bytes, 30 * kMiB);
  EXPECT_EQ(free_on(0), static_cast<int64_t>(sim::machine().memory));
}

TEST_P(Allocator, OutOfMemorySaysWhoHasWhat) {
  const Tensor held = on_device(TH_BYTE, {40 * kMiB}, Layout::Compact, 1);
  const int64_t failures = statistics(1).failures;
  Tensor t;
  const int64_t sizes[] = {30 * kMiB};
  EXPECT_EQ(TH_new(&t, TH_BYTE, TH_CUDA, 1, 1, sizes), TH_OUT_OF_MEMORY);
  const std::string text = TH_lastError();
  EXPECT_NE(text.find("out of memory on device 2: asked 30.00 MiB; in use 40.00 MiB"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("24.00 MiB free of 64.00 MiB"), std::string::npos) << text;
  EXPECT_EQ(statistics(1).failures, failures + 1);
  const int64_t fits[] = {10 * kMiB};
  EXPECT_EQ(TH_new(&t, TH_BYTE, TH_CUDA, 1, 1, fits), TH_OK);
}

TEST_P(Allocator, OutOfMemoryNamesTheLinesOfTheScriptWhileAHistoryIsKept) {
  ASSERT_EQ(THC_keepHistory(0, 100), TH_OK);
  THC_setAllocationLine("train.lua:12");
  const Tensor a = on_device(TH_BYTE, {30 * kMiB});
  THC_setAllocationLine("train.lua:40");
  const Tensor b = on_device(TH_BYTE, {10 * kMiB});
  Tensor t;
  const int64_t sizes[] = {30 * kMiB};
  EXPECT_EQ(TH_new(&t, TH_BYTE, TH_CUDA, 0, 1, sizes), TH_OUT_OF_MEMORY);
  const std::string text = TH_lastError();
  const size_t first = text.find("30.00 MiB by train.lua:12");
  const size_t second = text.find("10.00 MiB by train.lua:40");
  EXPECT_NE(first, std::string::npos) << text;
  EXPECT_NE(second, std::string::npos) << text;
  EXPECT_LT(first, second) << text;
  const char* json = nullptr;
  ASSERT_EQ(THC_memorySnapshot(0, &json), TH_OK);
  EXPECT_NE(std::string(json).find("train.lua:12"), std::string::npos);
  THC_setAllocationLine(nullptr);
}

TEST_P(Allocator, ALimitHoldsForTheProcess) {
  ASSERT_EQ(THC_setMemoryLimit(0, 10 * kMiB), TH_OK);
  Tensor t;
  const int64_t sizes[] = {20 * kMiB};
  EXPECT_EQ(TH_new(&t, TH_BYTE, TH_CUDA, 0, 1, sizes), TH_OUT_OF_MEMORY);
  EXPECT_NE(std::string(TH_lastError()).find("limit 10.00 MiB"), std::string::npos);
  ASSERT_EQ(THC_setMemoryLimit(0, 0), TH_OK);
  EXPECT_EQ(TH_new(&t, TH_BYTE, TH_CUDA, 0, 1, sizes), TH_OK);
  EXPECT_EQ(error_of(THC_setMemoryLimit(0, -1)),
            "setMemoryLimit: a limit cannot be -1 bytes; 0 is none");
}

TEST_P(Allocator, GivesItsCacheBackBeforeItGivesUp) {
  { const Tensor t = on_device(TH_BYTE, {40 * kMiB}); }  // cached, but too small
  const Tensor t = on_device(TH_BYTE, {50 * kMiB});
  EXPECT_EQ(statistics(0).reserved.current, 50 * kMiB);
}

TEST_P(Allocator, AThousandForcedFailuresLeakNothing) {
  Tensor x = on_device(TH_FLOAT, {1000});
  Tensor y = on_device(TH_FLOAT, {1000});
  TH_fill(&x, 1);
  TH_fill(&y, 0);
  const THC_MemoryStatistics before = statistics(0);
  const int64_t live = *TH_liveBytes(TH_CUDA);
  const Tensor held = on_device(TH_BYTE, {50 * kMiB});
  int failures = 0;
  for (int i = 0; i < 1000; ++i) {
    Tensor r;
    init(r, TH_FLOAT, TH_CUDA, 0);
    const int64_t large[] = {5 * kMiB};
    sim::fail("cudaMemGetInfo", i % 2);  // even the report may fail
    failures += TH_new(&r, TH_FLOAT, TH_CUDA, 0, 1, large) == TH_OUT_OF_MEMORY;
    ASSERT_EQ(TH_add_scaled(&y, &y, 1, &x), TH_OK);  // work goes on
  }
  EXPECT_EQ(failures, 1000);
  EXPECT_EQ(th::test::values(download(y)), std::vector<double>(1000, 1000.0));
  EXPECT_EQ(*TH_liveBytes(TH_CUDA), live + 50 * kMiB);
  EXPECT_EQ(statistics(0).requested.current, before.requested.current + 50 * kMiB);
  EXPECT_EQ(statistics(0).blocks.current, before.blocks.current + 1);
}

TEST_P(Allocator, ALoopAsksTheDeviceForNothingAfterItsSecondStep) {
  const auto step = [] {
    Tensor x = on_device(TH_FLOAT, {300, 700});
    TH_fill(&x, 1);
    Tensor y;
    init(y, TH_FLOAT, TH_CUDA, 0);
    ASSERT_EQ(TH_sigmoid(&y, &x), TH_OK);
    Tensor mask;
    init(mask, TH_BYTE, TH_CUDA, 0);
    ASSERT_EQ(TH_gt_value(&mask, &y, 0.5), TH_OK);
  };
  step();
  step();
  const int64_t segments = statistics(0).segments.total;
  const int64_t reserved = statistics(0).reserved.total;
  for (int i = 0; i < 20; ++i) {
    step();
  }
  EXPECT_EQ(statistics(0).segments.total, segments);
  EXPECT_EQ(statistics(0).reserved.total, reserved);
}

TEST_P(Allocator, SizeClassesAddUpToTheBlocks) {
  const Tensor a = on_device(TH_BYTE, {1000});
  const Tensor b = on_device(TH_BYTE, {100 * 1000});
  THC_ClassStatistics classes[100];
  int count = 0;
  ASSERT_EQ(THC_memoryClasses(0, classes, 100, &count), TH_OK);
  ASSERT_LE(count, 100);
  int64_t blocks = 0;
  for (int i = 0; i < count; ++i) {
    blocks += classes[i].blocks.current;
  }
  EXPECT_EQ(blocks, statistics(0).blocks.current);
}

TEST_P(Allocator, PinnedStoragesAreCpuStorages) {
  TH_StorageRef ref{};
  ASSERT_EQ(THC_PinnedStorage_new(&ref, TH_FLOAT, 1000), TH_OK);
  EXPECT_EQ(ref.store->device_type, TH_CPU);
  EXPECT_TRUE(THC_isPinned(&ref));
  EXPECT_GE(statistics(THC_PINNED).requested.current, 4000);
  ref.store->float_data[999] = 1;  // the host may
  TH_StorageRef view{};
  ASSERT_EQ(TH_Storage_view(&view, &ref, 10, 10), TH_OK);
  EXPECT_TRUE(THC_isPinned(&view));
  TH_StorageRef_release(&view);
  ASSERT_EQ(TH_Storage_resize(&ref, 2000), TH_OK);  // grows into such memory, too
  EXPECT_TRUE(THC_isPinned(&ref));
  EXPECT_EQ(ref.store->float_data[999], 1);
  EXPECT_LT(statistics(THC_PINNED).requested.current, 12000);  // the first is given back
  TH_StorageRef_release(&ref);
  EXPECT_EQ(statistics(THC_PINNED).requested.current, 0);
}

TEST_P(Allocator, PinnedMemoryIsNotReusedBeforeItsCopyHasPassed) {
  Tensor device = on_device(TH_FLOAT, {1000});
  void* memory;
  {
    TH_StorageRef ref{};
    ASSERT_EQ(THC_PinnedStorage_new(&ref, TH_FLOAT, 1000), TH_OK);
    memory = ref.store->data;
    Tensor host;
    init(host, TH_FLOAT, TH_CPU, 0);
    const int64_t length = 1000;
    set_storage(host, ref.store, 0, std::span(&length, 1), {});
    TH_StorageRef_release(&ref);
    ASSERT_EQ(TH_fill(&host, 5), TH_OK);
    ASSERT_EQ(THC_copyAsync(&device, &host), TH_OK);
  }
  EXPECT_GT(sim::pending(), 0u);
  TH_StorageRef next{};
  ASSERT_EQ(THC_PinnedStorage_new(&next, TH_FLOAT, 1000), TH_OK);
  EXPECT_NE(next.store->data, memory);
  ASSERT_EQ(TH_Storage_fill(&next, 7), TH_OK);
  EXPECT_EQ(th::test::values(download(device)), std::vector<double>(1000, 5));
  TH_StorageRef_release(&next);
}

TEST_P(Allocator, PinnedMemoryThatCannotBeHadIsExplained) {
  ASSERT_EQ(THC_setMemoryLimit(THC_PINNED, kMiB), TH_OK);
  TH_StorageRef ref{};
  EXPECT_EQ(THC_PinnedStorage_new(&ref, TH_BYTE, 20 * kMiB), TH_OUT_OF_MEMORY);
  const std::string message = TH_lastError();
  EXPECT_NE(message.find("out of pinned memory: asked 20.00 MiB"), std::string::npos) << message;
  EXPECT_TRUE(message.ends_with("limit 1.00 MiB")) << message;
  ASSERT_EQ(THC_setMemoryLimit(THC_PINNED, 0), TH_OK);
  EXPECT_NE(error_of(THC_PinnedStorage_new(&ref, 99, 100)).find("no such element type"),
            std::string::npos);
  EXPECT_EQ(error_of(THC_PinnedStorage_new(&ref, TH_FLOAT, -1)),
            "Storage: a storage cannot have -1 elements");
}

TEST_P(Allocator, TakesMemoryAsItWasTold) {
  const Tensor t = on_device(TH_BYTE, {3 * kMiB});
  // A range grows by what is missing; a segment of 20 MiB is there for others to share.
  EXPECT_EQ(statistics(0).reserved.current, (GetParam() ? 4 : 20) * kMiB);
}

TEST_P(Allocator, KnowsThePoolsOfAllMemory) {
  for (const int pool : {0, int{THC_PINNED}, int{THC_HOST}}) {
    const char* json = nullptr;
    ASSERT_EQ(THC_memorySnapshot(pool, &json), TH_OK);
    EXPECT_EQ(json[0], '{');
  }
  for (const int none : {-3, 99}) {
    THC_MemoryStatistics s;
    EXPECT_NE(error_of(THC_memoryStatistics(none, &s)).find("does not exist"), std::string::npos);
  }
}

TEST_P(Allocator, TellsWhatHappenedAsATrace) {
  const Tensor before = on_device(TH_BYTE, {100});
  ASSERT_EQ(THC_keepHistory(0, 100), TH_OK);
  {
    const Tensor t = on_device(TH_BYTE, {3 * kMiB});
    ASSERT_EQ(THC_markHistory(0), TH_OK);
  }
  const Tensor after = on_device(TH_BYTE, {200});
  const char* text = nullptr;
  ASSERT_EQ(THC_memoryTrace(0, &text), TH_OK);
  EXPECT_EQ(std::string(text), "a 100\na 3145728\nm\nf 1\na 200\n");
}

INSTANTIATE_TEST_SUITE_P(Modes, Allocator, testing::Bool(), [](const auto& info) {
  return std::string(info.param ? "Ranges" : "Segments");
});

}  // namespace
}  // namespace thc::test
