#include <gtest/gtest.h>

#include "TH/support/tensors.h"

namespace th::test {
namespace {

struct Planes {
  int64_t N, C, P;

  explicit Planes(const Sizes& s) : N(s[0]), C(s[1]), P(1) {
    for (size_t d = 2; d < s.size(); ++d) {
      P *= s[d];
    }
  }
  /// f(plane, offset) for each element.
  template <class F>
  void each(F&& f) const {
    for (int64_t i = 0; i < N * C * P; ++i) {
      f(static_cast<size_t>(i / P % C), static_cast<size_t>(i));
    }
  }
};

using Numbers = std::vector<double>;

/// The definition: mean and (biased) variance of each plane over the batch.
void moments(const Planes& p, const Numbers& x, Numbers& mean, Numbers& variance) {
  const auto count = static_cast<double>(p.N * p.P);
  mean.assign(static_cast<size_t>(p.C), 0);
  variance = mean;
  p.each([&](size_t c, size_t i) { mean[c] += x[i] / count; });
  p.each([&](size_t c, size_t i) { variance[c] += (x[i] - mean[c]) * (x[i] - mean[c]) / count; });
}

Numbers normalised(const Planes& p, const Numbers& x, const Numbers& mean, const Numbers& variance,
                   const Numbers& weight, const Numbers& bias, double eps) {
  Numbers y(x.size());
  p.each([&](size_t c, size_t i) {
    y[i] = (x[i] - mean[c]) / std::sqrt(variance[c] + eps) * weight[c] + bias[c];
  });
  return y;
}

constexpr double kEps = 1e-3;
const Sizes kShapes[] = {{7, 5}, {2, 1}, {40, 3}, {4, 3, 6}, {2, 4, 5, 7}, {1, 2, 9, 31}};

TEST(BatchNorm, BringsEachPlaneToMeanZeroAndVarianceOne) {
  std::mt19937 rng(1);
  for (const int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
    for (const Sizes& shape : kShapes) {
      for (const Layout layout : kLayouts) {
        const Planes p(shape);
        const double n = static_cast<double>(p.N * p.P);
        const double tolerance = 16 * precision(dtype);
        const Tensor x = random(dtype, shape, rng, layout);
        const Tensor weight = random(dtype, {p.C}, rng, layout);
        const Tensor bias = random(dtype, {p.C}, rng, layout);
        Tensor running_mean = random(dtype, {p.C}, rng, layout);
        Tensor running_var = from(dtype, {p.C}, Numbers(static_cast<size_t>(p.C), 2), layout);
        Numbers mean;
        Numbers variance;
        moments(p, values(x), mean, variance);
        Numbers wanted_mean = values(running_mean);
        Numbers wanted_var = values(running_var);
        for (size_t c = 0; c < mean.size(); ++c) {
          wanted_mean[c] = 0.75 * wanted_mean[c] + 0.25 * mean[c];
          wanted_var[c] = 0.75 * wanted_var[c] + 0.25 * variance[c] * n / (n - 1);
        }
        Tensor y = empty(dtype);
        Tensor save_mean = empty(dtype);
        Tensor save_std = empty(dtype);
        ASSERT_EQ(TH_batch_norm(&y, &save_mean, &save_std, &x, &weight, &bias, &running_mean,
                                &running_var, true, 0.25, kEps),
                  TH_OK)
            << TH_lastError();
        ASSERT_EQ(sizes(y), shape);
        ASSERT_LE(distance(values(y), normalised(p, values(x), mean, variance, values(weight),
                                                 values(bias), kEps)),
                  tolerance);
        ASSERT_LE(distance(values(save_mean), mean), tolerance);
        for (double& v : variance) {
          v = 1 / std::sqrt(v + kEps);
        }
        ASSERT_LE(distance(values(save_std), variance), tolerance);
        ASSERT_LE(distance(values(running_mean), wanted_mean), tolerance);
        ASSERT_LE(distance(values(running_var), wanted_var), tolerance);

        // Evaluation takes the running numbers and leaves them.
        const Numbers known_mean = values(running_mean);
        const Numbers known_var = values(running_var);
        ASSERT_EQ(TH_batch_norm(&y, &save_mean, &save_std, &x, nullptr, nullptr, &running_mean,
                                &running_var, false, 0.25, kEps),
                  TH_OK);
        const auto planes = static_cast<size_t>(p.C);
        ASSERT_LE(distance(values(y), normalised(p, values(x), known_mean, known_var,
                                                 Numbers(planes, 1), Numbers(planes, 0), kEps)),
                  tolerance);
        ASSERT_EQ(values(running_mean), known_mean);
        ASSERT_EQ(values(running_var), known_var);
      }
    }
  }
}

TEST(BatchNorm, GradientsAreThoseOfCentralDifferences) {
  std::mt19937 rng(2);
  for (const Sizes& shape : {Sizes{5, 3}, Sizes{3, 2, 2, 3}}) {
    for (const bool train : {true, false}) {
      const Planes p(shape);
      Tensor x = random(TH_DOUBLE, shape, rng);
      const Tensor g = random(TH_DOUBLE, shape, rng);
      Tensor weight = random(TH_DOUBLE, {p.C}, rng);
      Tensor bias = random(TH_DOUBLE, {p.C}, rng);
      Tensor save_mean = empty(TH_DOUBLE);
      Tensor save_std = empty(TH_DOUBLE);
      const Tensor known_mean = random(TH_DOUBLE, {p.C}, rng);
      const auto loss = [&] {
        Tensor y = empty(TH_DOUBLE);
        Tensor running_mean = from(TH_DOUBLE, {p.C}, values(known_mean));
        Tensor running_var = from(TH_DOUBLE, {p.C}, Numbers(static_cast<size_t>(p.C), 0.5));
        EXPECT_EQ(TH_batch_norm(&y, &save_mean, &save_std, &x, &weight, &bias, &running_mean,
                                &running_var, train, 0.1, kEps),
                  TH_OK);
        double sum = 0;
        const Numbers vy = values(y);
        const Numbers vg = values(g);
        for (size_t i = 0; i < vy.size(); ++i) {
          sum += vy[i] * vg[i];
        }
        return sum;
      };
      const auto numeric = [&](Tensor& t) {
        Numbers result;
        for (int64_t i = 0; i < numel(t); ++i) {
          const double before = data<double>(t)[i];
          data<double>(t)[i] = before + 1e-5;
          const double high = loss();
          data<double>(t)[i] = before - 1e-5;
          const double low = loss();
          data<double>(t)[i] = before;
          result.push_back((high - low) / 2e-5);
        }
        return result;
      };
      loss();
      Tensor gx = empty(TH_DOUBLE);
      Tensor gw = from(TH_DOUBLE, {p.C}, Numbers(static_cast<size_t>(p.C), 1));
      Tensor gb = from(TH_DOUBLE, {p.C}, Numbers(static_cast<size_t>(p.C), 1));
      const Tensor running_var = from(TH_DOUBLE, {p.C}, Numbers(static_cast<size_t>(p.C), 0.5));
      ASSERT_EQ(TH_batch_norm_backward(&gx, &gw, &gb, &g, &x, &weight, &known_mean, &running_var,
                                       &save_mean, &save_std, train, kEps, 0.5),
                TH_OK)
          << TH_lastError();
      EXPECT_LE(distance(values(gx), numeric(x)), 1e-7);
      // They are added, with a factor, to what was there.
      const auto added = [](const Tensor& t) {
        Numbers numbers = values(t);
        for (double& v : numbers) {
          v = (v - 1) * 2;
        }
        return numbers;
      };
      EXPECT_LE(distance(added(gw), numeric(weight)), 1e-7);
      EXPECT_LE(distance(added(gb), numeric(bias)), 1e-7);
    }
  }
}

TEST(BatchNorm, OfOneElementInEachPlaneIsTheBias) {  // a variance of 0, as in Torch7
  const Tensor x = from(TH_DOUBLE, {1, 3}, {4, -2, 7});
  const Tensor bias = from(TH_DOUBLE, {3}, {1, 2, 3});
  Tensor mean = from(TH_DOUBLE, {3}, {0, 0, 0});
  Tensor variance = from(TH_DOUBLE, {3}, {1, 1, 1});
  Tensor r = empty(TH_DOUBLE), save_mean = empty(TH_DOUBLE), save_std = empty(TH_DOUBLE);
  ASSERT_EQ(TH_batch_norm(&r, &save_mean, &save_std, &x, nullptr, &bias, &mean, &variance, true,
                          0.5, kEps),
            TH_OK)
      << TH_lastError();
  EXPECT_EQ(values(r), (Numbers{1, 2, 3}));
  EXPECT_EQ(values(mean), (Numbers{2, -1, 3.5}));
  EXPECT_EQ(values(variance), (Numbers{1, 1, 1}));  // nothing is known of it
}

// Planes are worked on some at a time, or all together where a cache would not keep them.
TEST(BatchNorm, EveryPlaneIsWhatItIsAlone) {
  std::mt19937 rng(4);
  for (const Sizes& shape : {Sizes{3, 9, 130, 131}, Sizes{64, 16, 32, 32}, Sizes{300, 700}}) {
    const int64_t planes = shape[1];
    Sizes one = shape;
    one[1] = 1;
    const Tensor x = random(TH_FLOAT, shape, rng);
    const Tensor g = random(TH_FLOAT, shape, rng);
    const auto pass = [&](const Tensor& in, const Tensor& grad, int64_t count) {
      const auto numbers = static_cast<size_t>(count);
      Tensor mean = from(TH_FLOAT, {count}, Numbers(numbers, 0));
      Tensor variance = from(TH_FLOAT, {count}, Numbers(numbers, 1));
      Tensor gw = from(TH_FLOAT, {count}, Numbers(numbers, 0));
      Tensor y = empty(TH_FLOAT), save_mean = empty(TH_FLOAT), save_std = empty(TH_FLOAT);
      Tensor gx = empty(TH_FLOAT);
      EXPECT_EQ(TH_batch_norm(&y, &save_mean, &save_std, &in, nullptr, nullptr, &mean, &variance,
                              true, 0.1, kEps),
                TH_OK);
      EXPECT_EQ(TH_batch_norm_backward(&gx, &gw, nullptr, &grad, &in, nullptr, &mean, &variance,
                                       &save_mean, &save_std, true, kEps, 1),
                TH_OK);
      return std::pair(std::move(y), std::move(gx));
    };
    const auto whole = pass(x, g, planes);
    const auto plane_of = [&](const Tensor& t, int64_t c) {
      Tensor view = empty(TH_FLOAT);
      EXPECT_EQ(TH_narrow(&view, &t, 1, c, 1), TH_OK);
      return view;
    };
    for (const int64_t c : {int64_t{0}, planes / 2, planes - 1}) {
      const auto alone = pass(plane_of(x, c), plane_of(g, c), 1);
      EXPECT_EQ(values(plane_of(whole.first, c)), values(alone.first));
      EXPECT_EQ(values(plane_of(whole.second, c)), values(alone.second));
    }
  }
}

TEST(BatchNorm, LosesNothingFarFromZero) {
  std::mt19937 rng(5);
  std::normal_distribution<double> around;
  const Sizes shape{6, 2, 15, 16};
  const Planes p(shape);
  Numbers x(static_cast<size_t>(p.N * p.C * p.P));
  p.each([&](size_t c, size_t i) {
    x[i] = c == 0 ? 1e6 + around(rng) : 3;
  });  // and a plane of one number
  Numbers mean;
  Numbers variance;
  moments(p, x, mean, variance);
  const Tensor in = from(TH_DOUBLE, shape, x);
  Tensor known_mean = from(TH_DOUBLE, {2}, {0, 0});
  Tensor known_var = from(TH_DOUBLE, {2}, {0, 0});
  Tensor y = empty(TH_DOUBLE), save_mean = empty(TH_DOUBLE), save_std = empty(TH_DOUBLE);
  ASSERT_EQ(TH_batch_norm(&y, &save_mean, &save_std, &in, nullptr, nullptr, &known_mean, &known_var,
                          true, 0.1, kEps),
            TH_OK);
  EXPECT_LE(distance(values(y), normalised(p, x, mean, variance, {1, 1}, {0, 0}, kEps)), 1e-9);
  EXPECT_EQ(values(save_std)[1], 1 / std::sqrt(kEps));
}

TEST(BatchNorm, MistakesAreNamedAndChangeNothing) {
  std::mt19937 rng(3);
  const Tensor flat = random(TH_FLOAT, {3}, rng);
  const Tensor x = random(TH_FLOAT, {4, 3}, rng);
  const Tensor four = random(TH_FLOAT, {4}, rng);
  Tensor r = random(TH_FLOAT, {3}, rng);
  Tensor mean = random(TH_FLOAT, {3}, rng);
  Tensor variance = random(TH_FLOAT, {3}, rng);
  Tensor save_mean = random(TH_FLOAT, {3}, rng);
  Tensor save_std = random(TH_FLOAT, {3}, rng);
  const Numbers before = values(r);
  const auto fails = [&](const std::string& words, const Tensor& input, const Tensor* weight) {
    EXPECT_EQ(TH_batch_norm(&r, &save_mean, &save_std, &input, weight, nullptr, &mean, &variance,
                            true, 0.1, kEps),
              TH_ERROR);
    EXPECT_NE(std::string(TH_lastError()).find(words), std::string::npos) << TH_lastError();
    EXPECT_EQ(values(r), before);
  };
  fails("input is 3, expected a batch N x C", flat, nullptr);
  fails("weight is 4, expected 3 elements, one for each plane", x, &four);
}

}  // namespace
}  // namespace th::test
