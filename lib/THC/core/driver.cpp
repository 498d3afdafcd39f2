#include "core/driver.h"

namespace thc {
namespace {

/// All of them came with CUDA 10.2 and have not changed since; asking for 12.0 keeps it so.
constexpr unsigned kVersion = 12000;

template <class F>
bool find(F*& function, const char* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result;
  if (cudaGetDriverEntryPointByVersion(name, &found, kVersion, cudaEnableDefault, &result) !=
      cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  function = reinterpret_cast<F*>(found);
  return result == cudaDriverEntryPointSuccess && found != nullptr;
}

bool find_all(Driver& d) {
  return find(d.DeviceGetAttribute, "cuDeviceGetAttribute") &&
         find(d.MemGetAllocationGranularity, "cuMemGetAllocationGranularity") &&
         find(d.MemAddressReserve, "cuMemAddressReserve") &&
         find(d.MemAddressFree, "cuMemAddressFree") && find(d.MemCreate, "cuMemCreate") &&
         find(d.MemRelease, "cuMemRelease") && find(d.MemMap, "cuMemMap") &&
         find(d.MemUnmap, "cuMemUnmap") && find(d.MemSetAccess, "cuMemSetAccess");
}

}  // namespace

const Driver* Driver::get() {
  static Driver functions;
  static const bool complete = find_all(functions);
  return complete ? &functions : nullptr;
}

}  // namespace thc
