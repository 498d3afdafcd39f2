#include "core/memory/host_allocator.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <new>

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/memory/host_memory.h"
#include "core/runtime/error.h"
#include "core/runtime/thread_own.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TH_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define TH_ASAN 1
#endif
#ifdef TH_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace th {
namespace {

constexpr size_t kPage = size_t(2) << 20;  // a huge page of x86-64 and AArch64
constexpr int64_t kLookAtMachine = int64_t(64) << 20;
constexpr int64_t kNotLooked = std::numeric_limits<int64_t>::min();
#ifdef TH_ASAN
constexpr size_t kRedZone = 64;  // poisoned bytes behind each block
#endif

void poison([[maybe_unused]] void* ptr, [[maybe_unused]] size_t bytes) {
#ifdef TH_ASAN
  ASAN_POISON_MEMORY_REGION(ptr, bytes);
#endif
}

void unpoison([[maybe_unused]] void* ptr, [[maybe_unused]] size_t bytes) {
#ifdef TH_ASAN
  ASAN_UNPOISON_MEMORY_REGION(ptr, bytes);
#endif
}

/// What the machine has left for the request that this thread makes, if it has looked before it
/// took the pool's lock.
TH_THREAD_OWN int64_t left_for_request = kNotLooked;

/// Anonymous mappings. Pages of a range are private memory that the kernel fills when touched, so
/// mapping them costs nothing and unmapping them is MADV_DONTNEED.
class SystemMemory final : public PoolBackend {
 public:
  /// Bytes that the machine can still give.
  static int64_t left() {
    // What was given out but never touched is still counted as available by the kernel.
    const int64_t untouched = std::max<int64_t>(0, given.load() - resident_memory());
    return available_memory() - untouched;
  }

  void* allocate(size_t bytes) noexcept override {
    void* ptr = machine_can_give(bytes) ? take_addresses(bytes, bytes >= 2 * kPage) : nullptr;
    if (ptr != nullptr) {
      give(int64_t(bytes));
      poison(ptr, bytes);
    }
    return ptr;
  }
  void free(void* ptr, size_t bytes) noexcept override {
    give(-int64_t(bytes));
    unpoison(ptr, bytes);
    munmap(ptr, bytes);
  }
  void* reserve(size_t bytes, bool for_small) noexcept override {
    return take_addresses(bytes, !for_small);
  }
  void unreserve(void* ptr, size_t bytes) noexcept override { munmap(ptr, bytes); }
  bool map(void* ptr, size_t bytes) noexcept override {
    if (!machine_can_give(bytes)) {
      return false;
    }
    give(int64_t(bytes));
    poison(ptr, bytes);
    return true;
  }
  void unmap(void* ptr, size_t bytes, Stream) noexcept override {
    give(-int64_t(bytes));
    unpoison(ptr, bytes);
    madvise(ptr, bytes, MADV_DONTNEED);
  }

 private:
  static void* take_addresses(size_t bytes, bool huge) {
    // Ask for a page more and cut off what is not aligned.
    void* mapped = mmap(nullptr, bytes + kPage, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) {
      return nullptr;
    }
    const size_t begin = reinterpret_cast<size_t>(mapped);
    const size_t aligned = (begin + kPage - 1) & ~(kPage - 1);
    if (aligned > begin) {
      munmap(mapped, aligned - begin);
    }
    void* const end = reinterpret_cast<void*>(aligned + bytes);
    munmap(end, begin + kPage - aligned);
    void* const ptr = reinterpret_cast<void*>(aligned);
#ifdef MADV_HUGEPAGE
    if (huge) {
      madvise(ptr, bytes, MADV_HUGEPAGE);
    }
#endif
    return ptr;
  }

  static bool machine_can_give(size_t bytes) noexcept {
    if (int64_t(bytes) < kLookAtMachine) {
      return true;
    }
    try {
      return int64_t(bytes) <= (left_for_request == kNotLooked ? left() : left_for_request);
    } catch (const std::bad_alloc&) {
      return false;  // not even room for the question
    }
  }

  static void give(int64_t bytes) {
    given.fetch_add(bytes, std::memory_order_relaxed);
    if (left_for_request != kNotLooked) {
      left_for_request -= bytes;
    }
  }

  static inline std::atomic<int64_t> given = 0;
};

PoolConfig host_config() {
  PoolConfig config;
  config.granule = 64;
  config.page = kPage;
  // Twice the machine's memory, so that a heap hardly ever needs a second range.
  const size_t memory = size_t(sysconf(_SC_PHYS_PAGES)) * size_t(sysconf(_SC_PAGESIZE));
  config.range_bytes = std::bit_ceil(2 * memory);
  config.keep_idle = size_t(64) << 20;
  return config;
}

}  // namespace

HostAllocator& HostAllocator::instance() {
  static HostAllocator& allocator = *[] {
    pthread_atfork([] { instance().pool().lock(); }, [] { instance().pool().unlock(); },
                   [] { instance().pool().unlock(); });
    return new HostAllocator;
  }();
  return allocator;
}

HostAllocator::HostAllocator()
    : backend_(std::make_unique<SystemMemory>()),
      pool_(std::make_unique<BlockPool>(*backend_, host_config())) {}

HostAllocator::~HostAllocator() = default;

Block* HostAllocator::allocate(size_t bytes) {
  if (int64_t(bytes) >= kLookAtMachine && !pool_->has_free(bytes)) [[unlikely]] {
    // Reads files: while nobody waits for the pool. Half of the range is for what comes back.
    left_for_request = std::min(SystemMemory::left(), std::numeric_limits<int64_t>::max() / 2);
  }
#ifdef TH_ASAN
  Block* block = pool_->allocate(bytes > BlockPool::kMaxBytes ? bytes : bytes + kRedZone);
#else
  Block* block = pool_->allocate(bytes);
#endif
  left_for_request = kNotLooked;
  if (block == nullptr) [[unlikely]] {
    refuse(bytes);
  }
  unpoison(block->ptr, bytes);
  return block;
}

void HostAllocator::free(Block* block) noexcept {
  poison(block->ptr, block->bytes);
  pool_->free(block);
}

std::string HostAllocator::describe_shortage() const {
  return str("out of memory on the CPU: asked working memory; ", pool_->describe_use(),
             "; the machine has ", format_bytes(double(available_memory())), " left");
}

void HostAllocator::refuse(size_t bytes) const {
  throw OutOfMemory(str("out of memory on the CPU: ", pool_->describe_failure(bytes),
                        "; the machine has ", format_bytes(double(available_memory())), " left"));
}

}  // namespace th
