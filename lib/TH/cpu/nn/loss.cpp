// Losses: negative log-likelihood of classes, and those of ops/nn/element_loss.def.
#include "core/tables/loss.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "core/checks/nn.h"
#include "core/tensor/dtype.h"
#include "cpu/elementwise.h"
#include "cpu/kernels/nn/loss.h"
#include "cpu/kernels/reduce/reduce.h"
#include "cpu/operands.h"
#include "cpu/parallel.h"
#include "cpu/register.h"
#include "cpu/select.h"

namespace th::cpu {
namespace {

/// nll_loss's operands, whose shapes and classes are checked before anything is computed.
struct Predictions : ClassSizes {
  Predictions(const TH_Tensor* x, const TH_Tensor* target, const TH_Tensor* weights,
              int64_t ignore_index)
      : ClassSizes(check_nll(x, target, weights)), ignored(ignore_index) {
    const Tensor t = contiguous(*target);
    const int64_t* classes = data<int64_t>(t);
    const auto wrong = [this](int64_t c) { return c != ignored && (c < 1 || c > C); };
    std::atomic<bool> good = true;
    parallel_for(count(), kGrain, [&](int64_t begin, int64_t end) {
      if (std::any_of(classes + begin, classes + end, wrong)) {
        good = false;
      }
    });
    if (!good) [[unlikely]] {
      const int64_t* first = std::find_if(classes, classes + count(), wrong);
      target_out_of_range(first - classes, *first, C, ignored);
    }
  }

  int64_t count() const { return N * P; }

  /// f(offset of the target's log-probability in x, class counted from 0) for all of [begin, end)
  /// but the ignored.
  template <class F>
  void each(const int64_t* target, int64_t begin, int64_t end, F&& f) const {
    for (int64_t i = begin; i < end; ++i) {
      if (target[i] != ignored) {
        const int64_t c = target[i] - 1;
        f((i / P * C + c) * P + i % P, c);
      }
    }
  }

  int64_t ignored;
};

/// Predictions whose terms are added up together: a fixed number, so that sums do not depend on the
/// number of threads.
constexpr int64_t kTogether = 8192;

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
  struct Sums {
    double loss = 0, weight = 0;
  };
  std::vector<Sums> sums(static_cast<size_t>((p.count() + kTogether - 1) / kTogether));
  Floating::dispatch(x->dtype, [&]<class T>() {
    const T* log_p = data<T>(in);
    const Compute<T>* factors = data<Compute<T>>(w);
    const int64_t* classes = data<int64_t>(t);
    parallel_items(static_cast<int64_t>(sums.size()), kTogether, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) {
        Sums sum;
        const int64_t end = std::min(p.count(), (i + 1) * kTogether);
        p.each(classes, i * kTogether, end, [&](int64_t at, int64_t c) {
          const double weight = factors == nullptr ? 1 : factors[c];
          sum.loss -= weight * convert<double>(log_p[at]);
          sum.weight += weight;
        });
        sums[static_cast<size_t>(i)] = sum;
      }
    });
  });
  double loss = 0;
  double total = 0;
  for (const Sums& sum : sums) {
    loss += sum.loss;
    total += sum.weight;
  }
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
    parallel_for(numel(in), kGrain,
                 [&](int64_t begin, int64_t end) { std::fill(grad + begin, grad + end, T(0)); });
    if (size_average && total == 0) {
      return;  // every target was ignored
    }
    const T scale = size_average ? 1 / total : T(1);
    parallel_for(p.count(), kTogether, [&](int64_t begin, int64_t end) {
      p.each(data<int64_t>(t), begin, end, [&](int64_t at, int64_t c) {
        grad[at] = -scale * (factors == nullptr ? 1 : factors[c]);
      });
    });
  });
  out.finish();
}

const LossKernels& loss_kernels() {
  static const LossKernels table = select_kernels<LossKernels>();
  return table;
}

/// Elements whose terms lie in the first-level cache between the two kernels. Pieces of a fixed
/// size: the sum does not depend on the number of threads.
constexpr int64_t kPiece = 1024;

/// The sum of one piece's terms, in double.
template <class T>
double sum_piece(Kernel kernel, const T* x, const T* target, const T* weights, int64_t count,
                 const double* scalars) {
  T terms[kPiece];
  void* pointers[] = {terms, const_cast<T*>(x), const_cast<T*>(target), const_cast<T*>(weights)};
  kernel(pointers, count, scalars);
  double sum = 0;
  reduce_kernels().sum.by_dtype[dtype_of<T>].rows(&sum, 1, terms, count, count, 0, 0);
  return sum;
}

/// The sum of n terms.
template <class T>
double sum_terms(Kernel kernel, const T* x, const T* target, const T* weights, int64_t n,
                 const double* scalars) {
  if (n <= kPiece) {
    return sum_piece(kernel, x, target, weights, n, scalars);
  }
  const int64_t pieces = (n + kPiece - 1) / kPiece;
  std::vector<double> sums(static_cast<size_t>(pieces));
  parallel_items(pieces, kPiece, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i * kPiece;
      sums[static_cast<size_t>(i)] = sum_piece(kernel, x + first, target + first,
                                               weights == nullptr ? nullptr : weights + first,
                                               std::min(kPiece, n - first), scalars);
    }
  });
  double loss = 0;
  for (const double sum : sums) {
    loss += sum;
  }
  return loss;
}

void element_loss(const KernelRow& row, TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* target,
                  const TH_Tensor* weights, double a, double b, bool size_average) {
  check_element_loss(r, x, target, weights);
  const int64_t n = numel(*x);
  const double scalars[] = {a, b};
  double loss = 0;
  const auto compute = [&](const TH_Tensor& in, const TH_Tensor& t, const TH_Tensor* w) {
    RealTypes::dispatch(in.dtype, [&]<class T>() {
      loss = sum_terms(row.by_dtype[in.dtype], data<T>(in), data<T>(t),
                       w == nullptr ? nullptr : data<T>(*w), n, scalars);
    });
  };
  if (weights == nullptr && !is_half(x->dtype) && is_contiguous(*x) && is_contiguous(*target)) {
    compute(*x, *target, nullptr);
  } else {
    const Tensor w = compact(weights);
    compute(compact(*x), compact(*target), weights == nullptr ? nullptr : &w);
  }
  put_number(r, size_average ? loss / static_cast<double>(n) : loss);
}

void element_loss_backward(const KernelRow& row, TH_Tensor* r, const TH_Tensor* x,
                           const TH_Tensor* target, const TH_Tensor* weights, double a, double b,
                           bool size_average) {
  check_element_loss(r, x, target, weights);
  if (weights == nullptr && RealTypes::contains(x->dtype)) {
    if (const int64_t count = small_and_plain(element_size(x->dtype), *r, *x, *target); count > 0)
        [[likely]] {
      const double scalars[] = {a, b, size_average ? 1 / static_cast<double>(count) : 1};
      void* pointers[] = {bytes(*r), bytes(*x), bytes(*target), nullptr};
      row.by_dtype[x->dtype](pointers, count, scalars);
      return;
    }
  }
  const int64_t n = numel(*x);
  const Tensor in = compact(*x);
  const Tensor t = compact(*target);
  const Tensor w = compact(weights);
  Output out(r, sizes_of(in), {&in, &t, &w});
  const double scalars[] = {a, b, size_average ? 1 / static_cast<double>(n) : 1};
  RealTypes::dispatch(in.dtype, [&]<class T>() {
    const Kernel kernel = row.by_dtype[in.dtype];
    T* to = out.data<T>();
    const T* factors = data<T>(w);
    parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
      void* pointers[] = {to + begin, data<T>(in) + begin, data<T>(t) + begin,
                          factors == nullptr ? nullptr : const_cast<T*>(factors) + begin};
      kernel(pointers, end - begin, scalars);
    });
  });
  out.finish();
}

}  // namespace

void register_loss(LossTable& b) {
  b.nll_loss = nll_loss;
  b.nll_loss_backward = nll_loss_backward;
#define TH_LOSS(NAME, FUNCTOR, FORMULA)                                                            \
  b.NAME = [](TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* target, const TH_Tensor* weights, \
              double p, double q, bool size_average) {                                             \
    element_loss(loss_kernels().NAME, r, x, target, weights, p, q, size_average);                  \
  };                                                                                               \
  b.NAME##_backward = [](TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* target,                \
                         const TH_Tensor* weights, double p, double q, bool size_average) {        \
    element_loss_backward(loss_kernels().NAME##_backward, r, x, target, weights, p, q,             \
                          size_average);                                                           \
  };
#include "ops/nn/element_loss.def"
#undef TH_LOSS
}

}  // namespace th::cpu
