// LD_PRELOAD: lets `new` within libTH.so and libTHC.so fail as a test asks for it, by the counter
// of core/memory/fault.h. The library asked is loaded later, so whoever loads it passes its
// function.
#include <cstdlib>
#include <cstring>
#include <new>

#include <dlfcn.h>

namespace {

bool (*allocation_fails)() = nullptr;

/// Whether the code at an address is ours, or the C++ library's on our behalf.
bool counts(const void* caller) {
  Dl_info info;
  if (dladdr(caller, &info) == 0 || info.dli_fname == nullptr) {
    return false;
  }
  return std::strstr(info.dli_fname, "libTH") != nullptr ||
         std::strstr(info.dli_fname, "libstdc++") != nullptr;
}

void* take(size_t bytes, size_t alignment, const void* caller) {
  if (allocation_fails != nullptr && counts(caller) && allocation_fails()) {
    return nullptr;
  }
  bytes = bytes == 0 ? 1 : bytes;
  return alignment == 0
             ? std::malloc(bytes)
             : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void* take_or_throw(size_t bytes, size_t alignment, const void* caller) {
  if (void* memory = take(bytes, alignment, caller)) {
    return memory;
  }
  throw std::bad_alloc();
}

}  // namespace

extern "C" void th_failing_new(bool (*fails)()) { allocation_fails = fails; }

#define CALLER __builtin_return_address(0)
void* operator new(size_t n) { return take_or_throw(n, 0, CALLER); }
void* operator new[](size_t n) { return take_or_throw(n, 0, CALLER); }
void* operator new(size_t n, const std::nothrow_t&) noexcept { return take(n, 0, CALLER); }
void* operator new[](size_t n, const std::nothrow_t&) noexcept { return take(n, 0, CALLER); }
void* operator new(size_t n, std::align_val_t a) { return take_or_throw(n, size_t(a), CALLER); }
void* operator new[](size_t n, std::align_val_t a) { return take_or_throw(n, size_t(a), CALLER); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }
