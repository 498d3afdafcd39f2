// Predictions of classes and their targets, as kernels see them.
#pragma once

#include <limits>

#include "core/checks/nn.h"
#include "cuda/nn/sum_terms.cuh"
#include "cuda/offsets.h"

namespace thc {

inline constexpr int64_t kNoPrediction = std::numeric_limits<int64_t>::max();

/// What some predictions add up to.
struct PredictionSum {
  double loss = 0;
  double weight = 0;
  int64_t bad = kNoPrediction;  // the first prediction whose target is no class
  int64_t bad_target = 0;
};

struct JoinPredictions {
  TH_HD PredictionSum operator()(const PredictionSum& a, const PredictionSum& b) const {
    const bool second = b.bad < a.bad;
    return {a.loss + b.loss, a.weight + b.weight, second ? b.bad : a.bad,
            second ? b.bad_target : a.bad_target};
  }
};

/// Targets of N x P predictions, and their log-probabilities in N x C x P.
template <class A>
struct Predictions {
  Elements<int64_t> target;
  Elements<A> x;
  const bool has_x;
  Elements<A> weights;
  const bool has_weights;
  int64_t C;
  int64_t P;
  int64_t ignored;

  Predictions(const TH_Tensor& targets, const TH_Tensor* input, const TH_Tensor* class_weights,
              const ClassSizes& s, int64_t ignore_index)
      : target(targets),
        has_x(input != nullptr),
        has_weights(class_weights != nullptr),
        C(s.C),
        P(s.P),
        ignored(ignore_index) {
    if (has_x) {
      x = Elements<A>(*input);
    }
    if (has_weights) {
      weights = Elements<A>(*class_weights);
    }
  }

  TH_HD A weight(int64_t c) const { return has_weights ? weights.load(c) : A(1); }

  /// The PredictionSum of the i-th prediction alone.
  TH_HD PredictionSum term(int64_t i) const {
    const int64_t t = target.load(i);
    if (t == ignored) {
      return {};
    }
    if (t < 1 || t > C) {
      return {0, 0, i, t};
    }
    if (!has_x) {
      return {};
    }
    const double w = weight(t - 1);
    return {-w * x.load((i / P * C + t - 1) * P + i % P), w, kNoPrediction, 0};
  }
  using Value = PredictionSum;
  using Op = JoinPredictions;
};

/// Checks the classes; the sums too when x is given. Waits.
template <class A>
PredictionSum sum_predictions(const Predictions<A>& p, const TH_Tensor& target) {
  const PredictionSum sum = DeviceSum<Predictions<A>>(target, p, numel(target)).wait();
  if (sum.bad != kNoPrediction) [[unlikely]] {
    target_out_of_range(sum.bad, sum.bad_target, p.C, p.ignored);
  }
  return sum;
}

}  // namespace thc
