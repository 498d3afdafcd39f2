// Replays a trace against a device of fixed size with one of three strategies.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/memory/device_pool_config.h"
#include "replay/device.h"
#include "replay/pytorch_models.h"
#include "replay/trace.h"

namespace replay {

enum class Strategy {
  kRanges,      // ours, where the device can map pages
  kSegments,    // ours, where it cannot
  kDefault,     // PyTorch's
  kExpandable,  // PyTorch's expandable segments
};

struct Report {
  size_t peak_reserved = 0;
  long calls = 0;  // pieces taken from the device or given back
  int steps = 0;   // of the program
  int last_step_with_calls = 0;
  double ns_per_operation = 0;  // host time of an allocation, a free or a use
  bool out_of_memory = false;   // it ended early
};

/// The strategy behind tensors of a device, as lib/THC configures it.
class OurStrategy {
 public:
  OurStrategy(Device& device, size_t range_bytes)
      : pool_(device, thc::device_pool_config(range_bytes)) {}

  bool allocate(int64_t id, size_t bytes, int stream) {
    if (size_t(id) >= blocks_.size()) {
      blocks_.resize(size_t(id) + 1);
    }
    return (blocks_[size_t(id)] = pool_.allocate(bytes, stream_of(stream))) != nullptr;
  }
  void free(int64_t id) { pool_.free(blocks_[size_t(id)]); }
  void use(int64_t id, int stream) { pool_.use(blocks_[size_t(id)], stream_of(stream)); }

 private:
  static th::Stream stream_of(int number) { return reinterpret_cast<th::Stream>(number); }

  th::BlockPool pool_;
  std::vector<th::Block*> blocks_;
};

template <class S>
void play(const Trace& trace, Device& device, S&& strategy, Report& report) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  size_t operations = 0;
  for (const Step& step : trace.steps) {
    switch (step.kind) {
      case Step::Kind::kAllocate:
        if (!strategy.allocate(step.id, step.bytes, step.stream)) {
          report.out_of_memory = true;
          report.calls = device.calls();
          return;
        }
        break;
      case Step::Kind::kFree:
        strategy.free(step.id);
        break;
      case Step::Kind::kUse:
        if constexpr (requires { strategy.use(step.id, step.stream); }) {
          strategy.use(step.id, step.stream);
        }  // the models take it that the use is over when the block is freed
        break;
      case Step::Kind::kMark:
        device.end_step();
        continue;
    }
    ++operations;
  }
  const std::chrono::duration<double, std::nano> passed = Clock::now() - start;
  report.ns_per_operation = passed.count() / double(operations == 0 ? 1 : operations);
  report.calls = device.calls();  // not what the strategy's end will give back
  report.last_step_with_calls = device.last_step_with_calls();
}

inline Report replay(const Trace& trace, Strategy strategy, size_t capacity) {
  Device device(capacity, strategy == Strategy::kRanges);
  Report report;
  switch (strategy) {
    case Strategy::kRanges:
      play(trace, device, OurStrategy(device, capacity), report);
      break;
    case Strategy::kSegments:
      play(trace, device, OurStrategy(device, 0), report);
      break;
    case Strategy::kDefault:
      play(trace, device, DefaultModel(device), report);
      break;
    case Strategy::kExpandable:
      play(trace, device, ExpandableModel(device), report);
      break;
  }
  report.peak_reserved = device.peak();
  report.steps = device.step() - 1;
  return report;
}

}  // namespace replay
