// Virtual memory management: addresses, memory, and the one mapped at the other.
//
// Stricter than a driver in one place: addresses reserved while a device is current can get memory
// of that device only, because the simulator tells devices by their addresses. And as a driver may
// do it, cuMemUnmap waits for nobody: work that still uses the memory faults.
#include <cstring>
#include <iterator>

#include <cuda.h>

#include "sim/memory.h"
#include "sim/state.h"

namespace thc::sim {
namespace {

constexpr size_t kGranularity = size_t{2} << 20;

void* pointer(CUdeviceptr ptr) { return reinterpret_cast<void*>(ptr); }

bool is_whole(size_t bytes) { return bytes != 0 && bytes % kGranularity == 0; }

/// The device whose addresses these are, and where they begin in its arena.
Device* find(CUdeviceptr ptr, size_t* offset) {
  Device* device = owner_of(pointer(ptr));
  if (device != nullptr) {
    *offset = static_cast<size_t>(static_cast<char*>(pointer(ptr)) - device->arena.base);
  }
  return device;
}

/// Whether [offset, offset + bytes) is cut into whole mapped pieces, without gaps; f(offset, piece)
/// for each.
template <class F>
bool for_mapped(Arena& arena, size_t offset, size_t bytes, F&& f) {
  const size_t end = offset + bytes;
  size_t at = offset;
  for (auto piece = arena.memory.find(offset);
       piece != arena.memory.end() && piece->first == at && piece->second.mapped && at < end;
       ++piece) {
    at += piece->second.bytes;
  }
  if (at != end || bytes == 0) {
    return false;
  }
  for (auto piece = arena.memory.find(offset); piece != arena.memory.end() && piece->first < end;) {
    const auto next = std::next(piece);
    f(piece->first, piece->second);
    piece = next;
  }
  return true;
}

void drop_if_unused(uint64_t handle) {
  State& s = state();
  const Allocation& allocation = s.allocations.at(handle);
  if (!allocation.has_handle && !allocation.is_mapped) {
    s.devices[static_cast<size_t>(allocation.device)]->used -= allocation.bytes;
    s.allocations.erase(handle);
  }
}

/// Driver functions leave nothing for cudaGetLastError.
template <class F>
CUresult call(const char* function, F&& f) {
  const std::lock_guard guard(lock());
  const cudaError_t error = begin(function);
  return error == cudaSuccess ? f() : static_cast<CUresult>(error);
}

/// Those that give something back.
template <class F>
CUresult call_to_free(const char* function, F&& f) {
  const std::lock_guard guard(lock());
  const cudaError_t error = begin(function);
  const CUresult result = may_free(error) ? f() : CUDA_SUCCESS;
  return error == cudaSuccess ? result : static_cast<CUresult>(error);
}

bool is_device(int device) {
  return device >= 0 && device < static_cast<int>(state().devices.size());
}

}  // namespace
}  // namespace thc::sim

using namespace thc::sim;

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* result) {
  const std::lock_guard guard(lock());
  static const std::map<std::string, void*> functions{
#define THC_SIM_FUNCTION(NAME) {#NAME, reinterpret_cast<void*>(&NAME)}
      THC_SIM_FUNCTION(cuDeviceGetAttribute),
      THC_SIM_FUNCTION(cuMemGetAllocationGranularity),
      THC_SIM_FUNCTION(cuMemAddressReserve),
      THC_SIM_FUNCTION(cuMemAddressFree),
      THC_SIM_FUNCTION(cuMemCreate),
      THC_SIM_FUNCTION(cuMemRelease),
      THC_SIM_FUNCTION(cuMemMap),
      THC_SIM_FUNCTION(cuMemUnmap),
      THC_SIM_FUNCTION(cuMemSetAccess),
#undef THC_SIM_FUNCTION
  };
  const auto found = functions.find(symbol);
  *function = found == functions.end() ? nullptr : found->second;
  *result = *function == nullptr ? cudaDriverEntryPointSymbolNotFound : cudaDriverEntryPointSuccess;
  return end(begin("cudaGetDriverEntryPointByVersion", false));
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return call("cuDeviceGetAttribute", [&] {
    if (!is_device(device)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *value = attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemGetAllocationGranularity(size_t* granularity, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags) {
  return call("cuMemGetAllocationGranularity", [&] {
    if (!is_device(properties->location.id)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *granularity = kGranularity;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAddressReserve(CUdeviceptr* ptr, size_t bytes, size_t alignment, CUdeviceptr,
                             unsigned long long) {
  return call("cuMemAddressReserve", [&] {
    if (!is_whole(bytes) || (alignment != 0 && alignment != kGranularity)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    Arena& arena = current().arena;
    size_t offset;
    if (!take_addresses(arena, bytes, kGranularity, &offset)) {
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *ptr = reinterpret_cast<CUdeviceptr>(arena.base + offset);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAddressFree(CUdeviceptr ptr, size_t bytes) {
  return call_to_free("cuMemAddressFree", [&] {
    size_t offset = 0;
    Device* device = find(ptr, &offset);
    if (device == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    Arena& arena = device->arena;
    const auto range = arena.taken.find(offset);
    const auto inside = arena.memory.lower_bound(offset);
    if (range == arena.taken.end() || range->second != bytes ||
        (inside != arena.memory.end() && inside->first < offset + bytes)) {
      return CUDA_ERROR_INVALID_VALUE;  // no reservation, or something is still mapped
    }
    arena.taken.erase(range);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t bytes,
                     const CUmemAllocationProp* properties, unsigned long long) {
  return call("cuMemCreate", [&] {
    if (!is_whole(bytes) || !is_device(properties->location.id) ||
        properties->type != CU_MEM_ALLOCATION_TYPE_PINNED) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    State& s = state();
    Device& device = *s.devices[static_cast<size_t>(properties->location.id)];
    if (bytes > machine().memory - device.used) {
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
    device.used += bytes;
    *handle = ++s.last_allocation;
    s.allocations[*handle] = {device.number, bytes};
    return CUDA_SUCCESS;
  });
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return call_to_free("cuMemRelease", [&] {
    const auto found = state().allocations.find(handle);
    if (found == state().allocations.end() || !found->second.has_handle) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    found->second.has_handle = false;
    drop_if_unused(handle);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemMap(CUdeviceptr ptr, size_t bytes, size_t offset_in_memory,
                  CUmemGenericAllocationHandle handle, unsigned long long) {
  return call("cuMemMap", [&] {
    size_t offset = 0;
    Device* device = find(ptr, &offset);
    const auto found = state().allocations.find(handle);
    if (device == nullptr || found == state().allocations.end() || offset_in_memory != 0 ||
        bytes != found->second.bytes || offset % kGranularity != 0) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (found->second.device != device->number || found->second.is_mapped) {
      return CUDA_ERROR_NOT_SUPPORTED;  // by the simulator
    }
    Arena& arena = device->arena;
    auto range = arena.taken.upper_bound(offset);
    const bool reserved =
        range != arena.taken.begin() && (--range, offset + bytes <= range->first + range->second);
    const auto next = arena.memory.lower_bound(offset);
    const bool free_behind = next == arena.memory.end() || next->first >= offset + bytes;
    const bool free_before = next == arena.memory.begin() ||
                             std::prev(next)->first + std::prev(next)->second.bytes <= offset;
    if (!reserved || !free_behind || !free_before) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    found->second.is_mapped = true;
    add_memory(*device, offset, {bytes, true, {}, handle});
    return CUDA_SUCCESS;
  });
}

CUresult cuMemUnmap(CUdeviceptr ptr, size_t bytes) {
  return call_to_free("cuMemUnmap", [&] {
    size_t offset = 0;
    Device* device = find(ptr, &offset);
    const auto unmap = [&](size_t at, const Piece& piece) {
      const uint64_t handle = piece.allocation;
      remove_memory(*device, at);
      state().allocations.at(handle).is_mapped = false;
      drop_if_unused(handle);
    };
    return device != nullptr && for_mapped(device->arena, offset, bytes, unmap)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuMemSetAccess(CUdeviceptr ptr, size_t bytes, const CUmemAccessDesc* access,
                        size_t count) {
  return call("cuMemSetAccess", [&] {
    size_t offset = 0;
    Device* device = find(ptr, &offset);
    const auto set = [&](size_t, Piece& piece) {
      for (size_t i = 0; i < count; ++i) {
        if (access[i].flags == CU_MEM_ACCESS_FLAGS_PROT_NONE) {
          piece.access.erase(access[i].location.id);
        } else {
          piece.access.insert(access[i].location.id);
        }
      }
    };
    return device != nullptr && for_mapped(device->arena, offset, bytes, set)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
  });
}
