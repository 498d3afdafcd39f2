// Reference-counted memory on any device.
#pragma once

#include "TH.h"

namespace th {

/// What is behind a TH_Storage handle. Every TH_Storage is one of these.
struct Storage : TH_Storage {
  enum class Kind : uint8_t {
    Pooled,  ///< a block of the device's pool; may grow
    View,    ///< elements of `base`, whose memory must stay where it is
    Mapped,  ///< a file's pages
  };
  Kind kind = Kind::Pooled;
  void* owner = nullptr;     // Pooled: what the backend's release() wants
  Storage* base = nullptr;   // View
  int32_t views = 0;         // Views over this storage: while there are any it must not move
};

/// A storage with one reference. length may be 0. Contents are unspecified.
Storage* new_storage(int dtype, int device_type, int device, int64_t length);
Storage* new_view(Storage* base, int64_t offset, int64_t length);
Storage* map_file(int dtype, const char* path, bool shared, int64_t length);

void retain(TH_Storage* s);
void release(TH_Storage* s);

/// Change the length, keeping the leading elements. Memory grows when needed and never shrinks.
void resize_storage(TH_Storage* s, int64_t length);

/// Bytes of all storages together.
TH_Heap& heap();

}  // namespace th
