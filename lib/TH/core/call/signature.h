// What each parameter of an operation is to it.
#pragma once

#include <atomic>
#include <span>

#include "TH_core.h"

namespace th {

namespace detail {
/// For each operation; NULL until somebody asks.
extern constinit std::atomic<const std::span<const TH_Parameter>*> parameter_lists;
const std::span<const TH_Parameter>* make_parameter_lists();
}  // namespace detail

/// Of an operation, by its number (th::Op).
inline std::span<const TH_Parameter> parameters_of(int operation) {
  const auto* lists = detail::parameter_lists.load(std::memory_order_acquire);
  return (lists != nullptr ? lists : detail::make_parameter_lists())[operation];
}

}  // namespace th
