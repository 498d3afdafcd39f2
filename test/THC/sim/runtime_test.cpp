// The simulated runtime against what the CUDA Runtime API reference says.
#include <cmath>
#include <cstring>
#include <set>
#include <vector>

#include <cuda_runtime.h>
#include <sys/mman.h>

#include "THC/support/devices.h"
#include "sim/tasks.h"

namespace thc::test {
namespace {

class SimulatedRuntime : public OnDevices {
 protected:
  void SetUp() override {
    OnDevices::SetUp();
    cudaSetDevice(0);
  }
  void TearDown() override {
    sim::reset();
    for (int d = 0; d < 4; ++d) {
      cudaSetDevice(d);
      cudaDeviceSynchronize();
    }
    activate(1);  // what thc remembers may differ from what the test told CUDA
    activate(0);
    OnDevices::TearDown();
  }

  static float* new_floats(int count) {
    void* memory = nullptr;
    EXPECT_EQ(cudaMalloc(&memory, sizeof(float) * static_cast<size_t>(count)), cudaSuccess);
    return static_cast<float*>(memory);
  }
  static float read(const float* memory) {
    float value = 0;
    EXPECT_EQ(cudaMemcpyAsync(&value, memory, sizeof(float), cudaMemcpyDeviceToHost, nullptr),
              cudaSuccess);
    return value;
  }
  static void assign(cudaStream_t stream, float* memory, float value) {
    sim::enqueue(stream, "kernel", [=] { *memory = value; });
  }
};

TEST_F(SimulatedRuntime, HasTheDevicesAndTheMemoryTheEnvironmentAsksFor) {
  int count = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, sim::machine().devices);
  size_t free = 0;
  size_t total = 0;
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  EXPECT_EQ(total, sim::machine().memory);
  EXPECT_EQ(free, total);
}

TEST_F(SimulatedRuntime, NewMemoryHoldsNaN) {
  float* memory = new_floats(1000);
  EXPECT_TRUE(std::isnan(read(memory)));
  EXPECT_TRUE(std::isnan(read(memory + 999)));
  cudaFree(memory);
}

TEST_F(SimulatedRuntime, MemoryRunsOutAtTheLimitAndComesBack) {
  void* all = nullptr;
  ASSERT_EQ(cudaMalloc(&all, sim::machine().memory), cudaSuccess);
  void* more = nullptr;
  EXPECT_EQ(cudaMalloc(&more, 1), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);  // the others have their own
  EXPECT_EQ(cudaMalloc(&more, 1), cudaSuccess);
  cudaFree(more);
  cudaSetDevice(0);
  EXPECT_EQ(cudaFree(all), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&more, 1), cudaSuccess);
  EXPECT_EQ(cudaFree(more), cudaSuccess);
  EXPECT_EQ(cudaFree(more), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_F(SimulatedRuntime, TheHostCannotTouchDeviceMemory) {
  float* memory = new_floats(1);
  EXPECT_DEATH(*const_cast<volatile float*>(memory) = 1,
               "Host code touched memory of simulated device 1");
  cudaFree(memory);
}

TEST_F(SimulatedRuntime, NothingRunsBeforeSomebodyWaits) {
  float* memory = new_floats(1);
  bool ran = false;
  sim::enqueue(nullptr, "kernel", [&] { ran = true; });
  EXPECT_FALSE(ran);
  EXPECT_EQ(sim::pending(), 1u);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_TRUE(ran);
  cudaFree(memory);
}

TEST_F(SimulatedRuntime, ACopyMustStayWithinOneAllocation) {
  float* memory = new_floats(128);
  std::vector<float> host(256);
  EXPECT_EQ(cudaMemcpyAsync(memory, host.data(), 129 * 4, cudaMemcpyHostToDevice, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyAsync(memory + 1, host.data(), 128 * 4, cudaMemcpyHostToDevice, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyAsync(memory, host.data(), 128 * 4, cudaMemcpyDeviceToHost, nullptr),
            cudaErrorInvalidValue);  // the wrong way
  EXPECT_EQ(cudaMemcpyAsync(memory, host.data(), 128 * 4, cudaMemcpyHostToDevice, nullptr),
            cudaSuccess);
  cudaGetLastError();
  cudaFree(memory);
}

TEST_F(SimulatedRuntime, HostMemoryIsReadAndWrittenWhenTheStreamGetsThere) {
  float* memory = new_floats(2);
  float pageable = 1;
  cudaMemcpyAsync(memory, &pageable, 4, cudaMemcpyHostToDevice, nullptr);
  pageable = 5;  // too early: a device may have read it, or not yet
  void* pinned = nullptr;
  ASSERT_EQ(cudaHostAlloc(&pinned, 4, cudaHostAllocPortable), cudaSuccess);
  *static_cast<float*>(pinned) = 1;
  cudaMemcpyAsync(memory + 1, pinned, 4, cudaMemcpyHostToDevice, nullptr);
  *static_cast<float*>(pinned) = 6;
  EXPECT_EQ(read(memory), 5);
  EXPECT_EQ(read(memory + 1), 6);
  cudaMemcpyAsync(pinned, memory, 4, cudaMemcpyDeviceToHost, nullptr);
  EXPECT_EQ(*static_cast<float*>(pinned), 6);  // not yet there
  cudaStreamSynchronize(nullptr);
  EXPECT_EQ(*static_cast<float*>(pinned), 5);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  cudaFree(memory);
}

TEST_F(SimulatedRuntime, PageableMemoryThatIsGoneWhenItIsReadIsAFault) {
  float* memory = new_floats(1);
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  ASSERT_EQ(cudaMemcpyAsync(memory, page, 4, cudaMemcpyHostToDevice, nullptr), cudaSuccess);
  munmap(page, 4096);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaErrorIllegalAddress);
  sim::reset();
  cudaFree(memory);
}

/// What a float holds after two streams wrote it, for each seed.
template <class F>
std::set<float> outcomes(F&& run) {
  std::set<float> seen;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    sim::set_seed(seed);
    seen.insert(run());
  }
  return seen;
}

TEST_F(SimulatedRuntime, StreamsRunInAnyOrderUnlessAnEventOrdersThem) {
  cudaStream_t a;
  cudaStream_t b;
  ASSERT_EQ(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking), cudaSuccess);
  cudaEvent_t event;
  ASSERT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
  float* memory = new_floats(1);
  EXPECT_EQ(outcomes([&] {
              assign(a, memory, 1);
              assign(b, memory, 2);
              cudaDeviceSynchronize();
              return read(memory);
            }),
            (std::set<float>{1, 2}));
  EXPECT_EQ(outcomes([&] {
              assign(a, memory, 1);
              cudaEventRecord(event, a);
              cudaStreamWaitEvent(b, event, 0);
              assign(b, memory, 2);
              cudaDeviceSynchronize();
              return read(memory);
            }),
            (std::set<float>{2}));
  // A wait is for the recording before it.
  EXPECT_EQ(outcomes([&] {
              cudaEventRecord(event, a);
              cudaStreamWaitEvent(b, event, 0);
              assign(b, memory, 2);
              cudaStreamSynchronize(b);
              assign(a, memory, 1);
              cudaEventRecord(event, a);
              cudaDeviceSynchronize();
              return read(memory);
            }),
            (std::set<float>{1}));
  cudaFree(memory);
  cudaEventDestroy(event);
  EXPECT_EQ(cudaEventRecord(event, a), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
}

TEST_F(SimulatedRuntime, TheDefaultStreamWaitsForBlockingStreamsAndTheyForIt) {
  cudaStream_t blocking;
  ASSERT_EQ(cudaStreamCreateWithFlags(&blocking, cudaStreamDefault), cudaSuccess);
  float* memory = new_floats(1);
  EXPECT_EQ(outcomes([&] {
              assign(blocking, memory, 1);
              assign(nullptr, memory, 2);
              cudaDeviceSynchronize();
              return read(memory);
            }),
            (std::set<float>{2}));
  EXPECT_EQ(outcomes([&] {
              assign(nullptr, memory, 1);
              assign(blocking, memory, 2);
              cudaDeviceSynchronize();
              return read(memory);
            }),
            (std::set<float>{2}));
  cudaFree(memory);
  cudaStreamDestroy(blocking);
}

TEST_F(SimulatedRuntime, AKernelMayNotTouchAnotherDevicesMemoryWithoutPeerAccess) {
  float* memory = new_floats(1);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  assign(nullptr, memory, 1);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);  // sticky
  EXPECT_NE(sim::fault_text().find("a kernel of device 2 touched"), std::string::npos)
      << sim::fault_text();
  EXPECT_NE(sim::fault_text().find("memory of device 1"), std::string::npos);
  sim::reset();
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaSuccess);
  assign(nullptr, memory, 1);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(0), cudaSuccess);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
  cudaGetLastError();
  cudaSetDevice(0);
  EXPECT_EQ(read(memory), 1);
  cudaFree(memory);
}

TEST_F(SimulatedRuntime, AKernelNeedsAStreamOfTheCurrentDevice) {
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamDefault), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  sim::enqueue(stream, "kernel", [] {});
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  cudaSetDevice(0);
  cudaStreamDestroy(stream);
}

TEST_F(SimulatedRuntime, AnyCallCanBeMadeToFailOnce) {
  sim::fail("cudaMalloc:2,cudaStreamSynchronize:1:400");
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 16), cudaSuccess);
  cudaFree(memory);
  EXPECT_EQ(cudaMalloc(&memory, 16), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&memory, 16), cudaSuccess);
  cudaFree(memory);
  cudaGetLastError();
}

TEST_F(SimulatedRuntime, AskingWhetherWorkIsDoneGetsItDone) {
  cudaEvent_t event;
  ASSERT_EQ(cudaEventCreateWithFlags(&event, cudaEventDefault), cudaSuccess);
  for (int i = 0; i < 5; ++i) {
    sim::enqueue(nullptr, "kernel", [] {});
  }
  cudaEventRecord(event, nullptr);
  int asked = 0;
  while (cudaEventQuery(event) == cudaErrorNotReady) {
    ASSERT_LT(++asked, 100);
  }
  EXPECT_GT(asked, 0);
  float milliseconds = -1;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event, event), cudaSuccess);
  EXPECT_EQ(milliseconds, 0);
  cudaEventDestroy(event);
}

}  // namespace
}  // namespace thc::test
