// Distance, equality, trace and logic; and the kernels of every instruction set side by side.
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "TH/support/tensors.h"
#include "core/runtime/cpu_isa.h"
#include "cpu/kernels/reduce/reduce.h"

namespace th::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Dist, AgreesWithTheDefinition) {
  std::mt19937 rng(1);
  for (const int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
    for (const Sizes& shape : {Sizes{1}, Sizes{30}, Sizes{9, 70}, Sizes{150, 450}}) {
      for (const Layout layout : kLayouts) {
        const Tensor x = random(dtype, shape, rng, layout);
        const Tensor y = random(dtype, shape, rng);
        const std::vector<double> xs = values(x);
        const std::vector<double> ys = values(y);
        for (const double p : numel(x) < 1000 ? std::vector<double>{0, 1, 2, 2.5, kInf}
                                              : std::vector<double>{1, 2.5}) {
          long double want = 0;
          for (size_t i = 0; i < xs.size(); ++i) {
            const long double d = std::abs(xs[i] - ys[i]);
            want = p == 0      ? want + (d != 0)
                   : p == kInf ? std::max(want, d)
                               : want + std::pow(d, static_cast<long double>(p));
          }
          want = p == 0 || p == kInf ? want : std::pow(want, 1 / static_cast<long double>(p));
          double actual = -1;
          ASSERT_EQ(TH_dist(&actual, &x, &y, p), TH_OK) << TH_lastError();
          EXPECT_LE(distance({actual}, {static_cast<double>(want)}), 1e-13) << "p = " << p;
        }
      }
    }
  }
}

TEST(Dist, WantsEqualCountsAndTypes) {
  const Tensor x = from(TH_FLOAT, {2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor y = from(TH_FLOAT, {3, 2}, {1, 2, 3, 4, 5, 8});
  double value = 0;
  ASSERT_EQ(TH_dist(&value, &x, &y, 2), TH_OK);  // shapes may differ
  EXPECT_EQ(value, 2);
  const Tensor longer = from(TH_FLOAT, {7}, {1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(TH_dist(&value, &x, &longer, 2), TH_ERROR);
  EXPECT_STREQ(TH_lastError(),
               "dist: inconsistent tensor size: [2x3] and [7] must have the same number of "
               "elements, but have 6 and 7");
  const Tensor other = from(TH_DOUBLE, {6}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(TH_dist(&value, &x, &other, 2), TH_ERROR);
  EXPECT_STREQ(TH_lastError(),
               "dist: types differ: FloatTensor and DoubleTensor; convert one, as in x:typeAs(y)");
  const Tensor integers = from(TH_INT, {1}, {1});
  EXPECT_EQ(TH_dist(&value, &integers, &integers, 2), TH_ERROR);
  EXPECT_STREQ(TH_lastError(),
               "dist: IntTensor is not supported; wanted one of HalfTensor, BFloat16Tensor, "
               "FloatTensor, DoubleTensor. Convert it first, as in x:float()");
}

bool equal(const TH_Tensor& x, const TH_Tensor& y) {
  bool result = false;
  EXPECT_EQ(TH_equal(&result, &x, &y), TH_OK) << TH_lastError();
  return result;
}

TEST(Equal, ComparesSizesAndValues) {
  std::mt19937 rng(2);
  for (int dtype = 0; dtype < TH_NUM_DTYPES; ++dtype) {
    for (const Sizes& shape : {Sizes{1}, Sizes{30}, Sizes{5, 7}, Sizes{300, 250}}) {
      for (const Layout layout : kLayouts) {
        const Tensor x = random(dtype, shape, rng);
        Tensor y = make(dtype, shape, layout);
        std::vector<double> numbers = values(x);
        assign(y, numbers);
        EXPECT_TRUE(equal(x, y));
        numbers[rng() % numbers.size()] += 1;
        assign(y, numbers);
        EXPECT_FALSE(equal(x, y));
      }
    }
  }
  EXPECT_FALSE(
      equal(from(TH_INT, {2, 3}, {1, 2, 3, 4, 5, 6}), from(TH_INT, {3, 2}, {1, 2, 3, 4, 5, 6})));
  EXPECT_TRUE(equal(empty(TH_FLOAT), empty(TH_FLOAT)));
  EXPECT_FALSE(equal(empty(TH_FLOAT), from(TH_FLOAT, {1}, {0})));
}

TEST(Equal, ComparesNumbersNotBits) {
  for (const int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
    EXPECT_TRUE(equal(from(dtype, {2}, {0.0, kInf}), from(dtype, {2}, {-0.0, kInf})));
    const Tensor x = from(dtype, {2}, {1, kNaN});
    EXPECT_FALSE(equal(x, x));
  }
  bool result = true;
  const Tensor a = from(TH_FLOAT, {1}, {1});
  const Tensor b = from(TH_DOUBLE, {1}, {1});
  EXPECT_EQ(TH_equal(&result, &a, &b), TH_ERROR);
  EXPECT_STREQ(TH_lastError(),
               "equal: types differ: FloatTensor and DoubleTensor; convert one, as in x:typeAs(y)");
}

TEST(Trace, AddsTheDiagonal) {
  double value = 0;
  const Tensor wide = from(TH_FLOAT, {2, 3}, {1, 2, 3, 4, 5, 6}, Layout::Transposed);
  ASSERT_EQ(TH_trace(&value, &wide), TH_OK);
  EXPECT_EQ(value, 6);
  const Tensor bytes = from(TH_BYTE, {3, 2}, {200, 1, 1, 200, 1, 1});
  ASSERT_EQ(TH_trace(&value, &bytes), TH_OK);
  EXPECT_EQ(value, 400);
  const Tensor vector = from(TH_FLOAT, {3}, {1, 2, 3});
  EXPECT_EQ(TH_trace(&value, &vector), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "trace: wanted a matrix, got a tensor of 3");
}

TEST(AllAny, LookAtBytes) {
  const auto ask = [](const TH_Tensor& x) {
    bool all = false;
    bool any = false;
    EXPECT_EQ(TH_all(&all, &x), TH_OK);
    EXPECT_EQ(TH_any(&any, &x), TH_OK);
    return std::pair(all, any);
  };
  for (const int64_t n : {1, 40, 100000}) {
    std::vector<double> ones(static_cast<size_t>(n), 1);
    EXPECT_EQ(ask(from(TH_BYTE, {n}, ones)), std::pair(true, true));
    ones.back() = 0;
    EXPECT_EQ(ask(from(TH_BYTE, {n}, ones)), std::pair(false, n > 1));
    EXPECT_EQ(ask(from(TH_BYTE, {n}, std::vector<double>(ones.size(), 0))),
              std::pair(false, false));
  }
  EXPECT_EQ(ask(empty(TH_BYTE)), std::pair(true, false));
  bool value = false;
  const Tensor floats = from(TH_FLOAT, {1}, {1});
  EXPECT_EQ(TH_all(&value, &floats), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "all: the tensor is a FloatTensor, wanted a ByteTensor");
}

// --- instruction sets ---------------------------------------------------------------------------

std::vector<cpu::ReduceKernels> tables() {
  std::vector<cpu::ReduceKernels> list;
  const auto add = [&](void (*fill)(cpu::ReduceKernels&)) {
    list.emplace_back();
    fill(list.back());
  };
#ifdef __x86_64__
  add(cpu::v2::set_kernels);
  if (isa() >= Isa::V3) {
    add(cpu::v3::set_kernels);
  }
  if (isa() >= Isa::V4) {
    add(cpu::v4::set_kernels);
  }
#else
  add(cpu::generic::set_kernels);
#endif
  return list;
}

/// Multiples of 1/16: sums are exact, so every order of additions gives the same.
template <class T>
void expect_same_kernels(int64_t items, int64_t n) {
  std::mt19937 rng(3);
  std::vector<T> x(static_cast<size_t>(items * n));
  for (T& element : x) {
    element = static_cast<T>(static_cast<int>(rng() % 97) - 48) / 16;
  }
  const auto run = [&](const cpu::ReduceKernel& kernel, bool rows) {
    std::vector<int64_t> acc(static_cast<size_t>(items) * 3);  // bits, whatever they mean
    kernel.init(acc.data(), items, 0);
    if (rows) {
      kernel.rows(acc.data(), items, x.data(), n, n, 0, 3);
    } else {
      kernel.columns(acc.data(), items, x.data(), items, n, 0, 3);
    }
    return acc;
  };
  constexpr int d = dtype_of<T>;
  const std::vector<cpu::ReduceKernels> all = tables();
  for (const cpu::ReduceKernels& k : all) {
    for (const bool rows : {false, true}) {
      EXPECT_EQ(run(k.sum.by_dtype[d], rows), run(all[0].sum.by_dtype[d], rows));
      EXPECT_EQ(run(k.max.by_dtype[d], rows), run(all[0].max.by_dtype[d], rows));
      EXPECT_EQ(run(k.argmin.by_dtype[d], rows), run(all[0].argmin.by_dtype[d], rows));
      EXPECT_EQ(run(k.argmax.by_dtype[d], rows), run(all[0].argmax.by_dtype[d], rows));
      if constexpr (std::is_floating_point_v<T>) {
        EXPECT_EQ(run(k.sum_squares.by_dtype[d], rows), run(all[0].sum_squares.by_dtype[d], rows));
        const auto moments = [&](const cpu::ReduceKernels& table) {
          std::vector<double> numbers;
          for (const int64_t bits : run(table.moments.by_dtype[d], rows)) {
            numbers.push_back(std::bit_cast<double>(bits));
          }
          return numbers;
        };
        EXPECT_LE(distance(moments(k), moments(all[0])), 1e-12);
      }
    }
  }
}

TEST(ReduceKernels, OfEveryInstructionSetAgree) {
  for (const int64_t items : {1, 7, 16, 53}) {
    for (const int64_t n : {1, 6, 17, 40, 64}) {
      expect_same_kernels<int8_t>(items, n);
      expect_same_kernels<int64_t>(items, n);
      expect_same_kernels<float>(items, n);
      expect_same_kernels<double>(items, n);
    }
  }
}

}  // namespace
}  // namespace th::test
