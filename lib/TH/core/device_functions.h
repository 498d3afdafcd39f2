// What every kind of device has: memory, and copies between tensors. The operations are in
// core/tables, all of it together is a Backend.
#pragma once

#include <cstdint>

#include "TH_core.h"

#pragma GCC visibility push(default)  // for backends in libraries of their own
namespace th {

struct DeviceFunctions {
  const char* name = nullptr;
  /// Memory for `bytes` > 0 on `device`; *owner is what release() wants back. Throws OutOfMemory.
  void* (*allocate)(int device, int64_t bytes, void** owner) = nullptr;
  void (*release)(int device, void* owner) = nullptr;
  void (*empty_cache)() = nullptr;
  /// Bytes that are allocated; readable at any time.
  const int64_t* live_bytes = nullptr;
  /// Bytes between host memory and the device's own.
  void (*read)(void* host, const void* memory, int64_t bytes, int device) = nullptr;
  void (*write)(void* memory, const void* host, int64_t bytes, int device) = nullptr;
  /// Bytes within the device.
  void (*move)(void* to, const void* from, int64_t bytes, int device) = nullptr;

  /// Called with each tensor of an operation before it runs, where a backend wants to know: CUDA's
  /// makes the device current and notes the stream.
  void (*enter)(const TH_Tensor& t) = nullptr;

  /// A point in the work of the device's current stream, with its time; nullptr where operations
  /// are done when they return.
  void* (*mark)(int device) = nullptr;
  /// Waits for two marks of a device: milliseconds between them.
  double (*between)(const void* mark, const void* later) = nullptr;
  void (*forget)(void* mark) = nullptr;

  /// Elements between tensors of any strides and types, at least one of them here.
  void (*copy)(TH_Tensor* r, const TH_Tensor* x) = nullptr;
};

/// An error where that type of device is not loaded.
const DeviceFunctions& device_functions(int device_type);

/// Copy elements, by the backend that knows both ends (CUDA's knows the CPU, not the reverse).
void copy(TH_Tensor& r, const TH_Tensor& x);

}  // namespace th
#pragma GCC visibility pop
