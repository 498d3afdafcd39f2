// The driver's functions for virtual memory. The runtime is asked for them, so that the library
// links no driver and loads on machines without one.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

namespace thc {

/// Functions of the CUDA Driver API under their names without "cu"; see its chapter on virtual
/// memory management.
struct Driver {
  decltype(&cuDeviceGetAttribute) DeviceGetAttribute = nullptr;
  decltype(&cuMemGetAllocationGranularity) MemGetAllocationGranularity = nullptr;
  decltype(&cuMemAddressReserve) MemAddressReserve = nullptr;
  decltype(&cuMemAddressFree) MemAddressFree = nullptr;
  decltype(&cuMemCreate) MemCreate = nullptr;
  decltype(&cuMemRelease) MemRelease = nullptr;
  decltype(&cuMemMap) MemMap = nullptr;
  decltype(&cuMemUnmap) MemUnmap = nullptr;
  decltype(&cuMemSetAccess) MemSetAccess = nullptr;

  /// nullptr where the driver lacks one of them.
  static const Driver* get();
};

}  // namespace thc
