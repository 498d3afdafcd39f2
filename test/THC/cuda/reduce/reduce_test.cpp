#include "TH/cpu/slices.h"
#include "THC/support/compare.h"

namespace thc::test {
namespace {

using Reduce = AgainstCpu;
using th::test::empty;
using th::test::kNaN;

/// Everything becomes one number.
struct All {
  const char* name;
  std::function<int(double*, const TH_Tensor*)> run;
};

const All kAllRows[] = {
    {"sum", TH_sum_all},
    {"prod", TH_prod_all},
    {"min", TH_min_all},
    {"max", TH_max_all},
    {"mean", TH_mean_all},
    {"trace", TH_trace},
    {"var", [](double* v, const TH_Tensor* x) { return TH_var_all(v, x, false); }},
    {"biased var", [](double* v, const TH_Tensor* x) { return TH_var_all(v, x, true); }},
    {"std", [](double* v, const TH_Tensor* x) { return TH_std_all(v, x, false); }},
    {"norm 0", [](double* v, const TH_Tensor* x) { return TH_norm_all(v, x, 0); }},
    {"norm 1", [](double* v, const TH_Tensor* x) { return TH_norm_all(v, x, 1); }},
    {"norm 2", [](double* v, const TH_Tensor* x) { return TH_norm_all(v, x, 2); }},
    {"norm 3", [](double* v, const TH_Tensor* x) { return TH_norm_all(v, x, 3); }},
    {"norm inf", [](double* v, const TH_Tensor* x) { return TH_norm_all(v, x, INFINITY); }},
    {"norm -inf", [](double* v, const TH_Tensor* x) { return TH_norm_all(v, x, -INFINITY); }},
};

/// One dimension goes.
struct Dim {
  const char* name;
  std::function<int(TH_Tensor*, const TH_Tensor*, int)> run;
};

const Dim kDimRows[] = {
    {"sum", TH_sum},
    {"prod", TH_prod},
    {"mean", TH_mean},
    {"var", [](TH_Tensor* r, const TH_Tensor* x, int d) { return TH_var(r, x, d, false); }},
    {"std", [](TH_Tensor* r, const TH_Tensor* x, int d) { return TH_std(r, x, d, true); }},
    {"norm 0", [](TH_Tensor* r, const TH_Tensor* x, int d) { return TH_norm(r, x, 0, d); }},
    {"norm 1", [](TH_Tensor* r, const TH_Tensor* x, int d) { return TH_norm(r, x, 1, d); }},
    {"norm 2", [](TH_Tensor* r, const TH_Tensor* x, int d) { return TH_norm(r, x, 2, d); }},
    {"norm 1.5", [](TH_Tensor* r, const TH_Tensor* x, int d) { return TH_norm(r, x, 1.5, d); }},
    {"norm inf",
     [](TH_Tensor* r, const TH_Tensor* x, int d) { return TH_norm(r, x, INFINITY, d); }},
};

Operation whole(const All& row) {
  return [&row](std::vector<Tensor>& t, Numbers& numbers) {
    double value = 0;
    const int status = row.run(&value, &t[0]);
    numbers.push_back(value);
    return status;
  };
}

Operation along(const Dim& row, int dim) {
  return [&row, dim](std::vector<Tensor>& t, Numbers&) { return row.run(&t[0], &t[1], dim); };
}

double tolerance(int dtype) { return std::max(2 * th::test::precision(dtype), 1e-14); }

TEST_F(Reduce, EverythingToOneNumber) {
  for (const All& row : kAllRows) {
    for (int dtype = 0; dtype < TH_NUM_DTYPES; ++dtype) {
      const Layout layout = draw_layout();
      const Sizes sizes = std::string(row.name) == "trace" ? Sizes{6, 9} : draw_sizes(4, 9);
      SCOPED_TRACE(describe(row.name, dtype, sizes, layout));
      expect_same_answer(list(draw_tensor(dtype, sizes)), layout, 1e-13, whole(row));
      expect_same_answer(list(empty(dtype)), Layout::Compact, 0, whole(row));
    }
  }
}

TEST_F(Reduce, AlongEveryDimension) {
  for (const Dim& row : kDimRows) {
    for (int dtype = 0; dtype < TH_NUM_DTYPES; ++dtype) {
      const Layout layout = draw_layout();
      const Sizes sizes = draw_sizes(4, 9);
      SCOPED_TRACE(describe(row.name, dtype, sizes, layout));
      for (int dim = 0; dim <= static_cast<int>(sizes.size()); ++dim) {  // the last one: an error
        expect_same_answer(list(empty(dtype), draw_tensor(dtype, sizes)), layout, tolerance(dtype),
                           along(row, dim));
      }
      Sizes reduced = sizes;
      reduced[0] = 1;
      expect_same_answer(list(draw_tensor(dtype, reduced), draw_tensor(dtype, sizes)), layout,
                         tolerance(dtype), along(row, 0));
    }
  }
}

// Long enough for several blocks or threads per result.
TEST_F(Reduce, LongAndWideOnes) {
  for (int dtype : {TH_BYTE, TH_LONG, TH_HALF, TH_FLOAT, TH_DOUBLE}) {
    for (const Sizes& sizes : {Sizes{20000}, Sizes{3, 9000}, Sizes{2000, 40}, Sizes{200, 70}}) {
      for (Layout layout : {Layout::Compact, Layout::Transposed}) {
        for (const Dim& row : kDimRows) {
          if (std::string(row.name) == "prod" || std::string(row.name) == "norm 1.5") {
            continue;
          }
          SCOPED_TRACE(describe(row.name, dtype, sizes, layout));
          const auto dim = static_cast<int>(draw(0, static_cast<int64_t>(sizes.size()) - 1));
          expect_same_answer(list(empty(dtype), draw_tensor(dtype, sizes)), layout,
                             tolerance(dtype), along(row, dim));
        }
        for (const All& row : kAllRows) {
          SCOPED_TRACE(describe(row.name, dtype, sizes, layout));
          Tensor x = draw_tensor(dtype, sizes);
          if (std::string(row.name) == "prod") {
            TH_fill(&x, 1);  // others go to zero or infinity
            const int64_t last[TH_MAX_DIMS] = {sizes[0] - 1};
            TH_put(&x, last, 3);
          }
          expect_same_answer(list(std::move(x)), layout, 1e-12, whole(row));
        }
      }
    }
  }
}

TEST_F(Reduce, VarianceDoesNotCancel) {
  Tensor x = th::test::from(TH_DOUBLE, {4}, {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16});
  Tensor d = upload(x);
  double variance = 0;
  ASSERT_EQ(TH_var_all(&variance, &d, false), TH_OK);
  EXPECT_EQ(variance, 30);
}

TEST_F(Reduce, ExtremesAndTheirPositions) {
  for (int round = 0; round < 120; ++round) {
    const int dtype = round % TH_NUM_DTYPES;
    const Layout layout = draw_layout();
    const Sizes sizes = round % 10 == 0 ? Sizes{draw(1, 4), draw(500, 9000)} : draw_sizes(4, 12);
    const auto dim = static_cast<int>(draw(0, static_cast<int64_t>(sizes.size())));
    SCOPED_TRACE(describe("min and max", dtype, sizes, layout));
    Tensor x = draw_tensor(dtype, sizes);  // many equal elements
    if (is_floating(dtype) && draw(0, 2) == 0) {
      std::vector<double> numbers = th::test::values(x);
      for (int i = 0; i < 3; ++i) {
        numbers[static_cast<size_t>(draw(0, numel(x) - 1))] = kNaN;
        numbers[static_cast<size_t>(draw(0, numel(x) - 1))] = -INFINITY;
      }
      th::test::assign(x, numbers);
    }
    const std::vector<Tensor> t = list(empty(dtype), empty(TH_LONG), std::move(x));
    expect_same_answer(t, layout, 0, THC_CALL(TH_min(&t[0], &t[1], &t[2], dim)));
    expect_same_answer(t, layout, 0, THC_CALL(TH_max(&t[0], &t[1], &t[2], dim)));
  }
}

TEST_F(Reduce, ResultsMayBeOperands) {
  const Sizes sizes{5, 6};
  expect_same_answer(list(draw_tensor(TH_FLOAT, sizes)), Layout::Compact, 1e-6,
                     THC_CALL(TH_sum(&t[0], &t[0], 1)));
  expect_same_answer(list(empty(TH_LONG), draw_tensor(TH_LONG, sizes)), Layout::Narrowed, 0,
                     THC_CALL(TH_max(&t[1], &t[0], &t[1], 0)));
  expect_same_answer(list(empty(TH_LONG), draw_tensor(TH_LONG, sizes)), Layout::Compact, 0,
                     THC_CALL(TH_max(&t[1], &t[1], &t[1], 0)));
  expect_same_answer(list(empty(TH_FLOAT), empty(TH_FLOAT), draw_tensor(TH_FLOAT, sizes)),
                     Layout::Compact, 0, THC_CALL(TH_max(&t[0], &t[1], &t[2], 0)));
}

TEST_F(Reduce, DistanceAndEquality) {
  for (int dtype = 0; dtype < TH_NUM_DTYPES; ++dtype) {
    for (Layout layout : th::test::kLayouts) {
      SCOPED_TRACE(describe("dist", dtype, {30, 7}, layout));
      const std::vector<Tensor> t = list(draw_tensor(dtype, {30, 7}), draw_tensor(dtype, {30, 7}),
                                         draw_tensor(dtype, {7, 30}));
      for (double p : {0.0, 1.0, 2.0, 2.5, double{INFINITY}}) {
        expect_same_answer(t, layout, 1e-13, [p](std::vector<Tensor>& t, Numbers& numbers) {
          numbers.resize(2);
          return TH_dist(&numbers[0], &t[0], &t[1], p) + TH_dist(&numbers[1], &t[0], &t[2], p);
        });
      }
      expect_same_answer(t, layout, 0, [](std::vector<Tensor>& t, Numbers& numbers) {
        bool same[4] = {};
        const int status = TH_equal(&same[0], &t[0], &t[0]) + TH_equal(&same[1], &t[0], &t[1]) +
                           TH_equal(&same[2], &t[0], &t[2]);
        const int64_t last[] = {29, 6};
        TH_copy(&t[1], &t[0]);
        TH_put(&t[1], last, 100);
        const int again = TH_equal(&same[3], &t[1], &t[0]);
        numbers.assign(same, same + 4);
        return status + again;
      });
    }
  }
  const Tensor nan = th::test::from(TH_FLOAT, {2}, {1, kNaN});
  bool same = true;
  const Tensor d = upload(nan);
  ASSERT_EQ(TH_equal(&same, &d, &d), TH_OK);
  EXPECT_FALSE(same);
}

TEST_F(Reduce, AllAndAny) {
  for (const std::vector<double>& bytes :
       {std::vector<double>{0, 0, 0}, {0, 1, 0}, {1, 1, 7}, {255, 255, 255}}) {
    expect_same_answer(list(th::test::from(TH_BYTE, {3}, bytes)), Layout::Spread, 0,
                       [](std::vector<Tensor>& t, Numbers& numbers) {
                         bool all = false;
                         bool any = false;
                         const int status = TH_all(&all, &t[0]) + TH_any(&any, &t[0]);
                         numbers.assign({all ? 1.0 : 0.0, any ? 1.0 : 0.0});
                         return status;
                       });
  }
  bool value = false;
  for (int dtype : {TH_INT, TH_BYTE}) {
    expect_same_answer(list(empty(dtype)), Layout::Compact, 0,
                       [&](std::vector<Tensor>& t, Numbers& n) {
                         const int status = TH_all(&value, &t[0]);
                         n.assign({value ? 1.0 : 0.0});
                         return status;
                       });
  }
}

TEST_F(Reduce, ASumIsTheSameNumberEveryTime) {
  Tensor x = th::test::make(TH_FLOAT, {100000});
  std::vector<double> numbers(100000);
  std::normal_distribution<float> normal;
  for (double& each : numbers) {
    each = normal(rng_);
  }
  th::test::assign(x, numbers);
  double first = 0;
  for (int turn = 0; turn < 3; ++turn) {
    const Tensor d = upload(x, Layout::Compact, turn % device_count());
    double sum = 0;
    ASSERT_EQ(TH_sum_all(&sum, &d), TH_OK);
    first = turn == 0 ? sum : first;
    EXPECT_EQ(sum, first);
  }
}

}  // namespace
}  // namespace thc::test
