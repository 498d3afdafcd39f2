// Losses: negative log-likelihood of classes, mean squared error.
//
// Classes are checked before anything is written, and the call waits for the answer, so that the
// error is raised at the line that made it. That costs a transfer of 32 bytes, forward and
// backward, at a place where scripts wait anyway: for the loss itself.
#include "core/aliasing.h"
#include "core/checks/nn.h"
#include "core/tables/loss.h"
#include "cuda/elementwise.cuh"
#include "cuda/nn/predictions.cuh"
#include "cuda/nn/sum_terms.cuh"
#include "cuda/register.h"

namespace thc {
namespace {

using th::RealTypes;

struct Add {
  TH_HD double operator()(double a, double b) const { return a + b; }
};

/// Squared differences.
template <class A>
struct Differences {
  Elements<A> x;
  Elements<A> target;

  TH_HD double term(int64_t i) const {
    const double d = static_cast<double>(x.load(i) - target.load(i));
    return d * d;
  }
  using Value = double;
  using Op = Add;
};

template <class A>
struct PutNumbers {
  Elements<A> loss;
  A loss_value;
  Elements<A> weight;
  A weight_value;
  TH_HD void operator()(int64_t) const {
    loss.store(0, loss_value);
    weight.store(0, weight_value);
  }
};

void nll_loss(TH_Tensor* r, TH_Tensor* total_weight, const TH_Tensor* x, const TH_Tensor* target,
              const TH_Tensor* weights, bool size_average, int64_t ignore_index) {
  TH_CHECK(r != nullptr && total_weight != nullptr, "a result is missing");
  const ClassSizes s = check_nll(x, target, weights);
  check_same_dtype(*r, *x);
  check_same_dtype(*total_weight, *x);
  RealTypes::dispatch(compute_dtype(x->dtype), [&]<class A>() {
    const Predictions<A> p(*target, x, weights, s, ignore_index);
    const PredictionSum sum = sum_predictions(p, *target);
    const double loss = size_average && sum.weight != 0 ? sum.loss / sum.weight : sum.loss;
    const int64_t one = 1;
    reserve(*r, {&one, 1});
    resize(*total_weight, {&one, 1});
    resize(*r, {&one, 1});
    launch(stream_for(*r), 1,
           PutNumbers<A>{Elements<A>(*r), static_cast<A>(loss), Elements<A>(*total_weight),
                         static_cast<A>(sum.weight)});
  });
}

/// Quotients by a number that is fixed at launch.
struct Quotient {
  int64_t divisor;
  Divisor fast;
  bool wide;

  Quotient(int64_t by, int64_t largest) : divisor(by), wide(largest > 0x7fffffff) {
    if (!wide) {
      fast = Divisor(static_cast<uint32_t>(by));
    }
  }
  TH_HD int64_t of(int64_t n) const {
    return wide ? n / divisor : fast.divide(static_cast<uint32_t>(n));
  }
};

/// dL/dx: -weight of the target's class (over the total) where x is the target's, 0 elsewhere.
template <class A>
struct NllGradient {
  Predictions<A> p;
  Quotient by_P;
  Quotient by_C;
  Elements<A> total;
  bool average;
  Elements<A> r;

  TH_HD void operator()(int64_t i) const {
    const int64_t nc = by_P.of(i);
    const int64_t n = by_C.of(nc);
    const int64_t c = nc - n * p.C;
    const int64_t t = p.target.load(n * p.P + (i - nc * p.P));
    A value = 0;
    if (t != p.ignored && t == c + 1) {
      const A sum = average ? total.load(0) : A(1);
      value = sum == 0 ? A(0) : -(1 / sum) * p.weight(c);
    }
    r.store(i, value);
  }
};

void nll_loss_backward(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* target,
                       const TH_Tensor* weights, const TH_Tensor* total_weight, bool size_average,
                       int64_t ignore_index) {
  TH_CHECK(r != nullptr && total_weight != nullptr, "an operand is missing");
  const ClassSizes s = check_nll(x, target, weights);
  check_same_dtype(*r, *x);
  check_same_dtype(*total_weight, *x);
  check_total_weight(*total_weight);
  const Tensor t(*target);
  const Tensor w = weights == nullptr ? Tensor() : Tensor(*weights);
  const Tensor sum(*total_weight);
  const Tensor in(*x);  // r may be x
  RealTypes::dispatch(compute_dtype(in.dtype), [&]<class A>() {
    const Predictions<A> p(t, nullptr, weights == nullptr ? nullptr : &w, s, ignore_index);
    sum_predictions(p, t);
    Result out(r, sizes_of(in), Result::Any, {&t, &w, &sum});
    const int64_t n = numel(in);
    launch(stream_for(in), n,
           NllGradient<A>{p, Quotient(s.P, n), Quotient(s.C, n), Elements<A>(sum), size_average,
                          Elements<A>(out.tensor())});
    out.finish();
  });
}

template <class A>
struct PutSum {
  const double* sum;
  double divisor;
  Elements<A> r;
  TH_HD void operator()(int64_t) const { r.store(0, static_cast<A>(*sum / divisor)); }
};

void mse_loss(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* target, bool size_average) {
  check_mse(r, x, target);
  const int64_t n = numel(*x);
  RealTypes::dispatch(compute_dtype(x->dtype), [&]<class A>() {
    using Terms = Differences<A>;
    const DeviceSum<Terms> sum(*x, Terms{Elements<A>(*x), Elements<A>(*target)}, n);
    const cudaStream_t stream = stream_for(*x);
    const int64_t one = 1;
    resize(*r, {&one, 1});  // r may be x: its elements were asked for before
    const double divisor = size_average ? static_cast<double>(n) : 1;
    launch(stream, 1, PutSum<A>{sum.on_device(), divisor, Elements<A>(*r)});
  });
}

template <class A>
struct MseGradient {
  A scale;
  TH_HD A operator()(A x, A target) const { return scale * (x - target); }
};

void mse_loss_backward(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* target,
                       bool size_average) {
  check_mse(r, x, target);
  const Tensor a(*x);
  const Tensor b(*target);
  Result out(r, sizes_of(a), Result::Any, {&a, &b});
  Floating::dispatch(a.dtype, [&]<class T>() {
    using A = Compute<T>;
    const A scale = size_average ? A(2) / static_cast<A>(numel(a)) : A(2);
    elementwise<T, T>(out.tensor(), MseGradient<A>{scale}, &a, &b);
  });
  out.finish();
}

}  // namespace

void register_loss(th::LossTable& b) {
  b.nll_loss = nll_loss;
  b.nll_loss_backward = nll_loss_backward;
  b.mse_loss = mse_loss;
  b.mse_loss_backward = mse_loss_backward;
}

}  // namespace thc
