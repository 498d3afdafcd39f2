// Running sums and products against a loop.
#include <gtest/gtest.h>

#include "TH/support/tensors.h"

namespace th::test {
namespace {

using Scan = int (*)(TH_Tensor*, const TH_Tensor*, int);

/// The running total along dim: exact for integers (they wrap in 64 bits), long double otherwise.
template <class T>
std::vector<T> scanned(const TH_Tensor& x, int dim, bool product) {
  std::vector<int64_t> offsets;
  each_offset(x, [&](int64_t offset) { offsets.push_back(offset); });
  int64_t inner = 1;
  for (int d = dim + 1; d < x.ndim; ++d) {
    inner *= x.sizes[d];
  }
  using Total = std::conditional_t<std::is_integral_v<T>, uint64_t, long double>;
  std::vector<Total> totals(offsets.size());
  std::vector<T> result(offsets.size());
  for (size_t i = 0; i < offsets.size(); ++i) {
    const T element = static_cast<const T*>(x.store->data)[offsets[i]];
    const auto number = static_cast<Total>(
        convert<std::conditional_t<std::is_integral_v<T>, int64_t, double>>(element));
    const bool first = static_cast<int64_t>(i) / inner % x.sizes[dim] == 0;
    const Total before = first ? Total(product) : totals[i - static_cast<size_t>(inner)];
    totals[i] = product ? before * number : before + number;
    if constexpr (std::is_integral_v<T>) {
      result[i] = static_cast<T>(totals[i]);
    } else {
      result[i] = convert<T>(static_cast<double>(totals[i]));
    }
  }
  return result;
}

void expect_scan(const TH_Tensor& x, int dim, bool product) {
  const Scan scan = product ? TH_cumprod : TH_cumsum;
  Tensor r = empty(x.dtype);
  ASSERT_EQ(scan(&r, &x, dim), TH_OK) << TH_lastError();
  ASSERT_EQ(sizes(r), sizes(x));
  AllTypes::dispatch(x.dtype, [&]<class T>() {
    const std::vector<T> want = scanned<T>(x, dim, product);
    for (size_t i = 0; i < want.size(); ++i) {
      if constexpr (std::is_integral_v<T>) {
        ASSERT_EQ(data<T>(r)[i], want[i]) << i;
      } else {
        // One rounding to the type; totals are in double, half types go through float.
        ASSERT_LE(distance({convert<double>(data<T>(r)[i])}, {convert<double>(want[i])}),
                  2.1 * precision(x.dtype) + 1e-13)
            << (product ? "cumprod" : "cumsum") << " of " << type_name(x) << ' ' << shape(x)
            << " over dimension " << dim + 1 << ", element " << i;
      }
    }
  });
}

TEST(Scan, AgreesWithALoopForEveryTypeShapeAndLayout) {
  std::mt19937 rng(1);
  for (int dtype = 0; dtype < TH_NUM_DTYPES; ++dtype) {
    for (const Sizes& shape :
         {Sizes{1}, Sizes{13}, Sizes{3, 5}, Sizes{6, 1}, Sizes{4, 3, 5}, Sizes{7, 600}}) {
      for (const Layout layout : kLayouts) {
        const Tensor x = random(dtype, shape, rng, layout);
        for (int dim = 0; dim < x.ndim; ++dim) {
          expect_scan(x, dim, false);
          expect_scan(x, dim, true);
        }
      }
    }
  }
}

TEST(Scan, OfLargeTensorsWithAnyNumberOfThreads) {
  std::mt19937 rng(2);
  const int before = TH_getNumThreads();
  for (const int threads : {1, 2, 3}) {
    TH_setNumThreads(threads);
    for (const Sizes& shape : {Sizes{90003}, Sizes{2, 70001}, Sizes{900, 90}, Sizes{90, 900}}) {
      for (const int dtype : {TH_INT, TH_HALF, TH_FLOAT, TH_DOUBLE}) {
        const Tensor x = random(dtype, shape, rng);
        for (int dim = 0; dim < x.ndim; ++dim) {
          expect_scan(x, dim, false);
        }
      }
    }
  }
  TH_setNumThreads(before);
}

TEST(Scan, IntegersWrap) {
  const Tensor x = from(TH_BYTE, {3}, {200, 100, 3});
  Tensor r = empty(TH_BYTE);
  ASSERT_EQ(TH_cumsum(&r, &x, 0), TH_OK);
  EXPECT_EQ(values(r), (std::vector<double>{200, 44, 47}));
  ASSERT_EQ(TH_cumprod(&r, &x, 0), TH_OK);
  EXPECT_EQ(values(r), (std::vector<double>{200, 32, 96}));
}

TEST(Scan, ResultMayBeTheInput) {
  for (const int dtype : {TH_INT, TH_BFLOAT16, TH_FLOAT}) {
    for (const Layout layout : kLayouts) {
      Tensor x = from(dtype, {2, 3}, {1, 2, 3, 4, 5, 6}, layout);
      ASSERT_EQ(TH_cumsum(&x, &x, 1), TH_OK) << TH_lastError();
      EXPECT_EQ(values(x), (std::vector<double>{1, 3, 6, 4, 9, 15}));
      ASSERT_EQ(TH_cumprod(&x, &x, 0), TH_OK);
      EXPECT_EQ(values(x), (std::vector<double>{1, 3, 6, 4, 27, 90}));
    }
  }
  // Shifted by one element.
  const Tensor whole = from(TH_FLOAT, {5}, {1, 2, 3, 4, 5});
  Tensor head = empty(TH_FLOAT);
  Tensor tail = empty(TH_FLOAT);
  narrow(head, whole, 0, 0, 4);
  narrow(tail, whole, 0, 1, 4);
  ASSERT_EQ(TH_cumsum(&tail, &head, 0), TH_OK);
  EXPECT_EQ(values(whole), (std::vector<double>{1, 1, 3, 6, 10}));
}

TEST(Scan, RefusesWhatItCannotDo) {
  const Tensor x = from(TH_FLOAT, {2}, {1, 2});
  Tensor r = from(TH_FLOAT, {1}, {7});
  EXPECT_EQ(TH_cumsum(&r, &x, 1), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "cumsum: dimension 2 out of range of 1D tensor (2)");
  const Tensor nothing = empty(TH_FLOAT);
  EXPECT_EQ(TH_cumprod(&r, &nothing, 0), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "cumprod: the tensor is empty");
  Tensor wrong = empty(TH_DOUBLE);
  EXPECT_EQ(TH_cumsum(&wrong, &x, 0), TH_ERROR);
  EXPECT_STREQ(
      TH_lastError(),
      "cumsum: types differ: DoubleTensor and FloatTensor; convert one, as in x:typeAs(y)");
  EXPECT_EQ(values(r), std::vector<double>{7});
}

}  // namespace
}  // namespace th::test
