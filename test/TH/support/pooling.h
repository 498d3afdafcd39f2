// Pooling of images with its numbers one by one.
#pragma once

#include "TH.h"

namespace th::test {

inline constexpr int64_t kNoDilation[] = {1, 1};

inline int max_pool2d(TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x, int kH, int kW, int dH,
                      int dW, int padH, int padW, bool ceil_mode) {
  const int64_t kernel[] = {kH, kW}, stride[] = {dH, dW}, padding[] = {padH, padW};
  return TH_max_pool(r, indices, x, 2, kernel, stride, padding, kNoDilation, ceil_mode);
}

inline int max_pool2d_backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x,
                               const TH_Tensor* indices, int kH, int kW, int dH, int dW, int padH,
                               int padW, bool ceil_mode) {
  const int64_t kernel[] = {kH, kW}, stride[] = {dH, dW}, padding[] = {padH, padW};
  return TH_max_pool_backward(r, g, x, indices, 2, kernel, stride, padding, kNoDilation, ceil_mode);
}

inline int avg_pool2d(TH_Tensor* r, const TH_Tensor* x, int kH, int kW, int dH, int dW, int padH,
                      int padW, bool ceil_mode, bool count_padding) {
  const int64_t kernel[] = {kH, kW}, stride[] = {dH, dW}, padding[] = {padH, padW};
  return TH_avg_pool(r, x, count_padding, 2, kernel, stride, padding, kNoDilation, ceil_mode);
}

inline int avg_pool2d_backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x, int kH, int kW,
                               int dH, int dW, int padH, int padW, bool ceil_mode,
                               bool count_padding) {
  const int64_t kernel[] = {kH, kW}, stride[] = {dH, dW}, padding[] = {padH, padW};
  return TH_avg_pool_backward(r, g, x, count_padding, 2, kernel, stride, padding, kNoDilation,
                              ceil_mode);
}

}  // namespace th::test
