// What each parameter of an operation is to it.
#pragma once

#include <span>

#include "TH_core.h"
#include "core/operations.h"

namespace th {

/// Views move nothing: they stand together in the list of operations.
inline bool is_view(Op op) { return op >= Op::resize && op < Op::copy; }

/// Of an operation, by its number (th::Op).
std::span<const TH_Parameter> parameters_of(int operation);

}  // namespace th
