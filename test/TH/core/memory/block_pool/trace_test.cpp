// How much more than the live bytes a pool reserves, on allocations as training makes them, and the
// traces themselves.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "TH/core/memory/block_pool/fake_memory.h"
#include "TH/support/refusals.h"
#include "core/memory/block_pool/pool.h"
#include "replay/replay.h"
#include "replay/training.h"

namespace th {
namespace {

using replay::peak_live;
using replay::Report;
using replay::Strategy;
using replay::Trace;

constexpr size_t kDevice = size_t(80) << 30;
constexpr size_t kMiB = size_t(1) << 20;

/// Made up and recorded ones.
std::vector<Trace> all_traces() {
  std::vector<Trace> traces = replay::training_traces();
  for (const auto& entry : std::filesystem::directory_iterator(TH_TRACES)) {
    std::ifstream file(entry.path());
    traces.push_back(replay::read(file, entry.path()));
  }
  return traces;
}

TEST(BlockPoolTrace, ReservesNoMoreThanExpandableSegmentsWithRanges) {
  for (const Trace& trace : all_traces()) {
    const Report ours = replay::replay(trace, Strategy::kRanges, kDevice);
    const Report theirs = replay::replay(trace, Strategy::kExpandable, kDevice);
    EXPECT_LE(ours.peak_reserved, theirs.peak_reserved) << trace.name;
  }
}

TEST(BlockPoolTrace, ReservesAtMostThreePercentMoreThanLiveForFixedShapes) {
  constexpr double pages = 2 * (size_t(2) << 20);  // a page of the small heap and one of the large
  for (const Trace& trace : all_traces()) {
    if (trace.fixed_shapes) {
      const Report ours = replay::replay(trace, Strategy::kRanges, kDevice);
      EXPECT_LE(double(ours.peak_reserved), 1.03 * double(peak_live(trace)) + pages) << trace.name;
    }
  }
}

TEST(BlockPoolTrace, AsksTheDeviceForNothingAfterTheSecondStepOfFixedShapes) {
  for (const Trace& trace : all_traces()) {
    if (trace.fixed_shapes && trace.name.find("collected") == std::string::npos) {
      const Report ours = replay::replay(trace, Strategy::kRanges, kDevice);
      EXPECT_LE(ours.last_step_with_calls, 2) << trace.name;
      EXPECT_GT(ours.steps, 5) << trace.name;
    }
  }
}

TEST(BlockPoolTrace, StaysWithinAFifthOfLiveEvenWithoutRanges) {
  for (const Trace& trace : all_traces()) {
    constexpr double segment = 20 * kMiB;
    const Report ours = replay::replay(trace, Strategy::kSegments, kDevice);
    EXPECT_LE(double(ours.peak_reserved), 1.2 * double(peak_live(trace)) + segment) << trace.name;
  }
}

TEST(BlockPoolTrace, RunsOnASmallerDeviceThanTheOthersNeed) {
  // A device with a tenth more than the most that is live.
  for (const Trace& trace : all_traces()) {
    const size_t device = peak_live(trace) * 11 / 10 + 20 * kMiB;
    EXPECT_FALSE(replay::replay(trace, Strategy::kRanges, device).out_of_memory) << trace.name;
  }
}

Report play(const std::string& text, Strategy strategy, size_t device = kDevice) {
  std::istringstream in(text);
  return replay::replay(replay::read(in, "text"), strategy, device);
}

// What PyTorch's documentation says about sizes, by cases that can be counted by hand.
TEST(PyTorchDefault, TakesSegmentsByTheSizeOfTheRequest) {
  EXPECT_EQ(play("a 1\n", Strategy::kDefault).peak_reserved, 2 * kMiB);
  EXPECT_EQ(play("a 1048576\na 1048576\n", Strategy::kDefault).peak_reserved, 2 * kMiB);
  EXPECT_EQ(play("a 1048577\na 9000000\na 5000000\n", Strategy::kDefault).peak_reserved, 20 * kMiB);
  EXPECT_EQ(play("a 10485761\n", Strategy::kDefault).peak_reserved, 12 * kMiB);
  // A rest of up to 1 MiB stays with a large block: 11 MiB of 12.
  EXPECT_EQ(play("a 11534336\nf 0\na 11534336\na 1048000\n", Strategy::kDefault).peak_reserved,
            14 * kMiB);
  EXPECT_EQ(play("a 100\na 100 1\n", Strategy::kDefault).peak_reserved, 4 * kMiB)
      << "streams have pools of their own";
}

TEST(PyTorchDefault, GivesWholeSegmentsBackWhenTheDeviceIsFull) {
  // 60 MiB are cached; 80 are wanted of 100.
  const Report report = play("a 62914560\nf 0\na 83886080\n", Strategy::kDefault, 100 * kMiB);
  EXPECT_FALSE(report.out_of_memory);
  EXPECT_EQ(report.peak_reserved, 80 * kMiB);
  EXPECT_EQ(report.calls, 3);
  // One of 12 MiB in a segment that another block holds cannot go.
  EXPECT_TRUE(play("a 62914560\nf 0\na 12582912\na 83886080\n", Strategy::kDefault, 100 * kMiB)
                  .out_of_memory);
}

TEST(PyTorchExpandable, GrowsByPages) {
  EXPECT_EQ(play("a 1\n", Strategy::kExpandable).peak_reserved, 2 * kMiB);
  EXPECT_EQ(play("a 1048577\n", Strategy::kExpandable).peak_reserved, 20 * kMiB);
  // 30 MiB and 45 MiB share 80: the second begins where the first ends.
  EXPECT_EQ(play("a 31457280\na 47185920\n", Strategy::kExpandable).peak_reserved, 80 * kMiB);
  // A freed block at the end is grown, not left behind.
  EXPECT_EQ(play("a 31457280\nf 0\na 62914560\n", Strategy::kExpandable).peak_reserved, 60 * kMiB);
}

TEST(PyTorchExpandable, GivesPagesBackBetweenLiveBlocksWhenTheDeviceIsFull) {
  // 100 MiB: 20 live, 60 free, 20 live; then 60 of another stream, which fit into what goes back.
  const std::string text = "a 20971520\na 62914560\na 20971520\nf 1\na 62914560 1\n";
  const Report report = play(text, Strategy::kExpandable, 100 * kMiB);
  EXPECT_FALSE(report.out_of_memory);
  EXPECT_EQ(report.peak_reserved, 100 * kMiB);
  EXPECT_EQ(report.calls, 5 + 3 + 3);
  EXPECT_TRUE(play(text, Strategy::kExpandable, 98 * kMiB).out_of_memory);
  // And what went can come again, in its old place.
  EXPECT_FALSE(play(text + "f 3\na 41943040\nf 4\na 62914560\n", Strategy::kExpandable, 100 * kMiB)
                   .out_of_memory);
}

TEST(BlockPoolTrace, IsWrittenAndReadAgain) {
  testing_support::FakeMemory memory(size_t(1) << 30);
  BlockPool pool(memory);
  Block* early = pool.allocate(1000);
  Block* gone = pool.allocate(2000, reinterpret_cast<Stream>(8));
  Block* stays = pool.allocate(3000);
  pool.keep_history(100);
  pool.free(early);
  pool.free(gone);
  Block* used = pool.allocate(4000);
  pool.use(used, reinterpret_cast<Stream>(8));
  pool.mark();
  pool.free(used);
  pool.free(stays);
  const std::string text = pool.trace();
  // What was live before comes first, in the order of addresses: one heap for each stream.
  EXPECT_EQ(text,
            "a 1000\na 3000\na 2000 1\n"
            "f 0\nf 2\na 4000\nu 3 1\nm\nf 3\nf 1\n");
  std::istringstream in(text);
  const Trace trace = replay::read(in, "text");
  EXPECT_EQ(trace.steps.size(), 10u);
  EXPECT_EQ(peak_live(trace), 7000u);
}

TEST(BlockPoolTrace, RefusesWhatIsNoTrace) {
  const auto refuses = [](const char* text, const char* why) {
    std::istringstream in(text);
    test::expect_refusal(why, [&] { replay::read(in, "text"); });
  };
  refuses("a x\n", "text, line 1: not an event of a trace: a x");
  refuses("f 0\n", "text, line 1: not an event of a trace: f 0");
  refuses("a 1\nf 1\n", "text, line 2: not an event of a trace: f 1");
  refuses("a 1\nf -1\n", "text, line 2: not an event of a trace: f -1");
  refuses("a 1\nu 0\n", "text, line 2: not an event of a trace: u 0");
  refuses("a 1\n\nu 1 2\n", "text, line 3: not an event of a trace: u 1 2");
  refuses("hello\n", "text, line 1: not an event of a trace: hello");
}

}  // namespace
}  // namespace th
