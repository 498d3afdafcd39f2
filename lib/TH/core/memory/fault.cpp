#include "core/memory/fault.h"

namespace th::detail {

std::atomic<int64_t> allocations_until_fault{0};

bool count_allocation() noexcept {
  int64_t left = allocations_until_fault.load();
  while (left > 0 && !allocations_until_fault.compare_exchange_weak(left, left - 1)) {
  }
  return left == 1;
}

}  // namespace th::detail

int64_t TH_failAllocation(int64_t count) {
  return th::detail::allocations_until_fault.exchange(count);
}

bool TH_allocationFails() { return th::allocation_fails(); }
