#include "core/memory/allocator.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "core/device_functions.h"
#include "core/memory/device_memory.h"
#include "core/memory/device_pool_config.h"
#include "core/memory/guarded_memory.h"
#include "core/memory/room.h"
#include "core/memory/storage.h"
#include "core/stream.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"

#ifdef THC_SIMULATED
#include "sim/control.h"
#endif

namespace thc {
namespace {

/// Addresses of a range: as many as the device has memory, so that a heap hardly ever needs a
/// second one; 0 where memory cannot be mapped.
size_t range_bytes(const DeviceMemory& memory, int device) {
  return memory.has_ranges() ? device_properties(device).totalGlobalMem : 0;
}

/// What THC_MEMORY in the environment says: "ranges" (the default), "segments", "guard".
std::string_view wanted_memory() {
  const char* wanted = std::getenv("THC_MEMORY");
  return wanted == nullptr ? "ranges" : wanted;
}

/// Alignment of guarded blocks, which their ends are exact to: the widest load of a kernel's.
constexpr size_t kGuardedGranule = 16;

PoolConfig pool_config(const DeviceMemory& memory, int device) {
  if (wanted_memory() == "guard") {
    PoolConfig config = device_pool_config();
    config.guarded = true;
    config.granule = kGuardedGranule;
    return config;
  }
  return device_pool_config(wanted_memory() == "segments" ? 0 : range_bytes(memory, device));
}

PoolConfig pinned_config() {
  PoolConfig config = device_pool_config();
  config.pinned = true;
  return config;
}

/// Lines of the script that an error names.
constexpr size_t kHolders = 8;

/// One per device, made when first used. Never destroyed, because storages may outlive every static
/// object, and CUDA is gone before those are.
struct DevicePool {
  explicit DevicePool(int device)
      : memory(device, device_pool_config().page),
        guarded(wanted_memory() == "guard"
                    ? std::make_unique<GuardedMemory>(memory, device, device_pool_config().page)
                    : nullptr),
        pool(guarded ? static_cast<th::PoolBackend&>(*guarded) : memory,
             pool_config(memory, device)) {}
  DeviceMemory memory;
  std::unique_ptr<GuardedMemory> guarded;
  BlockPool pool;
};

std::mutex mutex;
std::array<std::atomic<DevicePool*>, kMaxDevices> pools{};

struct PinnedPool {
  PinnedPool() : pool(memory, pinned_config()) {}
  PinnedMemory memory;
  BlockPool pool;
};

PinnedPool& pinned() {
  static PinnedPool& instance = *new PinnedPool;
  return instance;
}

constexpr MemorySource kPinned{
    .take =
        [](int64_t* bytes, int64_t rather, void** owner) {
          Block* block =
              rather > *bytes ? pinned().pool.try_allocate(static_cast<size_t>(rather)) : nullptr;
          block = block != nullptr ? block : allocate_pinned(*bytes);
          *bytes = static_cast<int64_t>(block->bytes);
          *owner = block;
          return block->ptr;
        },
    .give = [](void* owner) { pinned().pool.free(static_cast<Block*>(owner)); },
    .wait = [](void* owner) { pinned().pool.wait_for_uses(static_cast<Block*>(owner)); },
};

const Storage* base_of(const TH_Tensor& t) {
  const auto* s = static_cast<const Storage*>(t.store);
  while (s != nullptr && s->kind == Storage::Kind::View) {
    s = s->base;
  }
  return s;
}

/// Throws what CUDA said when it gave no memory, unless that there is none.
[[gnu::cold]] void throw_fault() {
  if (const Refusal refusal = take_refusal(); refusal.is_fault()) {
    cuda_failed(refusal.error, refusal.call);
  }
}

[[noreturn, gnu::cold]] void out_of_memory(int device, int64_t bytes) {
  throw_fault();
  const BlockPool& pool = device_pool(device);
  size_t free = 0;
  size_t total = 0;
  activate(device);
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) {
    cudaGetLastError();
  }
  const std::string holders = pool.describe_holders(kHolders);
  throw OutOfMemory(str("out of memory on device ", device + 1, ": ",
                        pool.describe_failure(static_cast<size_t>(bytes)), "; the device has ",
                        format_bytes(static_cast<double>(free)), " free of ",
                        format_bytes(static_cast<double>(total)),
                        holders.empty() ? "" : "; held: ", holders));
}

DevicePool& pool_of(int device) {
  if (device < 0 || device >= kMaxDevices) [[unlikely]] {
    check_device(device);
  }
  auto& place = pools[static_cast<size_t>(device)];
  DevicePool* found = place.load(std::memory_order_acquire);
  if (found == nullptr) [[unlikely]] {
    check_device(device);
    const std::lock_guard lock(mutex);
    found = place.load(std::memory_order_relaxed);
    if (found == nullptr) {
      found = new DevicePool(device);
      place.store(found, std::memory_order_release);
    }
  }
  return *found;
}

}  // namespace

BlockPool& device_pool(int device) { return pool_of(device).pool; }

BlockPool& pinned_pool() { return pinned().pool; }

Block* allocate_block(int device, int64_t bytes, cudaStream_t stream) {
  Block* block = device_pool(device).allocate(static_cast<size_t>(bytes), stream);
  if (block == nullptr) [[unlikely]] {
    out_of_memory(device, bytes);
  }
#ifdef THC_SIMULATED
  sim::poison(device, stream, block->ptr, block->bytes);
#endif
  return block;
}

Block* allocate_pinned(int64_t bytes) {
  device_count();  // without a device the pinned pool has nothing to offer: say why
  Block* block = pinned().pool.allocate(static_cast<size_t>(bytes));
  if (block == nullptr) [[unlikely]] {
    throw_fault();
    const BlockPool& pool = pinned().pool;
    const th::PoolStatistics now = pool.statistics();
    const bool by_limit = now.limit != 0 && now.reserved.current + bytes > now.limit;
    throw OutOfMemory(
        str("out of pinned memory: ", pool.describe_failure(static_cast<size_t>(bytes)),
            by_limit ? "" : "; the system limits how much may be pinned"));
  }
  return block;
}

void note_use(const TH_Tensor& t, cudaStream_t stream) {
  const Storage* s = base_of(t);
  if (s == nullptr || s->owner == nullptr || s->kind != Storage::Kind::Pooled) {
    return;
  }
  auto* block = static_cast<Block*>(s->owner);
  if (s->device_type == TH_CUDA) {
    if (many_streams()) {
      device_pool(s->device).use(block, stream);
    }
  } else if (s->source == &kPinned) {
    int device = 0;
    THC_CHECK(cudaGetDevice(&device));
    pinned().pool.use(block, PinnedMemory::key(device, stream));
  }
}

bool is_pinned(const TH_Tensor& t) {
  const Storage* s = base_of(t);
  return s != nullptr && s->source == &kPinned;
}

TH_Storage* new_pinned_storage(int dtype, int64_t length) {
  TH_CHECK(dtype >= 0 && dtype < TH_NUM_DTYPES, "no such element type: ", dtype);
  return new_storage_from(kPinned, dtype, length);
}

void empty_cache() {
  for (auto& place : pools) {
    if (DevicePool* found = place.load(std::memory_order_acquire)) {
      found->pool.empty_cache();
    }
  }
  pinned().pool.empty_cache();
}

bool make_room() {
  // The kernels of a library are loaded by the file: tens of MiB at a time.
  constexpr size_t kEnough = size_t{128} << 20;
  empty_cache();
  size_t free = 0;
  size_t total = 0;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return free < kEnough;
}

bool memory_ranges(int device) { return device_pool(device).range_bytes() != 0; }

void set_memory_ranges(int device, bool on) {
  DevicePool& found = pool_of(device);
  TH_CHECK(!on || found.memory.has_ranges(), "device ", device + 1,
           " or its driver cannot map memory page by page; segments are used");
  found.pool.set_range_bytes(on ? range_bytes(found.memory, device) : 0);
}

void set_mapped_access(int device, int by, bool enabled) {
  // A pool that is being made has either seen who may reach it, or is there once the lock is free.
  const std::lock_guard lock(mutex);
  if (DevicePool* found = pools[static_cast<size_t>(device)].load(std::memory_order_acquire)) {
    found->memory.set_access(by, enabled);
  }
}

Scratch::Scratch(const TH_Tensor& t, int64_t bytes)
    : Scratch(t.device, current_stream(t.device), bytes) {}

void fetch_bytes(void* host, const void* memory, int64_t bytes, cudaStream_t stream) {
  THC_CHECK(
      cudaMemcpyAsync(host, memory, static_cast<size_t>(bytes), cudaMemcpyDeviceToHost, stream));
  THC_CHECK(cudaStreamSynchronize(stream));
}

}  // namespace thc
