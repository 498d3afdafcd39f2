// What a kernel of the script's own sees on a simulated device. lua/cutorch/kernel/simulated.lua
// has the same declaration in what it puts before a source: they change together.
#pragma once

#include <cstdint>

extern "C" {

struct luatorch_Size {
  unsigned x, y, z;
};

/// One thread. The functions are for it alone: sync waits for all threads of its block, exchange
/// gives the 8 bytes that another thread of its warp has given (which waits for the whole warp).
struct luatorch_Thread {
  luatorch_Size thread, block, blocks, threads;
  void* shared;
  const void* self;
  void (*sync)(const void* self);
  uint64_t (*exchange)(const void* self, uint64_t value, int lane);
};

using luatorch_Kernel = void (*)(const luatorch_Thread* thread, const uint64_t* arguments);
}
