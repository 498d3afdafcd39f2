// Reference-counted memory on any device.
#pragma once

#include <atomic>

#include <sys/types.h>

#include "TH_core.h"

struct TH_Account;

#pragma GCC visibility push(default)  // for backends in libraries of their own
namespace th {

/// Memory from elsewhere than a backend's own pool, such as pinned memory: how to get and give it.
struct MemorySource {
  /// At least *bytes, and *bytes says how many then; `rather` of them where that takes nothing from
  /// others. Throws OutOfMemory.
  void* (*take)(int64_t* bytes, int64_t rather, void** owner);
  void (*give)(void* owner);
  /// Waits until only the host is at the memory.
  void (*wait)(void* owner);
};

/// What is behind a TH_Storage handle. Every TH_Storage is one of these.
struct Storage : TH_Storage {
  enum class Kind : uint8_t {
    Pooled,   ///< a block of the device's pool; may grow
    Inline,   ///< a few host bytes behind this very header; pooled once it grows
    View,     ///< elements of `base`, whose memory must stay where it is
    Mapped,   ///< a file's pages
    Foreign,  ///< the caller's memory, which stays the caller's
  };
  Kind kind = Kind::Pooled;
  int32_t own_version = 0;    // what `version` points at, but for a View
  void* owner = nullptr;      // Pooled: what the backend's release() wants
  Storage* base = nullptr;    // View
  char* temporary = nullptr;  // Mapped: the file to remove, on the heap
  int32_t views = 0;          // Views over this storage: while there are any it must not move
  std::atomic<bool> shared = false;          // with other threads: it must not move either
  std::atomic<bool> counted_by_all = false;  // other threads count references, to a view or to this
  bool exposed = false;                      // a script has a pointer: it writes unseen
  bool has_forms = false;                    // see kept_forms.h
  pid_t maker = 0;                           // Mapped, temporary: a child of fork leaves the file
  TH_Account* account = nullptr;             // Pooled: who pays
  const MemorySource* source = nullptr;      // Pooled, from elsewhere: it grows there too
};

/// Whether two storages have no byte in common. A View spans its part of another storage, and
/// memory that a script brought lies where it lies: that they are two says nothing.
inline bool apart(const TH_Storage& a, const TH_Storage& b) {
  const auto* a_first = static_cast<const char*>(a.data);
  const auto* b_first = static_cast<const char*>(b.data);
  return &a != &b && (a_first + a.capacity <= b_first || b_first + b.capacity <= a_first);
}

/// Whether nobody but the holder of the one reference sees the memory: no other storage, no file,
/// no caller of this library.
bool seen_by_one(const TH_Storage& s);
/// Whether such a storage may be exchanged for another: nobody sees it or has a pointer into it,
/// and nobody has asked for memory from elsewhere.
bool replaceable(const TH_Storage& s);

/// A storage with one reference. length may be 0. Contents are unspecified.
Storage* new_storage(int dtype, int device_type, int device, int64_t length);
Storage* new_view(Storage* base, int64_t offset, int64_t length);
/// Elements of any type in the base's memory from a byte on.
Storage* new_view_as(int dtype, Storage* base, int64_t byte, int64_t length);
Storage* map_file(int dtype, const char* path, bool shared, bool temporary, int64_t length);

/// Elements in host memory that belongs to the caller and outlives the storage.
Storage* new_storage_in(int dtype, void* memory, int64_t length);

/// The memory is about to look different. Threads that write at once may count as one.
inline void count_write(TH_Storage* s) {
  std::atomic_ref<int32_t> version(*s->version);
  const auto next = static_cast<uint32_t>(version.load(std::memory_order_relaxed)) + 1;
  version.store(static_cast<int32_t>(next), std::memory_order_relaxed);
}

/// From now on threads other than the maker's may look.
void share_storage(TH_Storage* s);
/// Other threads may have references from now on.
void count_by_all(TH_Storage* s);

void retain(TH_Storage* s);
void release(TH_Storage* s);

/// The same in memory of the host from elsewhere, which outlives the storage. It grows there too.
Storage* new_storage_from(const MemorySource& source, int dtype, int64_t length);

/// Change the length, keeping the leading elements. Memory grows when needed and never shrinks.
void resize_storage(TH_Storage* s, int64_t length);
/// Make room for such a length: resize_storage cannot fail then. The length stays.
void reserve_storage(TH_Storage* s, int64_t length);

}  // namespace th

#pragma GCC visibility pop
