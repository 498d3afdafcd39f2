#include "THC/support/compare.h"

namespace thc::test {
namespace {

using Linear = AgainstCpu;
using th::test::empty;
using th::test::precision;

constexpr int kTypes[] = {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE};

/// r, x, weight, bias
std::vector<Tensor> operands(int dtype, const Sizes& x, int64_t inputs, int64_t outputs,
                             std::mt19937& rng) {
  return list(empty(dtype), th::test::random(dtype, x, rng),
              th::test::random(dtype, {outputs, inputs}, rng),
              th::test::random(dtype, {outputs}, rng));
}

int with_bias(std::vector<Tensor>& t, Numbers&) { return TH_linear(&t[0], &t[1], &t[2], &t[3]); }
int without(std::vector<Tensor>& t, Numbers&) { return TH_linear(&t[0], &t[1], &t[2], nullptr); }

TEST_F(Linear, AgreesWithTheCpuInAnyLayout) {
  struct Case {
    Sizes x;
    int64_t inputs, outputs;
  };
  const Case cases[] = {{{4, 5}, 5, 3}, {{5}, 5, 3}, {{1, 5}, 5, 3}, {{4, 1}, 1, 3},
                        {{4, 5}, 5, 1}, {{1}, 1, 1}, {{1, 1}, 1, 1}, {{65, 130}, 130, 33}};
  for (int dtype : kTypes) {
    for (const Case& c : cases) {
      for (Layout layout : th::test::kLayouts) {
        SCOPED_TRACE(describe("linear", dtype, c.x, layout));
        const double allowed =
            2 * precision(dtype) +
            static_cast<double>(c.inputs) * precision(dtype == TH_DOUBLE ? dtype : TH_FLOAT);
        for (const Operation& operation : {Operation(with_bias), Operation(without)}) {
          expect_agreement(operands(dtype, c.x, c.inputs, c.outputs, rng_), layout, allowed,
                           operation);
        }
      }
    }
  }
}

TEST_F(Linear, AStrideOfZeroAndAResultOverAnOperand) {
  const Tensor row = upload(draw_tensor(TH_FLOAT, {1, 5}));
  Tensor rows;
  const int64_t sizes[] = {4, 5};
  expand(rows, row, sizes);
  const Tensor w = upload(draw_tensor(TH_FLOAT, {5, 5}));
  Tensor one = on_device(TH_FLOAT, {});
  Tensor four = on_device(TH_FLOAT, {});
  ASSERT_EQ(TH_linear(&one, &row, &w, nullptr), TH_OK) << TH_lastError();
  ASSERT_EQ(TH_linear(&four, &rows, &w, nullptr), TH_OK) << TH_lastError();
  const auto wanted = th::test::values(download(one));
  const auto got = th::test::values(download(four));
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_NEAR(got[i], wanted[i % 5], 1e-6);
  }
  for (int over : {1, 2, 3}) {
    expect_agreement(operands(TH_DOUBLE, {5, 5}, 5, 5, rng_), Layout::Compact, 1e-14,
                     THC_CALL(TH_linear(&t[over], &t[1], &t[2], &t[3])));
  }
}

TEST_F(Linear, Mistakes) {
  const auto agree = [&](Tensor x, Tensor w, Tensor b) {
    expect_refusal(
        list(th::test::from(TH_FLOAT, {2}, {1, 2}), std::move(x), std::move(w), std::move(b)),
        Layout::Compact, 0, with_bias);
  };
  const auto f = [&](const Sizes& s) { return draw_tensor(TH_FLOAT, s); };
  agree(f({4, 6}), f({3, 5}), f({3}));
  agree(f({4, 2, 5}), f({3, 5}), f({3}));
  agree(f({4, 5}), f({3, 5, 1}), f({3}));
  agree(f({4, 5}), f({3, 5}), f({4}));
  agree(draw_tensor(TH_DOUBLE, {4, 5}), f({3, 5}), f({3}));
  agree(draw_tensor(TH_INT, {4, 5}), draw_tensor(TH_INT, {3, 5}), draw_tensor(TH_INT, {3}));
}

}  // namespace
}  // namespace thc::test
