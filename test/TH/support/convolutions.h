// Convolutions of images with plain numbers, for tests: the operations take lists.
#pragma once

#include "TH.h"

namespace th::test {

inline int conv2d(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight, const TH_Tensor* bias,
                  int64_t dH, int64_t dW, int64_t padH, int64_t padW, int groups) {
  const int64_t stride[] = {dH, dW};
  const int64_t padding[] = {padH, padW};
  const int64_t dilation[] = {1, 1};
  return TH_conv(r, x, weight, bias, 2, stride, padding, dilation, groups);
}

inline int conv2d_backward_input(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x,
                                 const TH_Tensor* weight, int64_t dH, int64_t dW, int64_t padH,
                                 int64_t padW, int groups) {
  const int64_t stride[] = {dH, dW};
  const int64_t padding[] = {padH, padW};
  const int64_t dilation[] = {1, 1};
  return TH_conv_backward_input(r, g, x, weight, 2, stride, padding, dilation, groups);
}

inline int conv2d_backward_weight(TH_Tensor* grad_weight, TH_Tensor* grad_bias, const TH_Tensor* g,
                                  const TH_Tensor* x, int64_t dH, int64_t dW, int64_t padH,
                                  int64_t padW, int groups, double scale) {
  const int64_t stride[] = {dH, dW};
  const int64_t padding[] = {padH, padW};
  const int64_t dilation[] = {1, 1};
  return TH_conv_backward_weight(grad_weight, grad_bias, g, x, 2, stride, padding, dilation, groups,
                                 scale);
}

}  // namespace th::test
