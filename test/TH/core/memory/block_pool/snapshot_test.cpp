#include <gtest/gtest.h>

#include "TH/core/memory/block_pool/fake_memory.h"
#include "TH/core/memory/block_pool/tiny_json.h"
#include "core/memory/block_pool/pool.h"

namespace th {
namespace {

using testing_support::FakeMemory;
using testing_support::Json;
using testing_support::JsonReader;

constexpr size_t KiB = 1024, MiB = KiB * 1024;

TEST(BlockPoolSnapshot, IsJsonThatListsEveryByteOfEverySegment) {
  for (const bool has_ranges : {false, true}) {
    FakeMemory memory(1024 * MiB, has_ranges);
    PoolConfig config;
    config.range_bytes = 1024 * MiB;
    BlockPool pool(memory, config);
    Block* first = pool.allocate(3 * MiB);
    Block* second = pool.allocate(7 * MiB);
    Block* other = pool.allocate(10 * KiB, reinterpret_cast<Stream>(0x70));
    pool.use(second, reinterpret_cast<Stream>(0x70));
    pool.free(second);
    const Json json = JsonReader::read(pool.snapshot());
    ASSERT_EQ(json["segments"].items.size(), 2u);
    for (const Json& segment : json["segments"].items) {
      size_t at = segment["address"].address();
      for (const Json& block : segment["blocks"].items) {
        EXPECT_EQ(block["address"].address(), at);
        at += size_t(block["bytes"].integer());
      }
      EXPECT_EQ(at, segment["address"].address() + size_t(segment["bytes"].integer()));
    }
    const Json& large = json["segments"][0];
    EXPECT_EQ(large["kind"].text, "large");
    EXPECT_EQ(large["stream"].address(), 0u);
    EXPECT_EQ(large["paged"].integer(), has_ranges);
    EXPECT_EQ(large["blocks"][0]["address"].address(), reinterpret_cast<size_t>(first->ptr));
    EXPECT_EQ(large["blocks"][0]["state"].text, "live");
    EXPECT_EQ(large["blocks"][0]["requested"].integer(), int64_t(3 * MiB));
    EXPECT_EQ(large["blocks"][1]["state"].text, "pending");
    const Json& small = json["segments"][1];
    EXPECT_EQ(small["kind"].text, "small");
    EXPECT_EQ(small["stream"].address(), 0x70u);
    EXPECT_EQ(small["blocks"][0]["address"].address(), reinterpret_cast<size_t>(other->ptr));
    EXPECT_EQ(small["blocks"][1]["state"].text, "free");
    const Json& statistics = json["statistics"];
    EXPECT_EQ(statistics["allocated"]["current"].integer(), int64_t(3 * MiB + 10 * KiB));
    EXPECT_EQ(statistics["by_class"].items.size(), 3u);
    EXPECT_TRUE(json["history"].items.empty()) << "nobody asked for a history";
  }
}

TEST(BlockPoolSnapshot, TellsTheLineOfTheScriptWhenAHistoryIsKept) {
  FakeMemory memory(64 * MiB);
  BlockPool pool(memory);
  set_allocation_line("ignored.lua:1");
  Block* before = pool.allocate(1 * KiB);
  pool.keep_history(100);
  set_allocation_line("train \"quoted\"\\\n.lua:41");
  Block* block = pool.allocate(2 * KiB);
  set_allocation_line("");
  Block* nameless = pool.allocate(3 * KiB);
  pool.free(block);
  set_allocation_line("train.lua:50");
  EXPECT_EQ(pool.allocate(100 * MiB), nullptr);
  Block* last = pool.allocate(4 * KiB);
  set_allocation_line("");
  const Json json = JsonReader::read(pool.snapshot());
  const Json& blocks = json["segments"][0]["blocks"];
  EXPECT_EQ(blocks[0].fields.count("line"), 0u);
  EXPECT_EQ(blocks[0]["address"].address(), reinterpret_cast<size_t>(before->ptr));
  bool found = false;
  for (const Json& b : blocks.items) {
    if (b["address"].address() == reinterpret_cast<size_t>(last->ptr)) {
      EXPECT_EQ(b["line"].text, "train.lua:50");
      found = true;
    }
  }
  EXPECT_TRUE(found);
  const auto& history = json["history"].items;
  std::vector<std::string> events, lines;
  for (const Json& entry : history) {
    events.push_back(entry["event"].text);
    lines.push_back(entry["line"].text);
  }
  EXPECT_EQ(events, (std::vector<std::string>{"allocate", "allocate", "free", "out of memory",
                                              "allocate"}));
  EXPECT_EQ(lines, (std::vector<std::string>{"train \"quoted\"\\\n.lua:41", "",
                                             "train \"quoted\"\\\n.lua:41", "train.lua:50",
                                             "train.lua:50"}));
  EXPECT_EQ(history[3]["bytes"].integer(), int64_t(100 * MiB));
  pool.free(nameless);
}

TEST(BlockPoolSnapshot, KeepsOnlyTheLatestEntriesOfTheHistory) {
  FakeMemory memory(64 * MiB);
  BlockPool pool(memory);
  pool.keep_history(10);
  for (size_t i = 1; i <= 100; ++i) {
    pool.free(pool.allocate(i * 512));
  }
  const Json json = JsonReader::read(pool.snapshot());
  ASSERT_EQ(json["history"].items.size(), 10u);
  EXPECT_EQ(json["history"][9]["event"].text, "free");
  EXPECT_EQ(json["history"][9]["bytes"].integer(), 100 * 512);
  EXPECT_LE(json["history"][0]["seconds"].number, json["history"][9]["seconds"].number);
  pool.keep_history(0);
  pool.free(pool.allocate(512));
  EXPECT_TRUE(JsonReader::read(pool.snapshot())["history"].items.empty());
}

TEST(FormatBytes, ChoosesTheUnitThatReads) {
  EXPECT_EQ(format_bytes(12), "12 bytes");
  EXPECT_EQ(format_bytes(1536), "1.50 KiB");
  EXPECT_EQ(format_bytes(70.2 * 1024 * MiB), "70.20 GiB");
}

}  // namespace
}  // namespace th
