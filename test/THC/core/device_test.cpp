#include "core/device.h"

#include <functional>
#include <thread>

#include "THC/support/devices.h"
#include "core/memory/memory_calls.h"

namespace thc::test {
namespace {

using Devices = OnDevices;

TEST_F(Devices, CountAndNamesAreThoseOfTheMachine) {
  int count = 0;
  ASSERT_EQ(THC_deviceCount(&count), TH_OK);
  EXPECT_EQ(count, 4);
  THC_Properties properties;
  ASSERT_EQ(THC_deviceProperties(&properties, 2), TH_OK);
  EXPECT_STREQ(properties.name, "Simulated device 3");
  EXPECT_EQ(properties.totalGlobalMem, static_cast<int64_t>(sim::machine().memory));
  EXPECT_EQ(properties.warpSize, 32);
  EXPECT_TRUE(THC_isSimulated());
}

TEST_F(Devices, AWrongNumberIsNamedInTheScriptsWay) {
  EXPECT_EQ(error_of(THC_setDevice(4)),
            "setDevice: device 5 does not exist: this machine has 4 CUDA devices, 1 to 4");
  EXPECT_EQ(error_of(THC_setDevice(-1)),
            "setDevice: device 0 does not exist: this machine has 4 CUDA devices, 1 to 4");
  int device = -1;
  EXPECT_EQ(THC_currentDevice(&device), TH_OK);
  EXPECT_EQ(device, 0);
}

TEST_F(Devices, EachThreadHasACurrentDevice) {
  ASSERT_EQ(THC_setDevice(3), TH_OK);
  int other = -1;
  std::thread([&] { THC_currentDevice(&other); }).join();
  EXPECT_EQ(other, 0);
  EXPECT_EQ(current_device(), 3);
}

TEST_F(Devices, AGuardPutsTheDeviceBack) {
  set_current_device(1);
  try {
    const DeviceGuard guard(2);
    EXPECT_EQ(current_device(), 2);
    throw 1;
  } catch (int) {
  }
  EXPECT_EQ(current_device(), 1);
}

TEST_F(Devices, ADriverThatIsMissingOrOldIsSaidSo) {
  Tensor t;
  init(t, TH_FLOAT, TH_CUDA, 1);
  sim::set_driver(0);
  std::string text = explain(cudaErrorInsufficientDriver);
  EXPECT_NE(text.find("no NVIDIA driver was found"), std::string::npos) << text;
  int64_t free;
  int64_t total;
  text = error_of(THC_memoryUsage(1, &free, &total));
  EXPECT_NE(text.find("getMemoryUsage: no NVIDIA driver was found"), std::string::npos) << text;
  EXPECT_NE(text.find("THC_SIM_DEVICES"), std::string::npos) << text;
  sim::set_driver(12020);
  text = error_of(THC_memoryUsage(1, &free, &total));
  EXPECT_NE(text.find("supports CUDA 12.2, this library was built with CUDA 13.0"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("update the driver"), std::string::npos) << text;
  sim::set_driver(CUDART_VERSION);
  EXPECT_EQ(THC_memoryUsage(1, &free, &total), TH_OK);  // it lives on
}

TEST_F(Devices, EveryFailureOfCudaHasACauseAndNamesTheCall) {
  int64_t free;
  int64_t total;
  const struct {
    cudaError_t error;
    const char* text;
  } cases[] = {
      {cudaErrorNoDevice, "CUDA_VISIBLE_DEVICES"},
      {cudaErrorSystemDriverMismatch, "restart the machine"},
      {cudaErrorInitializationError, "fork()"},
      {cudaErrorDevicesUnavailable, "another process"},
      {cudaErrorNoKernelImageForDevice, "CMAKE_CUDA_ARCHITECTURES"},
      {cudaErrorInvalidValue, "invalid argument"},
  };
  for (const auto& c : cases) {
    sim::fail("cudaMemGetInfo", 1, c.error);
    const std::string text = error_of(THC_memoryUsage(0, &free, &total));
    EXPECT_NE(text.find(c.text), std::string::npos) << text;
    EXPECT_NE(text.find(std::string("cudaMemGetInfo returned ") + cudaGetErrorName(c.error)),
              std::string::npos)
        << text;
  }
  EXPECT_EQ(THC_memoryUsage(0, &free, &total), TH_OK);
}

TEST_F(Devices, AFaultInAKernelStaysAndIsExplained) {
  Tensor x = on_device(TH_FLOAT, {10});
  sim::fail("kernel", 1);
  ASSERT_EQ(TH_fill(&x, 0.5), TH_OK);  // runs later
  const std::string first = error_of(THC_synchronize(0));
  EXPECT_NE(first.find("a kernel touched memory that is not its own"), std::string::npos) << first;
  EXPECT_NE(first.find("CUDA_LAUNCH_BLOCKING=1"), std::string::npos) << first;
  EXPECT_NE(first.find("compute-sanitizer"), std::string::npos) << first;
  EXPECT_NE(error_of(TH_fill(&x, 1)).find("fill: a kernel touched memory"), std::string::npos);
  EXPECT_NE(error_of(THC_synchronize(-1)).find("synchronize: a kernel touched memory"),
            std::string::npos);
  sim::reset();
  EXPECT_EQ(TH_fill(&x, 1), TH_OK);
  EXPECT_EQ(th::test::values(download(x)), std::vector<double>(10, 1));
}

TEST_F(Devices, PeersAreOffUntilAskedFor) {
  bool enabled = true;
  bool can = false;
  ASSERT_EQ(THC_canAccessPeer(0, 1, &can), TH_OK);
  EXPECT_TRUE(can);
  ASSERT_EQ(THC_peerAccess(0, 1, &enabled), TH_OK);
  EXPECT_FALSE(enabled);
  ASSERT_EQ(THC_setPeerAccess(0, 1, true), TH_OK);
  ASSERT_EQ(THC_setPeerAccess(0, 1, true), TH_OK);  // again does no harm
  THC_peerAccess(0, 1, &enabled);
  EXPECT_TRUE(enabled);
  THC_peerAccess(1, 0, &enabled);
  EXPECT_FALSE(enabled);
  ASSERT_EQ(THC_setPeerAccess(0, 1, false), TH_OK);
  THC_peerAccess(0, 1, &enabled);
  EXPECT_FALSE(enabled);
  EXPECT_EQ(
      error_of(THC_setPeerAccess(0, 7, true)),
      "setPeerToPeerAccess: device 8 does not exist: this machine has 4 CUDA devices, 1 to 4");
}

TEST_F(Devices, VersionsAreReported) {
  int version = 0;
  EXPECT_EQ(THC_driverVersion(&version), TH_OK);
  EXPECT_EQ(version, CUDART_VERSION);
  EXPECT_EQ(THC_runtimeVersion(&version), TH_OK);
  EXPECT_EQ(version, CUDART_VERSION);
}

TEST_F(Devices, TensorsOfTwoDevicesAreRefused) {
  Tensor a = on_device(TH_FLOAT, {3}, Layout::Compact, 0);
  Tensor b = on_device(TH_FLOAT, {3}, Layout::Compact, 2);
  EXPECT_NE(error_of(TH_cmul(&a, &a, &b)).find("tensors are on devices 1 and 3"),
            std::string::npos);
  Tensor c = th::test::make(TH_FLOAT, {3});
  EXPECT_NE(error_of(TH_cmul(&a, &a, &c)).find("CPU and CUDA"), std::string::npos);
}

TEST_F(Devices, PinnedMemoryIsTakenWhereThereIsAContext) {
  set_current_device(2);
  std::thread([] {
    pinned_pool().free(allocate_pinned(1000));
    int device = -1;
    ASSERT_EQ(cudaGetDevice(&device), cudaSuccess);
    EXPECT_EQ(device, 2) << "what the other thread made active";
    EXPECT_EQ(current_device(), 0) << "the script's";
    activate(0);
    ASSERT_EQ(cudaGetDevice(&device), cudaSuccess);
    EXPECT_EQ(device, 0);
  }).join();
}

TEST_F(Devices, AThreadThatHadNoneActiveIsNotLeftOnTheFirst) {
  const auto ends_on = [](const std::function<void()>& f) {
    int device = -1;
    std::thread([&] {
      f();
      EXPECT_EQ(current_device(), 0) << "the script's";
      ASSERT_EQ(cudaGetDevice(&device), cudaSuccess);
    }).join();
    return device;
  };
  EXPECT_EQ(ends_on([] { const Switch to(2); }), 2);
  EXPECT_EQ(ends_on([] { const DeviceGuard to(2); }), 2);
  EXPECT_EQ(ends_on([] {
              activate(1);
              const Switch to(2);
            }),
            1);
  EXPECT_EQ(ends_on([] {
              activate(1);
              const DeviceGuard to(2);
            }),
            0);
}

}  // namespace
}  // namespace thc::test
