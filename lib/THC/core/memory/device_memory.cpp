#include "core/memory/device_memory.h"

#include <algorithm>
#include <mutex>

#include "core/device.h"
#include "core/memory/memory_calls.h"

namespace thc {
namespace {

/// From this size on it is worth asking the device first whether it has so much.
constexpr size_t kLargeRequest = size_t{64} << 20;

CUdeviceptr address(const void* ptr) { return reinterpret_cast<CUdeviceptr>(ptr); }

CUmemAllocationProp memory_of(int device) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  return properties;
}

CUmemAccessDesc access_from(int device, bool enabled) {
  return {{CU_MEM_LOCATION_TYPE_DEVICE, device},
          enabled ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE};
}

/// The driver, if it and the device can map memory in such pages.
const Driver* driver_for(int device, size_t page) {
  const Driver* driver = Driver::get();
  int supported = 0;
  size_t granularity = 0;
  const CUmemAllocationProp properties = memory_of(device);
  const bool has_ranges =
      driver != nullptr &&
      driver->DeviceGetAttribute(&supported,
                                 CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
                                 device) == CUDA_SUCCESS &&
      supported != 0 &&
      driver->MemGetAllocationGranularity(&granularity, &properties,
                                          CU_MEM_ALLOC_GRANULARITY_MINIMUM) == CUDA_SUCCESS &&
      granularity != 0 && page % granularity == 0;
  return has_ranges ? driver : nullptr;
}

}  // namespace

DeviceMemory::DeviceMemory(int device, size_t page) : device_(device), page_(page) {
  const Switch to(device_);
  ignore(cudaFree(nullptr));  // makes the context that the driver's functions need
  driver_ = driver_for(device, page);
  access_.push_back(access_from(device, true));
  for (int peer = 0; peer < device_count(); ++peer) {
    if (peer != device && peer_access(peer, device)) {
      access_.push_back(access_from(peer, true));
    }
  }
  if (driver_ != nullptr && !can_map()) {
    driver_ = nullptr;
  }
}

/// Tries one page: a driver may have the functions and refuse them all the same, as in some
/// containers and virtual machines. A device without a free page has not refused.
bool DeviceMemory::can_map() {
  void* const page = reserve(page_, true);
  if (page == nullptr) {
    return false;
  }
  const bool mapped = map_piece(page, page_);
  if (mapped) {
    unmap_piece(page, page_);
  }
  unreserve(page, page_);
  return mapped || !take_refusal().is_fault();
}

void* DeviceMemory::allocate(size_t bytes) noexcept {
  const Switch to(device_);
  void* ptr = nullptr;
  return THC_WORKED(cudaMalloc(&ptr, bytes)) ? ptr : nullptr;
}

void DeviceMemory::free(void* ptr, size_t) noexcept {
  const Switch to(device_);
  ignore(cudaFree(ptr));  // waits for the device
}

void* DeviceMemory::reserve(size_t bytes, bool) noexcept {
  const Switch to(device_);
  CUdeviceptr ptr = 0;
  if (driver_ == nullptr || !THC_WORKED(driver_->MemAddressReserve(&ptr, bytes, page_, 0, 0))) {
    return nullptr;
  }
  return reinterpret_cast<void*>(ptr);
}

void DeviceMemory::unreserve(void* ptr, size_t bytes) noexcept {
  const Switch to(device_);
  driver_->MemAddressFree(address(ptr), bytes);
}

bool DeviceMemory::map(void* ptr, size_t bytes) noexcept {
  const Switch to(device_);
  // What cannot be had is known before thousands of pieces have been mapped.
  size_t free_bytes = 0;
  size_t total = 0;
  if (bytes >= kLargeRequest && cudaMemGetInfo(&free_bytes, &total) == cudaSuccess &&
      free_bytes < bytes) {
    return false;
  }
  const std::lock_guard lock(mutex_);
  return pieces_.map(
      ptr, bytes, [&](void* piece, size_t size) { return map_piece(piece, size); },
      [&](void* piece, size_t size) { unmap_piece(piece, size); });
}

bool DeviceMemory::map_piece(void* ptr, size_t bytes) const {
  CUmemGenericAllocationHandle handle;
  const CUmemAllocationProp properties = memory_of(device_);
  if (!THC_WORKED(driver_->MemCreate(&handle, bytes, &properties, 0))) {
    return false;
  }
  const bool mapped = THC_WORKED(driver_->MemMap(address(ptr), bytes, 0, handle, 0));
  driver_->MemRelease(handle);  // the memory lives as long as it is mapped
  if (mapped &&
      !THC_WORKED(driver_->MemSetAccess(address(ptr), bytes, access_.data(), access_.size()))) {
    unmap_piece(ptr, bytes);
    return false;
  }
  return mapped;
}

void DeviceMemory::unmap_piece(void* ptr, size_t bytes) const {
  driver_->MemUnmap(address(ptr), bytes);
}

void DeviceMemory::unmap(void* ptr, size_t bytes, th::Stream owner) noexcept {
  const Switch to(device_);
  // Unlike cudaFree this does not wait for anybody. Other streams' uses the pool has waited for, or
  // the owner has been made to: so what the owner has before it is all that can touch the pages.
  ignore(cudaStreamSynchronize(static_cast<cudaStream_t>(owner)));
  const std::lock_guard lock(mutex_);
  pieces_.unmap(ptr, bytes, [&](void* piece, size_t size) { unmap_piece(piece, size); });
}

void DeviceMemory::set_access(int device, bool enabled) {
  if (!has_ranges() || device == device_) {
    return;
  }
  const Switch to(device_);
  const std::lock_guard lock(mutex_);
  const CUmemAccessDesc access = access_from(device, enabled);
  bool done = true;
  pieces_.for_each([&](void* piece, size_t size) {
    done = done && driver_->MemSetAccess(address(piece), size, &access, 1) == CUDA_SUCCESS;
  });
  TH_CHECK(done, "the driver refuses to change device ", device + 1,
           "'s access to the memory of device ", device_ + 1, "; copies between them work without");
  std::erase_if(access_, [&](const CUmemAccessDesc& each) { return each.location.id == device; });
  if (enabled) {
    access_.push_back(access);
  }
}

void DeviceMemory::synchronize_all() noexcept {
  const Switch to(device_);
  ignore(cudaDeviceSynchronize());
}

th::Event DeviceMemory::record(th::Stream stream) noexcept {
  const Switch to(device_);
  const cudaEvent_t event = events_.take();
  if (event != nullptr &&
      cudaEventRecord(event, static_cast<cudaStream_t>(stream)) == cudaSuccess) {
    return event;
  }
  // Without an event there is only one way to be sure that the stream has passed.
  cudaGetLastError();
  ignore(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)));
  destroy(event);
  return nullptr;
}

void DeviceMemory::wait(th::Stream stream, th::Event event) noexcept {
  if (event == nullptr) {
    return;
  }
  const Switch to(device_);
  if (cudaStreamWaitEvent(static_cast<cudaStream_t>(stream), static_cast<cudaEvent_t>(event), 0) !=
      cudaSuccess) {
    cudaGetLastError();
    synchronize(event);
  }
}

void DeviceMemory::synchronize(th::Event event) noexcept {
  if (event != nullptr) {
    ignore(cudaEventSynchronize(static_cast<cudaEvent_t>(event)));
  }
}

bool DeviceMemory::passed(th::Event event) noexcept {
  return passed_event(static_cast<cudaEvent_t>(event));
}

void DeviceMemory::destroy(th::Event event) noexcept {
  if (event != nullptr) {
    events_.give(static_cast<cudaEvent_t>(event));
  }
}

}  // namespace thc
