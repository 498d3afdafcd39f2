#include "core/profile/recorder.h"

#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "TH/support/tensors.h"
#include "core/profile/script_lines.h"

namespace th::test {
namespace {

std::string names(const TH_Profile* p) {
  std::string r;
  for (int64_t i = 0; i < TH_Profile_size(p); ++i) {
    const TH_ProfileEvent& e = TH_Profile_events(p)[i];
    r += e.kind == TH_PROFILE_OPERATION ? TH_signature(e.name)->name
         : e.kind == TH_PROFILE_RANGE   ? "range"
                                        : (e.bytes > 0 ? "taken" : "given");
    r += std::to_string(e.parent) + " ";
  }
  return r;
}

TEST(Profile, KeepsOperationsRangesAndMemoryInTheirOrder) {
  TH_Profile* p = TH_Profile_start(false);
  ASSERT_NE(p, nullptr);
  {
    const int64_t range = TH_Profile_enter(p, 7, "a range");
    Tensor t = make(TH_DOUBLE, {100});
    EXPECT_EQ(TH_fill(&t, 1), TH_OK);
    TH_Profile_leave(p, range);
  }
  TH_Profile_stop(p);
  const Tensor later = make(TH_DOUBLE, {100});
  EXPECT_EQ(names(p), "range-1 taken0 fill0 given-1 ");
  const TH_ProfileEvent* e = TH_Profile_events(p);
  EXPECT_EQ(e[0].name, 7);
  EXPECT_EQ(e[1].bytes, 800);
  EXPECT_EQ(e[2].bytes, 800);
  EXPECT_EQ(e[3].bytes, -800);
  EXPECT_EQ(e[1].block, e[3].block);
  EXPECT_EQ(e[2].device_begin, -1);  // done when it returns
  EXPECT_LE(e[0].begin, e[2].begin);
  EXPECT_LE(e[2].end, e[0].end);
  EXPECT_EQ(TH_Profile_placeCount(p), 0);  // no Lua here
  TH_Profile_free(p);
}

TEST(Profile, EndsInnerRangesWithOuterOnesAndMarksWhatFails) {
  TH_Profile* p = TH_Profile_start(true);
  ASSERT_NE(p, nullptr);
  const int64_t outer = TH_Profile_enter(p, 1, "outer");
  TH_Profile_enter(p, 2, "inner");
  Tensor a = make(TH_DOUBLE, {2, 3}), b = make(TH_DOUBLE, {4}), r = empty(TH_DOUBLE);
  EXPECT_NE(TH_cmul(&r, &a, &b), TH_OK);
  TH_Profile_leave(p, outer);
  TH_Profile_leave(p, -1);  // of a range for which there was no memory
  TH_Profile_enter(p, 3, "open to the end");
  TH_Profile_stop(p);
  for (int64_t i = 0; i < TH_Profile_size(p); ++i) {
    EXPECT_GE(TH_Profile_events(p)[i].end, TH_Profile_events(p)[i].begin) << i;
    EXPECT_EQ(TH_Profile_events(p)[i].place, 0);
  }
  EXPECT_FALSE(TH_Profile_incomplete(p));
  TH_Profile_free(p);
}

TEST(Profile, IsOnePerThread) {
  TH_Profile* p = TH_Profile_start(false);
  EXPECT_EQ(TH_Profile_start(false), nullptr);
  EXPECT_NE(std::string(TH_lastError()).find("has a profile that runs"), std::string::npos);
  std::thread([] {
    TH_Profile* own = TH_Profile_start(false);
    ASSERT_NE(own, nullptr);
    Tensor t = make(TH_DOUBLE, {100});
    TH_fill(&t, 1);
    TH_Profile_stop(own);
    EXPECT_GE(TH_Profile_size(own), 2);
    TH_Profile_free(own);
  }).join();
  TH_Profile_stop(p);
  EXPECT_EQ(TH_Profile_size(p), 0);
  TH_Profile_free(p);
}

TEST(ScriptLines, KnowOneSpellingOfAPath) {
  using profile::normalized;
  EXPECT_EQ(normalized("./a//b/./c.lua"), "a/b/c.lua");
  EXPECT_EQ(normalized("/usr//share/x/"), "/usr/share/x/");
  EXPECT_EQ(normalized("../a.lua"), "../a.lua");
  EXPECT_EQ(normalized(".hidden/./x"), ".hidden/x");
  EXPECT_EQ(normalized(""), "");
}

}  // namespace
}  // namespace th::test
