#include "core/plan_cache.h"

#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "TH.h"

namespace th::test {
namespace {

/// A cache's user that counts how often it was asked to make a plan.
struct User {
  int made = 0;

  std::shared_ptr<int> find(PlanCache& cache, const PlanKey& key) {
    return cache.find<int>(key, [&] { return ++made; });
  }
};

TEST(PlanCache, TheSameKeyHasThePlanThatWasMadeForIt) {
  PlanCache cache;
  User user;
  const auto plan = user.find(cache, {1, 2, 3});
  EXPECT_EQ(user.find(cache, {1, 2, 3}), plan);
  EXPECT_EQ(user.find(cache, PlanKey{1}.add(2).add(3)), plan);
  EXPECT_EQ(user.made, 1);
}

TEST(PlanCache, AnyOtherKeyHasAnother) {
  PlanCache cache;
  User user;
  const std::vector<int64_t> one{1}, two{1, 2}, rest{3}, all{1, 2, 3};
  for (const PlanKey& key : {PlanKey{1, 2, 3}, PlanKey{1, 2}, PlanKey{1, 2, 4}, PlanKey{3, 2, 1},
                             PlanKey{}, PlanKey{0}.add(one).add(two), PlanKey{0}.add(two).add(one),
                             PlanKey{0}.add(two).add(rest), PlanKey{0}.add(all)}) {
    const int before = user.made;
    user.find(cache, key);
    EXPECT_EQ(user.made, before + 1);
  }
  // Of another type, too, although the numbers are the same.
  EXPECT_EQ(*cache.find<std::string>({1, 2, 3}, [] { return std::string("other"); }), "other");
  EXPECT_EQ(*user.find(cache, {1, 2, 3}), 1);
  EXPECT_EQ(user.made, 9);
}

TEST(PlanCache, TheLeastRecentlyUsedMakesRoom) {
  PlanCache cache(3);
  User user;
  for (int64_t i = 1; i <= 3; ++i) {
    user.find(cache, {i});
  }
  user.find(cache, {1});
  user.find(cache, {4});  // 2 goes
  EXPECT_EQ(cache.size(), 3);
  EXPECT_EQ(user.made, 4);
  user.find(cache, {1});
  user.find(cache, {3});
  user.find(cache, {4});
  EXPECT_EQ(user.made, 4);
  user.find(cache, {2});
  EXPECT_EQ(user.made, 5);
  for (int64_t i = 0; i < 1000; ++i) {
    user.find(cache, {i, i});
    ASSERT_EQ(cache.size(), 3);
  }
}

TEST(PlanCache, NothingIsKeptOfAPlanThatCouldNotBeMade) {
  PlanCache cache;
  const auto failing = [&] { cache.find<int>({1}, []() -> int { throw Error("no such case"); }); };
  EXPECT_THROW(failing(), Error);
  EXPECT_EQ(cache.size(), 0);
  User user;
  EXPECT_EQ(*user.find(cache, {1}), 1);
}

TEST(PlanCache, EmptyCacheDropsAllThreadsPlansButNotThoseInUse) {
  User user;
  const auto in_use = user.find(plan_cache(), {7, 7});
  int others = -1;
  std::thread([&] {
    User other;
    other.find(plan_cache(), {7, 7});
    EXPECT_EQ(other.made, 1) << "another thread's plan";
    std::thread([] { TH_emptyCache(); }).join();
    other.find(plan_cache(), {7, 7});
    others = other.made;
  }).join();
  EXPECT_EQ(others, 2);
  EXPECT_EQ(*in_use, 1);
  EXPECT_EQ(*user.find(plan_cache(), {7, 7}), 2);
  EXPECT_EQ(plan_cache().size(), 1);
  TH_emptyCache();
  EXPECT_EQ(plan_cache().size(), 0);
}

}  // namespace
}  // namespace th::test
