#include "THC/support/compare.h"

namespace thc::test {
namespace {

using Convolve = AgainstCpu;
using Call = int (*)(TH_Tensor*, const TH_Tensor*, const TH_Tensor*, bool);

constexpr int kTypes[] = {TH_BYTE, TH_CHAR,     TH_SHORT, TH_INT,   TH_LONG,
                          TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE};

TEST_F(Convolve, AllFormsOfAnyTypeAndLayout) {
  for (const int rank : {2, 3}) {
    for (const Call call : rank == 2 ? std::vector<Call>{TH_conv2, TH_xcorr2}
                                     : std::vector<Call>{TH_conv3, TH_xcorr3}) {
      for (const int dtype : kTypes) {
        for (int form = 0; form < 3; ++form) {  // one plane, a kernel for each, a bank of kernels
          Sizes in(static_cast<size_t>(rank));
          Sizes taps(static_cast<size_t>(rank));
          for (size_t d = 0; d < in.size(); ++d) {
            taps[d] = draw(1, 4);
            in[d] = taps[d] + draw(0, 5);
          }
          if (form > 0) {
            const int64_t planes = draw(1, 3);
            in.insert(in.begin(), planes);
            taps.insert(taps.begin(), planes);
          }
          if (form == 2) {
            taps.insert(taps.begin(), draw(1, 3));
          }
          const Layout layout = draw_layout();
          SCOPED_TRACE(describe("a convolution", dtype, taps, layout));
          for (const bool full : {false, true}) {
            // Sums of up to 192 products of magnitude 1.
            expect_agreement(
                list(th::test::empty(dtype), draw_tensor(dtype, in), draw_tensor(dtype, taps)),
                layout,
                200 * th::test::precision(compute_dtype(dtype)) + th::test::precision(dtype),
                THC_CALL(call(&t[0], &t[1], &t[2], full)));
          }
        }
      }
    }
  }
}

TEST_F(Convolve, AKernelLargerThanTheInputOverlapsInFull) {
  const auto operands = [&] {
    return list(th::test::empty(TH_FLOAT), draw_tensor(TH_FLOAT, {2, 3}),
                draw_tensor(TH_FLOAT, {4, 5}), draw_tensor(TH_FLOAT, {4}));
  };
  expect_same_answer(operands(), Layout::Compact, 1e-5,
                     THC_CALL(TH_conv2(&t[0], &t[1], &t[2], true)));
  expect_same_answer(operands(), Layout::Compact, 0,
                     THC_CALL(TH_conv2(&t[0], &t[1], &t[2], false)));
  expect_same_answer(operands(), Layout::Compact, 0,
                     THC_CALL(TH_conv2(&t[0], &t[1], &t[3], false)));
}

TEST_F(Convolve, TheResultMayBeAnOperandAndInfinityStaysWhereItIs) {
  const Tensor x = draw_tensor(TH_DOUBLE, {6, 6});
  th::test::assign(x, [&] {
    auto numbers = th::test::values(x);
    numbers[7] = INFINITY;
    return numbers;
  }());
  expect_agreement(list(copy_of(x), th::test::from(TH_DOUBLE, {2, 2}, {1, 2, 3, 4})),
                   Layout::Transposed, 1e-14, THC_CALL(TH_xcorr2(&t[0], &t[0], &t[1], true)));
}

}  // namespace
}  // namespace thc::test
