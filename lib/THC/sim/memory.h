// Memory of the simulated machine; see memory.cpp.
#pragma once

#include "sim/state.h"

namespace thc::sim {

constexpr int kPoison = 0xff;  // NaN in every floating type, -1 in signed integers

/// Addresses for a device of that much memory: many times as many, as on a real one.
void make_arena(Arena& arena, size_t memory);

/// Take addresses, first fit; false: there are no more.
bool take_addresses(Arena& arena, size_t bytes, size_t alignment, size_t* offset);
/// Put memory there, filled with poison; the device's limit has been looked at.
void add_memory(Device& device, size_t offset, Piece piece);
/// And away again.
void remove_memory(Device& device, size_t offset);

/// Makes a touch of device memory by the host an explanation instead of a bare crash.
void install_fault_handler();

}  // namespace thc::sim
