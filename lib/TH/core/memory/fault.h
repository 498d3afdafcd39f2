// One allocation that fails when a test asks for it.
#pragma once

#include <atomic>
#include <cstdint>

#pragma GCC visibility push(default)  // for backends in libraries of their own
namespace th {

namespace detail {
extern std::atomic<int64_t> allocations_until_fault;
bool count_allocation() noexcept;
}  // namespace detail

/// Whether the allocation that is about to be made has to fail. Whoever takes memory for an
/// operation asks this once for each piece: block pools, headers of storages, workspaces.
inline bool allocation_fails() noexcept {
  return detail::allocations_until_fault.load(std::memory_order_relaxed) != 0 &&
         detail::count_allocation();
}

}  // namespace th

extern "C" {
/// The `count`th allocation from now on fails, once; 0: none will. Returns what was left to count
/// of the last request: 0 once it was met. For tests; of all threads.
int64_t TH_failAllocation(int64_t count);
/// allocation_fails() for allocators that a test brings along.
bool TH_allocationFails(void);
}

#pragma GCC visibility pop
