// Devices draw other numbers than the CPU, so distributions are compared with their formulas: the
// share of draws below some points (binomial: four standard errors) and domains.
#include <algorithm>
#include <set>

#include "THC/support/compare.h"
#include "core/random_state.h"

namespace thc::test {
namespace {

class Random : public AgainstCpu {
 protected:
  void SetUp() override {
    AgainstCpu::SetUp();
    for (int d = 0; d < device_count(); ++d) {
      manual_seed(d, 99);
    }
  }
};

using th::test::empty;
constexpr int64_t kDraws = 20000;

using Fill = std::function<int(TH_Tensor*)>;

std::vector<double> drawn(int dtype, const Fill& fill, int64_t n = kDraws) {
  Tensor r = on_device(dtype, {n});
  EXPECT_EQ(error_of(fill(&r)), "");
  return th::test::values(download(r));
}

/// P(X < x) for some x against the share of draws below it.
void expect_distribution(const std::vector<double>& x, const std::vector<double>& points,
                         const std::function<double(double)>& distribution) {
  const auto n = static_cast<double>(x.size());
  for (double point : points) {
    const double p = distribution(point);
    const auto below = static_cast<double>(
        std::count_if(x.begin(), x.end(), [&](double each) { return each < point; }));
    EXPECT_NEAR(below / n, p, 4 * std::sqrt(p * (1 - p) / n)) << "below " << point;
  }
}

TEST_F(Random, ContinuousDistributions) {
  for (int dtype : {TH_FLOAT, TH_DOUBLE}) {
    SCOPED_TRACE(class_name(dtype));
    const std::vector<double> uniform =
        drawn(dtype, [](TH_Tensor* r) { return TH_uniform(r, nullptr, -2, 6); });
    expect_distribution(uniform, {-1, 0, 2.5, 5}, [](double x) { return (x + 2) / 8; });
    EXPECT_GE(*std::min_element(uniform.begin(), uniform.end()), -2);
    EXPECT_LT(*std::max_element(uniform.begin(), uniform.end()), 6);
    const auto phi = [](double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); };
    expect_distribution(drawn(dtype, [](TH_Tensor* r) { return TH_normal(r, nullptr, 3, 2); }),
                        {-1, 1, 3, 4.5, 7}, [&](double x) { return phi((x - 3) / 2); });
    expect_distribution(
        drawn(dtype, [](TH_Tensor* r) { return TH_log_normal(r, nullptr, 0.5, 0.75); }),
        {0.5, 1, 2, 5}, [&](double x) { return phi((std::log(x) - 0.5) / 0.75); });
    expect_distribution(drawn(dtype, [](TH_Tensor* r) { return TH_exponential(r, nullptr, 4); }),
                        {0.01, 0.1, 0.3, 1}, [](double x) { return 1 - std::exp(-4 * x); });
    expect_distribution(drawn(dtype, [](TH_Tensor* r) { return TH_cauchy(r, nullptr, 1, 2); }),
                        {-9, 0, 1, 2, 11},
                        [](double x) { return 0.5 + std::atan((x - 1) / 2) / M_PI; });
  }
}

TEST_F(Random, NeighbouringNumbersAreIndependent) {
  const std::vector<double> z =
      drawn(TH_FLOAT, [](TH_Tensor* r) { return TH_normal(r, nullptr, 0, 1); });
  for (size_t lag = 1; lag <= 4; ++lag) {  // the four of one counter, and beyond
    double product = 0;
    for (size_t i = 0; i + lag < z.size(); ++i) {
      product += z[i] * z[i + lag];
    }
    EXPECT_NEAR(product / static_cast<double>(z.size()), 0, 4 / std::sqrt(double{kDraws})) << lag;
  }
}

TEST_F(Random, DiscreteDistributions) {
  for (int dtype = 0; dtype < TH_NUM_DTYPES; ++dtype) {
    SCOPED_TRACE(class_name(dtype));
    expect_distribution(drawn(dtype, [](TH_Tensor* r) { return TH_bernoulli(r, nullptr, 0.3); }),
                        {0.5}, [](double) { return 0.7; });
    expect_distribution(drawn(dtype, [](TH_Tensor* r) { return TH_geometric(r, nullptr, 0.4); }),
                        {1.5, 2.5, 3.5}, [](double x) { return 1 - std::pow(0.4, std::floor(x)); });
    const std::vector<double> range =
        drawn(dtype, [](TH_Tensor* r) { return TH_random_range(r, nullptr, 3, 12); });
    expect_distribution(range, {3.5, 7.5, 11.5}, [](double x) { return std::floor(x - 2) / 10; });
    EXPECT_EQ(*std::min_element(range.begin(), range.end()), 3);
    EXPECT_EQ(*std::max_element(range.begin(), range.end()), 12);
  }
  for (double p : {0.0, 1.0}) {
    const std::vector<double> x =
        drawn(TH_BYTE, [p](TH_Tensor* r) { return TH_bernoulli(r, nullptr, p); });
    EXPECT_TRUE(std::all_of(x.begin(), x.end(), [p](double each) { return each == p; }));
  }
  const double top[] = {256, 128, 32768, 0x1p31, 0x1p63, 2049, 257, 0x1p24 + 1, 0x1p53 + 1};
  for (int dtype = 0; dtype < TH_NUM_DTYPES; ++dtype) {
    SCOPED_TRACE(class_name(dtype));
    const std::vector<double> x = drawn(dtype, [](TH_Tensor* r) { return TH_random(r, nullptr); });
    expect_distribution(x, {top[dtype] / 2},
                        [&](double point) { return std::ceil(point) / top[dtype]; });
    EXPECT_LE(*std::max_element(x.begin(), x.end()), top[dtype]);
    EXPECT_GE(*std::min_element(x.begin(), x.end()), 0);
  }
  const std::vector<double> all = drawn(
      TH_LONG, [](TH_Tensor* r) { return TH_random_range(r, nullptr, INT64_MIN, INT64_MAX); });
  expect_distribution(all, {-0x1p62, 0, 0x1p62}, [](double x) { return 0.5 + x / 0x1p64; });
}

TEST_F(Random, ProbabilitiesOfTheirOwn) {
  Tensor p = th::test::make(TH_FLOAT, {kDraws});
  std::vector<double> numbers(kDraws);
  for (size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = std::vector<double>{0, 0.25, 1}[i % 3];
  }
  th::test::assign(p, numbers);
  const Tensor on = upload(p, Layout::Spread);
  const std::vector<double> x =
      drawn(TH_INT, [&](TH_Tensor* r) { return TH_bernoulli_tensor(r, nullptr, &on); });
  double ones = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    ones += i % 3 == 1 ? x[i] : 0;
    if (i % 3 != 1) {
      EXPECT_EQ(x[i], numbers[i]);
    }
  }
  const double n = kDraws / 3.0;
  EXPECT_NEAR(ones / n, 0.25, 4 * std::sqrt(0.25 * 0.75 / n));
}

TEST_F(Random, TheSeedDecidesWhateverTheTypeAndLayout) {
  const auto draws = [](int dtype, Layout layout, int device) {
    manual_seed(device, 5);
    Tensor r = on_device(dtype, {5, 7}, layout, device);
    EXPECT_EQ(TH_normal(&r, nullptr, 0, 1), TH_OK);
    return th::test::values(download(r));
  };
  const std::vector<double> first = draws(TH_FLOAT, Layout::Compact, 0);
  for (Layout layout : th::test::kLayouts) {
    EXPECT_EQ(draws(TH_FLOAT, layout, another_device()), first);
    EXPECT_LE(th::test::distance(draws(TH_HALF, layout, 0), first), th::test::precision(TH_HALF));
  }
  Tensor next = on_device(TH_FLOAT, {5, 7}, Layout::Compact, another_device());
  ASSERT_EQ(TH_normal(&next, nullptr, 0, 1), TH_OK);
  EXPECT_NE(th::test::values(download(next)), first);
}

TEST_F(Random, PermutationsHoldEachNumberOnce) {
  for (int dtype : {TH_BYTE, TH_LONG, TH_FLOAT, TH_DOUBLE}) {
    Tensor r = on_device(dtype, {3});
    ASSERT_EQ(TH_randperm(&r, nullptr, 200), TH_OK);
    std::vector<double> x = th::test::values(download(r));
    EXPECT_FALSE(std::is_sorted(x.begin(), x.end()));
    std::sort(x.begin(), x.end());
    for (size_t i = 0; i < 200; ++i) {
      ASSERT_EQ(x[i], static_cast<double>(i + 1));
    }
  }
  // Each number comes first as often as the others.
  std::vector<int> firsts(4);
  Tensor r = on_device(TH_LONG, {});
  for (int i = 0; i < 800; ++i) {
    ASSERT_EQ(TH_randperm(&r, nullptr, 4), TH_OK);
    ++firsts[static_cast<size_t>(th::test::values(download(r))[0] - 1)];
  }
  for (int count : firsts) {
    EXPECT_NEAR(count, 200, 4 * std::sqrt(800 * 0.25 * 0.75));
  }
}

TEST_F(Random, CategoriesComeAsOftenAsTheirWeights) {
  const std::vector<double> weights{1, 0, 3, 2, 0, 4, 0};
  for (int dtype : {TH_FLOAT, TH_DOUBLE}) {
    const Tensor p = upload(th::test::from(dtype, {2, 7},
                                           [&] {
                                             std::vector<double> two = weights;
                                             two.insert(two.end(), {0, 0, 0, 5, 0, 0, 0});
                                             return two;
                                           }()),
                            Layout::Transposed);
    Tensor r = on_device(TH_LONG, {});
    ASSERT_EQ(error_of(TH_multinomial(&r, nullptr, &p, kDraws, true)), "");
    const std::vector<double> x = th::test::values(download(r));
    std::vector<double> counts(7);
    for (int64_t i = 0; i < kDraws; ++i) {
      ++counts[static_cast<size_t>(x[static_cast<size_t>(i)] - 1)];
      ASSERT_EQ(x[static_cast<size_t>(kDraws + i)], 4);
    }
    for (size_t c = 0; c < 7; ++c) {
      const double share = weights[c] / 10;
      EXPECT_NEAR(counts[c] / kDraws, share, 4 * std::sqrt(share * (1 - share) / kDraws)) << c;
    }
  }
}

TEST_F(Random, ManyCategoriesAreCumulatedInPieces) {
  const int64_t n = 3000;
  Tensor weights = th::test::make(TH_DOUBLE, {n});
  std::vector<double> numbers(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) {
    numbers[static_cast<size_t>(i)] = i % 3 == 0 ? 0 : 0.1;
  }
  th::test::assign(weights, numbers);
  const Tensor p = upload(weights);
  Tensor r = on_device(TH_LONG, {});
  ASSERT_EQ(TH_multinomial(&r, nullptr, &p, kDraws, true), TH_OK);
  std::vector<double> x = th::test::values(download(r));
  for (double each : x) {
    ASSERT_NE(static_cast<int64_t>(each - 1) % 3, 0);
  }
  expect_distribution(x, {600.5, 1500.5, 2700.5}, [](double c) { return std::floor(c) / 3000; });
}

// P(first, second) = w1 / W * w2 / (W - w1).
TEST_F(Random, DrawsWithoutReplacement) {
  const double weights[] = {1, 2, 0, 3};
  const int64_t rows = 6000;
  Tensor host = th::test::make(TH_FLOAT, {rows, 4});
  std::vector<double> numbers;
  for (int64_t i = 0; i < rows; ++i) {
    numbers.insert(numbers.end(), weights, weights + 4);
  }
  th::test::assign(host, numbers);
  const Tensor p = upload(host);
  Tensor r = on_device(TH_LONG, {rows, 2}, Layout::Transposed);
  ASSERT_EQ(error_of(TH_multinomial(&r, nullptr, &p, 2, false)), "");
  const std::vector<double> x = th::test::values(download(r));
  std::vector<double> pairs(16);
  for (size_t i = 0; i < x.size(); i += 2) {
    ++pairs[static_cast<size_t>(4 * (x[i] - 1) + x[i + 1] - 1)];
  }
  for (size_t a = 0; a < 4; ++a) {
    for (size_t b = 0; b < 4; ++b) {
      const double share = a == b ? 0 : weights[a] / 6 * weights[b] / (6 - weights[a]);
      EXPECT_NEAR(pairs[4 * a + b] / rows, share, 4 * std::sqrt(share * (1 - share) / rows));
    }
  }
}

TEST_F(Random, WrongParametersAreRefusedInTheCpusWords) {
  TH_Generator* g = TH_Generator_new();
  const auto refused = [&](std::vector<Tensor> t, const auto& f) {
    expect_refusal(t, Layout::Compact, 0, [&](std::vector<Tensor>& u, Numbers&) {
      return f(u, u[0].device_type == TH_CPU ? g : nullptr);
    });
  };
  const auto x = [&] { return list(draw_tensor(TH_FLOAT, {4})); };
  const auto ints = [&] { return list(draw_tensor(TH_INT, {4})); };
  using Ts = std::vector<Tensor>;
  using G = TH_Generator*;
  refused(ints(), [](Ts& t, G g) { return TH_uniform(&t[0], g, 0, 1); });
  refused(ints(), [](Ts& t, G g) { return TH_cauchy(&t[0], g, 0, 1); });
  refused(x(), [](Ts& t, G g) { return TH_normal(&t[0], g, 0, 0); });
  refused(x(), [](Ts& t, G g) { return TH_log_normal(&t[0], g, 0, -1); });
  refused(x(), [](Ts& t, G g) { return TH_exponential(&t[0], g, 0); });
  refused(x(), [](Ts& t, G g) { return TH_geometric(&t[0], g, 1); });
  refused(x(), [](Ts& t, G g) { return TH_bernoulli(&t[0], g, 1.5); });
  refused(x(), [](Ts& t, G g) { return TH_random_range(&t[0], g, 3, 2); });
  refused(x(), [](Ts& t, G g) { return TH_randperm(&t[0], g, 0); });
  refused(list(empty(TH_BYTE)), [](Ts& t, G g) { return TH_randperm(&t[0], g, 256); });
  const auto probabilities = [&](std::vector<double> p) {
    return list(draw_tensor(TH_FLOAT, {3}), th::test::from(TH_FLOAT, {3}, p));
  };
  for (double bad : {-0.5, 1.5, double{NAN}}) {
    refused(probabilities({0.5, bad, 7}),
            [](Ts& t, G g) { return TH_bernoulli_tensor(&t[0], g, &t[1]); });
  }
  const auto weights = [&](const Sizes& sizes, std::vector<double> w) {
    return list(draw_tensor(TH_LONG, {3}), th::test::from(TH_FLOAT, sizes, w));
  };
  const auto two = [](bool replacement) {
    return [=](Ts& t, G g) { return TH_multinomial(&t[0], g, &t[1], 2, replacement); };
  };
  refused(weights({2, 3}, {1, 2, 3, 1, -1, NAN}), two(true));
  refused(weights({2, 3}, {1, 2, 3, 1, INFINITY, -1}), two(true));
  refused(weights({2, 3}, {1, 2, 3, 0, 0, 0}), two(true));
  refused(weights({2, 3}, {1, 2, 3, 0, 1, 0}), two(false));
  refused(weights({1, 3, 1}, {1, 2, 3}), two(true));
  refused(list(draw_tensor(TH_FLOAT, {3}), draw_tensor(TH_FLOAT, {3})), two(true));
  refused(list(empty(TH_LONG), draw_tensor(TH_INT, {3})), two(true));
  Tensor d = upload(draw_tensor(TH_FLOAT, {4}));
  EXPECT_NE(error_of(TH_uniform(&d, g, 0, 1)).find("draws from its device's generator"),
            std::string::npos);
  TH_Generator_free(g);
}

}  // namespace
}  // namespace thc::test
