#include "TH/support/failing_new.h"

#include <cstdlib>
#include <new>

namespace th::testing_support {
namespace {

thread_local int scopes = 0;

void* take(size_t bytes, size_t alignment) noexcept {
  if (scopes == 0 && allocation_fails()) {
    return nullptr;
  }
  bytes = bytes == 0 ? 1 : bytes;
  return alignment == 0
             ? std::malloc(bytes)
             : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void* take_or_throw(size_t bytes, size_t alignment = 0) {
  if (void* memory = take(bytes, alignment)) {
    return memory;
  }
  throw std::bad_alloc();
}

}  // namespace

WithoutFailures::WithoutFailures() { ++scopes; }
WithoutFailures::~WithoutFailures() { --scopes; }

}  // namespace th::testing_support

namespace support = th::testing_support;

void* operator new(size_t bytes) { return support::take_or_throw(bytes); }
void* operator new[](size_t bytes) { return support::take_or_throw(bytes); }
void* operator new(size_t bytes, const std::nothrow_t&) noexcept { return support::take(bytes, 0); }
void* operator new[](size_t bytes, const std::nothrow_t&) noexcept {
  return support::take(bytes, 0);
}
void* operator new(size_t bytes, std::align_val_t alignment) {
  return support::take_or_throw(bytes, size_t(alignment));
}
void* operator new[](size_t bytes, std::align_val_t alignment) {
  return support::take_or_throw(bytes, size_t(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }
