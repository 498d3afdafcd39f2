// Virtual memory management of the simulated driver, against the CUDA Driver API reference.
#include <cuda.h>

#include "THC/support/devices.h"
#include "sim/tasks.h"

namespace thc::test {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

class VirtualMemory : public OnDevices {
 protected:
  static CUmemAllocationProp on(int device) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    return properties;
  }
  static CUmemGenericAllocationHandle create(size_t bytes) {
    CUmemGenericAllocationHandle handle = 0;
    const CUmemAllocationProp properties = on(0);
    EXPECT_EQ(cuMemCreate(&handle, bytes, &properties, 0), CUDA_SUCCESS);
    return handle;
  }
  static CUresult open(CUdeviceptr ptr, size_t bytes) {
    const CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, 0},
                                 CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    return cuMemSetAccess(ptr, bytes, &access, 1);
  }
  static size_t used() {
    size_t free = 0;
    size_t total = 0;
    EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
    return total - free;
  }
  /// What a kernel that writes there ends with.
  static cudaError_t write(CUdeviceptr ptr) {
    sim::enqueue(nullptr, "kernel", [=] { *reinterpret_cast<char*>(ptr) = 1; });
    const cudaError_t result = cudaDeviceSynchronize();
    sim::reset();
    return result;
  }
};

TEST_F(VirtualMemory, LivesWhileItHasAHandleOrAPlace) {
  CUdeviceptr ptr = 0;
  ASSERT_EQ(cuMemAddressReserve(&ptr, 8 * kMiB, 0, 0, 0), CUDA_SUCCESS);
  const auto handle = create(4 * kMiB);
  EXPECT_EQ(used(), 4 * kMiB);
  ASSERT_EQ(cuMemMap(ptr + 2 * kMiB, 4 * kMiB, 0, handle, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
  EXPECT_EQ(cuMemRelease(handle), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(used(), 4 * kMiB);
  EXPECT_EQ(cuMemAddressFree(ptr, 8 * kMiB), CUDA_ERROR_INVALID_VALUE) << "still mapped";
  EXPECT_EQ(cuMemUnmap(ptr + 2 * kMiB, 2 * kMiB), CUDA_ERROR_INVALID_VALUE) << "half of it";
  EXPECT_EQ(cuMemUnmap(ptr, 4 * kMiB), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemUnmap(ptr + 2 * kMiB, 4 * kMiB), CUDA_SUCCESS);
  EXPECT_EQ(used(), 0u);
  EXPECT_EQ(cuMemAddressFree(ptr, 4 * kMiB), CUDA_ERROR_INVALID_VALUE) << "half the range";
  EXPECT_EQ(cuMemAddressFree(ptr, 8 * kMiB), CUDA_SUCCESS);
}

TEST_F(VirtualMemory, IsThereForKernelsOnceItIsMappedAndOpened) {
  CUdeviceptr ptr = 0;
  ASSERT_EQ(cuMemAddressReserve(&ptr, 8 * kMiB, 2 * kMiB, 0, 0), CUDA_SUCCESS);
  EXPECT_EQ(write(ptr), cudaErrorIllegalAddress) << "addresses only";
  for (const CUdeviceptr at : {ptr, ptr + 2 * kMiB}) {
    const auto handle = create(2 * kMiB);
    ASSERT_EQ(cuMemMap(at, 2 * kMiB, 0, handle, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuMemMap(at + 2 * kMiB, 2 * kMiB, 0, handle, 0), CUDA_ERROR_NOT_SUPPORTED);
    cuMemRelease(handle);
  }
  EXPECT_EQ(write(ptr), cudaErrorIllegalAddress) << "no access";
  EXPECT_EQ(open(ptr, 6 * kMiB), CUDA_ERROR_INVALID_VALUE) << "a third of it is not mapped";
  ASSERT_EQ(open(ptr, 4 * kMiB), CUDA_SUCCESS);
  EXPECT_EQ(write(ptr), cudaSuccess);
  EXPECT_EQ(write(ptr + 4 * kMiB - 1), cudaSuccess);
  EXPECT_EQ(write(ptr + 4 * kMiB), cudaErrorIllegalAddress);
  // Copies cross the border between two mappings, and end where memory does.
  char host[16];
  auto* border = reinterpret_cast<char*>(ptr) + 2 * kMiB - 8;
  EXPECT_EQ(cudaMemcpyAsync(host, border, 16, cudaMemcpyDeviceToHost, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(host, border + 2 * kMiB, 16, cudaMemcpyDeviceToHost, nullptr),
            cudaErrorInvalidValue);
  cudaGetLastError();
  EXPECT_EQ(cuMemUnmap(ptr, 4 * kMiB), CUDA_SUCCESS) << "both at once";
  EXPECT_EQ(cuMemAddressFree(ptr, 8 * kMiB), CUDA_SUCCESS);
}

TEST_F(VirtualMemory, GoesWithoutWaitingForAnybody) {
  for (const bool by_copy : {false, true}) {
    CUdeviceptr ptr = 0;
    ASSERT_EQ(cuMemAddressReserve(&ptr, 2 * kMiB, 0, 0, 0), CUDA_SUCCESS);
    const auto handle = create(2 * kMiB);
    ASSERT_EQ(cuMemMap(ptr, 2 * kMiB, 0, handle, 0), CUDA_SUCCESS);
    cuMemRelease(handle);
    ASSERT_EQ(open(ptr, 2 * kMiB), CUDA_SUCCESS);
    auto* memory = reinterpret_cast<char*>(ptr);
    if (by_copy) {
      ASSERT_EQ(cudaMemsetAsync(memory, 0, 100, nullptr), cudaSuccess);
    } else {
      sim::enqueue(nullptr, "kernel", [=] { *memory = 1; });
    }
    ASSERT_EQ(cuMemUnmap(ptr, 2 * kMiB), CUDA_SUCCESS);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    sim::reset();
    EXPECT_EQ(cuMemAddressFree(ptr, 2 * kMiB), CUDA_SUCCESS);
  }
}

TEST_F(VirtualMemory, IsLimitedAndComesInWholePages) {
  CUmemGenericAllocationHandle handle = 0;
  const CUmemAllocationProp properties = on(0);
  size_t granularity = 0;
  ASSERT_EQ(cuMemGetAllocationGranularity(&granularity, &properties,
                                          CU_MEM_ALLOC_GRANULARITY_RECOMMENDED),
            CUDA_SUCCESS);
  EXPECT_EQ(granularity, 2 * kMiB);
  EXPECT_EQ(cuMemCreate(&handle, kMiB, &properties, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemCreate(&handle, sim::machine().memory + 2 * kMiB, &properties, 0),
            CUDA_ERROR_OUT_OF_MEMORY);
  CUdeviceptr ptr = 0;
  EXPECT_EQ(cuMemAddressReserve(&ptr, kMiB, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAddressReserve(&ptr, size_t{1} << 50, 0, 0, 0), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cuMemMap(0, 2 * kMiB, 0, 1234, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAddressFree(0, 2 * kMiB), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(VirtualMemory, IsFoundByName) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult result;
  ASSERT_EQ(
      cudaGetDriverEntryPointByVersion("cuMemCreate", &function, 12000, cudaEnableDefault, &result),
      cudaSuccess);
  EXPECT_EQ(result, cudaDriverEntryPointSuccess);
  EXPECT_EQ(function, reinterpret_cast<void*>(&cuMemCreate));
  ASSERT_EQ(cudaGetDriverEntryPointByVersion("cuNoSuchThing", &function, 12000, cudaEnableDefault,
                                             &result),
            cudaSuccess);
  EXPECT_EQ(result, cudaDriverEntryPointSymbolNotFound);
}

}  // namespace
}  // namespace thc::test
