// What every backend checks before it normalises over a batch.
#pragma once

#include "core/checks/nn.h"

namespace th {

/// N samples of C planes with P elements each.
struct BatchNormShape {
  int64_t N, C, P;

  /// Elements of a plane over all samples.
  TH_HD int64_t count() const { return N * P; }
};

/// Null tensors pass; the others hold one number for each plane.
inline void check_plane_numbers(const TH_Tensor* t, const char* name, const BatchNormShape& s,
                                const TH_Tensor& x) {
  if (t == nullptr) {
    return;
  }
  check_same_dtype(x, *t);
  TH_CHECK(numel(*t) == s.C, name, " is ", shape(*t), ", expected ", s.C,
           " elements, one for each plane of an input of ", shape(x));
}

inline BatchNormShape check_batch_norm_input(const TH_Tensor& x, const TH_Tensor* running_mean,
                                             const TH_Tensor* running_var) {
  check_floating(x);
  TH_CHECK(x.ndim >= 2, "input is ", shape(x), ", expected a batch N x C or N x C x ...");
  BatchNormShape s{x.sizes[0], x.sizes[1], 1};
  for (int d = 2; d < x.ndim; ++d) {
    s.P *= x.sizes[d];
  }
  TH_CHECK(running_mean != nullptr && running_var != nullptr, "an operand is missing");
  check_plane_numbers(running_mean, "running_mean", s, x);
  check_plane_numbers(running_var, "running_var", s, x);
  return s;
}

inline BatchNormShape check_batch_norm(const TH_Tensor* r, const TH_Tensor* save_mean,
                                       const TH_Tensor* save_std, const TH_Tensor* x,
                                       const TH_Tensor* weight, const TH_Tensor* bias,
                                       const TH_Tensor* running_mean,
                                       const TH_Tensor* running_var) {
  TH_CHECK(r != nullptr && x != nullptr && save_mean != nullptr && save_std != nullptr,
           "an operand is missing");
  const BatchNormShape s = check_batch_norm_input(*x, running_mean, running_var);
  check_same_dtype(*r, *x);
  check_same_dtype(*save_mean, *x);
  check_same_dtype(*save_std, *x);
  check_plane_numbers(weight, "weight", s, *x);
  check_plane_numbers(bias, "bias", s, *x);
  return s;
}

inline BatchNormShape check_batch_norm_backward(const TH_Tensor* r, const TH_Tensor* grad_weight,
                                                const TH_Tensor* grad_bias, const TH_Tensor* g,
                                                const TH_Tensor* x, const TH_Tensor* weight,
                                                const TH_Tensor* running_mean,
                                                const TH_Tensor* running_var,
                                                const TH_Tensor* save_mean,
                                                const TH_Tensor* save_std, bool train) {
  TH_CHECK(g != nullptr && x != nullptr, "an operand is missing");
  const BatchNormShape s = check_batch_norm_input(*x, running_mean, running_var);
  if (r != nullptr) {
    check_same_dtype(*r, *x);
  }
  check_same_dtype(*x, *g);
  TH_CHECK(numel(*g) == numel(*x), "gradOutput is ", shape(*g), ", expected ", shape(*x),
           ", as the input");
  check_plane_numbers(grad_weight, "gradWeight", s, *x);
  check_plane_numbers(grad_bias, "gradBias", s, *x);
  check_plane_numbers(weight, "weight", s, *x);
  if (train) {
    TH_CHECK(save_mean != nullptr && save_std != nullptr, "an operand is missing");
    check_plane_numbers(save_mean, "save_mean", s, *x);
    check_plane_numbers(save_std, "save_std", s, *x);
  }
  return s;
}

}  // namespace th
