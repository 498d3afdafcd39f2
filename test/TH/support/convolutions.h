// Convolutions with plain numbers, for tests: the operations take lists.
#pragma once

#include <array>

#include "TH.h"
#include "TH/support/tensors.h"
#include "core/checks/conv.h"

namespace th::test {

/// N x C x D x H x W by K kernels. Images have a depth of 1, signals a height of 1, too.
struct ConvCase {
  int64_t N, C, H, W, K, kH, kW;
  int64_t dH, dW, padH, padW;
  int groups;
  int64_t dilH = 1, dilW = 1;
  int64_t D = 1, kD = 1, dD = 1, padD = 0, dilD = 1;
  int dims = 2;

  static int64_t out(int64_t size, int64_t kernel, int64_t stride, int64_t pad, int64_t gap) {
    return (size + 2 * pad - (kernel - 1) * gap - 1) / stride + 1;
  }
  int64_t outD() const { return out(D, kD, dD, padD, dilD); }
  int64_t outH() const { return out(H, kH, dH, padH, dilH); }
  int64_t outW() const { return out(W, kW, dW, padW, dilW); }

  Sizes with(Sizes first, const Sizes& all) const {
    first.insert(first.end(), all.end() - dims, all.end());
    return first;
  }
  Sizes input() const { return with({N, C}, {D, H, W}); }
  Sizes weight() const { return with({K, C / groups}, {kD, kH, kW}); }
  Sizes output() const { return with({N, K}, {outD(), outH(), outW()}); }

  const int64_t* stride() const { return last({dD, dH, dW}, 0); }
  const int64_t* padding() const { return last({padD, padH, padW}, 1); }
  const int64_t* dilation() const { return last({dilD, dilH, dilW}, 2); }

 private:
  const int64_t* last(const std::array<int64_t, 3>& numbers, size_t place) const {
    static std::array<std::array<int64_t, 3>, 3> lists;
    lists[place] = numbers;
    return lists[place].data() + 3 - dims;
  }
};

/// Few elements and many ways: steps, borders, gaps, groups, dimensions.
inline constexpr ConvCase kConvCases[] = {
    {1, 1, 5, 5, 1, 3, 3, 1, 1, 0, 0, 1},
    {3, 2, 12, 12, 4, 5, 5, 1, 1, 0, 0, 1},
    {2, 3, 9, 7, 5, 3, 2, 2, 1, 1, 0, 1},
    {2, 4, 8, 11, 6, 3, 3, 2, 3, 1, 2, 2},
    {1, 8, 10, 10, 8, 3, 3, 1, 1, 1, 1, 8},
    {2, 5, 7, 7, 9, 1, 1, 1, 1, 0, 0, 1},
    {5, 6, 4, 5, 4, 1, 1, 1, 1, 0, 0, 2},
    {2, 6, 7, 9, 4, 1, 1, 2, 2, 0, 0, 2},
    {1, 2, 6, 6, 3, 6, 6, 1, 1, 0, 0, 1},
    {1, 2, 3, 3, 3, 3, 3, 1, 1, 4, 5, 1},
    {1, 3, 13, 13, 7, 2, 2, 3, 3, 0, 1, 1},
    {1, 1, 1, 40, 2, 1, 9, 1, 2, 0, 4, 1},
    {3, 1, 41, 33, 2, 2, 2, 1, 1, 0, 0, 1},
    // With gaps in the kernels.
    {2, 3, 12, 11, 5, 3, 3, 1, 1, 2, 3, 1, 2, 3},
    {1, 4, 14, 9, 6, 3, 2, 2, 1, 0, 1, 2, 3, 2},
    // Signals.
    {.N = 3,
     .C = 4,
     .H = 1,
     .W = 20,
     .K = 6,
     .kH = 1,
     .kW = 3,
     .dH = 1,
     .dW = 2,
     .padH = 0,
     .padW = 1,
     .groups = 2,
     .dilW = 2,
     .dims = 1},
    // Volumes.
    {.N = 2,
     .C = 2,
     .H = 6,
     .W = 7,
     .K = 3,
     .kH = 3,
     .kW = 2,
     .dH = 1,
     .dW = 1,
     .padH = 1,
     .padW = 0,
     .groups = 1,
     .D = 5,
     .kD = 3,
     .padD = 1,
     .dims = 3},
    {.N = 1,
     .C = 4,
     .H = 8,
     .W = 9,
     .K = 6,
     .kH = 2,
     .kW = 3,
     .dH = 2,
     .dW = 1,
     .padH = 1,
     .padW = 2,
     .groups = 2,
     .dilH = 1,
     .dilW = 2,
     .D = 7,
     .kD = 2,
     .dD = 3,
     .padD = 1,
     .dilD = 2,
     .dims = 3},
};

inline int forward(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* w, const TH_Tensor* b,
                   const ConvCase& c) {
  return TH_conv(r, x, w, b, c.dims, c.stride(), c.padding(), c.dilation(), c.groups);
}
inline int forward(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* w, const TH_Tensor* b,
                   const TH_Tensor* addend, bool relu, const ConvCase& c) {
  return TH_conv_add_relu(r, x, w, b, addend, relu, c.dims, c.stride(), c.padding(), c.dilation(),
                          c.groups);
}
inline int backward_input(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x, const TH_Tensor* w,
                          const ConvCase& c) {
  return TH_conv_backward_input(r, g, x, w, c.dims, c.stride(), c.padding(), c.dilation(),
                                c.groups);
}
inline int backward_weight(TH_Tensor* gw, TH_Tensor* gb, const TH_Tensor* g, const TH_Tensor* x,
                           const ConvCase& c, double scale) {
  return TH_conv_backward_weight(gw, gb, g, x, c.dims, c.stride(), c.padding(), c.dilation(),
                                 c.groups, scale);
}

inline int conv2d(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight, const TH_Tensor* bias,
                  int64_t dH, int64_t dW, int64_t padH, int64_t padW, int groups) {
  const int64_t stride[] = {dH, dW};
  const int64_t padding[] = {padH, padW};
  const int64_t dilation[] = {1, 1};
  return TH_conv(r, x, weight, bias, 2, stride, padding, dilation, groups);
}

inline int conv2d_add_relu(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight,
                           const TH_Tensor* bias, const TH_Tensor* addend, bool relu, int64_t dH,
                           int64_t dW, int64_t padH, int64_t padW, int groups) {
  const int64_t stride[] = {dH, dW};
  const int64_t padding[] = {padH, padW};
  const int64_t dilation[] = {1, 1};
  return TH_conv_add_relu(r, x, weight, bias, addend, relu, 2, stride, padding, dilation, groups);
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

/// The same, as vendors have it; x with a batch dimension.
inline ConvShape conv2d_shape(const TH_Tensor& x, const TH_Tensor& weight, int64_t dH, int64_t dW,
                              int64_t padH, int64_t padW, int groups, int64_t gap = 1) {
  const int64_t stride[] = {dH, dW};
  const int64_t padding[] = {padH, padW};
  const int64_t dilation[] = {gap, gap};
  return check_conv_shape(x, sizes_of(weight), {2, stride, padding, dilation, groups});
}

}  // namespace th::test
