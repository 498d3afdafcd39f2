// Losses: negative log-likelihood of classes, and those of ops/nn/element_loss.def.
//
// Classes are checked before anything is written, and the call waits for the answer, so that the
// error is raised at the line that made it. That costs a transfer of 32 bytes, forward and
// backward, at a place where scripts wait anyway: for the loss itself.
#include "core/checks/nn.h"
#include "core/tables/loss.h"
#include "core/tensor/aliasing.h"
#include "cuda/elementwise.cuh"
#include "cuda/nn/predictions.cuh"
#include "cuda/nn/sum_terms.cuh"
#include "cuda/register.h"
#include "functors/loss.h"

namespace thc {
namespace {

using th::RealTypes;

struct Add {
  TH_HD double operator()(double a, double b) const { return a + b; }
};

/// A loss's terms.
template <class Functor, class A>
struct ElementTerms {
  Elements<A> x;
  Elements<A> target;
  Elements<A> weights;
  bool weighted;
  A a, b;

  TH_HD double term(int64_t i) const {
    const A value = Functor::forward(x.load(i), target.load(i), a, b);
    return static_cast<double>(weighted ? weights.load(i) * value : value);
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

template <class Functor>
void element_loss(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* target,
                  const TH_Tensor* weights, double a, double b, bool size_average) {
  check_element_loss(r, x, target, weights);
  const int64_t n = numel(*x);
  RealTypes::dispatch(compute_dtype(x->dtype), [&]<class A>() {
    using Terms = ElementTerms<Functor, A>;
    const Elements<A> in(*x);
    const DeviceSum<Terms> sum(
        *x,
        Terms{in, Elements<A>(*target), weights == nullptr ? in : Elements<A>(*weights),
              weights != nullptr, static_cast<A>(a), static_cast<A>(b)},
        n);
    const cudaStream_t stream = stream_for(*x);
    const int64_t one = 1;
    resize(*r, {&one, 1});  // r may be x: its elements were asked for before
    const double divisor = size_average ? static_cast<double>(n) : 1;
    launch(stream, 1, PutSum<A>{sum.on_device(), divisor, Elements<A>(*r)});
  });
}

template <class Functor, class A>
struct ElementGradient {
  A scale, a, b;
  TH_HD A operator()(A x, A target) const { return scale * Functor::backward(x, target, a, b); }
  TH_HD A operator()(A x, A target, A weight) const { return weight * (*this)(x, target); }
};

template <class Functor>
void element_loss_backward(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* target,
                           const TH_Tensor* weights, double a, double b, bool size_average) {
  check_element_loss(r, x, target, weights);
  const Tensor in(*x);
  const Tensor t(*target);
  const Tensor w = weights == nullptr ? Tensor() : Tensor(*weights);
  Result out(r, sizes_of(in), Result::Any, {&in, &t, &w});
  Floating::dispatch(in.dtype, [&]<class T>() {
    using A = Compute<T>;
    const double scale = size_average ? 1 / static_cast<double>(numel(in)) : 1;
    const ElementGradient<Functor, A> f{static_cast<A>(scale), static_cast<A>(a),
                                        static_cast<A>(b)};
    if (weights == nullptr) {
      elementwise<T, T>(out.tensor(), f, &in, &t);
    } else {
      elementwise<T, T>(out.tensor(), f, &in, &t, &w);
    }
  });
  out.finish();
}

}  // namespace

void register_loss(th::LossTable& b) {
  b.nll_loss = nll_loss;
  b.nll_loss_backward = nll_loss_backward;
#define TH_LOSS(NAME, FUNCTOR, FORMULA)         \
  b.NAME = element_loss<th::functors::FUNCTOR>; \
  b.NAME##_backward = element_loss_backward<th::functors::FUNCTOR>;
#include "ops/nn/element_loss.def"
#undef TH_LOSS
}

}  // namespace thc
