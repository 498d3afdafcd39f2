// What a status of cuBLAS or cuDNN that is no success asks for.
#pragma once

#include <string>

#include <cublas_v2.h>
#include <cudnn.h>

#include "core/check.h"
#include "core/memory/room.h"
#include "core/vendor/vendor_plans.h"

namespace thc {

enum class Trouble {
  None,
  Memory,    ///< it says that there was none; nothing was written
  Unusable,  ///< the library itself cannot be used: no initialisation, a part that does not load
  Refused,   ///< not this call: another algorithm, or kernels of ours
  Failed,    ///< it tried: what it was to write may be half done
};

inline Trouble trouble_of(cudnnStatus_t status) {
  switch (status) {
    case CUDNN_STATUS_SUCCESS:
      return Trouble::None;
    case CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED:
    case CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED:
      return Trouble::Memory;
    default:
      break;
  }
  switch (static_cast<int>(status) / 1000) {  // the category, as cuDNN 9 counts
    case 1:
      return Trouble::Unusable;
    case 2:
    case 3:
      return Trouble::Refused;
    default:
      return Trouble::Failed;
  }
}

inline Trouble trouble_of(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return Trouble::None;
    case CUBLAS_STATUS_ALLOC_FAILED:
      return Trouble::Memory;
    case CUBLAS_STATUS_INVALID_VALUE:
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return Trouble::Refused;
    case CUBLAS_STATUS_NOT_INITIALIZED:
    case CUBLAS_STATUS_LICENSE_ERROR:
      return Trouble::Unusable;
    default:
      return Trouble::Failed;
  }
}

/// call(), and once more with the caches given back where it failed: a library loads its kernels
/// when they first run, and says of a device that has no room for them only that it failed. For
/// calls that may be made again. OutOfMemory where the device is full even so: then tensors that
/// nobody needs any more may be in the way.
template <class Call>
auto with_room(const char* name, const Call& call) {
  const auto failed = [](auto status) {
    const Trouble t = trouble_of(status);
    return t == Trouble::Failed || t == Trouble::Unusable;
  };
  auto status = call();
  if (failed(status)) [[unlikely]] {
    throw_device_fault(name);
    const bool full = make_room();
    status = call();
    if (full && failed(status)) {
      throw OutOfMemory(str("the device has no memory left to load a kernel of a library (", name,
                            "), not even with the cache given back; free some"));
    }
  }
  return status;
}

/// Throws what a trouble of cuDNN is to its callers: OutOfMemory, Unusable, Refused or Failed.
[[noreturn]] inline void throw_cudnn(Trouble trouble, const std::string& text, const char* call) {
  switch (trouble) {
    case Trouble::Memory:
      throw OutOfMemory(str("cuDNN found no memory (", call, "); free some, or empty the cache"));
    case Trouble::Unusable:
      throw Unusable(str("cuDNN: ", text, " (", call, ")"));
    case Trouble::Refused:
      throw Refused(str("cuDNN: ", text, " (", call, ")"));
    default:
      throw Failed(str("cuDNN: ", text, " (", call,
                       "). What the operation writes may be half done: a gradient that is added to "
                       "has to be zeroed; cutorch.setOptions{cudnn = false} takes other kernels"));
  }
}

}  // namespace thc
