// Pooling of images with its numbers one by one.
#pragma once

#include <cmath>

#include "TH.h"

namespace th::test {

struct PoolCase {
  int64_t C, H, W;
  int kH, kW, dH, dW, padH, padW;
  bool ceil_mode;

  int64_t outH() const { return out(H, kH, dH, padH); }
  int64_t outW() const { return out(W, kW, dW, padW); }

 private:
  /// Torch7's rule: floor or ceil, and the last window begins inside the input or before it.
  int64_t out(int64_t size, int k, int d, int pad) const {
    const double steps = static_cast<double>(size + 2 * pad - k) / d;
    int64_t n = static_cast<int64_t>(ceil_mode ? std::ceil(steps) : std::floor(steps)) + 1;
    while ((n - 1) * d >= size + pad) {
      --n;
    }
    return n;
  }
};

inline constexpr PoolCase kPoolCases[] = {
    {3, 24, 24, 2, 2, 2, 2, 0, 0, false}, {3, 8, 8, 2, 2, 2, 2, 0, 0, false},
    {2, 9, 7, 2, 2, 2, 2, 0, 0, false},   {2, 9, 7, 2, 2, 2, 2, 0, 0, true},
    {1, 66, 70, 2, 2, 2, 2, 0, 0, false}, {1, 2, 2, 2, 2, 2, 2, 0, 0, false},
    {2, 11, 13, 3, 3, 2, 2, 1, 1, false}, {2, 11, 12, 3, 3, 2, 2, 1, 1, true},
    {2, 10, 10, 3, 2, 1, 3, 1, 1, true},  {1, 5, 5, 1, 1, 3, 3, 0, 0, true},
    {1, 5, 5, 3, 3, 1, 1, 1, 1, false},   {2, 6, 9, 4, 5, 3, 2, 2, 2, true},
    {1, 7, 7, 7, 7, 1, 1, 0, 0, false},   {2, 6, 6, 3, 3, 3, 3, 0, 0, false},
    {1, 40, 3, 2, 1, 2, 1, 1, 0, false},
};

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
