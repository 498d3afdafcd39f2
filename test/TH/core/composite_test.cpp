// What composites do with the memory they are given, and what they refuse before they touch it.
#include <array>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "TH.h"
#include "TH/support/tensors.h"
#include "core/memory/storage.h"

namespace th::test {
namespace {

/// A tensor over a storage that nobody else refers to.
Tensor over(Storage* storage, const Sizes& sizes) {
  Tensor t = empty(storage->dtype);
  set_storage(t, storage, 0, sizes, {});
  release(storage);
  return t;
}

void attend(TH_Tensor& y) {
  const Tensor q = from(TH_FLOAT, {1, 2, 2}, {1, 2, 3, 4});
  ASSERT_EQ(TH_attention(&y, &q, &q, &q, nullptr, nullptr, false, 1), TH_OK) << TH_lastError();
}

TEST(Composites, WriteIntoMemoryThatOthersSee) {
  Tensor expected = empty(TH_FLOAT);
  attend(expected);

  const Tensor base = from(TH_FLOAT, {6}, {9, 9, 9, 9, 9, 9});
  Tensor viewing = over(new_view(static_cast<Storage*>(base.store), 1, 4), {1, 2, 2});
  attend(viewing);
  EXPECT_EQ(values(viewing), values(expected));
  const std::vector<double> seen = values(base);
  EXPECT_EQ(std::vector<double>(seen.begin() + 1, seen.end() - 1), values(expected));
  EXPECT_EQ(seen.front(), 9);
  EXPECT_EQ(seen.back(), 9);

  std::array<float, 4> memory{};
  Tensor foreign = over(new_storage_in(TH_FLOAT, memory.data(), 4), {1, 2, 2});
  attend(foreign);
  EXPECT_EQ(std::vector<double>(memory.begin(), memory.end()), values(expected));
}

/// With one key all weights are 1, and the gradient of its value is the sum of all steps'
/// gradients.
TEST(Attention, AddsUpGradientsOfManyStepsWithoutLosingThem) {
  constexpr int64_t T = 41 * 128;  // blocks of 128
  for (const int dtype : {TH_HALF, TH_BFLOAT16}) {
    const std::vector<double> ones(T, 1);
    const Tensor q = from(dtype, {1, T, 1}, ones), k = from(dtype, {1, 1, 1}, {1});
    const Tensor g = from(dtype, {1, T, 1}, std::vector<double>(T, 1 + 0x1p-7));
    Tensor gq = empty(dtype), gk = empty(dtype), gv = empty(dtype);
    ASSERT_EQ(TH_attention_backward(&gq, &gk, &gv, &g, &q, &k, &k, nullptr, nullptr, false, 1),
              TH_OK)
        << TH_lastError();
    EXPECT_EQ(values(gv), values(from(dtype, {1}, {T * (1 + 0x1p-7)})));
  }
}

/// Heads are pairs of sequences like samples are, masked and causal ones too.
TEST(Attention, CutsHeadsAsItCutsSamples) {
  std::mt19937 rng(3);
  constexpr int64_t N = 2, H = 3, T = 130, S = 1100, F = 2;  // a block holds one pair
  const Tensor q = random(TH_FLOAT, {N, H, T, F}, rng), k = random(TH_FLOAT, {N, H, S, F}, rng);
  const Tensor v = random(TH_FLOAT, {N, H, S, F}, rng), g = random(TH_FLOAT, {N, H, T, F}, rng);
  const Tensor mask = random(TH_FLOAT, {N, H, T, S}, rng);
  const auto run = [&](const Sizes& pairs) {
    const auto as = [&](const Tensor& t) {
      Sizes sizes = pairs;
      sizes.insert(sizes.end(), t.sizes + 2, t.sizes + 4);
      return from(TH_FLOAT, sizes, values(t));
    };
    const Tensor a = as(q), b = as(k), c = as(v), d = as(mask), e = as(g);
    Tensor y = empty(TH_FLOAT), gq = empty(TH_FLOAT), gk = empty(TH_FLOAT), gv = empty(TH_FLOAT);
    EXPECT_EQ(TH_attention(&y, &a, &b, &c, &d, nullptr, true, 1), TH_OK) << TH_lastError();
    EXPECT_EQ(TH_attention_backward(&gq, &gk, &gv, &e, &a, &b, &c, &d, &d, true, 1), TH_OK)
        << TH_lastError();
    return std::vector{values(y), values(gq), values(gk), values(gv)};
  };
  const auto by_heads = run({N, H}), by_samples = run({N * H});
  for (size_t i = 0; i < by_heads.size(); ++i) {
    EXPECT_LT(distance(by_heads[i], by_samples[i]), 1e-6) << i;
  }
}

TEST(Optimisers, SeeThatStatesShareMemoryThroughViews) {
  const Tensor base = from(TH_FLOAT, {40}, std::vector<double>(40, 1));
  auto* storage = static_cast<Storage*>(base.store);
  Tensor x = from(TH_FLOAT, {16}, std::vector<double>(16, 1));
  const Tensor g = from(TH_FLOAT, {16}, std::vector<double>(16, 1));
  Tensor m = over(new_view(storage, 0, 16), {16});
  Tensor v = over(new_view(storage, 2, 16), {16});
  EXPECT_EQ(TH_adam_step(&x, &g, &m, &v, 0.1, 0, 0.9, 0.99, 1, 1e-8, 0, 1), TH_ERROR);
  EXPECT_NE(std::string(TH_lastError()).find("states 1 and 2 share memory"), std::string::npos)
      << TH_lastError();
  Tensor same = over(new_view(storage, 0, 16), {16});
  EXPECT_EQ(TH_momentum_step(&same, &g, &m, 0.1, 0, 0.9, 1, 0, 1), TH_ERROR);

  // A gradient that a state displaces is read first.
  const auto step = [](const TH_Tensor& gradient, TH_Tensor& state) {
    Tensor y = from(TH_FLOAT, {16}, std::vector<double>(16, 0));
    EXPECT_EQ(TH_momentum_step(&y, &gradient, &state, 0.1, 0, 0.9, 1, 0, 1), TH_OK);
    return values(y);
  };
  std::vector<double> counted(40);
  std::iota(counted.begin(), counted.end(), 1);
  const Tensor first = from(TH_FLOAT, {40}, counted), second = from(TH_FLOAT, {40}, counted);
  Tensor g1 = empty(TH_FLOAT), v1 = empty(TH_FLOAT);
  narrow(g1, first, 0, 0, 16);
  narrow(v1, first, 0, 2, 16);
  Tensor g2 = over(new_view(static_cast<Storage*>(second.store), 0, 16), {16});
  Tensor v2 = over(new_view(static_cast<Storage*>(second.store), 2, 16), {16});
  EXPECT_EQ(step(g1, v1), step(g2, v2));
}

/// What an LSTM's backward pass takes, of T = 1 step and N = 2 sequences.
struct Backward {
  static constexpr int64_t N = 2, F = 3, H = 2;
  std::mt19937 rng{7};
  Tensor gx = empty(TH_FLOAT), gh0 = empty(TH_FLOAT), gc0 = empty(TH_FLOAT);
  Tensor grad_weight = make(TH_FLOAT, {4 * H, F}), grad_recurrent = make(TH_FLOAT, {4 * H, H});
  Tensor grad_bias = make(TH_FLOAT, {4 * H}), grad_recurrent_bias = make(TH_FLOAT, {4 * H});
  Tensor x = random(TH_FLOAT, {1, N, F}, rng), gy = random(TH_FLOAT, {1, N, H}, rng);
  Tensor weight = random(TH_FLOAT, {4 * H, F}, rng), recurrent = random(TH_FLOAT, {4 * H, H}, rng);
  Tensor y = empty(TH_FLOAT), c = empty(TH_FLOAT), gates = empty(TH_FLOAT);

  Backward() {
    for (Tensor* t : {&grad_weight, &grad_recurrent, &grad_bias, &grad_recurrent_bias}) {
      assign(*t, std::vector<double>(static_cast<size_t>(numel(*t)), 0));
    }
    EXPECT_EQ(TH_lstm(&y, &c, &gates, &x, nullptr, nullptr, &weight, &recurrent, nullptr, nullptr,
                      nullptr, false),
              TH_OK);
  }
  int run(const TH_Tensor* memory, const TH_Tensor* activations) {
    return TH_lstm_backward(&gx, &gh0, &gc0, &grad_weight, &grad_recurrent, &grad_bias,
                            &grad_recurrent_bias, &gy, nullptr, &x, nullptr, nullptr, &weight,
                            &recurrent, &y, memory, activations, nullptr, false, 1);
  }
  void expect_refusal(const std::string& text) {
    EXPECT_EQ(run(&c, &gates), TH_ERROR);
    EXPECT_NE(std::string(TH_lastError()).find(text), std::string::npos) << TH_lastError();
    EXPECT_EQ(gx.ndim, 0);
    EXPECT_EQ(values(grad_weight), std::vector<double>(static_cast<size_t>(numel(grad_weight)), 0));
  }
};

TEST(RecurrentGradients, AreCheckedBeforeAnyGrows) {
  {
    Backward b;
    b.grad_bias = make(TH_FLOAT, {3});
    b.expect_refusal("gradBias is 3, expected 8 elements");
  }
  {
    Backward b;
    b.grad_recurrent_bias = make(TH_DOUBLE, {8});
    b.expect_refusal("types differ: FloatTensor and DoubleTensor");
  }
  {
    Backward b;
    b.grad_recurrent = make(TH_FLOAT, {1, 1});
    b.expect_refusal("gradRecurrent is 1x1, expected 8x2");
  }
  Backward b;
  EXPECT_EQ(b.run(nullptr, &b.gates), TH_ERROR);
  EXPECT_EQ(b.run(&b.c, nullptr), TH_ERROR);
  EXPECT_EQ(b.run(&b.c, &b.gates), TH_OK) << TH_lastError();
}

}  // namespace
}  // namespace th::test
