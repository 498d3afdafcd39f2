// How much more than the live bytes a pool reserves, on allocations as training makes them.
#include <map>

#include <gtest/gtest.h>

#include "TH/core/allocation_traces.h"
#include "TH/core/fake_memory.h"
#include "core/block_pool.h"

namespace th {
namespace {

using testing_support::ExpandableSegmentsModel;
using testing_support::FakeMemory;
using testing_support::Trace;
using testing_support::TraceStep;
using testing_support::training_traces;

size_t peak_of(const Trace& trace) {
  std::map<int64_t, size_t> live;
  size_t bytes = 0, peak = 0;
  for (const TraceStep& step : trace.steps) {
    if (step.bytes != 0) {
      live[step.id] = step.bytes;
      bytes += step.bytes;
      peak = std::max(peak, bytes);
    } else {
      bytes -= live.at(step.id);
      live.erase(step.id);
    }
  }
  return peak;
}

size_t reserved_by_pool(const Trace& trace, size_t range_bytes) {
  FakeMemory memory(size_t(1) << 46, range_bytes != 0);
  PoolConfig config;
  config.range_bytes = range_bytes;
  BlockPool pool(memory, config);
  std::map<int64_t, Block*> live;
  for (const TraceStep& step : trace.steps) {
    if (step.bytes != 0) {
      live[step.id] = pool.allocate(step.bytes);
    } else {
      pool.free(live.at(step.id));
      live.erase(step.id);
    }
  }
  return size_t(pool.statistics().reserved.peak);
}

size_t reserved_by_model(const Trace& trace) {
  ExpandableSegmentsModel model;
  for (const TraceStep& step : trace.steps) {
    step.bytes != 0 ? model.allocate(step.id, step.bytes) : model.free(step.id);
  }
  return model.reserved;
}

TEST(BlockPoolTrace, ReservesNoMoreThanExpandableSegmentsWithRanges) {
  for (const Trace& trace : training_traces()) {
    const size_t ours = reserved_by_pool(trace, size_t(1) << 40);
    EXPECT_LE(ours, reserved_by_model(trace)) << trace.name << ", peak " << peak_of(trace);
  }
}

TEST(BlockPoolTrace, ReservesAtMostThreePercentMoreThanLiveForFixedShapes) {
  constexpr double pages = 2 * (size_t(2) << 20);  // a page of the small heap and one of the large
  for (const Trace& trace : training_traces()) {
    if (trace.fixed_shapes) {
      EXPECT_LE(double(reserved_by_pool(trace, size_t(1) << 40)),
                1.03 * double(peak_of(trace)) + pages)
          << trace.name;
    }
  }
}

TEST(BlockPoolTrace, StaysWithinAFifthOfLiveEvenWithoutRanges) {
  for (const Trace& trace : training_traces()) {
    constexpr double segment = size_t(20) << 20;
    EXPECT_LE(double(reserved_by_pool(trace, 0)), 1.2 * double(peak_of(trace)) + segment)
        << trace.name;
  }
}

}  // namespace
}  // namespace th
