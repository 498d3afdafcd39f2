// Reductions against the definition, evaluated in long double over each slice.
#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "TH/cpu/slices.h"

namespace th::test {
namespace {

long double mean_of(const Slice& x) {
  long double sum = 0;
  for (const double v : x) {
    sum += v;
  }
  return sum / static_cast<long double>(x.size());
}

long double variance_of(const Slice& x, bool biased) {
  const long double mean = mean_of(x);
  long double squares = 0;
  for (const double v : x) {
    squares += (v - mean) * (v - mean);
  }
  return squares / (static_cast<long double>(x.size()) - (biased ? 0 : 1));
}

long double norm_of(const Slice& x, double p) {
  long double total = p == -kInf ? kInf : 0;
  for (const double v : x) {
    const long double magnitude = std::abs(v);
    if (p == 0) {
      total += v != 0;
    } else if (p == kInf) {
      total = std::max(total, magnitude);
    } else if (p == -kInf) {
      total = std::min(total, magnitude);
    } else {
      total += std::pow(magnitude, static_cast<long double>(p));
    }
  }
  return p == 0 || std::isinf(p) ? total : std::pow(total, 1 / static_cast<long double>(p));
}

struct Operation {
  const char* name;
  std::function<int(TH_Tensor*, const TH_Tensor*, int)> dim;
  std::function<int(double*, const TH_Tensor*)> all;
  std::function<long double(const Slice&)> definition;
};

Operation norm_operation(const char* name, double p) {
  return {name, [p](TH_Tensor* r, const TH_Tensor* x, int dim) { return TH_norm(r, x, p, dim); },
          [p](double* v, const TH_Tensor* x) { return TH_norm_all(v, x, p); },
          [p](const Slice& x) { return norm_of(x, p); }};
}

const Operation& product() {
  static const Operation operation{"prod", TH_prod, TH_prod_all, [](const Slice& x) {
                                     long double result = 1;
                                     for (const double v : x) {
                                       result *= v;
                                     }
                                     return result;
                                   }};
  return operation;
}

/// What floating types have.
const std::vector<Operation>& operations() {
  static const std::vector<Operation> list = {
      {"sum", TH_sum, TH_sum_all,
       [](const Slice& x) { return mean_of(x) * static_cast<long double>(x.size()); }},
      {"mean", TH_mean, TH_mean_all, mean_of},
      {"var", [](TH_Tensor* r, const TH_Tensor* x, int dim) { return TH_var(r, x, dim, false); },
       [](double* v, const TH_Tensor* x) { return TH_var_all(v, x, false); },
       [](const Slice& x) { return variance_of(x, false); }},
      {"var biased",
       [](TH_Tensor* r, const TH_Tensor* x, int dim) { return TH_var(r, x, dim, true); },
       [](double* v, const TH_Tensor* x) { return TH_var_all(v, x, true); },
       [](const Slice& x) { return variance_of(x, true); }},
      {"std", [](TH_Tensor* r, const TH_Tensor* x, int dim) { return TH_std(r, x, dim, false); },
       [](double* v, const TH_Tensor* x) { return TH_std_all(v, x, false); },
       [](const Slice& x) { return std::sqrt(variance_of(x, false)); }},
      {"std biased",
       [](TH_Tensor* r, const TH_Tensor* x, int dim) { return TH_std(r, x, dim, true); },
       [](double* v, const TH_Tensor* x) { return TH_std_all(v, x, true); },
       [](const Slice& x) { return std::sqrt(variance_of(x, true)); }},
      product(),
      norm_operation("norm 0", 0),
      norm_operation("norm 1", 1),
      norm_operation("norm 2", 2),
      norm_operation("norm 3.5", 3.5),
      norm_operation("norm inf", kInf),
      norm_operation("norm -inf", -kInf),
  };
  return list;
}

/// The result is rounded to the type once, the accumulation is wider (powers: 4 ulp each).
double tolerance(int dtype, size_t n) {
  return 2 * precision(dtype) + 1e-15 * (8 + std::log2(static_cast<double>(n)));
}

void expect_dim(const Operation& op, const TH_Tensor& x, int dim) {
  Tensor r = empty(x.dtype);
  ASSERT_EQ(op.dim(&r, &x, dim), TH_OK) << TH_lastError();
  ASSERT_EQ(sizes(r), reduced(x, dim)) << op.name;
  const Slice actual = values(r);
  const std::vector<Slice> expected = slices(x, dim);
  for (size_t i = 0; i < expected.size(); ++i) {
    const auto want = static_cast<double>(op.definition(expected[i]));
    if (std::isnan(want)) {
      EXPECT_TRUE(std::isnan(actual[i])) << op.name;
      continue;
    }
    if (x.dtype == TH_HALF && std::abs(want) >= 65520) {  // rounds to infinity
      EXPECT_TRUE(std::isinf(actual[i])) << op.name;
      continue;
    }
    ASSERT_LE(distance({actual[i]}, {want}), tolerance(x.dtype, expected[i].size()))
        << op.name << " over dimension " << dim + 1 << " of " << type_name(x) << ' ' << shape(x)
        << ", result " << i << ": " << actual[i] << ", wanted " << want;
  }
}

void expect_all(const Operation& op, const TH_Tensor& x) {
  double actual = 0;
  ASSERT_EQ(op.all(&actual, &x), TH_OK) << TH_lastError();
  const Slice all = values(x);
  const auto want = static_cast<double>(op.definition(all));
  if (std::isnan(want)) {
    EXPECT_TRUE(std::isnan(actual)) << op.name;
    return;
  }
  // Neighbours of a 16-bit type meet in floats, and much of the sum may cancel.
  const int wide = is_half(x.dtype) ? TH_FLOAT : TH_DOUBLE;
  EXPECT_LE(distance({actual}, {want}), (wide == TH_FLOAT ? 8 : 1) * tolerance(wide, all.size()))
      << op.name << " of " << type_name(x) << ' ' << shape(x) << ": " << actual << ", wanted "
      << want;
}

TEST(Reduce, AgreesWithTheDefinitionForEveryFloatingTypeShapeAndLayout) {
  std::mt19937 rng(1);
  for (const int dtype : kFloating) {
    for (const Sizes& shape : kSmall) {
      for (const Layout layout : kLayouts) {
        const Tensor x = uniform(dtype, shape, rng, layout);
        for (const Operation& op : operations()) {
          expect_all(op, x);
          for (int dim = 0; dim < x.ndim; ++dim) {
            expect_dim(op, x, dim);
          }
        }
      }
    }
  }
}

TEST(Reduce, AgreesWithTheDefinitionForLargeTensorsAndAnyNumberOfThreads) {
  std::mt19937 rng(2);
  const int before = TH_getNumThreads();
  int round = 0;
  for (const Sizes& shape : kLarge) {
    TH_setNumThreads(round % 3 + 1);
    const int dtype = kFloating[round++ % std::size(kFloating)];
    const Tensor x = uniform(dtype, shape, rng, kLayouts[rng() % std::size(kLayouts)]);
    for (const Operation& op : operations()) {
      expect_all(op, x);
      for (int dim = 0; dim < x.ndim; ++dim) {
        expect_dim(op, x, dim);
      }
    }
  }
  TH_setNumThreads(before);
}

TEST(Reduce, TakesAnyOrderOfDimensionsAndExpandedOnes) {
  std::mt19937 rng(3);
  for (const int dtype : {TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
    Tensor x = uniform(dtype, {3, 1, 14, 4}, rng);
    expand(x, x, Sizes{3, 5, 14, 4});
    Sizes order = {0, 1, 2, 3};
    do {
      Tensor view;
      init(view, dtype, TH_CPU, 0);
      permute(view, x, order);
      for (const Operation& op : operations()) {
        expect_all(op, view);
        for (int dim = 0; dim < 4; ++dim) {
          expect_dim(op, view, dim);
        }
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST(Reduce, SumsAndProductsOfIntegersWrapInTheirOwnTypeAndCountIn64Bits) {
  std::mt19937_64 rng(4);
  for (const int dtype : kIntegral) {
    for (const Sizes& shape :
         {Sizes{40}, Sizes{5, 9}, Sizes{300, 7}, Sizes{7, 9000}, Sizes{9000, 7}, Sizes{3, 4, 5}}) {
      for (const Layout layout : kLayouts) {
        const Tensor x = whole_range(dtype, shape, rng, layout);
        Integral::dispatch(dtype, [&]<class T>() {
          for (int dim = 0; dim < x.ndim; ++dim) {
            Tensor sum = empty(dtype);
            Tensor product = empty(dtype);
            ASSERT_EQ(TH_sum(&sum, &x, dim), TH_OK) << TH_lastError();
            ASSERT_EQ(TH_prod(&product, &x, dim), TH_OK) << TH_lastError();
            // Row by row over the storage, because a double cannot hold every 64-bit integer.
            const int64_t n = x.sizes[dim];
            for (int64_t i = 0; i < numel(sum); ++i) {
              uint64_t total = 0;
              uint64_t factor = 1;
              int64_t offset = x.offset;
              int64_t rest = i;
              for (int d = x.ndim - 1; d >= 0; --d) {
                offset += d == dim ? 0 : rest % x.sizes[d] * x.strides[d];
                rest /= d == dim ? 1 : x.sizes[d];
              }
              for (int64_t k = 0; k < n; ++k) {
                const T element = static_cast<const T*>(x.store->data)[offset + k * x.strides[dim]];
                total += static_cast<uint64_t>(element);
                factor *= static_cast<uint64_t>(element);
              }
              ASSERT_EQ(data<T>(sum)[i], static_cast<T>(total))
                  << type_name(x) << ' ' << th::shape(x);
              ASSERT_EQ(data<T>(product)[i], static_cast<T>(factor))
                  << type_name(x) << ' ' << th::shape(x);
            }
          }
          uint64_t total = 0;
          each_offset(x, [&](int64_t offset) {
            total += static_cast<uint64_t>(static_cast<const T*>(x.store->data)[offset]);
          });
          double actual = 0;
          ASSERT_EQ(TH_sum_all(&actual, &x), TH_OK);
          EXPECT_EQ(actual, static_cast<double>(static_cast<int64_t>(total)));
        });
      }
    }
  }
}

TEST(Reduce, OfBytesCountsBeyondTheTypeOnlyWithoutADimension) {
  const Tensor x = from(TH_BYTE, {2}, {200, 200});
  double sum = 0;
  ASSERT_EQ(TH_sum_all(&sum, &x), TH_OK);
  EXPECT_EQ(sum, 400);
  Tensor r = empty(TH_BYTE);
  ASSERT_EQ(TH_sum(&r, &x, 0), TH_OK);
  EXPECT_EQ(values(r), Slice{144});
}

// --- results ------------------------------------------------------------------------------------

TEST(Reduce, ResultMayBeTheInput) {
  std::mt19937 rng(9);
  for (const Operation& op : operations()) {
    for (int dim = 0; dim < 2; ++dim) {
      Tensor x = uniform(TH_FLOAT, {20, 30}, rng);
      Tensor expected = empty(TH_FLOAT);
      ASSERT_EQ(op.dim(&expected, &x, dim), TH_OK);
      const Slice want = values(expected);
      ASSERT_EQ(op.dim(&x, &x, dim), TH_OK) << TH_lastError();
      EXPECT_EQ(values(x), want) << op.name;
      EXPECT_EQ(sizes(x), sizes(expected));
    }
  }
  Tensor x = from(TH_LONG, {2, 2}, {4, 1, 2, 3});
  Tensor r = empty(TH_LONG);
  ASSERT_EQ(TH_max(&r, &x, &x, 1), TH_OK) << TH_lastError();  // positions over the input
  EXPECT_EQ(values(r), (Slice{4, 3}));
  EXPECT_EQ(values(x), (Slice{1, 2}));
}

TEST(Reduce, KeepsAResultsOwnStrides) {
  std::mt19937 rng(10);
  for (const int dtype : {TH_HALF, TH_FLOAT}) {
    const Tensor x = random(dtype, {6, 5}, rng);
    Tensor compact = empty(dtype);
    ASSERT_EQ(TH_sum(&compact, &x, 1), TH_OK);
    Tensor r = make(dtype, {6, 1}, Layout::Spread);
    Tensor places = make(TH_LONG, {6, 1}, Layout::Spread);
    const int64_t stride = r.strides[0];
    ASSERT_EQ(TH_sum(&r, &x, 1), TH_OK);
    EXPECT_EQ(r.strides[0], stride);
    EXPECT_EQ(values(r), values(compact));
    ASSERT_EQ(TH_max(&r, &places, &x, 1), TH_OK);
    const std::vector<Slice> rows = slices(x, 1);
    for (size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(values(places)[i], static_cast<double>(extreme_of(rows[i], true) + 1));
    }
  }
}

// --- numbers ------------------------------------------------------------------------------------

TEST(Reduce, VarianceDoesNotCancelFarFromZero) {
  Slice numbers;
  for (int i = 0; i < 20000; ++i) {
    numbers.push_back(1e9 + i % 2);
  }
  double variance = 0;
  const Tensor x = from(TH_DOUBLE, {20000}, numbers);
  ASSERT_EQ(TH_var_all(&variance, &x, true), TH_OK);
  EXPECT_NEAR(variance, 0.25, 1e-12);
  for (const Sizes& shape : {Sizes{10000, 2}, Sizes{2, 10000}, Sizes{200, 100}}) {
    for (int dim = 0; dim < 2; ++dim) {
      expect_dim(operations()[3], from(TH_DOUBLE, shape, numbers), dim);
    }
  }
}

TEST(Reduce, OneElementHasNoUnbiasedVariance) {
  const Tensor x = from(TH_DOUBLE, {1}, {3});
  double value = 0;
  ASSERT_EQ(TH_var_all(&value, &x, false), TH_OK);
  EXPECT_TRUE(std::isnan(value));
  ASSERT_EQ(TH_std_all(&value, &x, true), TH_OK);
  EXPECT_EQ(value, 0);
}

TEST(Reduce, SumsOfManyFloatsAreRoundedOnce) {
  const float tenth = 0.1F;
  const size_t n = 3000000;
  const Tensor x = from(TH_FLOAT, {static_cast<int64_t>(n)}, Slice(n, tenth));
  double sum = 0;
  ASSERT_EQ(TH_sum_all(&sum, &x), TH_OK);
  const double exact = static_cast<double>(tenth) * static_cast<double>(n);
  EXPECT_NEAR(sum, exact, 1e-14 * exact);
  Tensor r = empty(TH_FLOAT);
  ASSERT_EQ(TH_sum(&r, &x, 0), TH_OK);
  EXPECT_EQ(values(r)[0], static_cast<float>(exact));
}

TEST(Reduce, InfinityAndNaNReachTheTotal) {
  for (const int64_t n : {3, 50, 1000}) {
    Slice numbers(static_cast<size_t>(n), 1);
    numbers[static_cast<size_t>(n) / 2] = kInf;
    double value = 0;
    const Tensor infinite = from(TH_FLOAT, {n}, numbers);
    ASSERT_EQ(TH_sum_all(&value, &infinite), TH_OK);
    EXPECT_EQ(value, kInf);
    ASSERT_EQ(TH_norm_all(&value, &infinite, 2), TH_OK);
    EXPECT_EQ(value, kInf);
    ASSERT_EQ(TH_var_all(&value, &infinite, false), TH_OK);
    EXPECT_TRUE(std::isnan(value));
    numbers[static_cast<size_t>(n) / 2] = kNaN;
    const Tensor broken = from(TH_FLOAT, {n}, numbers);
    for (const Operation& op : operations()) {
      if (op.name != std::string("norm 0")) {
        ASSERT_EQ(op.all(&value, &broken), TH_OK);
        EXPECT_TRUE(std::isnan(value)) << op.name;
      }
    }
  }
}

// --- what has no answer -------------------------------------------------------------------------

TEST(Reduce, OfNothing) {
  const Tensor nothing = empty(TH_FLOAT);
  double value = 7;
  ASSERT_EQ(TH_sum_all(&value, &nothing), TH_OK);
  EXPECT_EQ(value, 0);
  ASSERT_EQ(TH_prod_all(&value, &nothing), TH_OK);
  EXPECT_EQ(value, 1);
  ASSERT_EQ(TH_norm_all(&value, &nothing, 2), TH_OK);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(TH_max_all(&value, &nothing), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "max: the tensor is empty; wanted at least one element");
  EXPECT_EQ(TH_min_all(&value, &nothing), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "min: the tensor is empty; wanted at least one element");
  EXPECT_EQ(TH_mean_all(&value, &nothing), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "mean: the tensor is empty; wanted at least one element");
  EXPECT_EQ(TH_var_all(&value, &nothing, true), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "var: the tensor is empty; wanted at least one element");
  Tensor r = from(TH_FLOAT, {2}, {1, 2});
  EXPECT_EQ(TH_sum(&r, &nothing, 0), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "sum: the tensor is empty");
  EXPECT_EQ(values(r), (Slice{1, 2}));
}

TEST(Reduce, ErrorsNameTheOperationAndLeaveTheResultAlone) {
  const Tensor x = from(TH_FLOAT, {2, 3}, {1, 2, 3, 4, 5, 6});
  Tensor r = from(TH_FLOAT, {2}, {8, 9});
  EXPECT_EQ(TH_sum(&r, &x, 2), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "sum: dimension 3 out of range of 2D tensor (2x3)");
  EXPECT_EQ(TH_sum(&r, &x, -1), TH_ERROR);
  EXPECT_STREQ(TH_lastError(),
               "sum: dimension 0 out of range of 2D tensor (2x3); dimensions count from 1");
  Tensor wrong = empty(TH_DOUBLE);
  EXPECT_EQ(TH_mean(&wrong, &x, 0), TH_ERROR);
  EXPECT_STREQ(TH_lastError(),
               "mean: types differ: DoubleTensor and FloatTensor; convert one, as in x:typeAs(y)");
  EXPECT_EQ(values(r), (Slice{8, 9}));
  const Tensor integers = from(TH_INT, {2}, {1, 2});
  double value = 0;
  EXPECT_EQ(TH_mean_all(&value, &integers), TH_ERROR);
  EXPECT_NE(std::string(TH_lastError()).find("mean: IntTensor is not supported"),
            std::string::npos);
  EXPECT_EQ(TH_norm_all(&value, &integers, 2), TH_ERROR);
  EXPECT_STREQ(TH_lastError(),
               "norm: IntTensor is not supported; wanted one of HalfTensor, BFloat16Tensor, "
               "FloatTensor, DoubleTensor. Convert it first, as in x:float()");
  Tensor out = empty(TH_INT);
  EXPECT_EQ(TH_std(&out, &integers, 0, false), TH_ERROR);
  EXPECT_STREQ(TH_lastError(),
               "std: IntTensor is not supported; wanted one of HalfTensor, BFloat16Tensor, "
               "FloatTensor, DoubleTensor. Convert it first, as in x:float()");
  EXPECT_EQ(TH_norm(&out, &integers, 2, 0), TH_ERROR);
  EXPECT_STREQ(TH_lastError(),
               "norm: IntTensor is not supported; wanted one of HalfTensor, BFloat16Tensor, "
               "FloatTensor, DoubleTensor. Convert it first, as in x:float()");
  EXPECT_EQ(TH_sum(nullptr, &x, 0), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "sum: the result is missing");
}

}  // namespace
}  // namespace th::test
