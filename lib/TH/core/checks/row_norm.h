// What every backend checks before it normalises rows.
#pragma once

#include "core/checks/nn.h"

namespace th {

/// R rows of K * P elements: K numbers of weight and bias for P elements each. `groups` rows have
/// them all, C of them.
struct RowNormShape {
  int64_t R, K, P, groups;

  TH_HD int64_t length() const { return K * P; }
  TH_HD int64_t C() const { return groups * K; }
  /// How often the rows go through weight and bias.
  TH_HD int64_t samples() const { return R / groups; }
};

/// Null tensors pass.
inline void check_row_numbers(const TH_Tensor* t, const char* name, const TH_Tensor& x,
                              int64_t count) {
  if (t == nullptr) {
    return;
  }
  check_same_dtype(x, *t);
  TH_CHECK(numel(*t) == count, name, " is ", shape(*t), ", expected ", count, " elements");
}

inline RowNormShape check_rows(const TH_Tensor& x, int64_t length, int64_t groups, int64_t inner) {
  check_floating(x);
  const int64_t count = numel(x);
  TH_CHECK(length >= 1 && groups >= 1 && inner >= 1 && length % inner == 0,
           "wanted positive sizes, and rows of a multiple of ", inner, " elements, got ", length,
           " elements in groups of ", groups);
  TH_CHECK(count > 0 && length <= count / groups && count % (length * groups) == 0, "input is ",
           shape(x), ", expected a multiple of ", groups, " rows of ", length, " elements");
  return {count / length, length / inner, inner, groups};
}

inline RowNormShape check_row_norm(const TH_Tensor* r, const TH_Tensor* save_mean,
                                   const TH_Tensor* save_std, const TH_Tensor* x,
                                   const TH_Tensor* weight, const TH_Tensor* bias, int64_t length,
                                   int64_t groups, int64_t inner) {
  TH_CHECK(r != nullptr && x != nullptr && save_mean != nullptr && save_std != nullptr,
           "an operand is missing");
  const RowNormShape s = check_rows(*x, length, groups, inner);
  check_same_dtype(*r, *x);
  check_dtype(*save_mean, compute_dtype(x->dtype), "save_mean");
  check_dtype(*save_std, compute_dtype(x->dtype), "save_std");
  check_row_numbers(weight, "weight", *x, s.C());
  check_row_numbers(bias, "bias", *x, s.C());
  return s;
}

inline RowNormShape check_row_norm_backward(const TH_Tensor* r, const TH_Tensor* grad_weight,
                                            const TH_Tensor* grad_bias, const TH_Tensor* g,
                                            const TH_Tensor* x, const TH_Tensor* weight,
                                            const TH_Tensor* save_mean, const TH_Tensor* save_std,
                                            int64_t length, int64_t groups, int64_t inner) {
  TH_CHECK(g != nullptr && x != nullptr && save_mean != nullptr && save_std != nullptr,
           "an operand is missing");
  const RowNormShape s = check_rows(*x, length, groups, inner);
  if (r != nullptr) {
    check_same_dtype(*r, *x);
  }
  check_same_dtype(*x, *g);
  TH_CHECK(numel(*g) == numel(*x), "gradOutput is ", shape(*g), ", expected ", shape(*x),
           ", as the input");
  check_row_numbers(weight, "weight", *x, s.C());
  check_row_numbers(grad_weight, "gradWeight", *x, s.C());
  check_row_numbers(grad_bias, "gradBias", *x, s.C());
  for (const TH_Tensor* saved : {save_mean, save_std}) {
    check_dtype(*saved, compute_dtype(x->dtype), "what forward saved");
    TH_CHECK(numel(*saved) == s.R, "forward saved statistics of ", numel(*saved),
             " rows, the input has ", s.R, "; run forward on this input first");
  }
  return s;
}

}  // namespace th
