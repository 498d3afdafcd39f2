// Device memory: allocation, protection, copies.
#include "sim/memory.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/error.h"

namespace thc::sim {
namespace {

constexpr size_t kGranule = 512;
constexpr size_t kPage = 4096;
constexpr int kPoison = 0xff;  // NaN in every floating type, -1 in signed integers

thread_local sigjmp_buf* escape = nullptr;  // out of the task this thread runs
thread_local void* touched = nullptr;

struct sigaction previous_action;

/// Only what a signal handler may do.
void on_fault(int signal, siginfo_t* info, void* context) {
  if (escape != nullptr) {
    touched = info->si_addr;
    siglongjmp(*escape, 1);
  }
  for (const auto& device : state().devices) {
    if (device->arena.contains(info->si_addr)) {
      char text[200];
      const int length = std::snprintf(text,
                                       sizeof(text),
                                       "Host code touched memory of simulated device %d at %p: on "
                                       "a real device this is a crash. "
                                       "Copy tensors to the CPU first.\n",
                                       device->number + 1,
                                       info->si_addr);
      [[maybe_unused]] const ssize_t written = write(2, text, static_cast<size_t>(length));
    }
  }
  if ((previous_action.sa_flags & SA_SIGINFO) != 0 && previous_action.sa_sigaction != nullptr) {
    previous_action.sa_sigaction(signal, info, context);
  } else {
    ::signal(signal, SIG_DFL);  // the instruction is run again and ends the process
  }
}

void protect(const Device& device, int protection) {
  if (device.arena.used_to > 0) {
    mprotect(device.arena.base, device.arena.used_to, protection);
  }
}

size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

/// A gap of that size, first fit.
size_t find_gap(const Arena& arena, size_t bytes) {
  size_t at = 0;
  for (const auto& [offset, size] : arena.blocks) {
    if (offset - at >= bytes) {
      break;
    }
    at = offset + size;
  }
  return at;
}

}  // namespace

bool Arena::owns(const void* ptr, size_t bytes) const {
  if (!contains(ptr)) {
    return false;
  }
  const auto offset = static_cast<size_t>(static_cast<const char*>(ptr) - base);
  auto block = blocks.upper_bound(offset);
  if (block == blocks.begin()) {
    return false;
  }
  --block;
  return offset + bytes <= block->first + block->second;
}

void make_arena(Arena& arena, size_t memory) {
  arena.bytes = round_up(8 * memory, kPage);
  arena.file = memfd_create("simulated device", MFD_CLOEXEC);
  if (arena.file < 0 || ftruncate(arena.file, static_cast<off_t>(arena.bytes)) != 0) {
    throw std::bad_alloc();
  }
  const auto map = [&](int protection) {
    void* p = mmap(nullptr, arena.bytes, protection, MAP_SHARED | MAP_NORESERVE, arena.file, 0);
    if (p == MAP_FAILED) {
      throw std::bad_alloc();
    }
    return static_cast<char*>(p);
  };
  arena.base = map(PROT_NONE);
  arena.open = map(PROT_READ | PROT_WRITE);
}

void install_fault_handler() {
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &previous_action);
}

void open_memory(Device* device) {
  State& s = state();
  if (s.opened == device) {
    return;
  }
  const auto each = [&](Device* of, int protection) {
    if (of != nullptr) {
      protect(*of, protection);
      for (const int peer : of->peers) {
        protect(*s.devices[static_cast<size_t>(peer)], protection);
      }
    }
  };
  each(s.opened, PROT_NONE);
  each(device, PROT_READ | PROT_WRITE);
  s.opened = device;
}

Device* owner_of(const void* ptr) {
  for (const auto& device : state().devices) {
    if (device->arena.contains(ptr)) {
      return device.get();
    }
  }
  return nullptr;
}

bool is_pinned(const void* ptr) {
  const auto& pinned = state().pinned;
  auto* p = const_cast<char*>(static_cast<const char*>(ptr));
  auto block = pinned.upper_bound(p);
  return block != pinned.begin() && p < (--block)->first + block->second;
}

void run_guarded(const std::function<void()>& f) {
  sigjmp_buf here;
  sigjmp_buf* const outer = escape;
  if (sigsetjmp(here, 0) == 0) {
    escape = &here;
    try {
      f();
    } catch (...) {
      escape = outer;
      throw;
    }
    escape = outer;
    return;
  }
  escape = outer;
  const Device* owner = owner_of(touched);
  throw MemoryFault(th::str("a kernel of device ",
                            state().opened == nullptr ? 0 : state().opened->number + 1,
                            " touched address ",
                            touched,
                            owner == nullptr ? std::string(", which belongs to no device")
                                             : th::str(", memory of device ", owner->number + 1)));
}

}  // namespace thc::sim

using namespace thc::sim;

cudaError_t cudaMalloc(void** ptr, size_t bytes) {
  const std::lock_guard guard(lock());
  *ptr = nullptr;
  if (const cudaError_t error = begin("cudaMalloc"); error != cudaSuccess) {
    return end(error);
  }
  Device& device = current();
  Arena& arena = device.arena;
  const size_t size = round_up(bytes == 0 ? 1 : bytes, kGranule);
  if (size > machine().memory - device.used) {
    return end(cudaErrorMemoryAllocation);
  }
  const size_t offset = find_gap(arena, size);
  if (offset + size > arena.bytes) {
    return end(cudaErrorMemoryAllocation);
  }
  arena.blocks[offset] = size;
  arena.used_to = std::max(arena.used_to, round_up(offset + size, kPage));
  device.used += size;
  std::memset(arena.open + offset, kPoison, size);
  *ptr = arena.base + offset;
  return cudaSuccess;
}

cudaError_t cudaFree(void* ptr) {
  const std::lock_guard guard(lock());
  if (const cudaError_t error = begin("cudaFree"); error != cudaSuccess || ptr == nullptr) {
    return end(error);
  }
  Device* device = owner_of(ptr);
  if (device == nullptr) {
    return end(cudaErrorInvalidValue);
  }
  Arena& arena = device->arena;
  const auto block = arena.blocks.find(static_cast<size_t>(static_cast<char*>(ptr) - arena.base));
  if (block == arena.blocks.end()) {
    return end(cudaErrorInvalidValue);
  }
  drain_device(*device);  // as CUDA, which waits before memory goes
  const auto [offset, size] = *block;
  std::memset(arena.open + offset, kPoison, size);
  const size_t first = round_up(offset, kPage);
  const size_t last = (offset + size) / kPage * kPage;
  if (last > first) {
    fallocate(arena.file,
              FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
              static_cast<off_t>(first),
              static_cast<off_t>(last - first));
  }
  device->used -= size;
  arena.blocks.erase(block);
  return cudaSuccess;
}

cudaError_t cudaHostAlloc(void** ptr, size_t bytes, unsigned) {
  const std::lock_guard guard(lock());
  *ptr = nullptr;
  if (const cudaError_t error = begin("cudaHostAlloc"); error != cudaSuccess) {
    return end(error);
  }
  const size_t size = round_up(bytes == 0 ? 1 : bytes, kPage);
  void* memory = std::aligned_alloc(kPage, size);
  if (memory == nullptr) {
    return end(cudaErrorMemoryAllocation);
  }
  state().pinned[static_cast<char*>(memory)] = size;
  *ptr = memory;
  return cudaSuccess;
}

cudaError_t cudaFreeHost(void* ptr) {
  const std::lock_guard guard(lock());
  if (const cudaError_t error = begin("cudaFreeHost"); error != cudaSuccess || ptr == nullptr) {
    return end(error);
  }
  for (const auto& device : state().devices) {
    drain_device(*device);
  }
  if (state().pinned.erase(static_cast<char*>(ptr)) == 0) {
    return end(cudaErrorInvalidValue);
  }
  std::free(ptr);
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  const std::lock_guard guard(lock());
  *free = *total = 0;
  if (const cudaError_t error = begin("cudaMemGetInfo"); error != cudaSuccess) {
    return end(error);
  }
  *total = machine().memory;
  *free = *total - current().used;
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* ptr) {
  const std::lock_guard guard(lock());
  *attributes = {cudaMemoryTypeUnregistered, -1, nullptr, nullptr};
  auto* address = const_cast<void*>(ptr);
  if (const Device* device = owner_of(ptr)) {
    *attributes = {cudaMemoryTypeDevice, device->number, address, nullptr};
  } else if (is_pinned(ptr)) {
    *attributes = {cudaMemoryTypeHost, current_number(), address, address};
  } else {
    attributes->hostPointer = address;
  }
  return end(begin("cudaPointerGetAttributes"));
}

namespace {

/// One end of a copy.
struct End {
  void* ptr = nullptr;  // as the simulator can reach it
  bool on_device = false;
  bool pinned = false;
};

/// False: not a piece of one allocation.
bool find_end(const void* ptr, size_t bytes, End& end) {
  if (const Device* device = owner_of(ptr)) {
    end = {device->arena.open_address(ptr), true, false};
    return device->arena.owns(ptr, bytes);
  }
  end = {const_cast<void*>(ptr), false, is_pinned(ptr)};
  return true;
}

cudaError_t copy(void* to, const void* from, size_t bytes, CUstream_st* stream) {
  End target;
  End source;
  if (stream == nullptr) {
    return cudaErrorInvalidResourceHandle;
  }
  if (!find_end(to, bytes, target) || !find_end(from, bytes, source)) {
    return cudaErrorInvalidValue;
  }
  if (source.on_device || source.pinned) {
    add_task(*stream,
             {0, "copy", [=] { std::memmove(target.ptr, source.ptr, bytes); }, nullptr, false});
  } else {
    // Pageable memory is the caller's again on return.
    auto staging = std::make_shared<std::vector<char>>(static_cast<const char*>(from),
                                                       static_cast<const char*>(from) + bytes);
    add_task(*stream,
             {0, "copy", [=] { std::memcpy(target.ptr, staging->data(), bytes); }, nullptr, false});
  }
  if (!target.on_device && !target.pinned) {
    drain(stream, [=] { return stream->queue.empty(); });
    return stream->device->fault;
  }
  return cudaSuccess;
}

bool fits(cudaMemcpyKind kind, const void* to, const void* from) {
  const bool to_device = owner_of(to) != nullptr;
  const bool from_device = owner_of(from) != nullptr;
  switch (kind) {
    case cudaMemcpyHostToHost:
      return !to_device && !from_device;
    case cudaMemcpyHostToDevice:
      return to_device && !from_device;
    case cudaMemcpyDeviceToHost:
      return !to_device && from_device;
    case cudaMemcpyDeviceToDevice:
      return to_device && from_device;
    case cudaMemcpyDefault:
      return true;
  }
  return false;
}

}  // namespace

cudaError_t cudaMemcpyAsync(
    void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  const std::lock_guard guard(lock());
  cudaError_t error = begin("cudaMemcpyAsync");
  if (error == cudaSuccess && bytes > 0) {
    error =
        fits(kind, to, from) ? copy(to, from, bytes, find_stream(stream)) : cudaErrorInvalidValue;
  }
  return end(error);
}

cudaError_t cudaMemcpyPeerAsync(
    void* to, int to_device, const void* from, int from_device, size_t bytes, cudaStream_t stream) {
  const std::lock_guard guard(lock());
  cudaError_t error = begin("cudaMemcpyPeerAsync");
  if (error == cudaSuccess && bytes > 0) {
    const Device* target = owner_of(to);
    const Device* source = owner_of(from);
    if (target == nullptr || source == nullptr || target->number != to_device ||
        source->number != from_device) {
      error = cudaErrorInvalidValue;
    } else {
      error = copy(to, from, bytes, find_stream(stream));
    }
  }
  return end(error);
}

cudaError_t cudaMemsetAsync(void* ptr, int value, size_t bytes, cudaStream_t handle) {
  const std::lock_guard guard(lock());
  cudaError_t error = begin("cudaMemsetAsync");
  if (error == cudaSuccess && bytes > 0) {
    End target;
    CUstream_st* stream = find_stream(handle);
    if (stream == nullptr) {
      error = cudaErrorInvalidResourceHandle;
    } else if (!find_end(ptr, bytes, target) || !target.on_device) {
      error = cudaErrorInvalidValue;
    } else {
      add_task(*stream,
               {0, "memset", [=] { std::memset(target.ptr, value, bytes); }, nullptr, false});
    }
  }
  return end(error);
}

void thc::sim::poison(int device, cudaStream_t handle, void* ptr, size_t bytes) {
  const std::lock_guard guard(lock());
  CUstream_st* stream = handle == nullptr
                            ? state().devices[static_cast<size_t>(device)]->default_stream.get()
                            : handle;
  char* const open = stream->device->arena.open_address(ptr);
  add_task(*stream, {0, "poison", [=] { std::memset(open, kPoison, bytes); }, nullptr, false});
}
