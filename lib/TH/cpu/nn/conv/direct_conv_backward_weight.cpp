// The gradient of a convolution's weights.

#include <algorithm>
#include <vector>

#include "cpu/kernels/kernels.h"
#include "cpu/kernels/linalg/gemm.h"
#include "cpu/kernels/nn/conv.h"
#include "cpu/nn/conv/direct_conv.h"
#include "cpu/nn/conv/padded_rows.h"
#include "cpu/work_buffers.h"

namespace th::cpu {
namespace {

/// The sum over some outputs of one group, of some positions: [output][tap] by dots, [tap][output]
/// by rows.
template <class T>
class WeightGradient {
 public:
  /// For `outputs` of a group's at a time.
  WeightGradient(const ConvShape& s, int64_t outputs, bool by_dots)
      : s_(s),
        by_dots_(by_dots),
        lanes_(round_up(outputs, outputs > 8   ? kVector
                                 : outputs > 4 ? 8
                                               : 4)),
        planes_(s.group_inputs() * s.kD),
        width_((s.outW - 1) * s.dW + s.reachW()) {
    const int64_t row =
        (by_dots ? s.kW * planes_ * s.dH : lanes_) * s.outW * static_cast<int64_t>(sizeof(T));
    rows_ = std::clamp<int64_t>(kWorkingSet / 2 / row, 1, s.outH);
    // Enough stripes for several threads, but for products that are too short to pay.
    const int64_t enough = std::max(s.N * s.outD * s.outH / kMostParts, kLeast / s.outW);
    rows_ = std::min(rows_, std::max<int64_t>(enough, 1));
    input_rows_ = (rows_ - 1) * s.dH + s.reachH();
    padded_ = round_up(planes_ * input_rows_ * width_ + kSlack, 64);
    second_ = round_up(
        by_dots ? expansion(nullptr, nullptr).size() + kSlack : rows_ * s.outW * lanes_, 64);
    tap_.reserve(static_cast<size_t>(s.taps()));
    for (int64_t c = 0; c < planes_; ++c) {
      for (int64_t kh = 0; kh < s.kH; ++kh) {
        for (int64_t kw = 0; kw < s.kW; ++kw) {
          tap_.push_back(by_dots ? expansion(nullptr, nullptr).offset(c, kh * s.dilH, kw)
                                 : (c * input_rows_ + kh * s.dilH) * width_ + kw * s.dilW);
        }
      }
    }
    for (int64_t k = 0; k < outputs && by_dots; ++k) {
      output_.push_back(k * s.outputs());
    }
    for (int64_t y = 0; y < rows_ && !by_dots; ++y) {
      for (int64_t x = 0; x < s.outW; ++x) {
        input_position_.push_back(y * s.dH * width_ + x * s.dW);
        grad_position_.push_back(static_cast<int64_t>(grad_position_.size()) * lanes_);
      }
    }
  }

  /// Stripes of rows of all output planes of all images.
  int64_t stripes() const { return s_.N * s_.outD * stripes_of_plane(); }
  /// How many parts the stripes are summed up in: by shape alone, so that the sums are the same for
  /// any number of threads. Each adds up enough positions for its sums to pay.
  int64_t parts() const {
    const int64_t bytes = s_.K * s_.taps() * static_cast<int64_t>(sizeof(T));
    return std::clamp<int64_t>(
        std::min({s_.N * s_.outputs() / kLeast, kMostParts, kMostBytes / bytes}), 1, stripes());
  }
  int64_t buffer_size() const { return padded_ + second_; }
  int64_t sums_size() const { return round_up(s_.taps() * lanes_, 64); }

  /// Add up a stripe for `count` outputs of a group from `first` on; `buffer` is scratch memory.
  void add(int64_t stripe, int64_t group, int64_t first, int64_t count, const T* g, const T* x,
           T* buffer, T* sums) const {
    const int64_t y = stripe % stripes_of_plane() * rows_;
    const int64_t z = stripe / stripes_of_plane() % s_.outD;
    const int64_t image = stripe / stripes_of_plane() / s_.outD;
    const int64_t n = std::min(rows_, s_.outH - y) * s_.outW;
    g += (image * s_.K + group * s_.group_outputs() + first) * s_.outputs() +
         (z * s_.outH + y) * s_.outW;
    pad(z, y, x + (image * s_.C + group * s_.group_inputs()) * s_.plane(), buffer);
    T* second = buffer + padded_;
    if (by_dots_) {
      conv_kernels().row<T>().expand(expansion(buffer, second));
      gemm_kernels().row<T>().table_dots(
          {count, s_.taps(), n, g, output_.data(), second, tap_.data(), sums, s_.taps()});
    } else {
      convert_kernels().transpose[sizeof(T) == 4 ? 2 : 3](second, lanes_, g, s_.outputs(), count,
                                                          n);
      gemm_kernels().row<T>().table_gemm({s_.taps(), lanes_, n, buffer, tap_.data(),
                                          input_position_.data(), second, grad_position_.data(),
                                          sums, lanes_, T(1), T(1), nullptr});
    }
  }

  /// to[tap] += scale * the sum of the parts, which lie `step` apart, for output k of them.
  void finish(const T* sums, int64_t step, int64_t parts, int64_t k, T scale, T* to) const {
    const int64_t apart = by_dots_ ? 1 : lanes_;
    sums += by_dots_ ? k * s_.taps() : k;
    for (int64_t i = 0; i < s_.taps(); ++i, sums += apart) {
      T total = sums[0];
      for (int64_t part = 1; part < parts; ++part) {
        total += sums[part * step];
      }
      to[i] += scale * total;
    }
  }

 private:
  static constexpr int64_t kMostParts = 16;
  static constexpr int64_t kLeast = 64;  ///< positions
  static constexpr int64_t kMostBytes = int64_t{16} << 20;

  int64_t stripes_of_plane() const { return (s_.outH + rows_ - 1) / rows_; }

  Expansion<T> expansion(const T* from, T* to) const {
    return {planes_, input_rows_, s_.outW, input_rows_ * width_, width_, s_.kW, s_.dH, s_.dW,
            s_.dilW, from,        to};
  }

  /// The input rows of a stripe.
  void pad(int64_t z, int64_t y, const T* x, T* to) const {
    const PaddedRows<T> r{input_rows_, width_, s_.H, s_.W, y * s_.dH - s_.padH, -s_.padW};
    for (int64_t c = 0; c < s_.group_inputs(); ++c, x += s_.plane()) {
      for (int64_t kd = 0; kd < s_.kD; ++kd, to += input_rows_ * width_) {
        const int64_t d = z * s_.dD - s_.padD + kd * s_.dilD;
        r.copy(d >= 0 && d < s_.D ? x + d * s_.H * s_.W : nullptr, to);
      }
    }
  }

  const ConvShape& s_;
  bool by_dots_;
  int64_t lanes_, planes_, width_;
  int64_t rows_, input_rows_, padded_, second_;
  std::vector<int64_t> tap_, output_, input_position_, grad_position_;
};

}  // namespace

namespace {

template <class T>
double sum_of(int64_t n, const T* x) {
  return conv_kernels().row<T>().sum(n, x);
}
double sum_of(int64_t n, const BFloat16* x) {
  constexpr int64_t kSome = 1024;
  float floats[kSome];
  double total = 0;
  for (int64_t i = 0; i < n; i += kSome) {
    const int64_t some = std::min(kSome, n - i);
    convert_kernels().convert[TH_BFLOAT16][TH_FLOAT](floats, x + i, some);
    total += sum_of(some, floats);
  }
  return total;
}

}  // namespace

template <class T>
void conv_backward_bias(const ConvShape& s, const T* g, Compute<T> scale, Compute<T>* grad_bias) {
  parallel_items(s.K, s.N * s.outputs(), [&](int64_t first, int64_t last) {
    for (int64_t k = first; k < last; ++k) {
      double total = 0;
      for (int64_t n = 0; n < s.N; ++n) {
        total += sum_of(s.outputs(), g + (n * s.K + k) * s.outputs());
      }
      grad_bias[k] += static_cast<Compute<T>>(static_cast<double>(scale) * total);
    }
  });
}

template <class T>
void direct_conv_backward_weight(const ConvShape& s, const T* g, const T* x, T scale,
                                 T* grad_weight, T* grad_bias) {
  const int64_t outputs = s.group_outputs();
  // Dot products over the positions pay where these are many for the input there is to expand; else
  // vectors run along the outputs.
  const bool by_dots =
      (s.outH * s.outW >= 256 && s.group_inputs() * s.kD * s.kW * s.dH <= 64) || outputs < 4;
  // Blocks of outputs are work for several threads, too, and take no sums of their own.
  constexpr int64_t kBlock = 64;
  const int64_t block = outputs < 2 * kBlock ? outputs : kBlock;
  const int64_t blocks = (outputs + block - 1) / block;
  const WeightGradient<T> gradient(s, block, by_dots);
  const int64_t parts = gradient.parts();
  const int64_t stripes = gradient.stripes();
  const int64_t all_blocks = s.groups * blocks;
  const int64_t items = parts * all_blocks;
  const int64_t slices = slices_for(items, s.N * s.cost() / items);
  const int64_t scratch = gradient.buffer_size();
  const int64_t size = gradient.sums_size();
  const Buffers<T> memory(1, slices * scratch + items * size);
  T* const sums = memory[0] + slices * scratch;
  parallel_items(slices, kGrain, [&](int64_t first_slice, int64_t last_slice) {
    for (int64_t slice = first_slice; slice < last_slice; ++slice) {
      T* const buffer = memory[0] + slice * scratch;
      std::fill_n(buffer, scratch, T(0));
      const Share share(items, slice, slices);
      for (int64_t item = share.begin; item < share.end; ++item) {
        const Share own(stripes, item / all_blocks, parts);
        const int64_t group = item % all_blocks / blocks;
        const int64_t first = item % blocks * block;
        T* const own_sums = sums + item * size;
        std::fill_n(own_sums, size, T(0));
        for (int64_t stripe = own.begin; stripe < own.end; ++stripe) {
          gradient.add(stripe, group, first, std::min(block, outputs - first), g, x, buffer,
                       own_sums);
        }
      }
    }
  });
  parallel_items(s.K, s.taps() * parts, [&](int64_t first, int64_t last) {
    for (int64_t k = first; k < last; ++k) {
      const int64_t in_group = k % outputs;
      const int64_t item = k / outputs * blocks + in_group / block;
      gradient.finish(sums + item * size, all_blocks * size, parts, in_group % block, scale,
                      grad_weight + k * s.taps());
    }
  });
  if (grad_bias != nullptr) {
    conv_backward_bias(s, g, scale, grad_bias);
  }
}

template void conv_backward_bias<float>(const ConvShape&, const float*, float, float*);
template void conv_backward_bias<double>(const ConvShape&, const double*, double, double*);
template void conv_backward_bias<BFloat16>(const ConvShape&, const BFloat16*, float, float*);
template void direct_conv_backward_weight<float>(const ConvShape&, const float*, const float*,
                                                 float, float*, float*);
template void direct_conv_backward_weight<double>(const ConvShape&, const double*, const double*,
                                                  double, double*, double*);

}  // namespace th::cpu
