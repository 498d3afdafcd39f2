// Losses: negative log-likelihood of classes, mean squared error.
#include "core/tables/loss.h"

#include <algorithm>
#include <vector>

#include "core/checks/nn.h"
#include "core/dtype.h"
#include "cpu/kernels/linalg/gemv.h"
#include "cpu/operands.h"
#include "cpu/parallel.h"
#include "cpu/register.h"

namespace th::cpu {
namespace {

/// nll_loss's operands, whose shapes and classes are checked before anything is computed.
struct Predictions : ClassSizes {
  Predictions(const TH_Tensor* x, const TH_Tensor* target, const TH_Tensor* weights,
              int64_t ignore_index)
      : ClassSizes(check_nll(x, target, weights)) {
    const Tensor t = contiguous(*target);
    const int64_t* classes = data<int64_t>(t);
    for (int64_t i = 0; i < N * P; ++i) {
      if (classes[i] != ignore_index && (classes[i] < 1 || classes[i] > C)) [[unlikely]] {
        target_out_of_range(i, classes[i], C, ignore_index);
      }
    }
  }

  /// f(offset of the target's log-probability in x, class counted from 0) for all but the ignored.
  template <class F>
  void each(const int64_t* target, int64_t ignore_index, F&& f) const {
    for (int64_t i = 0; i < N * P; ++i) {
      if (target[i] != ignore_index) {
        const int64_t c = target[i] - 1;
        f((i / P * C + c) * P + i % P, c);
      }
    }
  }
};

constexpr int64_t kOne = 1;

void put_number(TH_Tensor* r, double value) {
  resize(*r, {&kOne, 1});
  Floating::dispatch(r->dtype, [&]<class T>() { *data<T>(*r) = from_number<T>(value); });
}

void nll_loss(TH_Tensor* r, TH_Tensor* total_weight, const TH_Tensor* x, const TH_Tensor* target,
              const TH_Tensor* weights, bool size_average, int64_t ignore_index) {
  TH_CHECK(r != nullptr && total_weight != nullptr, "a result is missing");
  const Predictions p(x, target, weights, ignore_index);
  check_same_dtype(*r, *x);
  check_same_dtype(*total_weight, *x);
  const Tensor t = contiguous(*target);
  const Tensor w = compact(weights);
  const Tensor in = contiguous(*x);
  double loss = 0;
  double total = 0;
  Floating::dispatch(x->dtype, [&]<class T>() {
    const T* log_p = data<T>(in);
    const Compute<T>* factors = data<Compute<T>>(w);
    p.each(data<int64_t>(t), ignore_index, [&](int64_t at, int64_t c) {
      const double weight = factors == nullptr ? 1 : factors[c];
      loss -= weight * convert<double>(log_p[at]);
      total += weight;
    });
  });
  if (size_average && total != 0) {
    loss /= total;
  }
  reserve(*r, {&kOne, 1});
  reserve(*total_weight, {&kOne, 1});
  put_number(r, loss);
  put_number(total_weight, total);
}

void nll_loss_backward(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* target,
                       const TH_Tensor* weights, const TH_Tensor* total_weight, bool size_average,
                       int64_t ignore_index) {
  TH_CHECK(r != nullptr && total_weight != nullptr, "an operand is missing");
  const Predictions p(x, target, weights, ignore_index);
  check_same_dtype(*r, *x);
  check_same_dtype(*total_weight, *x);
  check_total_weight(*total_weight);
  const Tensor t = contiguous(*target);
  const Tensor w = compact(weights);
  const Tensor sum = compact(*total_weight);
  const Tensor in(*x);  // r may be x
  Output out(r, sizes_of(in), {&t, &w, &sum});
  RealTypes::dispatch(sum.dtype, [&]<class T>() {
    T* grad = out.data<T>();
    const T* factors = data<T>(w);
    const T total = *data<T>(sum);
    std::fill_n(grad, numel(in), T(0));
    if (size_average && total == 0) {
      return;  // every target was ignored
    }
    const T scale = size_average ? 1 / total : T(1);
    p.each(data<int64_t>(t), ignore_index, [&](int64_t at, int64_t c) {
      grad[at] = -scale * (factors == nullptr ? 1 : factors[c]);
    });
  });
  out.finish();
}

void mse_loss(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* target, bool size_average) {
  check_mse(r, x, target);
  const int64_t n = numel(*x);
  const Tensor a = compact(*x);
  const Tensor b = compact(*target);
  // Pieces of a fixed size: the sum does not depend on the number of threads.
  constexpr int64_t piece = 1024;
  const int64_t pieces = (n + piece - 1) / piece;
  std::vector<double> sums(static_cast<size_t>(pieces));
  RealTypes::dispatch(a.dtype, [&]<class T>() {
    const auto dot = gemv_kernels().row<T>().dot;
    const T* p = data<T>(a);
    const T* q = data<T>(b);
    parallel_items(pieces, piece, [&](int64_t begin, int64_t end) {
      T difference[piece];
      for (int64_t i = begin; i < end; ++i) {
        const int64_t first = i * piece;
        const int64_t count = std::min(piece, n - first);
        for (int64_t j = 0; j < count; ++j) {
          difference[j] = p[first + j] - q[first + j];
        }
        sums[static_cast<size_t>(i)] = dot(count, difference, difference);
      }
    });
  });
  double loss = 0;
  for (const double sum : sums) {
    loss += sum;
  }
  put_number(r, size_average ? loss / static_cast<double>(n) : loss);
}

void mse_loss_backward(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* target,
                       bool size_average) {
  check_mse(r, x, target);
  const int64_t n = numel(*x);
  const Tensor a = compact(*x);
  const Tensor b = compact(*target);
  Output out(r, sizes_of(a), {&a, &b});
  RealTypes::dispatch(a.dtype, [&]<class T>() {
    const T scale = size_average ? T(2) / static_cast<T>(n) : T(2);
    const T* p = data<T>(a);
    const T* q = data<T>(b);
    T* to = out.data<T>();
    parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        to[i] = scale * (p[i] - q[i]);
      }
    });
  });
  out.finish();
}

}  // namespace

void register_loss(LossTable& b) {
  b.nll_loss = nll_loss;
  b.nll_loss_backward = nll_loss_backward;
  b.mse_loss = mse_loss;
  b.mse_loss_backward = mse_loss_backward;
}

}  // namespace th::cpu
