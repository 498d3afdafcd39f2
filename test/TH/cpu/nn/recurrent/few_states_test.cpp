#include <gtest/gtest.h>

#include "TH/support/tensors.h"
#include "core/composite/recurrent.h"
#include "core/operations.h"

namespace th::test {
namespace {

struct Shape {
  int64_t T, N, F, H;
};
// A step of one sequence and of several, steps of a few, rows that fill vectors and that do not.
const Shape kShapes[] = {{1, 1, 64, 64}, {1, 1, 33, 40}, {1, 3, 17, 16}, {1, 40, 35, 12},
                         {6, 5, 40, 16}, {7, 1, 9, 5},   {3, 2, 1, 1}};

/// What a layer of so many gates reads, in that layout; `states` and `biases` may be left out.
struct Given {
  Tensor x, h, weight, recurrent, bias, recurrent_bias, lengths;
  const TH_Tensor *h0, *b, *b_recurrent, *ends;
  bool reverse;

  Given(const Shape& s, int64_t gates, int dtype, Layout layout, bool states, bool biases) {
    std::mt19937 rng(3);
    x = random(dtype, {s.T, s.N, s.F}, rng, layout);
    h = random(dtype, {s.N, s.H}, rng, layout);
    weight = random(dtype, {gates * s.H, s.F}, rng, layout);
    recurrent = random(dtype, {gates * s.H, s.H}, rng, layout);
    bias = random(dtype, {gates * s.H}, rng);
    recurrent_bias = random(dtype, {gates * s.H}, rng);
    std::vector<double> until(static_cast<size_t>(s.N));
    for (size_t n = 0; n < until.size(); ++n) {
      until[n] = static_cast<double>(n % static_cast<size_t>(s.T + 1));
    }
    lengths = from(TH_LONG, {s.N}, until);
    h0 = states ? &h : nullptr;
    b = biases ? &bias : nullptr;
    b_recurrent = biases ? &recurrent_bias : nullptr;
    ends = layout == Layout::Compact ? nullptr : &lengths;
    reverse = layout == Layout::Transposed;
  }
};

template <class Test>
void each_case(int64_t gates, const Test& test) {
  for (const int dtype : {TH_FLOAT, TH_DOUBLE}) {
    for (const Shape& s : kShapes) {
      for (const Layout layout : {Layout::Compact, Layout::Transposed, Layout::Narrowed}) {
        for (const bool some : {false, true}) {
          SCOPED_TRACE(testing::Message() << s.T << " steps of " << s.N << ", " << s.F << " to "
                                          << s.H << (some ? ", from states, biases" : ""));
          test(Given(s, gates, dtype, layout, some, some), dtype);
        }
      }
    }
  }
}

void expect_near(const Tensor& r, const Tensor& wanted, int dtype) {
  ASSERT_EQ(sizes(r), sizes(wanted));
  EXPECT_LT(distance(values(r), values(wanted)), 200 * precision(dtype));
}

TEST(RecurrentOfFewStates, GruIsThatOfSingleSteps) {
  each_case(3, [](const Given& g, int dtype) {
    Tensor y = empty(dtype), gates = empty(dtype), hidden = empty(dtype);
    Tensor y2 = empty(dtype), gates2 = empty(dtype), hidden2 = empty(dtype);
    ops::gru(&y, &gates, &hidden, &g.x, g.h0, &g.weight, &g.recurrent, g.b, g.b_recurrent, g.ends,
             g.reverse);
    composite::gru(&y2, &gates2, &hidden2, &g.x, g.h0, &g.weight, &g.recurrent, g.b, g.b_recurrent,
                   g.ends, g.reverse);
    expect_near(y, y2, dtype);
    expect_near(hidden, hidden2, dtype);
    expect_near(gates, gates2, dtype);
  });
}

TEST(RecurrentOfFewStates, RnnIsThatOfSingleSteps) {
  for (const bool relu : {false, true}) {
    each_case(1, [relu](const Given& g, int dtype) {
      Tensor y = empty(dtype), y2 = empty(dtype);
      ops::rnn(&y, &g.x, g.h0, &g.weight, &g.recurrent, g.b, g.b_recurrent, g.ends, g.reverse,
               relu);
      composite::rnn(&y2, &g.x, g.h0, &g.weight, &g.recurrent, g.b, g.b_recurrent, g.ends,
                     g.reverse, relu);
      expect_near(y, y2, dtype);
    });
  }
}

// The state before, in the memory where the new one goes: nothing is read after it was written.
TEST(RecurrentOfFewStates, ResultsMayLieUnderOperands) {
  const Shape s{1, 2, 8, 8};
  Given g(s, 4, TH_FLOAT, Layout::Compact, true, true);
  std::mt19937 rng(4);
  Tensor memory = random(TH_FLOAT, {s.N, s.H}, rng);
  Tensor y = empty(TH_FLOAT), c = empty(TH_FLOAT), gates = empty(TH_FLOAT);
  ops::lstm(&y, &c, &gates, &g.x, g.h0, &memory, &g.weight, &g.recurrent, g.b, g.b_recurrent,
            nullptr, false);
  Tensor over_x, over_c, more = empty(TH_FLOAT);
  for (Tensor* t : {&over_x, &over_c}) {
    init(*t, TH_FLOAT, TH_CPU, 0);
  }
  const int64_t step[] = {1, s.N, s.H};
  view(over_x, g.x, step);
  view(over_c, memory, step);
  ops::lstm(&over_x, &over_c, &more, &g.x, g.h0, &memory, &g.weight, &g.recurrent, g.b,
            g.b_recurrent, nullptr, false);
  EXPECT_EQ(values(over_x), values(y));
  EXPECT_EQ(values(over_c), values(c));
  EXPECT_EQ(values(more), values(gates));
}

}  // namespace
}  // namespace th::test
