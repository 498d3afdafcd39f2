// Philox4x32-10: random numbers by counter, so that every thread of a kernel can have its own
// without a state in memory.
// Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
#pragma once

#include <cstdint>

#include "functors/numeric.h"

namespace thc {

struct Random4 {
  uint32_t x[4];
};

/// Ten rounds over a counter of 128 bits with a key of 64.
TH_HD inline Random4 philox4x32(Random4 c, uint32_t key0, uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = uint64_t{0xD2511F53u} * c.x[0];
    const uint64_t product1 = uint64_t{0xCD9E8D57u} * c.x[2];
    c = {{static_cast<uint32_t>(product1 >> 32) ^ c.x[1] ^ key0, static_cast<uint32_t>(product1),
          static_cast<uint32_t>(product0 >> 32) ^ c.x[3] ^ key1, static_cast<uint32_t>(product0)}};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return c;
}

/// Where a kernel's numbers begin: the device's seed, and how many counters were used before.
struct PhiloxPosition {
  uint64_t seed;
  uint64_t offset;

  /// Four times 32 random bits for the index'th counter of this kernel.
  TH_HD Random4 operator()(uint64_t index) const {
    const uint64_t counter = offset + index;
    const Random4 words{
        {static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32), 0, 0}};
    return philox4x32(words, static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32));
  }
};

// To (0, 1): never 0, whose logarithm is infinite, and never 1. One bit less than the mantissa has,
// so that the half step is exact.
TH_HD inline float open_unit_float(uint32_t bits) {
  return (static_cast<float>(bits >> 9) + 0.5f) * 0x1p-23f;
}
TH_HD inline double open_unit_double(uint32_t high, uint32_t low) {
  const uint64_t bits = (uint64_t{high} << 32 | low) >> 12;
  return (static_cast<double>(bits) + 0.5) * 0x1p-52;
}
// To [0, 1).
TH_HD inline float unit_float(uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }
TH_HD inline double unit_double(uint32_t high, uint32_t low) {
  return static_cast<double>((uint64_t{high} << 32 | low) >> 11) * 0x1p-53;
}

}  // namespace thc
