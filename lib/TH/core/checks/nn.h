// What every backend checks before it computes a layer or a loss.
#pragma once

#include <array>

#include "core/checks/reduce.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"

namespace th {

inline void check_softmax(const TH_Tensor* r, const TH_Tensor* x, int dim) {
  TH_CHECK(r != nullptr && x != nullptr, "an operand is missing");
  check_floating(*x);
  check_same_dtype(*r, *x);
  check_dim(*x, dim);
}

inline void check_softmax_backward(const TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* y,
                                   int dim) {
  TH_CHECK(r != nullptr && g != nullptr && y != nullptr, "an operand is missing");
  check_floating(*y);
  check_same_dtype(*y, *g);
  check_same_dtype(*r, *y);
  check_dim(*y, dim);
  check_same_count(*y, {g});
}

/// x: N x inputs or inputs, weight: outputs x inputs.
inline void check_linear(const TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight,
                         const TH_Tensor* bias) {
  TH_CHECK(r != nullptr && x != nullptr && weight != nullptr, "an operand is missing");
  check_floating(*x);
  check_same_dtype(*x, *weight);
  check_same_dtype(*r, *x);
  TH_CHECK(weight->ndim == 2, "weight is ", shape(*weight), ", expected outputs x inputs");
  const int64_t outputs = weight->sizes[0];
  const int64_t inputs = weight->sizes[1];
  TH_CHECK((x->ndim == 1 || x->ndim == 2) && x->sizes[x->ndim - 1] == inputs, "input is ",
           shape(*x), ", expected N x ", inputs, " or ", inputs, " for a weight of ",
           shape(*weight), "; flatten it first, as in x:view(-1, ", inputs, ") or nn.View(", inputs,
           ")");
  if (bias != nullptr) {
    check_same_dtype(*x, *bias);
    TH_CHECK(numel(*bias) == outputs, "bias is ", shape(*bias), ", expected ", outputs,
             " elements, one for each row of weight");
  }
}

inline void check_dropout(const TH_Tensor* r, const TH_Tensor* noise, const TH_Tensor* x,
                          double p) {
  TH_CHECK(r != nullptr && noise != nullptr && x != nullptr, "an operand is missing");
  check_floating(*x);
  check_same_dtype(*r, *x);
  check_same_dtype(*noise, *x);
  TH_CHECK(p >= 0 && p < 1, "p is ", p,
           ", the probability of dropping an element must be 0 <= p < 1");
}

/// What noise must not share memory with; `shares(a, b)` is the backend's answer for two tensors.
template <class Shares>
void check_noise_apart(const TH_Tensor* r, const TH_Tensor* noise, const TH_Tensor* x,
                       const Shares& shares) {
  TH_CHECK(noise != r && !shares(*noise, *x) && !shares(*noise, *r),
           "noise needs memory of its own, it cannot be part of the input or the result");
}

/// Predictions of C log-probabilities: for each of N images, and of P positions in them.
struct ClassSizes {
  int64_t N, C, P;
};

/// The shapes of nll_loss's operands; the classes themselves are the backend's to check.
inline ClassSizes check_nll(const TH_Tensor* x, const TH_Tensor* target, const TH_Tensor* weights) {
  TH_CHECK(x != nullptr && target != nullptr, "an operand is missing");
  check_floating(*x);
  check_dtype(*target, TH_LONG, "target");
  TH_CHECK(x->ndim == 1 || x->ndim == 2 || x->ndim == 4, "input is ", shape(*x),
           ", expected C, N x C or N x C x H x W log-probabilities");
  ClassSizes s{1, x->sizes[x->ndim == 1 ? 0 : 1], 1};
  std::array<int64_t, 3> wanted{1};
  size_t dimensions = 1;
  if (x->ndim > 1) {
    s.N = wanted[0] = x->sizes[0];
  }
  if (x->ndim == 4) {
    s.P = x->sizes[2] * x->sizes[3];
    wanted = {s.N, x->sizes[2], x->sizes[3]};
    dimensions = 3;
  }
  bool agrees = numel(*target) == s.N * s.P;
  for (int d = 0; agrees && x->ndim == 4 && target->ndim == 3 && d < 3; ++d) {
    agrees = target->sizes[d] == wanted[static_cast<size_t>(d)];
  }
  TH_CHECK(agrees, "target is ", shape(*target), ", expected ",
           shape(std::span<const int64_t>(wanted.data(), dimensions)), " for an input of ",
           shape(*x), ": one class for each prediction",
           target->ndim == x->ndim && same_sizes(*target, *x)
               ? "; the classes of rows of 0 and 1 are _, classes = target:max(2)"
               : "");
  if (weights != nullptr) {
    check_same_dtype(*x, *weights);
    TH_CHECK(numel(*weights) == s.C, "weights is ", shape(*weights), ", expected ", s.C,
             " elements, one for each class");
  }
  return s;
}

/// The i-th target is no class.
[[noreturn]] inline void target_out_of_range(int64_t i, int64_t target, int64_t classes,
                                             int64_t ignore_index) {
  fail("target ", i + 1, " is ", target, ", classes must be from 1 to ", classes,
       ignore_index >= 1 && ignore_index <= classes
           ? ""
           : str(" (or ", ignore_index, ", which is ignored)"),
       target == 0 ? "; classes that count from 0 are one too low: targets:add(1)" : "");
}

inline void check_total_weight(const TH_Tensor& total_weight) {
  TH_CHECK(numel(total_weight) == 1, "total_weight is ", shape(total_weight),
           ", expected the one number that the forward pass made");
}

/// A term for each element of x and target, times one of weights where there are any.
inline void check_element_loss(const TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* target,
                               const TH_Tensor* weights) {
  TH_CHECK(r != nullptr && x != nullptr && target != nullptr, "an operand is missing");
  check_floating(*x);
  check_same_dtype(*x, *target);
  check_same_dtype(*r, *x);
  check_same_count(*x, {target});
  if (weights != nullptr) {
    check_same_dtype(*x, *weights);
    check_same_count(*x, {weights});
  }
  TH_CHECK(x->ndim > 0, "input is empty");
}

}  // namespace th
