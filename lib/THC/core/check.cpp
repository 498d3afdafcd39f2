#include "core/check.h"

#include <string_view>

#ifdef THC_SIMULATED
#include "sim/control.h"
#endif

namespace thc {
namespace {

/// 13000 -> "13.0"
std::string version(int number) { return str(number / 1000, ".", number % 1000 / 10); }

std::string driver_trouble() {
  int driver = 0;
  int runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  cudaGetLastError();
  if (driver == 0) {
    return "no NVIDIA driver was found on this machine; install one, or try scripts on simulated "
           "devices: THC_SIM_DEVICES=1 th script.lua";
  }
  return str("the NVIDIA driver is too old: it supports CUDA ", version(driver),
             ", this library was built with CUDA ", version(runtime),
             "; update the driver, or build the library with an older toolkit");
}

constexpr std::string_view kSticky =
    ". The fault happened in earlier work of this device, which runs behind the script; nothing on "
    "the GPU works in this process any more. Start it again with CUDA_LAUNCH_BLOCKING=1 to have "
    "the error at the line that caused it, or under compute-sanitizer to have the very kernel";

/// What ends a process and older toolkits have no names for; nullptr: another error.
const char* broken_device(cudaError_t error) {
  switch (static_cast<int>(error)) {
    case 220:  // cudaErrorNvlinkUncorrectable
      return "the link between two devices has an error that could not be corrected";
    case 226:  // cudaErrorContained
      return "the device's hardware failed, or a kernel touched memory of another device that is "
             "not its own";
    case 721:  // cudaErrorTensorMemoryLeak
      return "a kernel ended without giving its tensor memory back";
    case 810:  // cudaErrorMpsClientTerminated
      return "the MPS server ended this process's work, as it does where another client failed";
    case 911:  // cudaErrorExternalDevice
      return "a device outside of CUDA failed whose memory was shared";
    default:
      return nullptr;
  }
}
bool is_broken_device(cudaError_t error) { return broken_device(error) != nullptr; }

/// The name of the function in "cudaMalloc(&ptr, bytes)" or "driver_->MemMap(...)".
std::string function_of(std::string_view call) {
  constexpr std::string_view kDriver = "driver_->";
  const std::string name(call.substr(0, call.find('(')));
  return name.starts_with(kDriver) ? "cu" + name.substr(kDriver.size()) : name;
}

/// What only a simulation knows.
std::string fault_details([[maybe_unused]] cudaError_t error) {
#ifdef THC_SIMULATED
  if (is_sticky(error)) {
    return ". Simulated: " + sim::fault_text();
  }
#endif
  return "";
}

}  // namespace

bool is_sticky(cudaError_t error) {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorECCUncorrectable:
      return true;
    default:
      return is_broken_device(error);
  }
}

std::string explain(cudaError_t error) {
  switch (error) {
    case cudaErrorInsufficientDriver:
    case cudaErrorStubLibrary:
      return driver_trouble();
    case cudaErrorNoDevice:
      return "no CUDA device can be used: there is none, or CUDA_VISIBLE_DEVICES hides it; "
             "nvidia-smi lists what the driver sees";
    case cudaErrorSystemDriverMismatch:
      return "the NVIDIA driver's parts do not fit together, as after an update without a restart; "
             "restart the machine";
    case cudaErrorInitializationError:
      return "CUDA could not be initialised; a process made by fork() cannot use it when its "
             "parent "
             "did";
    case cudaErrorDevicesUnavailable:
      return "the device is in use by another process that has it for itself (exclusive mode); "
             "nvidia-smi names it";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorNoKernelImageForDevice:
      return "the library was not built for this device; build it with its architecture in "
             "CMAKE_CUDA_ARCHITECTURES";
    case cudaErrorIllegalAddress:
      return str("a kernel touched memory that is not its own", kSticky);
    case cudaErrorInvalidAddressSpace:
      return str("a kernel touched memory of another kind than its instruction is for", kSticky);
    case cudaErrorMisalignedAddress:
      return str("a kernel touched memory at an address that does not fit the type", kSticky);
    case cudaErrorAssert:
      return str("an assertion in a kernel failed", kSticky);
    case cudaErrorLaunchTimeout:
      return str("a kernel ran longer than the display's watchdog allows", kSticky);
    case cudaErrorLaunchFailure:
    case cudaErrorIllegalInstruction:
    case cudaErrorInvalidPc:
    case cudaErrorHardwareStackError:
      return str("a kernel failed", kSticky);
    case cudaErrorECCUncorrectable:
      return str("the device's memory has an error that could not be corrected", kSticky);
    case cudaErrorUnknown:
      return "CUDA failed and does not know why; the kernel's log (dmesg) has a line with \"NVRM: "
             "Xid\" if the device did";
    default:
      return is_broken_device(error) ? str(broken_device(error), kSticky)
                                     : cudaGetErrorString(error);
  }
}

void throw_device_fault(const char* call) {
  // A fault is every call's answer from then on, whatever stream is asked.
  const cudaError_t error = cudaStreamQuery(nullptr);
  if (error != cudaSuccess) {
    cudaGetLastError();  // a stream that is not ready yet leaves that behind
  }
  if (is_sticky(error)) {
    cuda_failed(error, call);
  }
}

void launch_failed(cudaError_t error) {
  constexpr const char* kCall = "cudaLaunchKernel";
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    fail("the device has no memory left to load a kernel (", kCall, " returned ",
         cudaGetErrorName(error),
         "), not even with the cache given back; free some. What the operation writes may be half "
         "done");
  }
  cuda_failed(error, kCall);
}

void launch_refused(int64_t blocks, int threads, int most_threads, size_t shared) {
  fail("too much for one kernel: ", blocks, " blocks of ", threads, " threads with ", shared,
       " bytes of shared memory, where ", kMostBlocks, " blocks, ", most_threads, " threads and ",
       kMostSharedBytes, " bytes are the most; use smaller tensors");
}

void cuda_failed(cudaError_t error, const char* call) {
  cudaGetLastError();  // what is not sticky is over with this report
  const std::string text = str(explain(error), " (", function_of(call), " returned ",
                               cudaGetErrorName(error), ")", fault_details(error));
  if (error == cudaErrorMemoryAllocation) {
    throw OutOfMemory(text);
  }
  throw Error(text);
}

}  // namespace thc
