#include "THC/support/compare.h"

namespace thc::test {
namespace {

using Loss = AgainstCpu;
using th::test::empty;
using th::test::from;
using th::test::precision;

constexpr int kTypes[] = {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE};

/// Results are rounded once; sums are made in double on both sides.
double tolerance(int dtype) { return 2 * precision(dtype) + 1e-12; }

/// Classes from 1 to C, some of them `ignored`.
Tensor draw_classes(const Sizes& sizes, int64_t C, int64_t ignored, std::mt19937& rng) {
  Tensor t = th::test::make(TH_LONG, sizes);
  std::vector<double> classes(static_cast<size_t>(numel(t)));
  for (double& c : classes) {
    c = static_cast<double>(
        rng() % 5 == 0 ? ignored : 1 + static_cast<int64_t>(rng() % static_cast<unsigned>(C)));
  }
  th::test::assign(t, classes);
  return t;
}

TEST_F(Loss, NllAgreesWithTheCpu) {
  const Sizes shapes[] = {{4}, {1, 3}, {9, 4}, {2, 5, 3, 4}, {3000, 3}, {2, 3, 70, 70}};
  for (int dtype : kTypes) {
    for (const Sizes& s : shapes) {
      const Layout layout = draw_layout();
      SCOPED_TRACE(describe("nll_loss", dtype, s, layout));
      const int64_t C = s[s.size() == 1 ? 0 : 1];
      const Sizes places = s.size() == 1   ? Sizes{1}
                           : s.size() == 2 ? Sizes{s[0]}
                                           : Sizes{s[0], s[2], s[3]};
      const Tensor target = draw_classes(places, C, -100, rng_);
      // Weights and their sum that the type holds exactly, or too large for half: infinite there.
      const Tensor weights = from(dtype, {C}, std::vector<double>{0.25, 1, 0.5, 2, 1.5});
      for (const bool weighted : {false, true}) {
        for (const bool average : {false, true}) {
          expect_agreement(
              list(empty(dtype), empty(dtype), draw_tensor(dtype, s), copy_of(target),
                   copy_of(weights), empty(dtype)),
              layout, 3 * tolerance(dtype), [=](std::vector<Tensor>& t, Numbers&) {
                const TH_Tensor* w = weighted ? &t[4] : nullptr;
                const int status = TH_nll_loss(&t[0], &t[1], &t[2], &t[3], w, average, -100);
                return status != TH_OK
                           ? status
                           : TH_nll_loss_backward(&t[5], &t[2], &t[3], w, &t[1], average, -100);
              });
        }
      }
    }
  }
}

TEST_F(Loss, NllOfIgnoredTargetsIsZero) {
  expect_agreement(list(empty(TH_FLOAT), empty(TH_FLOAT), draw_tensor(TH_FLOAT, {2, 3}),
                        from(TH_LONG, {2}, {2, 2}), empty(TH_FLOAT)),
                   Layout::Compact, 0, [](std::vector<Tensor>& t, Numbers&) {
                     return TH_nll_loss(&t[0], &t[1], &t[2], &t[3], nullptr, true, 2) |
                            TH_nll_loss_backward(&t[4], &t[2], &t[3], nullptr, &t[1], true, 2);
                   });
}

// The error is this call's, names the first wrong target wherever it is, and nothing is written.
TEST_F(Loss, ATargetOutOfRangeIsRaisedAtOnce) {
  for (const int64_t count : {5, 300, 20000}) {
    for (const double wrong : {0.0, 4.0, -7.0, 1e15}) {
      std::vector<double> classes(static_cast<size_t>(count), 2);
      classes[static_cast<size_t>(count - 2)] = wrong;
      classes[static_cast<size_t>(count - 1)] = 99;
      const Tensor target = from(TH_LONG, {count}, classes);
      SCOPED_TRACE(count);
      expect_refusal(list(from(TH_FLOAT, {2}, {7, 8}), from(TH_FLOAT, {1}, {3}),
                          draw_tensor(TH_FLOAT, {count, 3}), copy_of(target)),
                     Layout::Compact, 0,
                     THC_CALL(TH_nll_loss(&t[0], &t[1], &t[2], &t[3], nullptr, true, -100)));
      expect_refusal(
          list(from(TH_FLOAT, {2}, {7, 8}), from(TH_FLOAT, {1}, {3}),
               draw_tensor(TH_FLOAT, {count, 3}), copy_of(target)),
          Layout::Compact, 0,
          THC_CALL(TH_nll_loss_backward(&t[0], &t[2], &t[3], nullptr, &t[1], true, -100)));
    }
  }
  // The device is as usable as before.
  expect_agreement(list(empty(TH_FLOAT), draw_tensor(TH_FLOAT, {5}), draw_tensor(TH_FLOAT, {5})),
                   Layout::Compact, 1e-6,
                   THC_CALL(TH_mse_loss(&t[0], &t[1], &t[2], nullptr, 0, 0, true)));
}

TEST_F(Loss, MistakesInShapes) {
  const auto agree = [&](Tensor x, Tensor target, Tensor weights) {
    expect_refusal(list(from(TH_FLOAT, {2}, {7, 8}), from(TH_FLOAT, {2}, {3, 4}), std::move(x),
                        std::move(target), std::move(weights)),
                   Layout::Compact, 0, [](std::vector<Tensor>& t, Numbers&) {
                     return TH_nll_loss(&t[0], &t[1], &t[2], &t[3], &t[4], true, -100);
                   });
  };
  agree(draw_tensor(TH_FLOAT, {3, 4}), from(TH_LONG, {2}, {1, 2}), draw_tensor(TH_FLOAT, {4}));
  agree(draw_tensor(TH_FLOAT, {3, 4}), from(TH_LONG, {3}, {1, 2, 1}), draw_tensor(TH_FLOAT, {3}));
  agree(draw_tensor(TH_FLOAT, {3, 4, 2}), from(TH_LONG, {3}, {1, 2, 1}),
        draw_tensor(TH_FLOAT, {4}));
  agree(draw_tensor(TH_FLOAT, {3, 4}), from(TH_FLOAT, {3}, {1, 2, 1}), draw_tensor(TH_FLOAT, {4}));
  // The sum of weights must be one number.
  expect_refusal(list(empty(TH_FLOAT), from(TH_FLOAT, {2}, {3, 4}), draw_tensor(TH_FLOAT, {3, 4}),
                      from(TH_LONG, {3}, {1, 2, 1})),
                 Layout::Compact, 0,
                 THC_CALL(TH_nll_loss_backward(&t[0], &t[2], &t[3], nullptr, &t[1], true, -100)));
}

TEST_F(Loss, MseAgreesWithTheCpu) {
  for (int dtype : kTypes) {
    for (const Sizes& s : {Sizes{1}, Sizes{7, 3}, Sizes{100, 50}, Sizes{3, 4097}}) {
      for (const bool average : {false, true}) {
        const Layout layout = draw_layout();
        SCOPED_TRACE(describe("mse_loss", dtype, s, layout));
        expect_agreement(list(empty(dtype), draw_tensor(dtype, s), draw_tensor(dtype, s)), layout,
                         tolerance(dtype),
                         THC_CALL(TH_mse_loss(&t[0], &t[1], &t[2], nullptr, 0, 0, average)));
        expect_agreement(
            list(empty(dtype), draw_tensor(dtype, s), draw_tensor(dtype, s)), layout,
            tolerance(dtype),
            THC_CALL(TH_mse_loss_backward(&t[0], &t[1], &t[2], nullptr, 0, 0, average)));
      }
    }
  }
  // Over the input, and of different counts.
  expect_agreement(list(draw_tensor(TH_FLOAT, {7, 3}), draw_tensor(TH_FLOAT, {7, 3})),
                   Layout::Transposed, tolerance(TH_FLOAT),
                   THC_CALL(TH_mse_loss(&t[0], &t[0], &t[1], nullptr, 0, 0, true)));
  expect_agreement(list(draw_tensor(TH_FLOAT, {7, 3}), draw_tensor(TH_FLOAT, {7, 3})),
                   Layout::Transposed, tolerance(TH_FLOAT),
                   THC_CALL(TH_mse_loss_backward(&t[0], &t[0], &t[1], nullptr, 0, 0, true)));
  expect_refusal(list(empty(TH_FLOAT), draw_tensor(TH_FLOAT, {7}), draw_tensor(TH_FLOAT, {6})),
                 Layout::Compact, 0,
                 THC_CALL(TH_mse_loss(&t[0], &t[1], &t[2], nullptr, 0, 0, true)));
}

/// Of probabilities, and targets that are such too; weighted and not.
TEST_F(Loss, OfElementsAgreesWithTheCpu) {
  const auto probabilities = [&](int dtype, const Sizes& sizes) {
    Tensor t = th::test::make(dtype, sizes);
    std::vector<double> numbers(static_cast<size_t>(numel(t)));
    for (double& v : numbers) {
      v = std::uniform_int_distribution<>(1, 15)(rng_) / 16.0;
    }
    th::test::assign(t, numbers);
    return t;
  };
  for (int dtype : kTypes) {
    for (const Sizes& s : {Sizes{1}, Sizes{7, 3}, Sizes{3, 4097}}) {
      const Layout layout = draw_layout();
#define TH_LOSS(NAME, FUNCTOR, FORMULA)                                                            \
  {                                                                                                \
    SCOPED_TRACE(describe(#NAME, dtype, s, layout));                                               \
    expect_agreement(list(empty(dtype), probabilities(dtype, s), probabilities(dtype, s)), layout, \
                     tolerance(dtype),                                                             \
                     THC_CALL(TH_##NAME(&t[0], &t[1], &t[2], nullptr, 0.5, 0.25, true)));          \
    expect_agreement(list(empty(dtype), probabilities(dtype, s), probabilities(dtype, s),          \
                          probabilities(dtype, s)),                                                \
                     layout, tolerance(dtype),                                                     \
                     THC_CALL(TH_##NAME(&t[0], &t[1], &t[2], &t[3], 0.5, 0.25, true)));            \
    expect_agreement(                                                                              \
        list(empty(dtype), probabilities(dtype, s), probabilities(dtype, s),                       \
             probabilities(dtype, s)),                                                             \
        layout, tolerance(dtype),                                                                  \
        THC_CALL(TH_##NAME##_backward(&t[0], &t[1], &t[2], &t[3], 0.5, 0.25, false)));             \
  }
#include "ops/nn/element_loss.def"
#undef TH_LOSS
    }
  }
}

/// The bits of a sum do not depend on the device, nor on the time.
TEST_F(Loss, SumsHaveTheSameBitsEveryTime) {
  Tensor x = th::test::make(TH_FLOAT, {30000});
  std::vector<double> numbers(30000);
  for (double& v : numbers) {
    v = std::normal_distribution<>()(rng_);
  }
  th::test::assign(x, numbers);
  const Tensor zero = from(TH_FLOAT, {30000}, std::vector<double>(30000, 0));
  double first = 0;
  for (int device = 0; device < device_count(); ++device) {
    for (int round = 0; round < 3; ++round) {
      const Tensor there = upload(x, Layout::Compact, device);
      const Tensor target = upload(zero, Layout::Compact, device);
      Tensor r = on_device(TH_FLOAT, {1}, Layout::Compact, device);
      ASSERT_EQ(TH_mse_loss(&r, &there, &target, nullptr, 0, 0, true), TH_OK) << TH_lastError();
      const double loss = th::test::values(download(r))[0];
      first = first == 0 ? loss : first;
      EXPECT_EQ(loss, first);
    }
  }
}

}  // namespace
}  // namespace thc::test
