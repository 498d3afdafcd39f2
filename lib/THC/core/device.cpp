#include "core/device.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>

#include "core/memory/allocator.h"

namespace thc {
namespace {

thread_local int script_device = 0;
thread_local int active_device = -1;  // what CUDA was last told; -1: nothing yet
std::atomic<int> last_active{-1};     // by any thread

std::mutex mutex;
std::array<std::unique_ptr<cudaDeviceProp>, kMaxDevices> properties;
bool peers[kMaxDevices][kMaxDevices];

}  // namespace

int device_count() {
  // An error is not remembered: a device may come back, and the text is wanted each time.
  static std::atomic<int> count{0};
  if (count.load(std::memory_order_relaxed) == 0) [[unlikely]] {
    int found = 0;
    THC_CHECK(cudaGetDeviceCount(&found));
    if (found == 0) {
      cuda_failed(cudaErrorNoDevice, "cudaGetDeviceCount(&found)");
    }
    count = found < kMaxDevices ? found : kMaxDevices;
  }
  return count.load(std::memory_order_relaxed);
}

void check_device(int device) {
  const int count = device_count();
  if (device < 0 || device >= count) [[unlikely]] {
    fail("device ", device + 1, " does not exist: this machine has ", count,
         count == 1 ? " CUDA device, number 1" : str(" CUDA devices, 1 to ", count));
  }
}

int current_device() { return script_device; }

void set_current_device(int device) {
  check_device(device);
  script_device = device;
  activate(device);
}

void activate(int device) {
  if (device != active_device) [[unlikely]] {
    check_device(device);
    THC_CHECK(cudaSetDevice(device));
    active_device = device;
    last_active.store(device, std::memory_order_relaxed);
  }
}

void activate_any() noexcept {
  const int device = last_active.load(std::memory_order_relaxed);
  if (active_device >= 0 || device < 0) {
    return;
  }
  if (cudaSetDevice(device) == cudaSuccess) {
    active_device = device;
  } else {
    cudaGetLastError();
  }
}

const cudaDeviceProp& device_properties(int device) {
  check_device(device);
  const std::lock_guard lock(mutex);
  auto& entry = properties[static_cast<size_t>(device)];
  if (entry == nullptr) {
    auto found = std::make_unique<cudaDeviceProp>();
    THC_CHECK(cudaGetDeviceProperties(found.get(), device));
    entry = std::move(found);
  }
  return *entry;
}

bool has_active() noexcept { return active_device >= 0; }

DeviceGuard::DeviceGuard(int device) : before_(script_device), restores_(has_active()) {
  set_current_device(device);
}
DeviceGuard::~DeviceGuard() {
  script_device = before_;
  if (restores_ && cudaSetDevice(before_) == cudaSuccess) {
    active_device = before_;
  }
}

bool can_access_peer(int device, int peer) {
  check_device(device);
  check_device(peer);
  if (device == peer) {
    return true;
  }
  int can = 0;
  THC_CHECK(cudaDeviceCanAccessPeer(&can, device, peer));
  return can != 0;
}

bool peer_access(int device, int peer) {
  check_device(device);
  check_device(peer);
  const std::lock_guard lock(mutex);
  return device == peer || peers[device][peer];
}

void set_peer_access(int device, int peer, bool enabled) {
  if (peer_access(device, peer) == enabled || device == peer) {
    return;
  }
  TH_CHECK(!enabled || can_access_peer(device, peer), "device ", device + 1,
           " cannot reach the memory of device ", peer + 1,
           ": nothing connects them directly; copies still work, through the host");
  activate(device);
  if (enabled) {
    const cudaError_t result = cudaDeviceEnablePeerAccess(peer, 0);
    if (result == cudaErrorPeerAccessAlreadyEnabled) {
      cudaGetLastError();  // another library did it
    } else {
      THC_CHECK(result);
    }
  } else {
    THC_CHECK(cudaDeviceDisablePeerAccess(peer));
  }
  const auto note = [&](bool now) {
    const std::lock_guard lock(mutex);
    peers[device][peer] = now;
  };
  note(enabled);  // first: a pool that another thread makes now will look here
  try {
    set_mapped_access(peer, device, enabled);
  } catch (...) {
    note(!enabled);
    throw;
  }
}

}  // namespace thc
