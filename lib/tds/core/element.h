// What containers hold: numbers, texts, objects with references.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tds.h"

namespace tds {

inline constexpr tds_elem kNil{};

inline bool is_text(const tds_elem& e) { return e.type == TDS_STRING || e.type == TDS_FUNCTION; }
inline bool owns(const tds_elem& e) { return e.type == TDS_OBJECT || is_text(e); }

inline tds_elem number(double value) {
  tds_elem e{};
  e.number = value;
  e.type = TDS_NUMBER;
  return e;
}

inline tds_elem text(const char* bytes, size_t size) {
  tds_elem e{};
  e.string = bytes;
  e.size = static_cast<uint32_t>(size);
  e.type = TDS_STRING;
  return e;
}

/// Numbers that are equal have one hash, 0 and -0 too; so have tensors that are the same view.
uint32_t hash_of(const tds_elem& e);
bool equal(const tds_elem& a, const tds_elem& b);

/// Memory for texts comes in so many bytes, so that they can be copied by these.
inline constexpr size_t kGrain = 16;
static_assert(sizeof(tds_reading::text) % kGrain == 0);

/// A text of the caller's becomes one of the container's; false without memory.
inline bool own(tds_elem& e) {
  if (!is_text(e)) {
    return true;
  }
  auto* copy = static_cast<char*>(std::malloc((e.size / kGrain + 1) * kGrain));
  if (copy == nullptr) {
    return false;
  }
  std::memcpy(copy, e.string, e.size);
  copy[e.size] = '\0';
  e.string = copy;
  return true;
}

/// Gives an object's reference back.
void release_object(const tds_elem& e);

/// What a container held goes.
inline void disown(const tds_elem& e) {
  if (is_text(e)) {
    std::free(const_cast<char*>(e.string));
  } else if (e.type == TDS_OBJECT) {
    release_object(e);
  }
}

/// Other threads may reach it from now on.
void share(const tds_elem& e);

/// For the caller, until tds_return: a copy of the text, a reference. Under the container's lock.
int lend(const tds_elem& e, tds_elem* to);

/// What needs neither memory nor a reference; under the container's lock. Its type.
inline int read(const tds_elem& e, tds_reading* to) {
  to->calls += 1;
  switch (e.type) {
    case TDS_NUMBER:
    case TDS_BOOLEAN:
      to->number = e.number;
      return e.type;
    case TDS_STRING:
      if (e.size <= sizeof to->text) {
        // By pieces of a fixed size: for a size that is only bounded, compilers write an
        // instruction that takes 40 ns for a word.
        for (size_t i = 0; i < e.size; i += kGrain) {
          std::memcpy(to->text + i, e.string + i, kGrain);
        }
        to->size = e.size;
        return e.type;
      }
      return TDS_OTHER;
    case TDS_NIL:
      return TDS_NIL;
    default:
      return TDS_OTHER;
  }
}

}  // namespace tds
