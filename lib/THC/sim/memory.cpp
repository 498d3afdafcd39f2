// Device memory: allocation and protection.
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

#include "core/runtime/error.h"

namespace thc::sim {
namespace {

constexpr size_t kGranule = 512;
constexpr size_t kPage = 4096;
constexpr size_t kArenaAlignment = size_t{2} << 20;  // that of the largest pages

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
      const int length = std::snprintf(text, sizeof(text),
                                       "Host code touched memory of simulated device %d at %p: on "
                                       "a real device this is a crash. "
                                       "Copy tensors to the CPU first.\n",
                                       device->number + 1, info->si_addr);
      [[maybe_unused]] const ssize_t written = write(2, text, static_cast<size_t>(length));
    }
  }
  if ((previous_action.sa_flags & SA_SIGINFO) != 0 && previous_action.sa_sigaction != nullptr) {
    previous_action.sa_sigaction(signal, info, context);
  } else {
    ::signal(signal, SIG_DFL);  // the instruction is run again and ends the process
  }
}

size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

/// Let kernels of `by` touch what of a device's memory they have a right to.
void open_for(const Device& by, const Device& device) {
  const Arena& arena = device.arena;
  const bool is_peer = by.peers.count(device.number) != 0;
  size_t begin = 0;  // of a run of pages that can be opened by one call
  size_t end = 0;
  const auto open_run = [&] {
    if (end > begin) {
      mprotect(arena.base + begin, end - begin, PROT_READ | PROT_WRITE);
    }
  };
  for (const auto& [offset, piece] : arena.memory) {
    if (piece.mapped ? piece.access.count(by.number) == 0 : &by != &device && !is_peer) {
      continue;
    }
    const size_t first = offset / kPage * kPage;
    if (first > end) {
      open_run();
      begin = first;
    }
    end = round_up(offset + piece.bytes, kPage);
  }
  open_run();
}

void close_for_all(const Device& device) {
  if (device.arena.used_to > 0) {
    // The file keeps what the pages hold. Without them the next kernel's touches cost a fault each,
    // but opening and closing costs nothing for the many that it does not touch.
    madvise(device.arena.base, device.arena.used_to, MADV_DONTNEED);
    mprotect(device.arena.base, device.arena.used_to, PROT_NONE);
  }
}

}  // namespace

bool Arena::owns(const void* ptr, size_t bytes) const {
  if (!contains(ptr)) {
    return false;
  }
  const auto offset = static_cast<size_t>(static_cast<const char*>(ptr) - base);
  auto piece = memory.upper_bound(offset);
  if (piece == memory.begin()) {
    return false;
  }
  --piece;
  size_t end = piece->first + piece->second.bytes;
  for (auto next = std::next(piece);
       offset + bytes > end && next != memory.end() && next->first == end && piece->second.mapped &&
       next->second.mapped;
       ++next) {
    end += next->second.bytes;
  }
  return offset < end && offset + bytes <= end;
}

bool take_addresses(Arena& arena, size_t bytes, size_t alignment, size_t* offset) {
  size_t at = 0;
  for (const auto& [begin, size] : arena.taken) {
    if (begin >= at && begin - at >= bytes) {
      break;
    }
    at = round_up(begin + size, alignment);
  }
  if (at > arena.bytes || bytes > arena.bytes - at) {
    return false;
  }
  arena.taken[at] = bytes;
  *offset = at;
  return true;
}

void add_memory(Device& device, size_t offset, Piece piece) {
  Arena& arena = device.arena;
  const size_t bytes = piece.bytes;
  arena.memory[offset] = std::move(piece);
  arena.used_to = std::max(arena.used_to, round_up(offset + bytes, kPage));
  std::memset(arena.open + offset, kPoison, bytes);
}

void remove_memory(Device& device, size_t offset) {
  Arena& arena = device.arena;
  const size_t bytes = arena.memory.at(offset).bytes;
  std::memset(arena.open + offset, kPoison, bytes);
  const size_t first = round_up(offset, kPage);
  const size_t last = (offset + bytes) / kPage * kPage;
  if (last > first) {
    fallocate(arena.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(first),
              static_cast<off_t>(last - first));
  }
  arena.memory.erase(offset);
}

void make_arena(Arena& arena, size_t memory) {
  arena.bytes = round_up(64 * memory, kArenaAlignment);
  arena.file = memfd_create("simulated device", MFD_CLOEXEC);
  if (arena.file < 0 || ftruncate(arena.file, static_cast<off_t>(arena.bytes)) != 0) {
    throw std::bad_alloc();
  }
  const auto map = [&](void* at, int protection, int flags, int file) {
    void* p = mmap(at, arena.bytes, protection, MAP_NORESERVE | flags, file, 0);
    if (p == MAP_FAILED) {
      throw std::bad_alloc();
    }
    return static_cast<char*>(p);
  };
  // Addresses of a reservation are aligned, so the arena has to begin so: find such a place first.
  arena.bytes += kArenaAlignment;
  char* const place = map(nullptr, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  arena.bytes -= kArenaAlignment;
  char* const aligned =
      reinterpret_cast<char*>(round_up(reinterpret_cast<size_t>(place), kArenaAlignment));
  arena.base = map(aligned, PROT_NONE, MAP_SHARED | MAP_FIXED, arena.file);
  arena.open = map(nullptr, PROT_READ | PROT_WRITE, MAP_SHARED, arena.file);
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
  // A kernel sees its own device's memory and that of the peers it has access to.
  const auto each = [&](const Device& of, auto&& f) {
    f(of);
    for (const int peer : of.peers) {
      f(*s.devices[static_cast<size_t>(peer)]);
    }
  };
  if (s.opened != nullptr) {
    each(*s.opened, close_for_all);
  }
  if (device != nullptr) {
    each(*device, [&](const Device& memory_of) { open_for(*device, memory_of); });
  }
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
                            " touched address ", touched,
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
  size_t offset;
  if (size > machine().memory - device.used || !take_addresses(arena, size, kGranule, &offset)) {
    return end(cudaErrorMemoryAllocation);
  }
  device.used += size;
  add_memory(device, offset, {size});
  *ptr = arena.base + offset;
  return cudaSuccess;
}

cudaError_t cudaFree(void* ptr) {
  const std::lock_guard guard(lock());
  const cudaError_t begun = begin("cudaFree");
  if (!may_free(begun) || ptr == nullptr) {
    return end(begun);
  }
  Device* device = owner_of(ptr);
  if (device == nullptr) {
    return end(cudaErrorInvalidValue);
  }
  Arena& arena = device->arena;
  const auto offset = static_cast<size_t>(static_cast<char*>(ptr) - arena.base);
  const auto piece = arena.memory.find(offset);
  if (piece == arena.memory.end() || piece->second.mapped) {
    return end(cudaErrorInvalidValue);
  }
  drain_device(*device);  // as CUDA, which waits before memory goes
  device->used -= piece->second.bytes;
  remove_memory(*device, offset);
  arena.taken.erase(offset);
  return end(begun);
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
  const cudaError_t begun = begin("cudaFreeHost");
  if (!may_free(begun) || ptr == nullptr) {
    return end(begun);
  }
  for (const auto& device : state().devices) {
    drain_device(*device);
  }
  if (state().pinned.erase(static_cast<char*>(ptr)) == 0) {
    return end(cudaErrorInvalidValue);
  }
  std::free(ptr);
  return end(begun);
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
