#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "TH/support/tensors.h"
#include "core/random/generator_api.h"

namespace th::test {
namespace {

constexpr int kTypes[] = {TH_BYTE, TH_CHAR,     TH_SHORT, TH_INT,   TH_LONG,
                          TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE};
constexpr int kFloatingTypes[] = {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE};

using Numbers = std::vector<double>;

/// What an element of the type makes of a number.
double as_element(int dtype, double number) {
  double result = 0;
  AllTypes::dispatch(dtype, [&]<class T>() { result = convert<double>(from_number<T>(number)); });
  return result;
}

class Random : public testing::Test {
 protected:
  void TearDown() override { TH_Generator_free(g); }
  TH_Generator* g = TH_Generator_new();

  Numbers state() const {
    std::vector<uint8_t> bytes(Generator::kStateBytes);
    TH_Generator_getState(g, bytes.data(), Generator::kStateBytes);
    return Numbers(bytes.begin(), bytes.end());
  }
};

// --- Torch7's own numbers
// ---------------------------------------------------------------------------

struct Row {
  uint64_t seed;
  std::string type, expression;
  Numbers values;
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
    std::string numbers;
    fields >> row.seed;
    fields.ignore();
    std::getline(fields, row.type, '\t');
    std::getline(fields, row.expression, '\t');
    std::getline(fields, numbers, '\t');
    std::istringstream list(numbers);
    for (std::string value; list >> value;) {
      if (value != "|") {
        row.values.push_back(std::stod(value));
      }
    }
    rows.push_back(row);
  }
  return rows;
}

int dtype_named(const std::string& type) {
  for (const int dtype : kTypes) {
    if (type == str("torch.", class_name(dtype), "Tensor")) {
      return dtype;
    }
  }
  return -1;
}

using Fill = std::function<int(TH_Tensor*, TH_Generator*)>;

/// The calls behind the rows' expressions, for a tensor of their type.
std::map<std::string, Fill> fills() {
  return {
      {"torch.rand(5)", [](auto r, auto g) { return TH_uniform(r, g, 0, 1); }},
      {"torch.randn(5)", [](auto r, auto g) { return TH_normal(r, g, 0, 1); }},
      {"Tensor(5):random()", [](auto r, auto g) { return TH_random(r, g); }},
      {"Tensor(5):random", [](auto r, auto g) { return TH_random(r, g); }},
      {"Tensor(5):random(10)", [](auto r, auto g) { return TH_random_range(r, g, 1, 10); }},
      {"Tensor(5):random(100)", [](auto r, auto g) { return TH_random_range(r, g, 1, 100); }},
      {"Tensor(5):random(50,60)", [](auto r, auto g) { return TH_random_range(r, g, 50, 60); }},
      {"Tensor(5):uniform()", [](auto r, auto g) { return TH_uniform(r, g, 0, 1); }},
      {"Tensor(5):uniform(-1,1)", [](auto r, auto g) { return TH_uniform(r, g, -1, 1); }},
      {"Tensor(5):normal()", [](auto r, auto g) { return TH_normal(r, g, 0, 1); }},
      {"Tensor(5):normal(2,3)", [](auto r, auto g) { return TH_normal(r, g, 2, 3); }},
      {"Tensor(5):exponential(0.5)", [](auto r, auto g) { return TH_exponential(r, g, 0.5); }},
      {"Tensor(5):cauchy(1,2)", [](auto r, auto g) { return TH_cauchy(r, g, 1, 2); }},
      {"Tensor(5):logNormal(0,0.25)", [](auto r, auto g) { return TH_log_normal(r, g, 0, 0.25); }},
      {"Tensor(5):geometric(0.2)", [](auto r, auto g) { return TH_geometric(r, g, 0.2); }},
      {"Tensor(5):geometric(0.3)", [](auto r, auto g) { return TH_geometric(r, g, 0.3); }},
      {"Tensor(5):bernoulli(0.5)", [](auto r, auto g) { return TH_bernoulli(r, g, 0.5); }},
      {"Tensor(5):bernoulli(p), p = {.1,.3,.5,.7,.9}",
       [](auto r, auto g) {
         const Tensor p = from(r->dtype, {5}, {.1, .3, .5, .7, .9});
         return TH_bernoulli_tensor(r, g, &p);
       }},
      {"torch.randperm(10)", [](auto r, auto g) { return TH_randperm(r, g, 10); }},
  };
}

/// Rows of drawn LongTensors: probabilities in the row's type.
std::map<std::string, Fill> draws(int dtype) {
  const auto multinomial = [dtype](Sizes sizes, Numbers p, int64_t n, bool replacement) -> Fill {
    return [=](TH_Tensor* r, TH_Generator* g) {
      const Tensor probabilities = from(dtype, sizes, p);
      return TH_multinomial(r, g, &probabilities, n, replacement);
    };
  };
  return {
      {"torch.multinomial({1,2,3,4}, 8, true)", multinomial({4}, {1, 2, 3, 4}, 8, true)},
      {"torch.multinomial({1,2,3,4}, 4, false)", multinomial({4}, {1, 2, 3, 4}, 4, false)},
      {"torch.multinomial({{1,1},{1,9}}, 3, true)", multinomial({2, 2}, {1, 1, 1, 9}, 3, true)}};
}

TEST_F(Random, FillsAreTorch7sForEveryLayout) {
  int checked = 0;
  for (const Row& row : reference()) {
    const int dtype = dtype_named(row.type);
    const auto by_name = fills();
    if (const auto fill = by_name.find(row.expression); fill != by_name.end()) {
      for (const Layout layout : kLayouts) {
        Tensor r = make(dtype, {static_cast<int64_t>(row.values.size())}, layout);
        TH_Generator_manualSeed(g, row.seed);
        ASSERT_EQ(fill->second(&r, g), TH_OK) << TH_lastError();
        EXPECT_EQ(values(r), row.values)
            << row.type << " " << row.expression << " seed " << row.seed;
      }
      ++checked;
    }
    const auto drawn = draws(dtype);
    if (const auto draw = drawn.find(row.expression); draw != drawn.end()) {
      Tensor r = empty(TH_LONG);
      TH_Generator_manualSeed(g, row.seed);
      ASSERT_EQ(draw->second(&r, g), TH_OK) << TH_lastError();
      EXPECT_EQ(values(r), row.values) << row.type << " " << row.expression << " seed " << row.seed;
      ++checked;
    }
  }
  // Of 172 rows the others are single draws and repeat what is tested here with other sizes.
  EXPECT_EQ(checked, 116);
}

TEST_F(Random, FurtherNumbersOfTorch7) {
  // Printed by Torch7 with its 4 digits.
  TH_Generator_manualSeed(g, 1);
  Tensor r = make(TH_DOUBLE, {3});
  ASSERT_EQ(TH_uniform(&r, g, 0, 1), TH_OK);
  EXPECT_LE(distance(values(r), {0.4170, 0.9972, 0.7203}), 5e-5);
  TH_Generator_manualSeed(g, 1);
  ASSERT_EQ(TH_normal(&r, g, 0, 1), TH_OK);
  EXPECT_LE(distance(values(r), {-2.9718, 1.7070, -0.4305}), 5e-5);
  TH_Generator_manualSeed(g, 1);
  ASSERT_EQ(TH_randperm(&r, g, 5), TH_OK);
  EXPECT_EQ(values(r), (Numbers{1, 5, 3, 4, 2}));
  TH_Generator_manualSeed(g, 1);
  ASSERT_EQ(TH_random_range(&r, g, 1, 10), TH_OK);
  EXPECT_EQ(values(r), (Numbers{6, 10, 5, 9, 4}));
  TH_Generator_manualSeed(g, 1);
  ASSERT_EQ(TH_bernoulli(&r, g, 0.5), TH_OK);
  EXPECT_EQ(values(r), (Numbers{1, 0, 0, 0, 1}));
  TH_Generator_manualSeed(g, 1);
  const Tensor p = from(TH_DOUBLE, {3}, {.1, .2, .7});
  Tensor drawn = empty(TH_LONG);
  ASSERT_EQ(TH_multinomial(&drawn, g, &p, 5, true), TH_OK);
  EXPECT_EQ(values(drawn), (Numbers{3, 3, 3, 3, 1}));
}

// --- against single draws
// ---------------------------------------------------------------------------

/// fill(r) gives what single draws give, converted, for all the types and layouts, and leaves the
/// same state behind.
template <class Single>
void expect_single_draws(std::span<const int> types, const Fill& fill, Single single) {
  TH_Generator* g = TH_Generator_new();
  for (const int dtype : types) {
    for (const Layout layout : kLayouts) {
      for (const Sizes& shape : {Sizes{1}, Sizes{3, 5}, Sizes{7, 30, 11}}) {
        TH_Generator_manualSeed(g, 99);
        Generator one(99);
        Tensor r = make(dtype, shape, layout);
        ASSERT_EQ(fill(&r, g), TH_OK) << TH_lastError();
        Numbers wanted(static_cast<size_t>(numel(r)));
        for (double& v : wanted) {
          v = as_element(dtype, single(one));
        }
        ASSERT_EQ(values(r), wanted) << class_name(dtype) << " layout " << static_cast<int>(layout);
        ASSERT_EQ(TH_Generator_random(g), one.random());
      }
    }
  }
  TH_Generator_free(g);
}

TEST_F(Random, ContinuousFillsAreSingleDrawsInRowMajorOrder) {
  expect_single_draws(
      kFloatingTypes, [](auto r, auto g) { return TH_uniform(r, g, -3, 4.5); },
      [](Generator& g) { return g.uniform(-3, 4.5); });
  expect_single_draws(
      kFloatingTypes, [](auto r, auto g) { return TH_normal(r, g, 1, 0.1); },
      [](Generator& g) { return g.normal(1, 0.1); });
  expect_single_draws(
      kFloatingTypes, [](auto r, auto g) { return TH_exponential(r, g, 3); },
      [](Generator& g) { return g.exponential(3); });
  expect_single_draws(
      kFloatingTypes, [](auto r, auto g) { return TH_cauchy(r, g, -1, 0.5); },
      [](Generator& g) { return g.cauchy(-1, 0.5); });
  expect_single_draws(
      kFloatingTypes, [](auto r, auto g) { return TH_log_normal(r, g, 0.5, 0.3); },
      [](Generator& g) { return g.log_normal(0.5, 0.3); });
}

TEST_F(Random, DiscreteFillsAreSingleDrawsInRowMajorOrder) {
  expect_single_draws(
      kTypes, [](auto r, auto g) { return TH_geometric(r, g, 0.7); },
      [](Generator& g) { return static_cast<double>(g.geometric(0.7)); });
  expect_single_draws(
      kTypes, [](auto r, auto g) { return TH_bernoulli(r, g, 0.2); },
      [](Generator& g) { return static_cast<double>(g.bernoulli(0.2)); });
  // Powers of two, other ranges, ranges beyond 32 bits.
  const std::pair<int64_t, int64_t> ranges[] = {{0, 0},
                                                {1, 64},
                                                {-5, 5},
                                                {3, 1000000007},
                                                {-1, 0xffffffffLL - 2},
                                                {1, 0x100000000LL},
                                                {-10, 0x7fffffffffffLL}};
  for (const auto& [a, b] : ranges) {
    const auto fill = [a = a, b = b](auto r, auto g) { return TH_random_range(r, g, a, b); };
    const auto single = [a = a, b = b](Generator& g) {
      return static_cast<double>(g.random(a, b));
    };
    const int exact[] = {TH_LONG, TH_DOUBLE};
    expect_single_draws(exact, fill, single);
    if (b <= 1000) {
      expect_single_draws(kTypes, fill, single);
    }
  }
}

TEST_F(Random, RandomCoversWhatATypeHoldsExactly) {
  const std::map<int, uint64_t> counts{
      {TH_BYTE, 1u << 8},           {TH_CHAR, 1u << 7},         {TH_SHORT, 1u << 15},
      {TH_INT, 1u << 31},           {TH_LONG, 1ull << 63},      {TH_HALF, (1u << 11) + 1},
      {TH_BFLOAT16, (1u << 8) + 1}, {TH_FLOAT, (1u << 24) + 1}, {TH_DOUBLE, (1ull << 53) + 1}};
  for (const auto& [dtype, count] : counts) {
    Generator one(5);
    TH_Generator_manualSeed(g, 5);
    Tensor r = make(dtype, {3000});
    ASSERT_EQ(TH_random(&r, g), TH_OK);
    for (const double v : values(r)) {
      ASSERT_EQ(v, static_cast<double>(one.random() % count)) << class_name(dtype);
    }
  }
}

TEST_F(Random, BernoulliTakesAProbabilityPerElement) {
  std::mt19937 rng(3);
  for (const int dtype : kTypes) {
    for (const int p_type : kFloatingTypes) {
      TH_Generator_manualSeed(g, 17);
      Generator one(17);
      Tensor p = random(p_type, {20, 3}, rng, Layout::Transposed);
      Numbers probabilities = values(p);
      for (double& v : probabilities) {
        v = std::abs(v);
      }
      assign(p, probabilities);
      Tensor r = make(dtype, {6, 10}, Layout::Spread);
      ASSERT_EQ(TH_bernoulli_tensor(&r, g, &p), TH_OK) << TH_lastError();
      Numbers wanted;
      for (const double v : probabilities) {
        wanted.push_back(one.bernoulli(v));
      }
      EXPECT_EQ(values(r), wanted);
    }
  }
  // The probabilities themselves may be what is filled.
  Tensor p = from(TH_DOUBLE, {4}, {0, 1, 0, 1});
  ASSERT_EQ(TH_bernoulli_tensor(&p, g, &p), TH_OK) << TH_lastError();
  EXPECT_EQ(values(p), (Numbers{0, 1, 0, 1}));
}

TEST_F(Random, EmptyTensorsDrawNothing) {
  TH_Generator_manualSeed(g, 1);
  const Numbers before = state();
  Tensor r = empty(TH_FLOAT);
  EXPECT_EQ(TH_uniform(&r, g, 0, 1), TH_OK) << TH_lastError();
  EXPECT_EQ(TH_random(&r, g), TH_OK) << TH_lastError();
  EXPECT_EQ(state(), before);
}

// --- permutations and weighted draws
// ------------------------------------------------------------------

TEST_F(Random, RandpermHoldsEveryNumberOnce) {
  for (const int dtype : kTypes) {
    for (const int64_t n : {1, 2, 127}) {
      Tensor r = make(dtype, {n}, Layout::Spread);
      ASSERT_EQ(TH_randperm(&r, g, n), TH_OK) << TH_lastError();
      Numbers drawn = values(r), wanted(n);
      std::sort(drawn.begin(), drawn.end());
      std::iota(wanted.begin(), wanted.end(), 1);
      EXPECT_EQ(drawn, wanted);
    }
  }
}

TEST_F(Random, RandpermSwapsAsTorch7Does) {
  // For i = 1 ... n - 1 swap element i with i + r mod (n - i + 1).
  TH_Generator_manualSeed(g, 8);
  Generator one(8);
  Tensor r = empty(TH_LONG);
  ASSERT_EQ(TH_randperm(&r, g, 5000), TH_OK);
  Numbers wanted(5000);
  std::iota(wanted.begin(), wanted.end(), 1);
  for (int i = 0; i < 4999; ++i) {
    std::swap(wanted[i], wanted[i + one.random() % (5000 - i)]);
  }
  EXPECT_EQ(values(r), wanted);
  EXPECT_EQ(TH_Generator_random(g), one.random());
}

TEST_F(Random, MultinomialDrawsByWeight) {
  TH_Generator_manualSeed(g, 4);
  const Tensor p = from(TH_FLOAT, {2, 4}, {0, 1, 2, 5, 3, 0, 1, 0}, Layout::Transposed);
  Tensor r = empty(TH_LONG);
  constexpr int64_t n = 40000;
  ASSERT_EQ(TH_multinomial(&r, g, &p, n, true), TH_OK) << TH_lastError();
  EXPECT_EQ(sizes(r), (Sizes{2, n}));
  const Numbers drawn = values(r);
  const double wanted[] = {0, .125, .25, .625, .75, 0, .25, 0};
  for (int row = 0; row < 2; ++row) {
    for (int k = 0; k < 4; ++k) {
      const auto begin = drawn.begin() + row * n;
      const double share = static_cast<double>(std::count(begin, begin + n, k + 1)) / n;
      const double p_k = wanted[row * 4 + k];
      EXPECT_NEAR(share, p_k, 5 * std::sqrt(p_k * (1 - p_k) / n)) << row << " " << k;
    }
  }
}

TEST_F(Random, MultinomialWithoutReplacementNeverRepeats) {
  std::mt19937 rng(5);
  for (int round = 0; round < 200; ++round) {
    TH_Generator_manualSeed(g, round);
    const int64_t categories = 1 + static_cast<int64_t>(rng() % 40);
    Numbers weights(categories);
    int64_t possible = 0;
    for (double& w : weights) {  // over 300 orders of magnitude, a third of them 0
      w = rng() % 3 == 0 ? 0 : std::pow(10.0, -static_cast<double>(rng() % 300));
      possible += w > 0;
    }
    if (possible == 0) {
      continue;
    }
    const Tensor p = from(TH_DOUBLE, {categories}, weights);
    Tensor r = empty(TH_LONG);
    ASSERT_EQ(TH_multinomial(&r, g, &p, possible, false), TH_OK) << TH_lastError();
    ASSERT_EQ(sizes(r), Sizes{possible});
    std::set<int64_t> seen;
    for (const double k : values(r)) {
      ASSERT_GE(k, 1);
      ASSERT_LE(k, categories);
      ASSERT_GT(weights[static_cast<int64_t>(k) - 1], 0) << "round " << round;
      ASSERT_TRUE(seen.insert(static_cast<int64_t>(k)).second) << "round " << round;
    }
  }
}

TEST_F(Random, MultinomialWithoutReplacementHasTheRightOddsInTheSecondDraw) {
  // P(1 drawn first or second) for weights 1, 2, 3: 1/6 + 2/6 * 1/4 + 3/6 * 1/3.
  TH_Generator_manualSeed(g, 6);
  constexpr int64_t rows = 20000;
  Numbers weights;
  for (int i = 0; i < rows; ++i) {
    weights.insert(weights.end(), {1, 2, 3});
  }
  const Tensor p = from(TH_DOUBLE, {rows, 3}, weights);
  Tensor r = empty(TH_LONG);
  ASSERT_EQ(TH_multinomial(&r, g, &p, 2, false), TH_OK) << TH_lastError();
  const Numbers drawn = values(r);
  const double share = static_cast<double>(std::count(drawn.begin(), drawn.end(), 1)) / rows;
  const double wanted = 1.0 / 6 + 2.0 / 6 / 4 + 3.0 / 6 / 3;
  EXPECT_NEAR(share, wanted, 5 * std::sqrt(wanted * (1 - wanted) / rows));
}

// --- errors
// -------------------------------------------------------------------------------------------

class RandomErrors : public Random {
 protected:
  void SetUp() override { TH_Generator_manualSeed(g, 3); }

  void refuses(TH_Tensor& r, const std::function<int()>& call,
               const std::vector<std::string>& parts) {
    const Numbers elements = values(r), generator_state = state();
    EXPECT_EQ(call(), TH_ERROR) << "wanted: " << parts[0];
    for (const std::string& part : parts) {
      EXPECT_NE(std::string(TH_lastError()).find(part), std::string::npos)
          << TH_lastError() << "\nlacks: " << part;
    }
    EXPECT_EQ(values(r), elements);
    EXPECT_EQ(state(), generator_state) << "something was drawn";
  }

  Tensor r = from(TH_FLOAT, {2}, {7, 8});
};

TEST_F(RandomErrors, ParametersOutsideOfTheirDomain) {
  for (const double bad : {0.0, -1.0, static_cast<double>(NAN)}) {
    refuses(r, [&] { return TH_normal(&r, g, 0, bad); }, {"normal: the standard deviation is "});
    refuses(r, [&] { return TH_log_normal(&r, g, 0, bad); },
            {"logNormal: the standard deviation is "});
    refuses(r, [&] { return TH_exponential(&r, g, bad); }, {"exponential: lambda is "});
    refuses(r, [&] { return TH_geometric(&r, g, bad); }, {"geometric: p is ", "0 < p < 1"});
  }
  refuses(r, [&] { return TH_geometric(&r, g, 1); }, {"p is 1"});
  for (const double bad : {-0.1, 1.1, static_cast<double>(NAN)}) {
    refuses(r, [&] { return TH_bernoulli(&r, g, bad); }, {"bernoulli: p is "});
    const Tensor p = from(TH_DOUBLE, {2}, {0.5, bad});
    refuses(r, [&] { return TH_bernoulli_tensor(&r, g, &p); }, {"bernoulli: probability 2 is "});
  }
  refuses(r, [&] { return TH_random_range(&r, g, 3, 2); },
          {"random: the range from 3 to 2 is empty"});
  refuses(r, [&] { return TH_randperm(&r, g, 0); }, {"n is 0"});
  refuses(r, [&] { return TH_uniform(&r, nullptr, 0, 1); }, {"generator"});
}

TEST_F(RandomErrors, TypesThatCannotHoldTheResult) {
  Tensor ints = from(TH_INT, {2}, {1, 2}), bytes = from(TH_BYTE, {2}, {1, 2});
  refuses(ints, [&] { return TH_uniform(&ints, g, 0, 1); }, {"IntTensor", "FloatTensor"});
  refuses(ints, [&] { return TH_normal(&ints, g, 0, 1); }, {"IntTensor", "FloatTensor"});
  refuses(bytes, [&] { return TH_randperm(&bytes, g, 256); }, {"n is 256", "ByteTensor", "255"});
  Tensor halves = from(TH_HALF, {1}, {1});
  refuses(halves, [&] { return TH_randperm(&halves, g, 2049); }, {"HalfTensor", "2048"});
  const Tensor p = from(TH_FLOAT, {3}, {.5, .5, .5});
  refuses(r, [&] { return TH_bernoulli_tensor(&r, g, &p); }, {"2", "3"});
  refuses(r, [&] { return TH_bernoulli_tensor(&r, g, &ints); }, {"IntTensor"});
  refuses(r, [&] { return TH_multinomial(&r, g, &p, 1, true); }, {"FloatTensor", "LongTensor"});
}

TEST_F(RandomErrors, WeightsThatAreNoDistribution) {
  Tensor drawn = from(TH_LONG, {1}, {5});
  const auto weights = [&](const Numbers& w, int64_t n, bool replacement,
                           const std::vector<std::string>& parts) {
    const int64_t rows = static_cast<int64_t>(w.size()) / 2;
    const Tensor p = from(TH_DOUBLE, {rows, 2}, w);
    refuses(
        drawn, [&] { return TH_multinomial(&drawn, g, &p, n, replacement); }, parts);
  };
  weights({1, 1, 1, -1}, 1, true, {"weight 2 of row 2 is -1"});
  weights({NAN, 1}, 1, true, {"weight 1 of row 1 is"});
  weights({1, INFINITY}, 1, true, {"weight 2 of row 1 is inf"});
  weights({1e308, 1e308}, 1, true, {"sum to inf"});
  weights({1, 1, 0, 0}, 1, true, {"row 2 sum to 0"});
  weights({1, 1}, 3, false, {"cannot draw 3 different", "row 1 has only 2"});
  weights({1, 1, 1, 0}, 2, false, {"row 2 has only 1"});
  weights({1, 1}, 0, true, {"number of draws is 0"});
  const Tensor cube = from(TH_DOUBLE, {1, 1, 1}, {1});
  refuses(drawn, [&] { return TH_multinomial(&drawn, g, &cube, 1, true); }, {"1x1x1", "matrix"});
  const Tensor ints = from(TH_INT, {2}, {1, 2});
  refuses(drawn, [&] { return TH_multinomial(&drawn, g, &ints, 1, true); }, {"IntTensor"});
}

// --- the C ABI of generators
// ----------------------------------------------------------------------------

TEST_F(Random, TheAbiReachesTheGenerator) {
  TH_Generator_manualSeed(g, 123);
  EXPECT_EQ(TH_Generator_initialSeed(g), 123u);
  Generator one(123);
  EXPECT_EQ(TH_Generator_random(g), 2991312382u);  // Torch7: manualSeed(123), random()
  one.random();
  EXPECT_EQ(TH_Generator_uniform(g, -1, 2), one.uniform(-1, 2));
  EXPECT_EQ(TH_Generator_normal(g, 1, 2), one.normal(1, 2));
  EXPECT_EQ(TH_Generator_exponential(g, 2), one.exponential(2));
  EXPECT_EQ(TH_Generator_cauchy(g, 1, 2), one.cauchy(1, 2));
  EXPECT_EQ(TH_Generator_logNormal(g, 1, 2), one.log_normal(1, 2));
  EXPECT_EQ(TH_Generator_geometric(g, 0.9), one.geometric(0.9));
  EXPECT_EQ(TH_Generator_bernoulli(g, 0.5), one.bernoulli(0.5));

  std::vector<uint8_t> saved(Generator::kStateBytes);
  ASSERT_EQ(TH_Generator_getState(g, saved.data(), Generator::kStateBytes), TH_OK);
  TH_Generator* other = TH_Generator_new();
  TH_Generator_copy(other, g);
  const uint32_t next = TH_Generator_random(g);
  EXPECT_EQ(TH_Generator_random(other), next);
  ASSERT_EQ(TH_Generator_setState(other, saved.data(), Generator::kStateBytes), TH_OK);
  EXPECT_EQ(TH_Generator_random(other), next);
  const uint64_t seed = TH_Generator_seed(other);
  EXPECT_EQ(TH_Generator_initialSeed(other), seed);
  TH_Generator_free(other);

  EXPECT_EQ(TH_Generator_setState(g, saved.data(), 17), TH_ERROR);
  EXPECT_NE(std::string(TH_lastError()).find("setRNGState: a generator's state has 5048 bytes"),
            std::string::npos);
}

TEST_F(Random, ImpossibleSingleDrawsSayWhyAndDrawNothing) {
  TH_Generator_manualSeed(g, 1);
  const Numbers before = state();
  const auto why = [](const std::string& text) {
    EXPECT_NE(std::string(TH_lastError()).find(text), std::string::npos) << TH_lastError();
  };
  EXPECT_TRUE(std::isnan(TH_Generator_normal(g, 0, 0)));
  why("normal: the standard deviation is 0");
  EXPECT_TRUE(std::isnan(TH_Generator_logNormal(g, 0, -1)));
  why("logNormal: the standard deviation is -1");
  EXPECT_TRUE(std::isnan(TH_Generator_exponential(g, 0)));
  why("exponential: lambda is 0");
  EXPECT_EQ(TH_Generator_geometric(g, 1), 0);
  why("geometric: p is 1");
  EXPECT_EQ(TH_Generator_bernoulli(g, 2), -1);
  why("bernoulli: p is 2");
  EXPECT_EQ(state(), before);
}

}  // namespace
}  // namespace th::test
