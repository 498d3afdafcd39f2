// Products on a device against the CPU's.
#include "THC/support/compare.h"

namespace thc::test {
namespace {

using Blas = AgainstCpu;

constexpr int kTypes[] = {TH_BYTE, TH_CHAR,     TH_SHORT, TH_INT,   TH_LONG,
                          TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE};

/// Sums of k products of magnitude 1, on top of a result of magnitude 4.
double tolerance(int dtype, int64_t k) {
  const int computed = is_half(dtype) ? TH_FLOAT : dtype;
  return 4 * th::test::precision(computed) * static_cast<double>(k + 2) +
         (is_half(dtype) ? 8 * th::test::precision(dtype) : 0);
}

TEST_F(Blas, MatrixProductsOfAnyTypeLayoutAndFactor) {
  for (const int dtype : kTypes) {
    for (int round = 0; round < 12; ++round) {
      const int64_t m = draw(1, 70);
      const int64_t k = draw(1, 40);
      const int64_t n = round % 3 == 0 ? 1 : draw(1, 70);
      const auto beta = static_cast<double>(draw(0, 2));
      const auto alpha = static_cast<double>(draw(beta > 0 ? 0 : 1, 2));
      SCOPED_TRACE(describe("addmm", dtype, {m, k, n}, Layout::Compact));
      expect_agreement(list(draw_tensor(dtype, {m, n}), draw_tensor(dtype, {m, n}),
                            draw_tensor(dtype, {m, k}), draw_tensor(dtype, {k, n})),
                       draw_layout(), tolerance(dtype, k),
                       THC_CALL(TH_addmm(&t[0], beta, &t[1], alpha, &t[2], &t[3])));
    }
  }
}

TEST_F(Blas, OperandsOfDifferentLayoutsInOneProduct) {
  const int64_t m = 5;
  const int64_t k = 6;
  const int64_t n = 7;
  for (const int dtype : {TH_INT, TH_HALF, TH_FLOAT}) {
    const Tensor a = draw_tensor(dtype, {m, k});
    const Tensor b = draw_tensor(dtype, {k, n});
    Tensor wanted = th::test::empty(dtype);
    const Tensor start = th::test::from(dtype, {m, n}, std::vector<double>(m * n, 1));
    ASSERT_EQ(TH_addmm(&wanted, 2, &start, 3, &a, &b), TH_OK);
    for (const Layout la : th::test::kLayouts) {
      for (const Layout lb : th::test::kLayouts) {
        for (const Layout lr : th::test::kLayouts) {
          const Tensor x = upload(a, la);
          const Tensor y = upload(b, lb);
          Tensor r = upload(start, lr);
          ASSERT_EQ(TH_addmm(&r, 2, &r, 3, &x, &y), TH_OK) << TH_lastError();
          EXPECT_LE(th::test::distance(th::test::values(download(r)), th::test::values(wanted)),
                    tolerance(dtype, k))
              << static_cast<int>(la) << static_cast<int>(lb) << static_cast<int>(lr);
        }
      }
    }
  }
}

TEST_F(Blas, MatrixTimesVector) {
  for (const int dtype : kTypes) {
    for (int round = 0; round < 6; ++round) {
      const int64_t m = draw(1, 90);
      const int64_t n = draw(1, 90);
      expect_agreement(list(draw_tensor(dtype, {m}), draw_tensor(dtype, {m}),
                            draw_tensor(dtype, {m, n}), draw_tensor(dtype, {n})),
                       draw_layout(), tolerance(dtype, n),
                       THC_CALL(TH_addmv(&t[0], 2, &t[1], 3, &t[2], &t[3])));
    }
  }
}

TEST_F(Blas, OuterProducts) {
  for (const int dtype : kTypes) {
    for (int round = 0; round < 6; ++round) {
      const int64_t m = draw(1, 70);
      const int64_t n = draw(1, 70);
      expect_agreement(list(draw_tensor(dtype, {m, n}), draw_tensor(dtype, {m, n}),
                            draw_tensor(dtype, {m}), draw_tensor(dtype, {n})),
                       draw_layout(), tolerance(dtype, 1),
                       THC_CALL(TH_addr(&t[0], 2, &t[1], 3, &t[2], &t[3])));
    }
  }
}

TEST_F(Blas, BatchesAndTheirSums) {
  for (const int dtype : kTypes) {
    for (int round = 0; round < 8; ++round) {
      const int64_t batches = draw(1, 5);
      const int64_t m = draw(1, 20);
      const int64_t k = draw(1, 20);
      const int64_t n = draw(1, 20);
      const Layout layout = draw_layout();
      const Tensor a = draw_tensor(dtype, {batches, m, k});
      const Tensor b = draw_tensor(dtype, {batches, k, n});
      SCOPED_TRACE(describe("baddbmm", dtype, {batches, m, k, n}, layout));
      expect_agreement(list(draw_tensor(dtype, {batches, m, n}),
                            draw_tensor(dtype, {batches, m, n}), copy_of(a), copy_of(b)),
                       layout, tolerance(dtype, k),
                       THC_CALL(TH_baddbmm(&t[0], 2, &t[1], 3, &t[2], &t[3])));
      expect_agreement(
          list(draw_tensor(dtype, {m, n}), draw_tensor(dtype, {m, n}), copy_of(a), copy_of(b)),
          layout, tolerance(dtype, batches * k),
          THC_CALL(TH_addbmm(&t[0], 2, &t[1], 3, &t[2], &t[3])));
    }
  }
}

TEST_F(Blas, AnExpandedBatchIsReadAsOften) {
  const Tensor a = draw_tensor(TH_FLOAT, {1, 3, 4});
  const Tensor b = draw_tensor(TH_FLOAT, {5, 4, 2});
  expect_agreement(
      list(th::test::empty(TH_FLOAT), copy_of(a), copy_of(b), th::test::empty(TH_FLOAT)),
      Layout::Compact, tolerance(TH_FLOAT, 20), [](std::vector<Tensor>& t, Numbers&) {
        const int64_t sizes[] = {5, 3, 4};
        Tensor wide;
        expand(wide, t[1], sizes);
        resize(t[0], {std::initializer_list<int64_t>{5, 3, 2}.begin(), 3});
        resize(t[3], {std::initializer_list<int64_t>{3, 2}.begin(), 2});
        return std::max(TH_baddbmm(&t[0], 0, &t[0], 1, &wide, &t[2]),
                        TH_addbmm(&t[3], 0, &t[3], 1, &wide, &t[2]));
      });
}

TEST_F(Blas, WithoutBetaTheResultIsNotRead) {
  for (const int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
    for (const Layout layout : th::test::kLayouts) {
      // NaN in r, and in fresh memory that is poisoned.
      expect_agreement(
          list(th::test::from(dtype, {3, 4}, std::vector<double>(12, NAN)), th::test::empty(dtype),
               draw_tensor(dtype, {3, 5}), draw_tensor(dtype, {5, 4})),
          layout, tolerance(dtype, 5),
          THC_CALL(std::max(TH_addmm(&t[0], 0, &t[0], 1, &t[2], &t[3]),
                            TH_addmm(&t[1], 0, &t[0], 1, &t[2], &t[3]))));
    }
  }
}

TEST_F(Blas, TheResultMayBeAnOperandOrLieUnderOne) {
  for (const int dtype : {TH_LONG, TH_HALF, TH_DOUBLE}) {
    const auto square = [&] {
      return list(draw_tensor(dtype, {20, 20}), draw_tensor(dtype, {20, 20}));
    };
    expect_agreement(square(), draw_layout(), tolerance(dtype, 20),
                     THC_CALL(TH_addmm(&t[0], 1, &t[0], 2, &t[0], &t[1])));
    expect_agreement(square(), draw_layout(), tolerance(dtype, 20),
                     THC_CALL(TH_addmm(&t[0], 0, &t[0], 1, &t[1], &t[0])));
    expect_agreement(square(), Layout::Compact, tolerance(dtype, 20),
                     [](std::vector<Tensor>& t, Numbers&) {
                       Tensor turned;  // of the result's own elements
                       transpose(turned, t[0], 0, 1);
                       return TH_addmm(&t[0], 1, &turned, 1, &t[1], &t[1]);
                     });
  }
}

TEST_F(Blas, DotAccumulatesWidely) {
  for (const int dtype : kTypes) {
    for (const int64_t n : {1, 7, 300, 9000}) {
      const Layout layout = draw_layout();
      SCOPED_TRACE(describe("dot", dtype, {n}, layout));
      // Multiples of 1/256: doubles, and 64-bit integers, add them up exactly.
      expect_agreement(list(draw_tensor(dtype, {n}), draw_tensor(dtype, {n})), layout, 0,
                       [](std::vector<Tensor>& t, Numbers& numbers) {
                         numbers.push_back(0);
                         return TH_dot(&numbers.back(), &t[0], &t[1]);
                       });
    }
  }
}

TEST_F(Blas, DotOfNothingIsZero) {
  expect_agreement(list(th::test::empty(TH_FLOAT), th::test::empty(TH_FLOAT)), Layout::Compact, 0,
                   [](std::vector<Tensor>& t, Numbers& numbers) {
                     numbers.push_back(7);
                     return TH_dot(&numbers.back(), &t[0], &t[1]);
                   });
}

TEST_F(Blas, IntegersWrap) {
  const Tensor a = th::test::from(TH_BYTE, {1, 2}, {200, 100});
  const Tensor b = th::test::from(TH_BYTE, {2, 1}, {3, 5});
  expect_agreement(list(th::test::from(TH_BYTE, {1, 1}, {9}), copy_of(a), copy_of(b)),
                   Layout::Compact, 0, THC_CALL(TH_addmm(&t[0], 7, &t[0], 250, &t[1], &t[2])));
}

TEST_F(Blas, WhatDoesNotFitIsRefusedInTheCpusWords) {
  for (const int dtype : {TH_INT, TH_FLOAT}) {
    expect_refusal(list(draw_tensor(dtype, {2, 2}), draw_tensor(dtype, {2, 3}),
                        draw_tensor(dtype, {2, 2}), draw_tensor(dtype, {4})),
                   Layout::Compact, 0, THC_CALL(TH_addmm(&t[0], 0, &t[0], 1, &t[1], &t[2])));
    expect_refusal(list(draw_tensor(dtype, {2, 2}), draw_tensor(dtype, {4})), Layout::Compact, 0,
                   THC_CALL(TH_addmv(&t[1], 0, &t[1], 1, &t[0], &t[1])));
    expect_refusal(list(draw_tensor(dtype, {3, 2, 2}), draw_tensor(dtype, {2, 2, 2})),
                   Layout::Compact, 0, THC_CALL(TH_baddbmm(&t[0], 0, &t[0], 1, &t[0], &t[1])));
    expect_refusal(list(draw_tensor(dtype, {2, 2}), draw_tensor(dtype, {4})), Layout::Compact, 0,
                   THC_CALL(TH_addr(&t[0], 0, &t[0], 1, &t[1], &t[1])));
    expect_refusal(list(draw_tensor(dtype, {2, 2}), draw_tensor(dtype, {3})), Layout::Compact, 0,
                   [](std::vector<Tensor>& t, Numbers& numbers) {
                     numbers.push_back(0);
                     return TH_dot(&numbers.back(), &t[0], &t[1]);
                   });
  }
  const Tensor a = upload(draw_tensor(TH_FLOAT, {2, 2}));
  const Tensor b = upload(draw_tensor(TH_DOUBLE, {2, 2}));
  const Tensor host = draw_tensor(TH_FLOAT, {2, 2});
  Tensor r = upload(host);
  EXPECT_NE(error_of(TH_addmm(&r, 0, &r, 1, &a, &b)).find("types differ"), std::string::npos);
  EXPECT_NE(error_of(TH_addmm(&r, 0, &r, 1, &a, &host)).find("different kinds of device"),
            std::string::npos);
  if (device_count() > 1) {
    const Tensor away = upload(host, Layout::Compact, 1);
    EXPECT_NE(error_of(TH_addmm(&r, 0, &r, 1, &a, &away)).find("devices 1 and 2"),
              std::string::npos);
  }
}

TEST_F(Blas, AProductWithoutRoomChangesNothing) {
  const Tensor host = draw_tensor(TH_DOUBLE, {700, 700});
  Tensor r = upload(host, Layout::Spread);  // needs a compact tensor for the result
  const Tensor a = upload(host);
  device_pool(0).set_limit(int64_t{64} << 20);
  const int64_t sizes[] = {700, 700};
  std::vector<Tensor> fillers(1);
  while (TH_new(&fillers.back(), TH_DOUBLE, TH_CUDA, 0, 2, sizes) == TH_OK) {
    fillers.emplace_back();
  }
  EXPECT_EQ(TH_addmm(&r, 1, &r, 1, &a, &a), TH_OUT_OF_MEMORY) << TH_lastError();
  fillers.clear();
  device_pool(0).set_limit(0);
  EXPECT_EQ(th::test::values(download(r)), th::test::values(host));
}

}  // namespace
}  // namespace thc::test
