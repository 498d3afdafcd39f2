#include "core/random_state.h"

#include <array>
#include <cstring>
#include <mutex>
#include <random>

#include "core/device.h"

namespace thc {
namespace {

struct State {
  uint64_t tag = 0;
  uint64_t seed = 0;
  uint64_t offset = 0;
  uint64_t check = 0;
};
static_assert(sizeof(State) == kGeneratorStateBytes);

constexpr uint64_t kTag = 0x50484c5834783332;  // "PHLX4x32"

struct Generator {
  bool seeded = false;
  uint64_t seed = 0;
  uint64_t offset = 0;
};

std::mutex mutex;
std::array<Generator, kMaxDevices> generators;

uint64_t check_of(const State& s) {
  return (s.seed ^ (s.offset * 0x9E3779B97F4A7C15u)) + 0xBB67AE8584CAA73Bu;
}

uint64_t system_seed() {
  std::random_device device;
  return (uint64_t{device()} << 32 | device()) >> 11;
}

/// Locked by the caller. A generator that was never seeded takes a seed at its first use.
Generator& ready(int device) {
  Generator& g = generators[static_cast<size_t>(device)];
  if (!g.seeded) {
    g = {true, system_seed(), 0};
  }
  return g;
}

}  // namespace

PhiloxPosition take_random(int device, uint64_t counters) {
  check_device(device);
  const std::lock_guard lock(mutex);
  Generator& g = ready(device);
  const PhiloxPosition position{g.seed, g.offset};
  g.offset += counters;
  return position;
}

RandomDraw::RandomDraw(int device, uint64_t counters)
    : device_(device), counters_(counters), position_(take_random(device, 0)) {}

void manual_seed(int device, uint64_t seed) {
  check_device(device);
  const std::lock_guard lock(mutex);
  generators[static_cast<size_t>(device)] = {true, seed, 0};
}

uint64_t seed(int device) {
  const uint64_t seed = system_seed();
  manual_seed(device, seed);
  return seed;
}

uint64_t initial_seed(int device) {
  check_device(device);
  const std::lock_guard lock(mutex);
  return ready(device).seed;
}

void get_state(int device, std::span<uint8_t> bytes) {
  check_device(device);
  TH_CHECK(bytes.size() == kGeneratorStateBytes, "the state has ", kGeneratorStateBytes,
           " bytes, got room for ", bytes.size());
  const std::lock_guard lock(mutex);
  const Generator& g = ready(device);
  State state{kTag, g.seed, g.offset, 0};
  state.check = check_of(state);
  std::memcpy(bytes.data(), &state, sizeof(state));
}

void set_state(int device, std::span<const uint8_t> bytes) {
  check_device(device);
  TH_CHECK(bytes.size() == kGeneratorStateBytes, "a CUDA generator's state has ",
           kGeneratorStateBytes, " bytes, got ", bytes.size());
  State state;
  std::memcpy(&state, bytes.data(), sizeof(state));
  TH_CHECK(
      state.tag == kTag && state.check == check_of(state),
      "these bytes are not the state of a CUDA generator; use what cutorch.getRNGState() gave");
  const std::lock_guard lock(mutex);
  generators[static_cast<size_t>(device)] = {true, state.seed, state.offset};
}

}  // namespace thc
