// Devices: how many there are, which one a thread works on. Numbers count from 0 here and from 1 in
// texts and scripts.
#pragma once

#include <cuda_runtime.h>

#include "core/check.h"

namespace thc {

/// More than any machine has; sizes tables that are indexed by device.
inline constexpr int kMaxDevices = 64;

/// Devices of this machine, at least 1. Throws with cause and remedy where none can be used.
int device_count();
/// Throws unless the device exists.
void check_device(int device);

/// The script's current device, per thread; where new tensors go.
int current_device();
void set_current_device(int device);

/// Point CUDA at a device for the calls that follow. Operations do this with their tensors' device;
/// the script's current device stays what it is.
void activate(int device);
/// For work that some device has to be active for, whichever: a thread that has none yet takes the
/// last one of the others, since there is a context on it. Does nothing where CUDA refuses.
void activate_any() noexcept;
/// Whether the thread has one active.
bool has_active() noexcept;

/// Properties as CUDA has them, asked once.
const cudaDeviceProp& device_properties(int device);
inline int multiprocessors(int device) { return device_properties(device).multiProcessorCount; }

/// Make `device` active for a scope, then the one before.
class DeviceGuard {
 public:
  explicit DeviceGuard(int device);
  ~DeviceGuard();
  DeviceGuard(const DeviceGuard&) = delete;

 private:
  int before_;
  bool restores_;  // a thread that had none active keeps this one: CUDA's first would get a context
};

/// Let kernels of `device` read and write memory of `peer`; copies between them then go directly.
bool can_access_peer(int device, int peer);
bool peer_access(int device, int peer);
void set_peer_access(int device, int peer, bool enabled);

}  // namespace thc
