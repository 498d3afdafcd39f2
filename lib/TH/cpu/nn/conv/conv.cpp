// Convolution (cross-correlation, as everywhere in this field) and its gradients. Of images:
//   y[n][k][i][j] = b[k] + sum over c, p, q of
//       w[k][c][p][q] x[n][c][i dH - padH + p dilH][j dW - padW + q dilW]
#include "core/tables/conv.h"

#include <limits>
#include <type_traits>

#include "core/checks/conv.h"
#include "cpu/nn/conv/direct_conv.h"
#include "cpu/nn/conv/onednn.h"
#include "cpu/nn/conv/point_conv.h"
#include "cpu/nn/conv/winograd.h"
#include "cpu/operands.h"
#include "cpu/register.h"

namespace th::cpu {
namespace {

// Which way is faster was measured on one core with AVX-512 (Zen 5), from LeNet's to ResNet's
// layers.

/// What oneDNN adds by rounding the channels up to its blocks of 16, as a factor.
double padding_waste(const ConvShape& s) {
  const auto blocks = [](int64_t n) {
    return static_cast<double>((n + 15) / 16 * 16) / static_cast<double>(n);
  };
  return blocks(s.group_inputs()) * blocks(s.group_outputs());
}

bool depthwise(const ConvShape& s) {
  return s.groups >= 16 && s.group_inputs() == 1 && s.group_outputs() == 1;
}

/// oneDNN counts elements of a direction in ints, the padding included.
bool fits_onednn(const ConvShape& s) {
  const auto fits = [](int64_t size, int64_t padding) {
    return size + 2 * padding <= std::numeric_limits<int32_t>::max();
  };
  return fits(s.D, s.padD) && fits(s.H, s.padH) && fits(s.W, s.padW);
}

/// `terms`: products that one result sums up. With few of them oneDNN's reorders cost more than its
/// kernels gain.
bool onednn_pays(const ConvShape& s, int64_t terms) {
  return fits_onednn(s) && (depthwise(s) || (terms >= 512 && padding_waste(s) < 1.2));
}

bool onednn_pays_for_weights(const ConvShape& s) {
  const bool many = s.K * s.taps() > 256 * 1024;  // more sums than a cache has room for
  const bool few = s.group_inputs() < 16 || s.group_outputs() < 16;
  return fits_onednn(s) && (depthwise(s) || padding_waste(s) < (many ? 2 : few ? 1 : 1.2));
}

/// Planes as a pass takes them: those of bfloat16 as they are where they are multiplied by pairs,
/// else in the type that layers compute in.
class Planes {
 public:
  Planes(winograd::Direction direction, const ConvShape& s, const TH_Tensor& planes)
      : pairs_(planes.dtype == TH_BFLOAT16 && winograd::by_pairs(direction, s)) {}

  Tensor read(const TH_Tensor& t) const { return pairs_ ? contiguous(t) : compact(t); }
  Tensor read(const TH_Tensor* t) const { return t == nullptr ? Tensor() : read(*t); }

  class Written : public Result {
   public:
    Written(const Planes& planes, TH_Tensor* r, std::span<const int64_t> sizes,
            std::initializer_list<const TH_Tensor*> operands)
        : Result(r, sizes, Compact, operands, planes.pairs_ ? r->dtype : compute_dtype(r->dtype)) {}
  };

  /// f<element of planes that were read>()
  template <class F>
  void dispatch(const TH_Tensor& read, const F& f) const {
    if (pairs_) {
      f.template operator()<BFloat16>();
    } else {
      RealTypes::dispatch(read.dtype, f);
    }
  }

 private:
  bool pairs_;
};

void conv_add_relu(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight, const TH_Tensor* bias,
                   const TH_Tensor* addend, bool relu, int dims, const int64_t* stride,
                   const int64_t* padding, const int64_t* dilation, int groups) {
  const ConvShape s = check_conv(r, x, weight, bias, {dims, stride, padding, dilation, groups});
  check_conv_addend(addend, s, *x);
  const Planes planes(winograd::Direction::Forward, s, *x);
  const Tensor w = compact(*weight);
  const Tensor b = compact(bias);
  const Tensor in = planes.read(*x);
  const Tensor more = planes.read(addend);
  Planes::Written out(planes, r, output_sizes(s, *x).span(), {&in, &w, &b, &more});
  planes.dispatch(in, [&]<class T>() {
    const Epilogue<T> epilogue{data<T>(more), relu};
    if constexpr (std::is_same_v<T, BFloat16>) {
      winograd::conv(s, data<T>(in), data<float>(w), data<float>(b), out.data<T>(), epilogue);
    } else {
      if (of_points(s)) {
        point_conv<T>(s, data<T>(in), data<T>(w), data<T>(b), out.data<T>(), epilogue);
        return;
      }
      if constexpr (std::is_same_v<T, float>) {
        const Weights weights(data<T>(w), w.store == weight->store ? weight : nullptr);
        if (winograd::applies(winograd::Direction::Forward, s)) {
          winograd::conv(s, data<T>(in), weights, data<T>(b), out.data<T>(), epilogue);
          return;
        }
        if (onednn_pays(s, s.taps()) &&
            onednn::conv(s, data<T>(in), weights, data<T>(b), out.data<T>(), epilogue)) {
          return;
        }
      }
      direct_conv<T>(s, data<T>(in), data<T>(w), data<T>(b), out.data<T>(), epilogue);
    }
  });
  out.finish();
}

void conv(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight, const TH_Tensor* bias,
          int dims, const int64_t* stride, const int64_t* padding, const int64_t* dilation,
          int groups) {
  conv_add_relu(r, x, weight, bias, nullptr, false, dims, stride, padding, dilation, groups);
}

void conv_backward_input(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x,
                         const TH_Tensor* weight, int dims, const int64_t* stride,
                         const int64_t* padding, const int64_t* dilation, int groups) {
  const ConvShape s =
      check_conv_backward_input(r, g, x, weight, {dims, stride, padding, dilation, groups});
  const Planes planes(winograd::Direction::BackwardInput, s, *g);
  const Tensor w = compact(*weight);
  const Tensor in(*x);  // for its sizes: r may be x
  const Tensor grad = planes.read(*g);
  Planes::Written out(planes, r, sizes_of(in), {&grad, &w});
  planes.dispatch(grad, [&]<class T>() {
    if constexpr (std::is_same_v<T, BFloat16>) {
      winograd::conv_backward_input(s, data<T>(grad), data<float>(w), out.data<T>());
    } else {
      if (of_points(s)) {
        point_conv_backward_input<T>(s, data<T>(grad), data<T>(w), out.data<T>());
        return;
      }
      if constexpr (std::is_same_v<T, float>) {
        if (winograd::applies(winograd::Direction::BackwardInput, s)) {
          winograd::conv_backward_input(s, data<T>(grad), data<T>(w), out.data<T>());
          return;
        }
        if (onednn_pays(s, s.group_outputs() * s.kernel()) &&
            onednn::conv_backward_input(s, data<T>(grad), data<T>(w), out.data<T>())) {
          return;
        }
      }
      direct_conv_backward_input<T>(s, data<T>(grad), data<T>(w), out.data<T>());
    }
  });
  out.finish();
}

void conv_backward_weight(TH_Tensor* grad_weight, TH_Tensor* grad_bias, const TH_Tensor* g,
                          const TH_Tensor* x, int dims, const int64_t* stride,
                          const int64_t* padding, const int64_t* dilation, int groups,
                          double scale) {
  const ConvShape s = check_conv_backward_weight(grad_weight, grad_bias, g, x,
                                                 {dims, stride, padding, dilation, groups});
  const Planes planes(winograd::Direction::BackwardWeight, s, *x);
  const Tensor in = planes.read(*x);
  const Tensor grad = planes.read(*g);
  Tensor gw = compact(*grad_weight);
  Tensor gb = compact(grad_bias);
  if (shares_memory(gw, in) || shares_memory(gw, grad)) {
    gw = clone(gw);
  }
  if (grad_bias != nullptr && (shares_memory(gb, in) || shares_memory(gb, grad))) {
    gb = clone(gb);
  }
  planes.dispatch(in, [&]<class T>() {
    using Sum = Compute<T>;
    const T *gs = data<T>(grad), *xs = data<T>(in);
    Sum *to_weight = data<Sum>(gw), *to_bias = data<Sum>(gb);
    const auto factor = static_cast<Sum>(scale);
    if constexpr (std::is_same_v<T, BFloat16>) {
      winograd::conv_backward_weight(s, gs, xs, factor, to_weight, to_bias);
    } else {
      if (of_points(s)) {
        point_conv_backward_weight<T>(s, gs, xs, factor, to_weight, to_bias);
        return;
      }
      if constexpr (std::is_same_v<T, float>) {
        if (winograd::applies(winograd::Direction::BackwardWeight, s)) {
          winograd::conv_backward_weight(s, gs, xs, factor, to_weight, to_bias);
          return;
        }
        if (onednn_pays_for_weights(s) &&
            onednn::conv_backward_weight(s, gs, xs, factor, to_weight, to_bias)) {
          return;
        }
      }
      direct_conv_backward_weight<T>(s, gs, xs, factor, to_weight, to_bias);
    }
  });
  if (bytes(gw) != bytes(*grad_weight)) {
    th::copy(*grad_weight, gw);
  }
  if (grad_bias != nullptr && bytes(gb) != bytes(*grad_bias)) {
    th::copy(*grad_bias, gb);
  }
}

}  // namespace

void register_conv(ConvTable& b) {
  b.conv = conv;
  b.conv_add_relu = conv_add_relu;
  b.conv_backward_input = conv_backward_input;
  b.conv_backward_weight = conv_backward_weight;
}

}  // namespace th::cpu
