#include "cpu/nn/conv/kept_weights.h"

#include <atomic>
#include <functional>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "TH/support/convolutions.h"
#include "TH/support/tensors.h"
#include "TH_account.h"

namespace th::test {
namespace {

/// By tiles, with more tiles than planes and with fewer; by oneDNN.
const ConvCase kKept[] = {{1, 16, 24, 24, 20, 3, 3, 1, 1, 1, 1, 1},
                          {1, 32, 24, 24, 80, 3, 3, 1, 1, 1, 1, 1},
                          {1, 64, 14, 14, 32, 3, 3, 2, 2, 1, 1, 1}};

std::vector<double> result(const ConvCase& c, const Tensor& x, const Tensor& w) {
  Tensor r = empty(TH_FLOAT);
  EXPECT_EQ(forward(&r, &x, &w, nullptr, c), TH_OK) << TH_lastError();
  return values(r);
}

/// Of the same numbers in memory that nothing is known of.
std::vector<double> fresh_result(const ConvCase& c, const Tensor& x, const Tensor& w) {
  Tensor copy = empty(TH_FLOAT);
  EXPECT_EQ(TH_resizeAs(&copy, &w), TH_OK);
  EXPECT_EQ(TH_copy(&copy, &w), TH_OK);
  return result(c, x, copy);
}

class KeptWeights : public testing::TestWithParam<ConvCase> {
 protected:
  void SetUp() override { TH_emptyCache(); }
  void TearDown() override { TH_emptyCache(); }
  std::mt19937 rng_{11};
};
INSTANTIATE_TEST_SUITE_P(Ways, KeptWeights, testing::ValuesIn(kKept));

TEST_P(KeptWeights, AreMadeForTheSecondCallAndGiveTheSame) {
  const ConvCase& c = GetParam();
  const Tensor x = random(TH_FLOAT, c.input(), rng_);
  const Tensor w = random(TH_FLOAT, c.weight(), rng_);
  const auto expected = result(c, x, w);
  result(c, x, w);
  const int64_t bytes = kept_form_bytes();
  EXPECT_GE(bytes, numel(w) * static_cast<int64_t>(sizeof(float)));
  EXPECT_EQ(result(c, x, w), expected);
  EXPECT_EQ(kept_form_bytes(), bytes);
  TH_emptyCache();
  EXPECT_EQ(kept_form_bytes(), 0);
  EXPECT_EQ(result(c, x, w), expected);
}

TEST_P(KeptWeights, AreAsTheWeightsAreAfterEveryWrite) {
  const ConvCase& c = GetParam();
  const Tensor x = random(TH_FLOAT, c.input(), rng_);
  Tensor w = random(TH_FLOAT, c.weight(), rng_);
  Tensor part;
  narrow(part, w, 0, 1, 2);
  TH_StorageRef storage{w.store};
  const std::function<void()> writes[] = {
      [&] { TH_mul(&w, &w, 0.5); },
      [&] { TH_fill(&part, 0.25); },
      [&] { TH_Storage_fill(&storage, 0.75); },
      [&] {
        static_cast<float*>(w.store->data)[3] = -4;
        ++*w.store->version;  // as bindings do
      },
  };
  for (const auto& write : writes) {
    for (int i = 0; i < 3; ++i) {
      result(c, x, w);
    }
    const auto before = result(c, x, w);
    write();
    const auto after = result(c, x, w);
    EXPECT_NE(after, before);
    EXPECT_EQ(after, fresh_result(c, x, w));
    result(c, x, w);
    EXPECT_EQ(result(c, x, w), after);
  }
}

TEST_P(KeptWeights, GoWithTheWeights) {
  const ConvCase& c = GetParam();
  const Tensor x = random(TH_FLOAT, c.input(), rng_);
  for (int i = 0; i < 5; ++i) {
    const Tensor w = random(TH_FLOAT, c.weight(), rng_);  // where the last ones were, perhaps
    const auto first = result(c, x, w);
    result(c, x, w);
    EXPECT_EQ(result(c, x, w), first);
    EXPECT_GT(kept_form_bytes(), 0);
  }
  EXPECT_EQ(kept_form_bytes(), 0);
}

TEST_P(KeptWeights, AreNoneWhereWritesAreNotSeen) {
  const ConvCase& c = GetParam();
  const Tensor x = random(TH_FLOAT, c.input(), rng_);
  const Tensor pointed = random(TH_FLOAT, c.weight(), rng_);
  result(c, x, pointed);
  result(c, x, pointed);
  EXPECT_GT(kept_form_bytes(), 0);
  TH_Storage_expose(pointed.store);
  EXPECT_EQ(kept_form_bytes(), 0);
  const Tensor shared = random(TH_FLOAT, c.weight(), rng_);
  TH_StorageRef ref{shared.store};
  TH_Storage_share(&ref);
  for (const Tensor* w : {&pointed, &shared}) {
    for (int i = 0; i < 3; ++i) {
      result(c, x, *w);
      static_cast<float*>(w->store->data)[i] += 1;
      EXPECT_EQ(result(c, x, *w), fresh_result(c, x, *w));
    }
  }
  EXPECT_EQ(kept_form_bytes(), 0);
}

TEST(KeptForms, TakeSoMuchAtMost) {
  TH_emptyCache();
  constexpr int64_t kFloats = 4 << 20;
  constexpr int64_t kRoom = kMostKeptBytes / kFloats / static_cast<int64_t>(sizeof(float));
  std::vector<Tensor> all;
  for (int64_t i = 0; i <= kRoom; ++i) {
    Tensor& t = all.emplace_back(make(TH_FLOAT, {1000}));
    const auto kept = [&] { return kept_form(t, {1}, kFloats, [](float* to) { *to = 1; }); };
    EXPECT_EQ(kept(), nullptr);
    EXPECT_EQ(kept() != nullptr, i < kRoom);
  }
  EXPECT_EQ(kept_form_bytes(), kMostKeptBytes);
  // What was made of elements that have changed makes room.
  EXPECT_EQ(TH_fill(&all[0], 1), TH_OK);
  EXPECT_NE(kept_form(all.back(), {1}, kFloats, [](float* to) { *to = 1; }), nullptr);
  all.clear();
  EXPECT_EQ(kept_form_bytes(), 0);
}

TEST(KeptForms, AreForgottenWhereAScriptWalksThroughAStorage) {
  TH_emptyCache();
  constexpr int64_t kPlaces = 50000;
  Tensor at = make(TH_FLOAT, {kPlaces});
  int made = 0;
  const auto one = [&] { return kept_form(at, {1}, 10, [&](float* to) { *to = ++made; }); };
  EXPECT_EQ(one(), nullptr);
  const auto kept = one();
  ASSERT_NE(kept, nullptr);
  for (int64_t i = 1; i < kPlaces; ++i) {
    const_cast<int64_t&>(at.offset) = i;
    EXPECT_EQ(one(), nullptr);
  }
  EXPECT_LE(kept_form_entries(), size_t{4096});
  const_cast<int64_t&>(at.offset) = 0;  // what is of use stays
  EXPECT_EQ(one(), kept);
  EXPECT_EQ(made, 1);
  TH_emptyCache();
  EXPECT_EQ(kept_form_entries(), size_t{0});
}

TEST(KeptForms, GoWithWhatWasWrittenWhileTheyWereMade) {
  TH_emptyCache();
  const Tensor t = make(TH_FLOAT, {1000});
  const auto one = [&](const std::function<void(float*)>& f) { return kept_form(t, {1}, 10, f); };
  EXPECT_EQ(one([](float*) {}), nullptr);
  EXPECT_NE(one([&](float*) { TH_fill(const_cast<Tensor*>(&t), 1); }), nullptr);
  EXPECT_EQ(kept_form_bytes(), 0);
  EXPECT_EQ(one([](float*) {}), nullptr);
  // Another thread has asked for it after the write.
  EXPECT_NE(one([&](float* to) {
              *to = 1;
              TH_fill(const_cast<Tensor*>(&t), 2);
              EXPECT_EQ(one([](float*) {}), nullptr);
            }),
            nullptr);
  EXPECT_EQ(kept_form_bytes(), 0);
  EXPECT_EQ(*one([](float* to) { *to = 2; }), 2);
  TH_emptyCache();
  EXPECT_EQ(one([](float*) {}), nullptr);
  EXPECT_NE(one([&](float*) { TH_emptyCache(); }), nullptr);  // asks for the lock itself
  EXPECT_EQ(kept_form_bytes(), 0);
}

#ifndef __SANITIZE_THREAD__  // which cannot follow a fork
TEST(KeptForms, AreThereForAChildOfAForkWhileAnotherThreadMakesOne) {
  const Tensor t = make(TH_FLOAT, {1000});
  std::atomic<bool> making = false, done = false;
  int made = 0;
  std::thread maker([&] {
    for (int i = 0; i < 2; ++i) {
      kept_form(t, {1}, 10, [&](float*) {
        ++made;
        making = true;
        while (!done) {
          std::this_thread::yield();
        }
      });
    }
    making = true;
  });
  while (!making) {
    std::this_thread::yield();
  }
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    TH_emptyCache();
    _exit(kept_form_bytes() == 0 ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  done = true;
  maker.join();
  EXPECT_EQ(made, 1);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
#endif

}  // namespace
}  // namespace th::test
