#include "core/vendor/vendor_plans.h"

#include <gtest/gtest.h>

#include "core/runtime/error.h"

namespace thc::test {
namespace {

/// Fastest first, as a library lists them.
const std::vector<Proposal> kProposals = {
    {7, false, true, 0, 0},        // does not work for the case
    {1, true, false, 4 << 20, 0},  // fast, not the same bits every time
    {4, true, true, 8 << 20, 2},
    {0, true, true, 0, 1},
};

/// Of a plan whose results are written afresh, on a device with room.
template <class Run>
bool run_first(Plan& plan, Run&& run) {
  return thc::run_first(plan, true, run, [] { return false; });
}

std::vector<int> algorithms(const Plan& plan) {
  std::vector<int> result;
  for (const Proposal& p : plan) {
    result.push_back(p.algorithm);
  }
  return result;
}

using Algorithms = std::vector<int>;

TEST(VendorPlans, TakeTheFastestThatIsAllowed) {
  VendorOptions o;
  EXPECT_EQ(algorithms(usable(kProposals, o)), (Algorithms{1, 4, 0}));
  o.deterministic = true;
  EXPECT_EQ(algorithms(usable(kProposals, o)), (Algorithms{4, 0}));
  o.workspace = (8 << 20) - 1;
  EXPECT_EQ(algorithms(usable(kProposals, o)), (Algorithms{0}));
  o.deterministic = false;
  EXPECT_EQ(algorithms(usable(kProposals, o)), (Algorithms{1, 0}));
  o.workspace = 0;
  EXPECT_EQ(algorithms(usable(kProposals, o)), (Algorithms{0}));
}

TEST(VendorPlans, AreMadeOnceForEachCaseAndOption) {
  const TH_Tensor x{};
  VendorOptions o;
  Plans plans;
  int asked = 0;
  const auto find = [&](int pass, const ConvShape& s) {
    return algorithms(*plans.find(case_of(pass, x, s, o), o, [&] {
      ++asked;
      return kProposals;
    }));
  };
  ConvShape p{};
  EXPECT_EQ(find(0, p), (Algorithms{1, 4, 0}));
  EXPECT_EQ(find(0, p), (Algorithms{1, 4, 0}));
  EXPECT_EQ(asked, 1);
  find(1, p);
  ConvShape padded = p;
  padded.padH = 1;
  find(0, padded);
  EXPECT_EQ(asked, 3);
  p.W = 9;
  find(0, p);
  EXPECT_EQ(asked, 4);
  o.deterministic = true;  // what was found without it is not for now
  EXPECT_EQ(find(0, p), (Algorithms{4, 0}));
  o.benchmark = true;
  find(0, p);
  EXPECT_EQ(asked, 6);
  o.workspace = int64_t{1} << 52;  // cudnn.fastest
  find(0, p);
  find(0, p);
  EXPECT_EQ(asked, 7);
  EXPECT_EQ(plans.size(), 7);
  ++o.generation;  // all are forgotten
  find(0, p);
  EXPECT_EQ(asked, 8);
  EXPECT_EQ(plans.size(), 1);
}

TEST(VendorPlans, AnAlgorithmThatIsRefusedMemoryTwiceIsDropped) {
  Plan plan = usable(kProposals, {});
  int64_t room = 0;
  Algorithms ran;
  const auto run = [&](const Proposal& p) {
    if (p.workspace > room) {
      throw th::OutOfMemory("none");
    }
    ran.push_back(p.algorithm);
  };
  // The script collects and tries again: that must be with the same algorithm.
  EXPECT_THROW(run_first(plan, run), th::OutOfMemory);
  room = 64 << 20;
  EXPECT_TRUE(run_first(plan, run));
  EXPECT_EQ(ran, (Algorithms{1}));
  // A success counts the refusals anew.
  room = 0;
  EXPECT_THROW(run_first(plan, run), th::OutOfMemory);
  EXPECT_THROW(run_first(plan, run), th::OutOfMemory);  // dropped; the next is asked first, too
  EXPECT_TRUE(run_first(plan, run));
  EXPECT_EQ(ran, (Algorithms{1, 0}));
  EXPECT_EQ(algorithms(plan), (Algorithms{0}));
  Plan none;
  EXPECT_FALSE(run_first(none, run));
}

TEST(VendorPlans, AnAlgorithmThatTheLibraryRefusesIsDroppedAtOnce) {
  Plan plan = usable(kProposals, {});
  Algorithms ran;
  const auto run = [&](const Proposal& p) {
    ran.push_back(p.algorithm);
    if (p.algorithm != 0) {
      throw Refused("not this one");
    }
  };
  EXPECT_TRUE(run_first(plan, run));
  EXPECT_EQ(ran, (Algorithms{1, 4, 0}));
  EXPECT_TRUE(run_first(plan, run));
  EXPECT_EQ(ran, (Algorithms{1, 4, 0, 0}));
  EXPECT_FALSE(run_first(plan, [](const Proposal&) { throw Refused("none"); }));
  EXPECT_TRUE(plan.empty());
}

TEST(VendorPlans, WhatFailsEverywhereIsAnErrorAndThenNobodysWork) {
  Plan plan = usable(kProposals, {});
  const auto fails = [](const Proposal&) { throw Failed("in the midst"); };
  EXPECT_THROW(run_first(plan, fails), Failed);
  EXPECT_FALSE(run_first(plan, fails));
}

TEST(VendorPlans, ARefusalToProposeIsAPlanWithoutAlgorithms) {
  TH_Tensor t{};
  Plans plans;
  int asked = 0;
  for (int i = 0; i < 2; ++i) {
    const auto plan = plans.find(case_of(0, t, ConvShape{}, {}), {}, [&]() -> Plan {
      ++asked;
      throw Refused("no such case");
    });
    EXPECT_TRUE(plan->empty());
  }
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace thc::test
