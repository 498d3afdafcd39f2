#include "core/memory/storage.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/device_functions.h"
#include "core/memory/account.h"
#include "core/memory/host_allocator.h"
#include "core/memory/kept_forms.h"
#include "core/memory/small_blocks.h"
#include "core/memory/watch.h"
#include "core/tensor/dtype.h"

namespace th {
namespace {

Storage* impl(TH_Storage* s) { return static_cast<Storage*>(s); }

std::atomic_ref<int32_t> references(TH_Storage* s) {
  return std::atomic_ref<int32_t>(s->references);
}

int64_t checked_bytes(int64_t length, int dtype) {
  TH_CHECK(length >= 0, "a storage cannot have ", length, " elements");
  int64_t bytes;
  if (__builtin_mul_overflow(length, element_size(dtype), &bytes)) {
    throw OutOfMemory(str("a ", class_name(dtype), "Storage of ", length,
                          " elements does not fit into any memory"));
  }
  return bytes;
}

/// Up to this many bytes lie behind the header: one allocation instead of two.
constexpr int64_t kInlineBytes = 256;
constexpr size_t kAlignment = 64;
/// In front of the header is the size of the block that both lie in.
constexpr size_t kFront = 16;

struct Free {
  void operator()(Storage* s) const {
    s->~Storage();
    char* const block = reinterpret_cast<char*>(s) - kFront;
    give_block(block, *reinterpret_cast<size_t*>(block));
  }
};
using Owned = std::unique_ptr<Storage, Free>;

Owned make(int dtype, int device_type, int device, size_t inline_bytes = 0) {
  const size_t bytes =
      kFront + sizeof(Storage) + (inline_bytes > 0 ? kAlignment + inline_bytes : 0);
  void* memory = nullptr;
  try {
    memory = take_block(bytes);
  } catch (const std::bad_alloc&) {  // told below
  }
  if (memory == nullptr) {
    HostAllocator::instance().refuse(bytes);
  }
  *static_cast<size_t*>(memory) = bytes;
  Owned s(new (static_cast<char*>(memory) + kFront) Storage{});
  s->references = 1;
  s->version = &s->own_version;
  s->dtype = static_cast<uint8_t>(dtype);
  s->device_type = static_cast<uint8_t>(device_type);
  s->device = static_cast<int16_t>(device);
  return s;
}

/// Memory of at least *bytes, which is how many there are then. After the caller has collected its
/// garbage, the others do. `rather`: see MemorySource.
void* allocate(const Storage& s, int64_t* bytes, void** owner, int64_t rather = 0) {
  account();  // opens it, which may fail, while there is nothing to lose
  const DeviceFunctions& b = device_functions(s.device_type);
  const bool own = s.source == nullptr;
  const auto take = [&] {
    return own ? b.allocate(s.device, *bytes, owner) : s.source->take(bytes, rather, owner);
  };
  try {
    return take();
  } catch (const OutOfMemory&) {
    if (!take_last_resort()) {
      throw;
    }
  }
  for (Appeal appeal; appeal.wait();) {
    if (own) {
      b.empty_cache();
    }
    try {
      return take();
    } catch (const OutOfMemory&) {  // the next one may have more
    }
  }
  return take();
}

/// A Pooled storage has got memory.
void hold(Storage* s, void* memory, void* owner, int64_t bytes) {
  s->data = memory;
  s->owner = owner;
  s->capacity = bytes;
  if (owner != nullptr) {
    s->account = account();
    charge(s->account, bytes);
    tell_memory(*s, memory, bytes);
  }
}

/// The first memory of a Pooled storage.
void furnish(Storage* s, int64_t length, int64_t bytes) {
  if (bytes > 0) {
    void* owner = nullptr;
    void* memory = allocate(*s, &bytes, &owner);
    hold(s, memory, owner, bytes);
    s->length = length;
  }
}

/// Memory from elsewhere is dear to get, and what is given back is kept for who wants just as much:
/// what grows step by step would leave a piece of each size.
int64_t ample(int64_t capacity) {
  constexpr int64_t kMost = int64_t{256} << 20;
  return capacity + std::min(capacity / 2, kMost);
}

/// What a Pooled storage has.
struct Held {
  explicit Held(const Storage& s)
      : memory(s.data), owner(s.owner), capacity(s.capacity), account(s.account) {}

  void* memory;
  void* owner;
  int64_t capacity;
  decltype(Storage::account) account;
};

void give_back(const Storage& s, void* owner) {
  if (s.source != nullptr) {
    s.source->give(owner);
  } else {
    device_functions(s.device_type).release(s.device, owner);
  }
}

/// Give back memory that s has or had.
void release_memory(Storage& s, const Held& held) {
  forget_forms(&s);
  charge(held.account, -held.capacity);
  tell_memory(s, held.memory, -held.capacity);
  give_back(s, held.owner);
}

void destroy(Storage* s) {
  switch (s->kind) {
    case Storage::Kind::Pooled:
      if (s->owner != nullptr) {
        release_memory(*s, Held(*s));
      }
      break;
    case Storage::Kind::Inline:
    case Storage::Kind::Foreign:
      break;
    case Storage::Kind::View:
      std::atomic_ref<int32_t>(s->base->views).fetch_sub(1);
      release(s->base);
      break;
    case Storage::Kind::Mapped:
      if (s->data != nullptr) {
        munmap(s->data, static_cast<size_t>(s->capacity));
      }
      if (s->temporary != nullptr) {
        if (s->maker == getpid()) {
          unlink(s->temporary);
        }
        std::free(s->temporary);
      }
      break;
  }
  Free{}(s);
}

/// Room for changes is taken when they are made, page by page: a file may be larger than memory.
constexpr int kPrivate = MAP_PRIVATE | MAP_NORESERVE;

/// Closes on every way out.
struct File {
  int descriptor;
  ~File() { close(descriptor); }
};

}  // namespace

Storage* new_storage(int dtype, int device_type, int device, int64_t length) {
  const int64_t bytes = checked_bytes(length, dtype);
  if (bytes > 0 && bytes <= kInlineBytes && device_type == TH_CPU) {
    Owned s = make(dtype, device_type, device, static_cast<size_t>(bytes));
    s->kind = Storage::Kind::Inline;
    const auto behind = reinterpret_cast<uintptr_t>(s.get() + 1);
    s->data = reinterpret_cast<void*>((behind + kAlignment - 1) / kAlignment * kAlignment);
    s->capacity = bytes;
    s->length = length;
    return s.release();
  }
  auto s = make(dtype, device_type, device);
  furnish(s.get(), length, bytes);
  return s.release();
}

Storage* new_storage_from(const MemorySource& source, int dtype, int64_t length) {
  const int64_t bytes = checked_bytes(length, dtype);
  auto s = make(dtype, TH_CPU, 0);
  s->source = &source;
  furnish(s.get(), length, bytes);
  return s.release();
}

Storage* new_storage_in(int dtype, void* memory, int64_t length) {
  const int64_t bytes = checked_bytes(length, dtype);
  TH_CHECK(memory != nullptr || bytes == 0, "a null pointer is no memory for ", length,
           " elements");
  auto s = make(dtype, TH_CPU, 0);
  s->kind = Storage::Kind::Foreign;
  s->data = memory;
  s->capacity = bytes;
  s->length = length;
  return s.release();
}

Storage* new_view_as(int dtype, Storage* base, int64_t byte, int64_t length) {
  const int64_t bytes = checked_bytes(length, dtype);
  const int64_t all = base->length * element_size(base->dtype);
  TH_CHECK(byte >= 0 && byte <= all && bytes <= all - byte, bytes, " bytes from byte ", byte,
           " on are not within a storage of ", all);
  char* const first = static_cast<char*>(base->data) + byte;
  TH_CHECK(reinterpret_cast<uintptr_t>(first) % element_size(dtype) == 0, "no ", class_name(dtype),
           " can lie at byte ", byte, ": elements of ", element_size(dtype),
           " bytes lie at multiples of that; copy them");
  auto s = make(dtype, base->device_type, base->device);
  s->kind = Storage::Kind::View;
  s->base = base;
  s->version = base->version;
  s->data = first;
  s->length = length;
  s->capacity = bytes;
  std::atomic_ref<int32_t>(base->views).fetch_add(1);
  retain(base);
  return s.release();
}

Storage* new_view(Storage* base, int64_t offset, int64_t length) {
  TH_CHECK(offset >= 0 && length >= 0 && length <= base->length - offset, length,
           " elements from element ", offset + 1, " on are not within a storage of ", base->length);
  return new_view_as(base->dtype, base, offset * element_size(base->dtype), length);
}

Storage* map_file(int dtype, const char* path, bool shared, bool temporary, int64_t length) {
  const int64_t wanted = checked_bytes(std::max<int64_t>(length, 0), dtype);
  File file{open(path, shared ? O_RDWR | O_CREAT : O_RDONLY, 0666)};
  TH_CHECK(file.descriptor >= 0, "cannot open ", path, ": ", std::strerror(errno));
  struct stat info;
  TH_CHECK(fstat(file.descriptor, &info) == 0, "cannot examine ", path, ": ", std::strerror(errno));
  int64_t bytes = length > 0 ? wanted : info.st_size / element_size(dtype) * element_size(dtype);
  if (info.st_size < bytes) {
    TH_CHECK(shared, path, " has ", info.st_size, " bytes but ", bytes,
             " are wanted; only a shared mapping makes a file grow");
    TH_CHECK(ftruncate(file.descriptor, bytes) == 0, "cannot make ", path, " ", bytes,
             " bytes long: ", std::strerror(errno));
  }
  auto s = make(dtype, TH_CPU, 0);
  s->kind = Storage::Kind::Mapped;
  std::unique_ptr<char, decltype(&std::free)> name(temporary ? strdup(path) : nullptr, std::free);
  if (temporary && name == nullptr) {
    throw std::bad_alloc();
  }
  if (bytes > 0) {
    void* memory = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE,
                        shared ? MAP_SHARED : kPrivate, file.descriptor, 0);
    TH_CHECK(memory != MAP_FAILED, "cannot map ", path, ": ", std::strerror(errno));
    s->data = memory;
    s->capacity = bytes;
    s->length = bytes / element_size(dtype);
  }
  s->temporary = name.release();
  s->maker = getpid();
  return s.release();
}

bool seen_by_one(const TH_Storage& handle) {
  const auto& s = static_cast<const Storage&>(handle);
  return references(const_cast<TH_Storage*>(&handle)).load(std::memory_order_acquire) == 1 &&
         (s.kind == Storage::Kind::Pooled || s.kind == Storage::Kind::Inline) &&
         !s.shared.load(std::memory_order_relaxed);
}

bool replaceable(const TH_Storage& handle) {
  const auto& s = static_cast<const Storage&>(handle);
  return seen_by_one(handle) && s.source == nullptr && !s.exposed;
}

void share_storage(TH_Storage* handle) {
  impl(handle)->shared.store(true, std::memory_order_relaxed);
  count_by_all(handle);
}

void count_by_all(TH_Storage* handle) {
  for (Storage* s = impl(handle); s != nullptr; s = s->base) {
    s->counted_by_all.store(true, std::memory_order_relaxed);
  }
}

// What one thread alone has is counted without locked instructions, of which each takes as long as
// some twenty others.
namespace {

bool counted_by_all(TH_Storage* s) {
  return impl(s)->counted_by_all.load(std::memory_order_relaxed);
}

}  // namespace

void retain(TH_Storage* s) {
  auto count = references(s);
  if (counted_by_all(s)) {
    count.fetch_add(1, std::memory_order_relaxed);
  } else {
    count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
}

void release(TH_Storage* s) {
  if (s == nullptr) {
    return;
  }
  // Nobody else can come by a reference while the only one is ours.
  auto count = references(s);
  const int32_t before = count.load(std::memory_order_acquire);
  if (before == 1) {
    destroy(impl(s));
  } else if (!counted_by_all(s)) {
    count.store(before - 1, std::memory_order_relaxed);
  } else if (count.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    destroy(impl(s));
  }
}

void resize_storage(TH_Storage* s, int64_t length) {
  if (length == s->length) {
    return;
  }
  // Others read the length meanwhile.
  TH_CHECK(!impl(s)->shared.load(std::memory_order_relaxed),
           "a storage that threads share keeps its ", s->length, " elements, cannot have ", length,
           "; give it its size before it is shared");
  reserve_storage(s, length);
  s->length = length;
}

void reserve_storage(TH_Storage* handle, int64_t length) {
  Storage* s = impl(handle);
  int64_t bytes = checked_bytes(length, s->dtype);
  if (bytes <= s->capacity) {
    return;
  }
  TH_CHECK(s->kind == Storage::Kind::Pooled || s->kind == Storage::Kind::Inline, "a storage that ",
           s->kind == Storage::Kind::View     ? "views another"
           : s->kind == Storage::Kind::Mapped ? "maps a file"
                                              : "lies in memory that is not its own",
           " has room for ", s->capacity / element_size(s->dtype), " elements, cannot grow to ",
           length);
  TH_CHECK(std::atomic_ref<int32_t>(s->views).load() == 0, "a storage cannot grow from ", s->length,
           " to ", length, " elements while other storages view it");
  TH_CHECK(!s->shared.load(std::memory_order_relaxed), "a storage that threads share has room for ",
           s->capacity / element_size(s->dtype), " elements, cannot grow to ", length,
           "; give it its size before it is shared");
  void* owner = nullptr;
  void* memory = allocate(*s, &bytes, &owner, ample(s->capacity));
  const Held before(*s);
  const bool pooled = s->kind == Storage::Kind::Pooled && s->data != nullptr;
  if (s->data != nullptr) {
    try {
      if (s->source != nullptr && s->length > 0) {
        s->source->wait(s->owner);
      }
      device_functions(s->device_type)
          .move(memory, s->data, s->length * element_size(s->dtype), s->device);
    } catch (...) {
      give_back(*s, owner);
      throw;
    }
  }
  s->kind = Storage::Kind::Pooled;
  hold(s, memory, owner, bytes);
  if (pooled) {  // both were there for a moment: who watches shall see it
    release_memory(*s, before);
  }
}

}  // namespace th
