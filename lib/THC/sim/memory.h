// Memory of the simulated machine; see memory.cpp.
#pragma once

#include "sim/state.h"

namespace thc::sim {

/// Addresses for a device of that much memory: several times as many, so that memory never runs out
/// by being in pieces, as on a device that maps pages.
void make_arena(Arena& arena, size_t memory);

/// Makes a touch of device memory by the host an explanation instead of a bare crash.
void install_fault_handler();

}  // namespace thc::sim
