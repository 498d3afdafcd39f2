// What each parameter of an operation is to it.
#pragma once

#include <span>

#include "TH_core.h"

namespace th {

/// Of an operation, by its number (th::Op).
std::span<const TH_Parameter> parameters_of(int operation);

}  // namespace th
