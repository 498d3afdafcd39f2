// A random generator per device: a seed and a position, both known to the host.
#pragma once

#include <cstdint>
#include <span>

#include "core/philox.h"

namespace thc {

inline constexpr int64_t kGeneratorStateBytes = 32;

/// The device's next `counters` counters are the caller's: PhiloxPosition{...}(i), i < counters,
/// gives four numbers each. An operation takes what it needs once, before it launches.
PhiloxPosition take_random(int device, uint64_t counters);

/// The same for an operation that may still fail after it has drawn: the counters are its own once
/// it calls take().
class RandomDraw {
 public:
  RandomDraw(int device, uint64_t counters);
  PhiloxPosition position() const { return position_; }
  void take() const { take_random(device_, counters_); }

 private:
  int device_;
  uint64_t counters_;
  PhiloxPosition position_;
};

void manual_seed(int device, uint64_t seed);
/// A seed of the operating system's, below 2^53 so that a Lua number holds it.
uint64_t seed(int device);
uint64_t initial_seed(int device);

/// Seed and position, to be continued from by set_state.
void get_state(int device, std::span<uint8_t> bytes);
/// Throws on bytes that get_state cannot have written, and then changes nothing.
void set_state(int device, std::span<const uint8_t> bytes);

}  // namespace thc
