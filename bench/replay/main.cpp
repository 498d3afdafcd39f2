// th_replay [--device GIB] [FILE...]: Markdown tables of what the strategies reserve
// for each trace, made up (training.h) or recorded (record.lua).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

#include "replay/replay.h"
#include "replay/training.h"

namespace replay {
namespace {

constexpr double kMiB = 1 << 20;
constexpr Strategy kStrategies[] = {Strategy::kRanges, Strategy::kSegments, Strategy::kDefault,
                                    Strategy::kExpandable};

double overhead(const Report& report, size_t live) {
  return 100 * (double(report.peak_reserved) / double(live) - 1);
}

void print_row(const Trace& trace, size_t capacity) {
  const size_t live = peak_live(trace);
  std::printf("| %s | %.1f |", trace.name.c_str(), double(live) / kMiB);
  Report ours;
  for (const Strategy strategy : kStrategies) {
    const Report report = replay(trace, strategy, capacity);
    if (report.out_of_memory) {
      std::printf(" out of memory |");
    } else {
      std::printf(" %.1f (%.1f%%), %ld |", double(report.peak_reserved) / kMiB,
                  overhead(report, live), report.calls);
    }
    if (strategy == Strategy::kRanges) {
      ours = report;
    }
  }
  double fastest = ours.ns_per_operation;  // of some: the first pays for page faults
  for (int i = 0; i < 5; ++i) {
    fastest = std::min(fastest, replay(trace, Strategy::kRanges, capacity).ns_per_operation);
  }
  std::printf(" %d of %d | %.0f ns |\n", ours.last_step_with_calls, ours.steps, fastest);
}

/// The smallest device, in bytes, that the trace runs to its end on; to 2 MiB.
size_t least_device(const Trace& trace, Strategy strategy) {
  constexpr size_t kPage = size_t{2} << 20;
  const size_t live = peak_live(trace) / kPage;
  size_t too_small = live;
  size_t enough = 4 * live + 40;
  while (enough - too_small > 1) {
    const size_t middle = (too_small + enough) / 2;
    (replay(trace, strategy, middle * kPage).out_of_memory ? too_small : enough) = middle;
  }
  return enough * kPage;
}

void print_least_devices(const std::vector<Trace>& traces) {
  std::printf(
      "\nThe smallest device on which it runs, in MiB:\n\n"
      "| trace | live | ranges | segments | PyTorch | PyTorch, expandable |\n"
      "| --- | --- | --- | --- | --- | --- |\n");
  for (const Trace& trace : traces) {
    const double live = double(peak_live(trace));
    std::printf("| %s | %.1f |", trace.name.c_str(), live / kMiB);
    for (const Strategy strategy : kStrategies) {
      const double bytes = double(least_device(trace, strategy));
      std::printf(" %.0f (%.1f%%) |", bytes / kMiB, 100 * (bytes / live - 1));
    }
    std::printf("\n");
  }
}

/// A pair of allocate and free that the cache serves, beside so many live blocks.
double cached_pair(size_t bytes, int live) {
  Device device(size_t{80} << 30, true);
  OurStrategy pool(device, size_t{80} << 30);
  for (int i = 0; i < 2 * live; ++i) {
    pool.allocate(i, bytes + 512 * size_t(i % 7), 0);
  }
  for (int i = 0; i < 2 * live; i += 2) {
    pool.free(i);
  }
  constexpr int kPairs = 200000;
  double fastest = 1e9;
  for (int round = 0; round < 9; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kPairs; ++i) {
      pool.allocate(2 * live, bytes, 0);
      pool.free(2 * live);
    }
    const std::chrono::duration<double, std::nano> passed =
        std::chrono::steady_clock::now() - start;
    fastest = std::min(fastest, passed.count() / kPairs);
  }
  return fastest;
}

int run(int count, char** words) {
  size_t capacity = size_t{80} << 30;
  std::vector<Trace> traces = training_traces();
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(words[i], "--device") == 0 && i + 1 < count) {
      capacity = size_t(std::atof(words[++i]) * double(size_t{1} << 30));
      continue;
    }
    std::ifstream file(words[i]);
    if (!file) {
      std::fprintf(stderr, "th_replay: cannot read %s\n", words[i]);
      return 1;
    }
    traces.push_back(read(file, words[i]));
  }
  std::printf(
      "| trace | live, MiB | ranges | segments | PyTorch | PyTorch, expandable | last step "
      "with calls | time |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (const Trace& trace : traces) {
    print_row(trace, capacity);
  }
  print_least_devices(traces);
  std::printf("\nAllocate and free from the cache, per pair: ");
  std::printf("%.0f ns (4 KiB), %.0f ns (4 MiB), %.0f ns (4 MiB, 2000 blocks live).\n",
              cached_pair(4096, 1), cached_pair(size_t{4} << 20, 1),
              cached_pair(size_t{4} << 20, 2000));
  return 0;
}

}  // namespace
}  // namespace replay

int main(int count, char** words) {
  try {
    return replay::run(count, words);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "th_replay: %s\n", e.what());
    return 1;
  }
}
