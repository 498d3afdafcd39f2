// The state of the simulated machine, shared by the files of this folder.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "core/runtime/error.h"
#include "sim/control.h"

namespace thc::sim {

/// A point in a stream's work.
struct Point {
  bool passed = false;
  double milliseconds = 0;  // when it passed
};

struct Task {
  uint64_t ticket;  // order of enqueueing over all streams
  const char* what;
  std::function<void()> run;
  std::shared_ptr<Point> after;  // may not run before this point passed
  bool opens_memory;             // kernels see memory, the simulator's own copies need not
};

/// Memory of a device at some addresses of its arena.
struct Piece {
  size_t bytes;
  bool mapped = false;      // by cuMemMap; otherwise cudaMalloc's
  std::set<int> access{};   // devices whose kernels may touch a mapped piece
  uint64_t allocation = 0;  // whose memory is mapped
};

/// A device's addresses. The memory behind them is mapped twice: at `base`, closed except while a
/// kernel of the device runs, and at `open`, for the simulator's own copies.
struct Arena {
  char* base = nullptr;
  char* open = nullptr;
  size_t bytes = 0;
  size_t used_to = 0;  // the highest address ever given out
  int file = -1;
  std::map<size_t, size_t> taken;  // addresses in use: offset -> bytes
  std::map<size_t, Piece> memory;  // by offset

  bool contains(const void* ptr) const { return ptr >= base && ptr < base + bytes; }
  /// Whether [ptr, ptr + bytes) lies within one allocation, or in mapped pieces without a gap.
  bool owns(const void* ptr, size_t bytes) const;
  char* open_address(const void* ptr) const {
    return open + (static_cast<const char*>(ptr) - base);
  }
};

/// Memory that cuMemCreate made, wherever it is mapped. It lives while it has a handle or a place.
struct Allocation {
  int device;
  size_t bytes;
  bool has_handle = true;
  bool is_mapped = false;
};

struct Device {
  int number = 0;
  size_t used = 0;
  Arena arena;
  std::unique_ptr<CUstream_st> default_stream;
  std::vector<std::unique_ptr<CUstream_st>> streams;
  std::set<int> peers;
  cudaError_t fault = cudaSuccess;  // sticky
};

struct State {
  Machine machine;
  std::vector<std::unique_ptr<Device>> devices;
  std::set<CUevent_st*> events;
  std::map<char*, size_t> pinned;              // begin -> bytes
  std::map<uint64_t, Allocation> allocations;  // by handle
  uint64_t last_allocation = 0;
  std::mt19937_64 random;
  uint64_t tickets = 0;
  std::string fault_text;
  struct Rule {
    int count;
    cudaError_t error;
  };
  std::map<std::string, Rule> failures;
  Device* opened = nullptr;  // whose memory, and its peers', kernels can see now
};

/// Every function of the runtime holds this; tasks run with it held.
std::recursive_mutex& lock();
State& state();

/// The calling thread's current device.
Device& current();
int current_number();

/// Begin a call of the runtime: the error it has to fail with, from a rule, a missing driver or a
/// fault of the current device.
cudaError_t begin(const char* function, bool needs_device = true);
/// Whether a call that gives something back does so: on a broken device it does, and reports the
/// fault, so that nothing is left of it after reset().
bool may_free(cudaError_t begun);
/// End it: remember an error for cudaGetLastError.
cudaError_t end(cudaError_t result);

void forget_error();
/// What is to fail, as THC_SIM_FAIL says it.
void add_rules(State& s, const std::string& rules);

/// nullptr is the current device's default stream; nullptr comes back for an unknown handle.
CUstream_st* find_stream(cudaStream_t handle);
void add_task(CUstream_st& stream, Task task);
/// Run tasks, in an order drawn from the seed, until done() holds. `wanted` is the stream that
/// somebody waits for, nullptr: any of `device`.
void drain(CUstream_st* wanted, const std::function<bool()>& done);
void drain_device(Device& device);
/// The device stops working; its queued work is dropped.
void break_device(Device& device, cudaError_t error, const std::string& text);

/// Let kernels of a device (nullptr: none) see its memory.
void open_memory(Device* device);
Device* owner_of(const void* ptr);
bool is_pinned(const void* ptr);

struct MemoryFault : th::Error {
  using th::Error::Error;
};

/// Call f; memory it touches without right becomes a MemoryFault.
void run_guarded(const std::function<void()>& f);

}  // namespace thc::sim

struct CUstream_st {
  thc::sim::Device* device;
  bool blocking;
  bool is_default;
  std::deque<thc::sim::Task> queue;
};

struct CUevent_st {
  thc::sim::Device* device;
  bool timed;
  std::shared_ptr<thc::sim::Point> point;  // the latest recording
};
