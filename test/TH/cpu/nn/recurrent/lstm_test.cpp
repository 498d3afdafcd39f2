#include <limits>

#include <gtest/gtest.h>

#include "TH/support/tensors.h"
#include "core/composite/recurrent.h"
#include "core/operations.h"
#include "core/runtime/threads.h"

namespace th::test {
namespace {

struct Shape {
  int64_t T, N, F, H;
};
// One group and several, weights that fill vectors and that do not, sums in several parts; then
// passes too short to prepare anything.
const Shape kShapes[] = {{9, 5, 3, 4},    {4, 50, 7, 17}, {3, 27, 33, 16}, {70, 13, 5, 6},
                         {2, 40, 300, 8}, {8, 5, 1, 1},   {1, 1, 33, 40},  {1, 40, 35, 12},
                         {6, 5, 40, 16},  {7, 1, 9, 5}};

struct Options {
  bool states, biases, lengths, reverse, wants_input, wants_parameters;
  Layout layout;
};
const Options kOptions[] = {{true, true, false, false, true, true, Layout::Compact},
                            {false, false, false, true, false, true, Layout::Transposed},
                            {true, true, true, true, true, true, Layout::Narrowed},
                            {false, true, true, false, true, true, Layout::Compact},
                            {true, true, true, false, true, false, Layout::Compact}};

/// A layer with what goes into both passes, and what comes out.
struct Layer {
  Shape s;
  Options o;
  int dtype;
  Tensor x, h0, c0, weight, recurrent, bias, recurrent_bias, lengths, gy, gc;
  Tensor y, c, gates, gx, gh0, gc0, grad_weight, grad_recurrent, grad_bias, grad_recurrent_bias;

  Layer(const Shape& shape, const Options& options, int type) : s(shape), o(options), dtype(type) {
    std::mt19937 rng(1);
    const auto numbers = [&](const Sizes& sizes) { return random(dtype, sizes, rng, o.layout); };
    x = numbers({s.T, s.N, s.F});
    gy = numbers({s.T, s.N, s.H});
    for (Tensor* t : {&h0, &c0, &gc}) {
      *t = numbers({s.N, s.H});
    }
    weight = numbers({4 * s.H, s.F});
    recurrent = numbers({4 * s.H, s.H});
    bias = numbers({4 * s.H});
    recurrent_bias = numbers({4 * s.H});
    std::vector<double> ends(static_cast<size_t>(s.N));
    for (size_t n = 0; n < ends.size(); ++n) {
      ends[n] = static_cast<double>(n % static_cast<size_t>(s.T + 1));
    }
    lengths = from(TH_LONG, {s.N}, ends);
    if (o.lengths) {  // what lies behind a sequence's end is nobody's business
      for (int64_t n = 0; n < s.N; ++n) {
        for (auto t = static_cast<int64_t>(ends[static_cast<size_t>(n)]); t < s.T; ++t) {
          Tensor step, row;
          for (Tensor* v : {&step, &row}) {
            init(*v, dtype, TH_CPU, 0);
          }
          select(step, x, 0, t);
          select(row, step, 0, n);
          ops::fill(&row, std::numeric_limits<double>::quiet_NaN());
        }
      }
    }
    for (Tensor* t : {&y, &c, &gates, &gx, &gh0, &gc0}) {
      *t = empty(dtype);
    }
    grad_weight = numbers({4 * s.H, s.F});
    grad_recurrent = numbers({4 * s.H, s.H});
    grad_bias = numbers({4 * s.H});
    grad_recurrent_bias = numbers({4 * s.H});
  }

  template <class Forward, class Backward>
  void run(const Forward& forward, const Backward& backward) {
    const auto with = [](bool given, Tensor& t) { return given ? &t : nullptr; };
    forward(&y, &c, &gates, &x, with(o.states, h0), with(o.states, c0), &weight, &recurrent,
            with(o.biases, bias), with(o.biases, recurrent_bias), with(o.lengths, lengths),
            o.reverse);
    const bool biases = o.biases && o.wants_parameters;
    backward(with(o.wants_input, gx), &gh0, &gc0, with(o.wants_parameters, grad_weight),
             with(o.wants_parameters, grad_recurrent), with(biases, grad_bias),
             with(biases, grad_recurrent_bias), &gy, with(o.states, gc), &x, with(o.states, h0),
             with(o.states, c0), &weight, &recurrent, &y, &c, &gates, with(o.lengths, lengths),
             o.reverse, 0.5);
  }
  void by_groups() { run(ops::lstm, ops::lstm_backward); }
  void by_steps() { run(composite::lstm, composite::lstm_backward); }

  std::vector<const Tensor*> results() const {
    return {
        &y, &c, &gx, &gh0, &gc0, &grad_weight, &grad_recurrent, &grad_bias, &grad_recurrent_bias};
  }
};

TEST(Lstm, IsThatOfSingleSteps) {
  for (const int dtype : {TH_FLOAT, TH_DOUBLE}) {
    for (const Shape& s : kShapes) {
      for (const Options& o : kOptions) {
        Layer ours(s, o, dtype), steps(s, o, dtype);
        ours.by_groups();
        steps.by_steps();
        for (size_t i = 0; i < ours.results().size(); ++i) {
          SCOPED_TRACE(testing::Message() << "result " << i << ", " << s.T << " steps of " << s.N);
          const Tensor &r = *ours.results()[i], &expected = *steps.results()[i];
          ASSERT_EQ(sizes(r), sizes(expected));
          // Sums of up to T N or F terms, in another order.
          const double terms = static_cast<double>(s.T * s.N + s.F);
          EXPECT_LT(distance(values(r), values(expected)), 4 * terms * precision(dtype));
        }
      }
    }
  }
}

// Fewer threads than groups of sequences, and so many that several share a group.
TEST(Lstm, IsTheSameOnAnyNumberOfThreads) {
  for (const Shape& s : {Shape{12, 62, 40, 36}, Shape{40, 25, 9, 64}, Shape{1, 200, 40, 36}}) {
    for (const Options& o : kOptions) {
      Layer alone(s, o, TH_FLOAT);
      threads::set_share(1);
      alone.by_groups();
      for (const int threads : {2, 4, 7, 16}) {
        Layer together(s, o, TH_FLOAT);
        threads::set_share(threads);
        together.by_groups();
        for (size_t i = 0; i < alone.results().size(); ++i) {
          EXPECT_EQ(values(*alone.results()[i]), values(*together.results()[i]))
              << "result " << i << ", " << s.T << " steps of " << s.N << ", " << threads
              << " threads";
        }
      }
    }
  }
  threads::set_share(0);
}

}  // namespace
}  // namespace th::test
