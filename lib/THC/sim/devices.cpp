// Devices of the simulated machine.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "sim/memory.h"
#include "sim/state.h"

namespace thc::sim {
namespace {

constexpr long kMostDevices = 64;

thread_local int current_device = 0;

/// A mistake in the environment is no error of any CUDA call: say it once, and go on without.
void ignore_setting(const char* name, const char* text, const char* wanted) {
  std::fprintf(stderr, "%s is '%s', expected %s; it is ignored\n", name, text, wanted);
}

/// "512M", "2G", plain bytes.
size_t parse_bytes(const char* name, size_t otherwise) {
  const char* text = std::getenv(name);
  if (text == nullptr) {
    return otherwise;
  }
  char* rest;
  const double number = std::strtod(text, &rest);
  const char* const units = "KMGT";
  const char* unit = *rest == '\0' ? nullptr : std::strchr(units, *rest & ~0x20);
  const double bytes =
      unit == nullptr ? number : number * double(1ull << (10 * (unit - units + 1)));
  if (bytes < 1 || (unit == nullptr ? *rest : rest[1]) != '\0') {
    ignore_setting(name, text, "bytes, or a number with K, M, G or T");
    return otherwise;
  }
  return static_cast<size_t>(bytes);
}

long parse_number(const char* name, long otherwise, long least = std::numeric_limits<long>::min(),
                  long most = std::numeric_limits<long>::max()) {
  const char* text = std::getenv(name);
  if (text == nullptr) {
    return otherwise;
  }
  char* rest;
  const long number = std::strtol(text, &rest, 0);
  if (rest == text || *rest != '\0' || number < least || number > most) {
    ignore_setting(name, text, most == kMostDevices ? "a number from 0 to 64" : "a number");
    return otherwise;
  }
  return number;
}

Machine from_environment() {
  Machine m;
  m.devices = static_cast<int>(parse_number("THC_SIM_DEVICES", m.devices, 0, kMostDevices));
  m.memory = parse_bytes("THC_SIM_MEMORY", m.memory);
  m.seed = static_cast<uint64_t>(parse_number("THC_SIM_SEED", static_cast<long>(m.seed)));
  m.driver = static_cast<int>(parse_number("THC_SIM_DRIVER", m.driver));
  m.cudnn = static_cast<int>(parse_number("THC_SIM_CUDNN", m.cudnn));
  return m;
}

void make_devices(State& s) {
  for (int i = 0; i < s.machine.devices; ++i) {
    auto device = std::make_unique<Device>();
    device->number = i;
    device->default_stream =
        std::make_unique<CUstream_st>(CUstream_st{device.get(), true, true, {}});
    make_arena(device->arena, s.machine.memory);
    s.devices.push_back(std::move(device));
  }
}

}  // namespace

std::recursive_mutex& lock() {
  static auto& mutex = *new std::recursive_mutex;
  return mutex;
}

State& state() {
  static State& instance = *[] {
    auto* s = new State;
    s->machine = from_environment();
    s->random.seed(s->machine.seed);
    if (const char* rules = std::getenv("THC_SIM_FAIL")) {
      add_rules(*s, rules);
    }
    install_fault_handler();
    make_devices(*s);
    return s;
  }();
  return instance;
}

const Machine& machine() { return state().machine; }

void set_seed(uint64_t seed) {
  const std::lock_guard guard(lock());
  state().machine.seed = seed;
  state().random.seed(seed);
}

uint64_t draw() { return state().random(); }

void set_driver(int version) {
  const std::lock_guard guard(lock());
  state().machine.driver = version;
}

void set_cudnn(int version) {
  const std::lock_guard guard(lock());
  state().machine.cudnn = version;
}

void reset() {
  const std::lock_guard guard(lock());
  State& s = state();
  for (auto& device : s.devices) {
    if (device->fault == cudaSuccess) {
      drain_device(*device);
    }
    device->fault = cudaSuccess;
  }
  s.fault_text.clear();
  s.failures.clear();
  forget_error();
}

int current_number() { return current_device; }
Device& current() { return *state().devices[static_cast<size_t>(current_device)]; }

}  // namespace thc::sim

using namespace thc::sim;

cudaError_t cudaDriverGetVersion(int* version) {
  const std::lock_guard guard(lock());
  *version = state().machine.driver;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  const std::lock_guard guard(lock());
  *count = 0;
  cudaError_t error = begin("cudaGetDeviceCount");
  if (error == cudaSuccess) {
    *count = static_cast<int>(state().devices.size());
  }
  return end(error);
}

cudaError_t cudaSetDevice(int device) {
  const std::lock_guard guard(lock());
  cudaError_t error = begin("cudaSetDevice");
  const State& s = state();
  if (error == cudaSuccess || error == current().fault) {
    error = cudaSuccess;
    if (device < 0 || device >= static_cast<int>(s.devices.size())) {
      error = cudaErrorInvalidDevice;
    } else {
      current_device = device;
      error = current().fault;
    }
  }
  return end(error);
}

cudaError_t cudaGetDevice(int* device) {
  const std::lock_guard guard(lock());
  *device = current_number();
  return end(begin("cudaGetDevice", false));
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  const std::lock_guard guard(lock());
  if (const cudaError_t error = begin("cudaGetDeviceProperties"); error != cudaSuccess) {
    return end(error);
  }
  if (device < 0 || device >= static_cast<int>(state().devices.size())) {
    return end(cudaErrorInvalidDevice);
  }
  *properties = cudaDeviceProp{};
  std::snprintf(properties->name, sizeof(properties->name), "Simulated device %d", device + 1);
  properties->totalGlobalMem = machine().memory;
  properties->sharedMemPerBlock = 48 << 10;
  properties->regsPerBlock = 65536;
  properties->warpSize = 32;
  properties->memPitch = 0x7fffffff;
  properties->maxThreadsPerBlock = 1024;
  const int threads[] = {1024, 1024, 64};
  const int grid[] = {0x7fffffff, 65535, 65535};
  std::memcpy(properties->maxThreadsDim, threads, sizeof(threads));
  std::memcpy(properties->maxGridSize, grid, sizeof(grid));
  properties->totalConstMem = 64 << 10;
  properties->major = 9;
  properties->textureAlignment = 512;
  properties->multiProcessorCount = 4;
  properties->canMapHostMemory = 1;
  properties->pciBusID = device + 1;
  properties->l2CacheSize = 1 << 20;
  properties->maxThreadsPerMultiProcessor = 2048;
  properties->unifiedAddressing = 1;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  const std::lock_guard guard(lock());
  cudaDeviceProp properties;
  if (const cudaError_t error = cudaGetDeviceProperties(&properties, device);
      error != cudaSuccess) {
    return error;
  }
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = properties.maxThreadsPerBlock;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = properties.multiProcessorCount;
      break;
    case cudaDevAttrCanMapHostMemory:
      *value = 1;
      break;
    default:
      *value = 0;
      break;
  }
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
  const std::lock_guard guard(lock());
  cudaError_t error = begin("cudaDeviceSynchronize");
  if (error == cudaSuccess) {
    drain_device(current());
    error = current().fault;
  }
  return end(error);
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  const std::lock_guard guard(lock());
  const cudaError_t error = begin("cudaDeviceCanAccessPeer");
  const auto count = static_cast<int>(state().devices.size());
  if (error == cudaSuccess && (device < 0 || device >= count || peer < 0 || peer >= count)) {
    return end(cudaErrorInvalidDevice);
  }
  *can = device != peer ? 1 : 0;
  return end(error);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  const std::lock_guard guard(lock());
  cudaError_t error = begin("cudaDeviceEnablePeerAccess");
  if (error == cudaSuccess) {
    if (peer < 0 || peer >= static_cast<int>(state().devices.size()) || peer == current_number()) {
      error = cudaErrorInvalidDevice;
    } else if (!current().peers.insert(peer).second) {
      error = cudaErrorPeerAccessAlreadyEnabled;
    }
  }
  return end(error);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  const std::lock_guard guard(lock());
  cudaError_t error = begin("cudaDeviceDisablePeerAccess");
  if (error == cudaSuccess) {
    drain_device(current());
    if (current().peers.erase(peer) == 0) {
      error = cudaErrorPeerAccessNotEnabled;
    }
  }
  return end(error);
}
