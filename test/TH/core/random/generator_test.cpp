#include "core/random/generator.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "TH/support/refusals.h"
#include "core/random/generator_kernels.h"

namespace th {
namespace {

using test::expect_refusal;
using Bytes = std::vector<uint8_t>;

Bytes state_of(const Generator& g) {
  Bytes bytes(Generator::kStateBytes);
  g.get_state(bytes);
  return bytes;
}

TEST(Generator, GivesTheSequenceOfTheStandardsEngine) {
  Generator ours(5489);
  std::mt19937 theirs(5489);
  for (int i = 0; i < 3000; ++i) {
    ASSERT_EQ(ours.random(), theirs()) << "draw " << i;
  }
}

TEST(Generator, UsesTheLow32BitsOfTheSeedAndRemembersAll) {
  const uint64_t seed = (uint64_t(7) << 32) + 99;
  Generator a(seed), b(99);
  EXPECT_EQ(a.random(), b.random());
  EXPECT_EQ(a.initial_seed(), seed);
}

// --- Torch7's own numbers ------------------------------------------------------------------------

struct Row {
  uint64_t seed;
  std::string type, expression, values;
};

std::vector<Row> reference() {
  const auto file = std::filesystem::path(TH_TEST_DATA) / "rng_reference.tsv";
  std::ifstream in(file);
  std::vector<Row> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) {
      continue;
    }
    std::istringstream fields(line);
    Row row;
    fields >> row.seed;
    fields.ignore();
    std::getline(fields, row.type, '\t');
    std::getline(fields, row.expression, '\t');
    std::getline(fields, row.values, '\t');
    rows.push_back(row);
  }
  return rows;
}

using Draw = std::function<double(Generator&)>;

/// What `t:random()` takes each output modulo of.
uint64_t range_of(const std::string& type) {
  static const std::map<std::string, uint64_t> ranges{
      {"torch.ByteTensor", 1ull << 8},         {"torch.CharTensor", 1ull << 7},
      {"torch.ShortTensor", 1ull << 15},       {"torch.IntTensor", 1ull << 31},
      {"torch.LongTensor", 1ull << 63},        {"torch.FloatTensor", (1ull << 24) + 1},
      {"torch.DoubleTensor", (1ull << 53) + 1}};
  return ranges.at(type);
}

/// How one number of a row comes about, by the row's expression without its count.
const std::map<std::string, Draw>& draws() {
  static const std::map<std::string, Draw> table{
      {"torch.random()", [](Generator& g) { return double(g.random()); }},
      {"torch.random(10)", [](Generator& g) { return double(g.random(1, 10)); }},
      {"torch.random(5,9)", [](Generator& g) { return double(g.random(5, 9)); }},
      {"torch.uniform()", [](Generator& g) { return g.uniform(); }},
      {"torch.uniform(-2,3)", [](Generator& g) { return g.uniform(-2, 3); }},
      {"torch.normal()", [](Generator& g) { return g.normal(); }},
      {"torch.normal(1,2)", [](Generator& g) { return g.normal(1, 2); }},
      {"torch.exponential(1.5)", [](Generator& g) { return g.exponential(1.5); }},
      {"torch.cauchy(0,1)", [](Generator& g) { return g.cauchy(0, 1); }},
      {"torch.logNormal(1,0.5)", [](Generator& g) { return g.log_normal(1, 0.5); }},
      {"torch.geometric(0.3)", [](Generator& g) { return double(g.geometric(0.3)); }},
      {"torch.bernoulli(0.4)", [](Generator& g) { return double(g.bernoulli(0.4)); }},
      {"torch.rand(5)", [](Generator& g) { return g.uniform(); }},
      {"torch.randn(5)", [](Generator& g) { return g.normal(); }},
      {"torch.randn(2,3) then torch.randn(2)", [](Generator& g) { return g.normal(); }},
      {"Tensor(5):random(10)", [](Generator& g) { return double(g.random(1, 10)); }},
      {"Tensor(5):random(100)", [](Generator& g) { return double(g.random(1, 100)); }},
      {"Tensor(5):random(50,60)", [](Generator& g) { return double(g.random(50, 60)); }},
      {"Tensor(5):uniform()", [](Generator& g) { return g.uniform(); }},
      {"Tensor(5):uniform(-1,1)", [](Generator& g) { return g.uniform(-1, 1); }},
      {"Tensor(5):normal()", [](Generator& g) { return g.normal(); }},
      {"Tensor(5):normal(2,3)", [](Generator& g) { return g.normal(2, 3); }},
      {"Tensor(5):exponential(0.5)", [](Generator& g) { return g.exponential(0.5); }},
      {"Tensor(5):cauchy(1,2)", [](Generator& g) { return g.cauchy(1, 2); }},
      {"Tensor(5):logNormal(0,0.25)", [](Generator& g) { return g.log_normal(0, 0.25); }},
      {"Tensor(5):geometric(0.2)", [](Generator& g) { return double(g.geometric(0.2)); }},
      {"Tensor(5):geometric(0.3)", [](Generator& g) { return double(g.geometric(0.3)); }},
      {"Tensor(5):bernoulli(0.5)", [](Generator& g) { return double(g.bernoulli(0.5)); }}};
  return table;
}

std::optional<Draw> draw_of(const Row& row) {
  if (row.expression == "Tensor(5):random()" || row.expression == "Tensor(5):random") {
    return [range = range_of(row.type)](Generator& g) { return double(g.random() % range); };
  }
  if (row.expression == "Tensor(5):bernoulli(p), p = {.1,.3,.5,.7,.9}") {
    return [p = 0.1](Generator& g) mutable {
      const bool heads = g.bernoulli(p);
      p += 0.2;
      return double(heads);
    };
  }
  if (row.expression == "torch.randn(1) then torch.rand(2) then torch.randn(1)") {
    return [i = 0](Generator& g) mutable {
      const bool is_uniform = i == 1 || i == 2;
      ++i;
      return is_uniform ? g.uniform() : g.normal();
    };
  }
  std::string name = row.expression;
  if (const size_t count = name.rfind(" x"); count != std::string::npos) {
    name.resize(count);
  }
  const auto found = draws().find(name);
  return found == draws().end() ? std::nullopt : std::optional(found->second);
}

TEST(Generator, DrawsTorch7sNumbers) {
  int checked = 0;
  std::set<std::string> skipped;
  for (const Row& row : reference()) {
    const auto draw = draw_of(row);
    if (!draw) {
      skipped.insert(row.expression);
      continue;
    }
    // torch.uniform() and its kin give Lua numbers; what fills a FloatTensor is rounded to float.
    const bool is_tensor = row.expression.starts_with("Tensor") ||
                           row.expression.starts_with("torch.rand(") ||
                           row.expression.starts_with("torch.randn(");
    const bool is_float = is_tensor && row.type == "torch.FloatTensor";
    Generator g(row.seed);
    std::istringstream values(row.values);
    int i = 0;
    for (std::string value; values >> value;) {
      if (value == "|") {
        continue;
      }
      const double drawn = (*draw)(g);
      ++i;
      EXPECT_EQ(is_float ? double(float(drawn)) : drawn, std::stod(value))
          << row.type << " " << row.expression << " seed " << row.seed << " value " << i;
    }
    ++checked;
  }
  EXPECT_EQ(checked, 156);
  // Tensor algorithms over the draws, tested where they live.
  EXPECT_EQ(skipped,
            (std::set<std::string>{"torch.randperm(10)", "torch.multinomial({1,2,3,4}, 8, true)",
                                   "torch.multinomial({1,2,3,4}, 4, false)",
                                   "torch.multinomial({{1,1},{1,9}}, 3, true)"}));
}

TEST(Generator, DrawsTheFourDistributionsInARow) {
  // Torch7 after manualSeed(1); printed with 14 digits.
  Generator g(1);
  EXPECT_NEAR(g.exponential(1), 0.53960582651186, 5e-15);
  EXPECT_NEAR(g.cauchy(), 113.06568143033, 5e-12);
  EXPECT_NEAR(g.log_normal(), 1.149126464814, 5e-13);
  EXPECT_EQ(g.geometric(0.5), 1);
}

// --- seeds and states ----------------------------------------------------------------------------

TEST(Generator, SeedsItselfFromTheSystemWhenNobodyDid) {
  Generator a, b;
  EXPECT_EQ(a.initial_seed(), 0u);
  EXPECT_NE(a.random(), b.random()) << "equal with probability 2^-32";
  EXPECT_NE(a.initial_seed(), 0u);
}

TEST(Generator, SeedGivesANumberThatRestartsTheSameSequence) {
  Generator a;
  const uint64_t seed = a.seed();
  EXPECT_LT(seed, uint64_t(1) << 53) << "a Lua number must hold it";
  EXPECT_EQ(a.initial_seed(), seed);
  const uint32_t first = a.random();
  a.manual_seed(uint64_t(double(seed)));
  EXPECT_EQ(a.random(), first);
}

TEST(Generator, ManualSeedForgetsTheSecondNormal) {
  Generator a(1), b(1);
  const double first = a.normal();
  a.manual_seed(1);
  EXPECT_EQ(a.normal(), first);
  b.normal();
  EXPECT_EQ(a.normal(), b.normal());
}

TEST(Generator, StateRoundTripsAtEveryPosition) {
  for (int drawn : {0, 1, 2, 5, 623, 624, 625, 1248, 1249}) {
    Generator a(42), b(7);
    for (int i = 0; i < drawn; ++i) {
      a.random();
    }
    const Bytes saved = state_of(a);
    b.set_state(saved);
    EXPECT_EQ(state_of(b), saved) << drawn;
    EXPECT_EQ(b.initial_seed(), 42u);
    for (int i = 0; i < 1300; ++i) {
      ASSERT_EQ(a.random(), b.random()) << drawn << " + " << i;
    }
  }
}

TEST(Generator, StateRightAfterASeedHasItsWords) {
  Generator g(5);
  g.random();
  g.manual_seed(7);
  const Bytes state = state_of(g);
  Generator other;
  other.set_state(state);
  EXPECT_EQ(state_of(other), state);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(other.random(), g.random());
  }
  g.set_state(state);  // no longer the seed's business
  EXPECT_EQ(g.random(), Generator(7).random());
}

TEST(Generator, StateKeepsTheSecondNormal) {
  Generator a(42), b;
  a.normal();
  b.set_state(state_of(a));
  EXPECT_EQ(a.normal(), b.normal());
  EXPECT_EQ(a.normal(), b.normal());
}

template <class T>
T field(const Bytes& state, size_t offset) {
  T value;
  std::memcpy(&value, state.data() + offset, sizeof value);
  return value;
}

TEST(Generator, StateLiesInMemoryAsTorch7HasIt) {
  // seed 8, left 4, seeded 4, next 8, 624 words of 8, x, y, rho 8 each, valid 4, padding 4.
  Generator g(123);
  Bytes fresh = state_of(g);
  EXPECT_EQ(field<uint64_t>(fresh, 0), 123u);
  EXPECT_EQ(field<int32_t>(fresh, 8), 1);   // left: the coming draw refills
  EXPECT_EQ(field<int32_t>(fresh, 12), 1);  // seeded
  EXPECT_EQ(field<uint64_t>(fresh, 16), 0u);
  EXPECT_EQ(field<uint64_t>(fresh, 24), 123u);  // the first word is the seed until the refill
  const double normal = g.normal();
  Bytes used = state_of(g);
  EXPECT_EQ(field<int32_t>(used, 8), 623);
  EXPECT_EQ(field<uint64_t>(used, 16), 2u);
  const double x = field<double>(used, 5016), rho = field<double>(used, 5032);
  EXPECT_DOUBLE_EQ(rho * std::cos(2 * M_PI * x), normal);  // cos as this file is compiled
  EXPECT_EQ(field<int32_t>(used, 5040), 1);
}

TEST(Generator, RefusesBytesThatAreNoStateAndStaysAsItWas) {
  Generator g(5);
  g.normal();
  const Bytes before = state_of(g);
  const auto refuses = [&](const char* why, const std::function<void(Bytes&)>& spoil) {
    Bytes bad = before;
    spoil(bad);
    expect_refusal(why, [&] { g.set_state(bad); });
    EXPECT_EQ(state_of(g), before) << why;
  };
  const auto put = [](size_t offset, auto value) {
    return [=](Bytes& b) { std::memcpy(b.data() + offset, &value, sizeof value); };
  };
  refuses("a generator's state has 5048 bytes, these are 5047", [](Bytes& b) { b.pop_back(); });
  refuses("bytes, these are 5049", [](Bytes& b) { b.push_back(0); });
  refuses("its position is outside of the 624 words", put(8, int32_t(0)));
  refuses("its position is outside of the 624 words", put(8, int32_t(100)));
  refuses("its position is outside of the 624 words", put(16, uint64_t(625)));
  refuses("a flag is neither 0 nor 1", put(12, int32_t(2)));
  refuses("it has drawn numbers without a seed", put(12, int32_t(0)));
  refuses("a word has more than 32 bits", put(24, uint64_t(1) << 32));
  refuses("all its words are zero", [](Bytes& b) { std::fill_n(b.begin() + 24, 624 * 8, 0); });
  refuses("its cached normal pair is out of range", put(5016, 1.0));
  refuses("its cached normal pair is out of range", put(5032, std::nan("")));
  refuses("a flag is neither 0 nor 1", put(5040, int32_t(7)));
}

TEST(Generator, RefusesParametersOutsideOfTheirDomainAndDrawsNothing) {
  Generator g(5);
  const Bytes before = state_of(g);
  float out[4];
  const char* deviation = "the standard deviation is -1, it must not be negative";
  expect_refusal("empty range [3, 2]", [&] { g.random(3, 2); });
  expect_refusal(deviation, [&] { g.normal(0, -1); });
  expect_refusal("the standard deviation is nan", [&] { g.log_normal(0, std::nan("")); });
  expect_refusal("p is 0, expected 0 < p < 1", [&] { g.geometric(0); });
  expect_refusal("p is 1, expected 0 < p < 1", [&] { g.geometric(1); });
  expect_refusal("p is 1.5, expected 0 <= p <= 1", [&] { g.bernoulli(1.5); });
  expect_refusal(deviation, [&] { g.fill_normal(out, 4, 0, -1); });
  expect_refusal("p is -0.1, expected 0 <= p <= 1", [&] { g.fill_bernoulli(out, 4, -0.1); });
  EXPECT_EQ(state_of(g), before);
}

TEST(Generator, RandomCoversTheWidestRanges) {
  Generator g(1), h(1);
  const int64_t low = std::numeric_limits<int64_t>::min(), high = -(low + 1);
  EXPECT_EQ(g.random(low, high), low + int64_t(h.random()));
  EXPECT_EQ(g.random(-5, -5), -5);
}

// --- many at once --------------------------------------------------------------------------------

/// Fill in pieces of odd lengths and compare every bit, and the state left behind, with single
/// draws.
template <class T, class Fill, class Single>
void expect_same_as_single_draws(Fill fill, Single single) {
  Generator bulk(2026), one(2026);
  for (int64_t n : {1, 2, 3, 5, 0, 623, 624, 625, 1, 700, 1250, 4096, 100003}) {
    std::vector<T> out(n + 1, T(77));
    fill(bulk, out.data(), n);
    for (int64_t i = 0; i < n; ++i) {
      const T expected = T(single(one));
      ASSERT_EQ(std::memcmp(&out[i], &expected, sizeof(T)), 0)
          << "element " << i << " of " << n << ": " << out[i] << " for " << expected;
    }
    EXPECT_EQ(out[n], T(77)) << "wrote past the end";
    ASSERT_EQ(state_of(bulk), state_of(one)) << n;
  }
}

TEST(GeneratorFill, RandomIsTheSequenceOfSingleDraws) {
  expect_same_as_single_draws<uint32_t>(
      [](Generator& g, uint32_t* out, int64_t n) { g.fill_random(out, n); },
      [](Generator& g) { return g.random(); });
}

template <class T>
class GeneratorFillOf : public testing::Test {};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(GeneratorFillOf, Floats);

TYPED_TEST(GeneratorFillOf, UniformIsTheSequenceOfSingleDraws) {
  const std::pair<double, double> ranges[] = {{0, 1}, {-0.1, 0.3}, {1e-3, -7}, {2, 2}};
  for (const auto& range : ranges) {
    const double a = range.first, b = range.second;
    expect_same_as_single_draws<TypeParam>(
        [=](Generator& g, TypeParam* out, int64_t n) { g.fill_uniform(out, n, a, b); },
        [=](Generator& g) { return g.uniform(a, b); });
  }
}

TYPED_TEST(GeneratorFillOf, NormalIsTheSequenceOfSingleDraws) {
  const std::pair<double, double> parameters[] = {{0, 1}, {0.3, 0.01}, {-5, 1e3}, {1, 0}};
  for (const auto& parameter : parameters) {
    const double mean = parameter.first, stdv = parameter.second;
    expect_same_as_single_draws<TypeParam>(
        [=](Generator& g, TypeParam* out, int64_t n) { g.fill_normal(out, n, mean, stdv); },
        [=](Generator& g) { return g.normal(mean, stdv); });
  }
}

TYPED_TEST(GeneratorFillOf, BernoulliIsTheSequenceOfSingleDraws) {
  for (double p : {0.0, 0.5, 1.0 / 3, 0x1p-32, 1.0}) {
    expect_same_as_single_draws<TypeParam>(
        [=](Generator& g, TypeParam* out, int64_t n) { g.fill_bernoulli(out, n, p); },
        [=](Generator& g) { return g.bernoulli(p); });
  }
}

TEST(GeneratorFill, BernoulliFillsBytes) {
  expect_same_as_single_draws<uint8_t>(
      [](Generator& g, uint8_t* out, int64_t n) { g.fill_bernoulli(out, n, 0.4); },
      [](Generator& g) { return g.bernoulli(0.4); });
}

TEST(GeneratorFill, GoesOnFromAHalfUsedNormalPair) {
  Generator bulk(3), one(3);
  EXPECT_EQ(bulk.normal(), one.normal());
  float out[10];
  bulk.fill_normal(out, 10);
  for (float x : out) {
    EXPECT_EQ(x, float(one.normal()));
  }
  EXPECT_EQ(bulk.normal(), one.normal());
}

TEST(GeneratorKernels, AgreeBetweenInstructionSetsToTheLastBit) {
  using generator_kernels::Kernels;
  const Kernels* sets[3];
  const int count = generator_kernels::available(sets);
  Generator g(11);
  constexpr int pairs = generator_kernels::kMaxPairs;
  std::vector<uint32_t> r(2 * pairs);
  for (int round = 0; round < 50; ++round) {
    g.fill_random(r.data(), 2 * pairs);
    r[0] = 0, r[1] = 0;            // rho = 0
    r[2] = 1u << 30, r[3] = ~0u;   // angle pi / 2, the longest rho
    r[4] = ~0u, r[5] = 1;          // angle just under 2 pi, the shortest rho above 0
    r[6] = 1u << 31, r[7] = 0x49;  // angle pi
    std::vector<float> normal(2 * pairs), uniform(2 * pairs), other(2 * pairs);
    std::vector<uint32_t> doubt(2 * pairs), other_doubt(2 * pairs);
    sets[0]->normal_float(r.data(), normal.data(), doubt.data(), pairs, 0.1, 1.5);
    sets[0]->uniform_float(r.data(), uniform.data(), 2 * pairs, -0.1, 0.7);
    for (int i = 1; i < count; ++i) {
      sets[i]->normal_float(r.data(), other.data(), other_doubt.data(), pairs, 0.1, 1.5);
      ASSERT_EQ(normal, other) << "set " << i;
      ASSERT_EQ(doubt, other_doubt) << "set " << i;
      sets[i]->uniform_float(r.data(), other.data(), 2 * pairs, -0.1, 0.7);
      ASSERT_EQ(uniform, other) << "set " << i;
    }
  }
}

TEST(GeneratorKernels, OwnUpToEveryFloatThatDiffersFromTheMathsLibrary) {
  Generator g(12);
  constexpr int pairs = generator_kernels::kMaxPairs;
  std::vector<uint32_t> r(2 * pairs), doubt(2 * pairs);
  std::vector<float> out(2 * pairs);
  int64_t doubtful = 0, n = 0;
  for (int round = 0; round < 1000; ++round) {
    g.fill_random(r.data(), 2 * pairs);
    if (round == 0) {
      const uint32_t edges[] = {0, 1u << 30, 1u << 31, 3u << 30, ~0u, 1};
      for (int i = 0; i < 36; ++i) {
        r[2 * i] = edges[i % 6], r[2 * i + 1] = edges[i / 6];
      }
    }
    generator_kernels::kernels().normal_float(r.data(), out.data(), doubt.data(), pairs, 0, 1);
    for (int i = 0; i < 2 * pairs; ++i, ++n) {
      const double angle = 2 * M_PI * (r[i & ~1] * 0x1p-32);
      const double rho = std::sqrt(-2 * std::log(1 - r[i | 1] * 0x1p-32));
      const float expected = float(rho * ((i & 1) != 0 ? std::sin(angle) : std::cos(angle)));
      doubtful += doubt[i] != 0;
      ASSERT_TRUE(doubt[i] != 0 || out[i] == expected) << r[i & ~1] << " " << r[i | 1];
    }
  }
  EXPECT_LT(double(doubtful), 1e-4 * double(n)) << "doubt costs an exact evaluation each";
}

}  // namespace
}  // namespace th
