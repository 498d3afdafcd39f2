#include "THC/support/compare.h"

namespace thc::test {
namespace {

using BatchNorm = AgainstCpu;
using th::test::empty;

const Sizes kShapes[] = {{7, 5},       {2, 1},        {300, 3},      {4, 3, 6},
                         {2, 4, 5, 7}, {1, 2, 9, 31}, {3, 2, 40, 61}};

Tensor positive(Tensor t) {
  std::vector<double> numbers = th::test::values(t);
  for (double& x : numbers) {
    x = std::abs(x) + 0.5;
  }
  th::test::assign(t, numbers);
  return t;
}

/// Sums of a few hundred terms, then a division by a root.
double tolerance(int dtype) { return (is_half(dtype) ? 8 : 64) * th::test::precision(dtype); }

TEST_F(BatchNorm, NormalisesAsTheCpuDoes) {
  for (const Sizes& sizes : kShapes) {
    for (int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
      for (const bool train : {true, false}) {
        const Layout layout = draw_layout();
        SCOPED_TRACE(describe("batch_norm", dtype, sizes, layout));
        const Sizes planes{sizes[1]};
        const auto numbers = [&] { return draw_tensor(dtype, planes); };
        expect_agreement(list(empty(dtype), numbers(), numbers(), draw_tensor(dtype, sizes),
                              numbers(), numbers(), numbers(), positive(numbers())),
                         layout, tolerance(dtype),
                         THC_CALL(TH_batch_norm(&t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6],
                                                &t[7], train, 0.25, 1e-3)));
        expect_agreement(list(draw_tensor(dtype, sizes), numbers(), positive(numbers())), layout,
                         tolerance(dtype), [=](std::vector<Tensor>& t, Numbers&) {
                           Tensor mean = Tensor::like(t[0], dtype, planes);
                           Tensor std = Tensor::like(t[0], dtype, planes);
                           return TH_batch_norm(&t[0], &mean, &std, &t[0], nullptr, nullptr, &t[1],
                                                &t[2], train, 0.1, 1e-3);
                         });
      }
    }
  }
}

TEST_F(BatchNorm, GradientsAsTheCpuDoes) {
  for (const Sizes& sizes : kShapes) {
    for (int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
      for (const bool train : {true, false}) {
        const Layout layout = draw_layout();
        SCOPED_TRACE(describe("batch_norm_backward", dtype, sizes, layout));
        const auto numbers = [&] { return draw_tensor(dtype, Sizes{sizes[1]}); };
        const auto operands = [&] {
          return list(empty(dtype), numbers(), numbers(), draw_tensor(dtype, sizes),
                      draw_tensor(dtype, sizes), numbers(), numbers(), positive(numbers()),
                      numbers(), positive(numbers()));
        };
        for (const bool input : {true, false}) {
          for (const bool affine : {true, false}) {
            expect_agreement(operands(), layout, tolerance(dtype),
                             THC_CALL(TH_batch_norm_backward(
                                 input ? &t[0] : nullptr, affine ? &t[1] : nullptr,
                                 affine ? &t[2] : nullptr, &t[3], &t[4], affine ? &t[5] : nullptr,
                                 &t[6], &t[7], &t[8], &t[9], train, 1e-3, 0.5)));
          }
        }
      }
    }
  }
}

TEST_F(BatchNorm, MistakesAreRefusedInTheCpusWords) {
  const std::vector<Tensor> t =
      list(draw_tensor(TH_FLOAT, {1, 3}), draw_tensor(TH_FLOAT, {3}), draw_tensor(TH_FLOAT, {3}),
           draw_tensor(TH_FLOAT, {4}), draw_tensor(TH_FLOAT, {4, 3}));
  const auto fails = [&](int x, int weight, int mean, bool train) {
    expect_refusal(t, Layout::Compact, 0,
                   THC_CALL(TH_batch_norm(&t[4], &t[1], &t[2], &t[x], &t[weight], nullptr, &t[mean],
                                          &t[2], train, 0.1, 1e-3)));
  };
  fails(0, 1, 1, true);  // one sample
  fails(1, 1, 1, false);
  fails(4, 3, 1, false);
  fails(4, 1, 3, false);
}

}  // namespace
}  // namespace thc::test
