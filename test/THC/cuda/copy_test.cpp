#include "cuda/copy.h"

#include "THC/support/devices.h"
#include "cuda/offsets.h"

namespace thc::test {
namespace {

using Copy = OnDevices;

TEST_F(Copy, EveryPairOfTypesConvertsAsOnTheCpu) {
  std::mt19937 rng(11);
  for (int from = 0; from < TH_NUM_DTYPES; ++from) {
    std::vector<double> numbers{0, 1, -1, 100.75, -100.75, 127, 3, -7};
    const Tensor host = th::test::from(from, {8}, numbers);
    for (int to = 0; to < TH_NUM_DTYPES; ++to) {
      Tensor expected = th::test::make(to, {8});
      th::copy(expected, host);
      for (Layout layout : {Layout::Compact, Layout::Spread}) {
        const Tensor x = upload(host, layout);
        Tensor r = on_device(to, {8}, layout);
        th::copy(r, x);
        EXPECT_EQ(th::test::values(download(r)), th::test::values(expected))
            << class_name(from) << " to " << class_name(to);
      }
    }
  }
}

TEST_F(Copy, AnyLayoutOnEitherSideOfEitherDirection) {
  std::mt19937 rng(11);
  const Sizes sizes{3, 4, 5};
  for (Layout a : th::test::kLayouts) {
    const Tensor host = th::test::random(TH_FLOAT, sizes, rng, a);
    for (Layout b : th::test::kLayouts) {
      Tensor x = on_device(TH_FLOAT, sizes, b);
      th::copy(x, host);
      Tensor y = on_device(TH_DOUBLE, sizes, a, another_device());
      th::copy(y, x);
      Tensor back = th::test::make(TH_FLOAT, sizes, b);
      th::copy(back, y);
      EXPECT_EQ(th::test::values(back), th::test::values(host));
    }
  }
}

TEST_F(Copy, ShapesMayDifferCountsMayNot) {
  const Tensor host = th::test::from(TH_INT, {2, 3}, {1, 2, 3, 4, 5, 6});
  Tensor x = on_device(TH_INT, {3, 2}, Layout::Transposed);
  th::copy(x, host);
  EXPECT_EQ(th::test::values(download(x)), th::test::values(host));
  Tensor y = on_device(TH_INT, {7});
  EXPECT_NE(error_of(TH_copy(&y, &x)).find("sizes do not match"), std::string::npos);
  EXPECT_NE(error_of(THC_copyAsync(&y, &x)).find("sizes do not match"), std::string::npos);
}

TEST_F(Copy, OverlappingPiecesOfOneStorageKeepTheirElements) {
  std::vector<double> numbers(100);
  for (size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<double>(i);
  }
  Tensor all = upload(th::test::from(TH_FLOAT, {100}, numbers));
  Tensor first;
  Tensor second;
  narrow(first, all, 0, 0, 90);
  narrow(second, all, 0, 10, 90);
  th::copy(second, first);
  EXPECT_EQ(th::test::values(download(second)),
            std::vector<double>(numbers.begin(), numbers.begin() + 90));
}

TEST_F(Copy, ASquareMatrixCanBeTransposedInPlace) {
  Tensor x = upload(th::test::from(TH_INT, {2, 2}, {1, 2, 3, 4}));
  Tensor t;
  transpose(t, x, 0, 1);
  th::copy(x, t);
  EXPECT_EQ(th::test::values(download(x)), (std::vector<double>{1, 3, 2, 4}));
}

// Tiles are 32 x 32: sizes around that, other dimensions outside, between and within.
TEST_F(Copy, PermutedTensorsMoveByTiles) {
  std::mt19937 rng(5);
  for (int dtype : {TH_BYTE, TH_HALF, TH_INT, TH_DOUBLE}) {
    for (const Sizes& sizes :
         {Sizes{31, 33}, Sizes{64, 17}, Sizes{2, 40, 3, 35}, Sizes{20, 1, 70}}) {
      const Tensor host = th::test::random(dtype, sizes, rng);
      const Tensor x = upload(host);
      for (int a = 0; a < x.ndim; ++a) {
        for (int b = a + 1; b < x.ndim; ++b) {
          Tensor there;
          Tensor expected;
          transpose(there, x, a, b);
          transpose(expected, host, a, b);
          const Sizes turned(there.sizes, there.sizes + there.ndim);
          for (Layout layout : th::test::kLayouts) {
            Tensor r = on_device(dtype, turned, layout);
            th::copy(r, there);
            EXPECT_EQ(th::test::values(download(r)), th::test::values(expected))
                << class_name(dtype) << ' ' << th::shape(r) << ", dimensions " << a << " and " << b;
          }
        }
      }
    }
  }
}

TEST_F(Copy, FromPinnedMemoryWaits) {
  TH_StorageRef ref{};
  ASSERT_EQ(THC_PinnedStorage_new(&ref, TH_FLOAT, 64), TH_OK);
  Tensor host;
  init(host, TH_FLOAT, TH_CPU, 0);
  const int64_t length = 64;
  set_storage(host, ref.store, 0, std::span(&length, 1), {});
  TH_StorageRef_release(&ref);
  Tensor x = on_device(TH_FLOAT, {64});
  TH_fill(&host, 1);
  th::copy(x, host);
  TH_fill(&host, 2);  // allowed: the copy has passed
  EXPECT_EQ(th::test::values(download(x)), std::vector<double>(64, 1));
  copy_async(x, host);
  THC_synchronize(0);
  TH_fill(&host, 0);
  copy_async(host, x);
  THC_synchronize(0);
  EXPECT_EQ(th::test::values(host), std::vector<double>(64, 2));
}

TEST_F(Copy, FillingTakesAnyTypeLayoutAndNumber) {
  for (int dtype = 0; dtype < TH_NUM_DTYPES; ++dtype) {
    for (Layout layout : th::test::kLayouts) {
      for (double value : {0.0, 1.0, 3.7, -1.0}) {
        Tensor expected = th::test::make(dtype, {5, 3});
        TH_fill(&expected, value);
        Tensor x = on_device(dtype, {5, 3}, layout);
        ASSERT_EQ(TH_fill(&x, value), TH_OK);
        EXPECT_EQ(th::test::values(download(x)), th::test::values(expected))
            << class_name(dtype) << " " << value;
      }
    }
  }
}

TEST_F(Copy, StoragesAreCopiedFilledAndGrown) {
  TH_StorageRef a{};
  TH_StorageRef b{};
  ASSERT_EQ(TH_Storage_new(&a, TH_FLOAT, TH_CUDA, 0, 10), TH_OK);
  ASSERT_EQ(TH_Storage_fill(&a, 4), TH_OK);
  ASSERT_EQ(TH_Storage_resize(&a, 1000), TH_OK);
  ASSERT_EQ(TH_Storage_resize(&a, 10), TH_OK);
  ASSERT_EQ(TH_Storage_new(&b, TH_DOUBLE, TH_CPU, 0, 10), TH_OK);
  ASSERT_EQ(TH_Storage_copy(&b, &a), TH_OK);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(b.store->double_data[i], 4);
  }
  TH_StorageRef_release(&a);
  TH_StorageRef_release(&b);
}

TEST_F(Copy, OneElementIsReadAndWritten) {
  Tensor x = on_device(TH_HALF, {2, 2});
  TH_fill(&x, 0);
  const int64_t at[] = {1, 0};
  ASSERT_EQ(TH_put(&x, at, 1.5), TH_OK);
  double value = 0;
  ASSERT_EQ(TH_get(&value, &x, at), TH_OK);
  EXPECT_EQ(value, 1.5);
  EXPECT_EQ(th::test::values(download(x)), (std::vector<double>{0, 0, 1.5, 0}));
}

TEST(DivisorTest, DividesAsTheMachineDoes) {
  std::mt19937 rng(2);
  for (uint32_t d : {1u, 2u, 3u, 7u, 10u, 641u, 65535u, 65536u, 0x3fffffffu, 0x7fffffffu}) {
    const Divisor divisor(d);
    for (uint32_t n : {0u, 1u, d - 1, d, d + 1, 0x7ffffffeu, 0x7fffffffu}) {
      if (n <= 0x7fffffffu) {
        ASSERT_EQ(divisor.divide(n), n / d) << n << " / " << d;
      }
    }
    for (int i = 0; i < 1000; ++i) {
      const uint32_t n = rng() & 0x7fffffff;
      ASSERT_EQ(divisor.divide(n), n / d) << n << " / " << d;
    }
  }
}

TEST(LayoutTest, WideAndNarrowDivisionsAgree) {
  const int64_t sizes[] = {4, 1, 6, 5};
  const int64_t strides[] = {100, 77, 1, 13};
  const thc::OffsetCalculator narrow_layout(4, sizes, strides);
  thc::OffsetCalculator wide = narrow_layout;
  wide.wide = true;
  for (int64_t i = 0; i < 120; ++i) {
    const int64_t expected = i / 30 * 100 + i % 30 / 5 * 1 + i % 5 * 13;
    EXPECT_EQ(narrow_layout.offset(i), expected);
    EXPECT_EQ(wide.offset(i), expected);
  }
}

/// The bits of a tensor's elements, of type U.
template <class U>
std::vector<U> bits_of(const TH_Tensor& t) {
  const U* first = reinterpret_cast<const U*>(th::bytes(t));
  return {first, first + numel(t)};
}

/// `from` as `dtype`, converted on a device, which has instructions of its own for it.
Tensor converted_there(const TH_Tensor& from, int dtype) {
  Tensor there = on_device(dtype, th::test::sizes(from));
  th::copy(there, upload(from));
  return download(there);
}
Tensor converted_here(const TH_Tensor& from, int dtype) {
  Tensor here = th::test::make(dtype, th::test::sizes(from));
  th::copy(here, from);
  return here;
}

TEST_F(Copy, SixteenBitTypesAreConvertedToTheHostsBits) {
  for (const int dtype : {TH_HALF, TH_BFLOAT16}) {
    Tensor all = th::test::make(dtype, {65536});
    auto* bits = reinterpret_cast<uint16_t*>(th::bytes(all));
    for (int64_t i = 0; i < 65536; ++i) {
      bits[i] = static_cast<uint16_t>(i);
    }
    EXPECT_EQ(bits_of<uint32_t>(converted_there(all, TH_FLOAT)),
              bits_of<uint32_t>(converted_here(all, TH_FLOAT)));
    // Every sign, exponent and upper mantissa, around the places where rounding changes.
    for (const uint32_t low :
         {0u, 1u, 0xfffu, 0x1000u, 0x1001u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
      Tensor floats = th::test::make(TH_FLOAT, {65536});
      auto* words = reinterpret_cast<uint32_t*>(th::bytes(floats));
      for (uint32_t i = 0; i < 65536; ++i) {
        words[i] = i << 16 | low;
      }
      EXPECT_EQ(bits_of<uint16_t>(converted_there(floats, dtype)),
                bits_of<uint16_t>(converted_here(floats, dtype)))
          << low;
    }
  }
}

}  // namespace
}  // namespace thc::test
