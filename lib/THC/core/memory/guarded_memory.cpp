#include "core/memory/guarded_memory.h"

#include "core/device.h"

namespace thc {

GuardedMemory::GuardedMemory(DeviceMemory& memory, int device, size_t page)
    : memory_(memory), device_(device), page_(page) {
  TH_CHECK(memory.has_ranges(), "THC_MEMORY is 'guard', but device ", device + 1,
           " or its driver cannot map memory page by page; compute-sanitizer finds the same");
}

void* GuardedMemory::allocate(size_t bytes) noexcept {
  const size_t mapped = pages(bytes);
  auto* const range = static_cast<char*>(memory_.reserve(mapped + page_, false));
  if (range == nullptr) {
    return nullptr;
  }
  if (!memory_.map(range, mapped)) {
    memory_.unreserve(range, mapped + page_);
    return nullptr;
  }
  return range + mapped - bytes;
}

void GuardedMemory::free(void* ptr, size_t bytes) noexcept {
  const size_t mapped = pages(bytes);
  auto* const range = static_cast<char*>(ptr) + bytes - mapped;
  memory_.synchronize_all();  // any stream may still use it
  memory_.unmap(range, mapped, nullptr);
  memory_.unreserve(range, mapped + page_);
}

}  // namespace thc
