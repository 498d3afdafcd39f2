// Errors of the simulated runtime: failures on demand, faults, names.
#include <cstdio>

#include "sim/state.h"

namespace thc::sim {
namespace {

thread_local cudaError_t last_error = cudaSuccess;

/// What a function usually fails with.
cudaError_t usual_error(const std::string& call) {
  if (call == "cudaMalloc" || call == "cudaHostAlloc" || call == "cuMemCreate") {
    return cudaErrorMemoryAllocation;
  }
  if (call == "kernel" || call == "fault") {
    return cudaErrorIllegalAddress;
  }
  if (call == "cudaGetDeviceCount") {
    return cudaErrorInsufficientDriver;
  }
  return cudaErrorUnknown;
}

void add_rule(State& s, const std::string& call, int count, cudaError_t error) {
  if (count <= 0) {
    s.failures.erase(call);
  } else {
    s.failures[call] = {count, error == cudaSuccess ? usual_error(call) : error};
  }
}

/// The error that a rule has for this call.
cudaError_t asked_for(const char* function) {
  auto& rules = state().failures;
  const auto rule = rules.find(function);
  if (rule == rules.end() || --rule->second.count > 0) {
    return cudaSuccess;
  }
  const cudaError_t error = rule->second.error;
  rules.erase(rule);
  return error;
}

}  // namespace

/// "cudaMalloc:3,kernel:1:700"
void add_rules(State& s, const std::string& rules) {
  size_t begin = 0;
  while (begin < rules.size()) {
    const size_t stop = std::min(rules.find(',', begin), rules.size());
    const std::string rule = rules.substr(begin, stop - begin);
    char call[64];
    int count = 1;
    int error = 0;
    if (std::sscanf(rule.c_str(), "%63[^:]:%d:%d", call, &count, &error) >= 1) {
      add_rule(s, call, count, static_cast<cudaError_t>(error));
    }
    begin = stop + 1;
  }
}

void fail(const std::string& call, int count, cudaError_t error) {
  const std::lock_guard guard(lock());
  add_rule(state(), call, count, error);
}

void fail(const std::string& rules) {
  const std::lock_guard guard(lock());
  add_rules(state(), rules);
}

std::string fault_text() {
  const std::lock_guard guard(lock());
  return state().fault_text;
}

void forget_error() { last_error = cudaSuccess; }

cudaError_t begin(const char* function, bool needs_device) {
  State& s = state();
  if (const cudaError_t error = asked_for(function); error != cudaSuccess) {
    return error;
  }
  if (!needs_device) {
    return cudaSuccess;
  }
  if (s.machine.driver < CUDART_VERSION) {
    return cudaErrorInsufficientDriver;
  }
  if (s.devices.empty()) {
    return cudaErrorNoDevice;
  }
  if (const cudaError_t fault = asked_for("fault"); fault != cudaSuccess) {
    break_device(current(), fault, "a fault that was asked for");
  }
  return current().fault;
}

bool may_free(cudaError_t begun) {
  return begun == cudaSuccess || (!state().devices.empty() && begun == current().fault);
}

cudaError_t end(cudaError_t result) {
  if (result != cudaSuccess && result != cudaErrorNotReady) {
    last_error = result;
  }
  return result;
}

}  // namespace thc::sim

using namespace thc::sim;

cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() {
  const std::lock_guard guard(lock());
  const State& s = state();
  if (!s.devices.empty() && current().fault != cudaSuccess) {
    return current().fault;
  }
  return last_error;
}

#define THC_SIM_ERRORS(X)                                                                        \
  X(cudaSuccess, "no error")                                                                     \
  X(cudaErrorInvalidValue, "invalid argument")                                                   \
  X(cudaErrorMemoryAllocation, "out of memory")                                                  \
  X(cudaErrorInitializationError, "initialization error")                                        \
  X(cudaErrorStubLibrary, "CUDA driver is a stub library")                                       \
  X(cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version") \
  X(cudaErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable")            \
  X(cudaErrorNoDevice, "no CUDA-capable device is detected")                                     \
  X(cudaErrorInvalidDevice, "invalid device ordinal")                                            \
  X(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device") \
  X(cudaErrorECCUncorrectable, "uncorrectable ECC error encountered")                            \
  X(cudaErrorInvalidResourceHandle, "invalid resource handle")                                   \
  X(cudaErrorNotReady, "device not ready")                                                       \
  X(cudaErrorIllegalAddress, "an illegal memory access was encountered")                         \
  X(cudaErrorLaunchOutOfResources, "too many resources requested for launch")                    \
  X(cudaErrorLaunchTimeout, "the launch timed out and was terminated")                           \
  X(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled")                         \
  X(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled")                           \
  X(cudaErrorAssert, "device-side assert triggered")                                             \
  X(cudaErrorHardwareStackError, "hardware stack error")                                         \
  X(cudaErrorIllegalInstruction, "an illegal instruction was encountered")                       \
  X(cudaErrorMisalignedAddress, "misaligned address")                                            \
  X(cudaErrorInvalidAddressSpace, "operation not supported on global/shared address space")      \
  X(cudaErrorInvalidPc, "invalid program counter")                                               \
  X(cudaErrorLaunchFailure, "unspecified launch failure")                                        \
  X(cudaErrorNotPermitted, "operation not permitted")                                            \
  X(cudaErrorNotSupported, "operation not supported")                                            \
  X(cudaErrorSystemDriverMismatch,                                                               \
    "system has unsupported display driver / cuda driver combination")                           \
  X(cudaErrorUnknown, "unknown error")

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define THC_SIM_NAME(NAME, TEXT) \
  case NAME:                     \
    return #NAME;
    THC_SIM_ERRORS(THC_SIM_NAME)
#undef THC_SIM_NAME
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define THC_SIM_TEXT(NAME, TEXT) \
  case NAME:                     \
    return TEXT;
    THC_SIM_ERRORS(THC_SIM_TEXT)
#undef THC_SIM_TEXT
  }
  return "unrecognized error code";
}
