// The gradient of a convolution's weights.

#include <algorithm>
#include <cstring>
#include <vector>

#include "cpu/kernels/kernels.h"
#include "cpu/kernels/linalg/gemm.h"
#include "cpu/kernels/nn/conv.h"
#include "cpu/nn/conv_buffers.h"
#include "cpu/nn/direct_conv.h"

namespace th::cpu {
namespace {

/// What a thread adds up for its images: [group][output][tap] by dots, [group][tap][output] by
/// rows.
template <class T>
class WeightGradient {
 public:
  WeightGradient(const ConvShape& s, bool by_dots)
      : s_(s),
        by_dots_(by_dots),
        inputs_(s.group_inputs()),
        outputs_(s.group_outputs()),
        lanes_(round_up(outputs_, outputs_ > 8   ? kVector
                                  : outputs_ > 4 ? 8
                                                 : 4)),
        width_((s.outW - 1) * s.dW + s.kW) {
    const int64_t row =
        (by_dots ? s.kW * inputs_ * s.dH : lanes_) * s.outW * static_cast<int64_t>(sizeof(T));
    rows_ = std::clamp<int64_t>(kWorkingSet / 2 / row, 1, s.outH);
    input_rows_ = (rows_ - 1) * s.dH + s.kH;
    padded_ = round_up(inputs_ * input_rows_ * width_ + kSlack, 64);
    second_ = round_up(
        by_dots ? expansion(nullptr, nullptr).size() + kSlack : rows_ * s.outW * lanes_, 64);
    sums_ = s.groups * s.taps() * (by_dots ? outputs_ : lanes_);
    for (int64_t c = 0; c < inputs_; ++c) {
      for (int64_t kh = 0; kh < s.kH; ++kh) {
        for (int64_t kw = 0; kw < s.kW; ++kw) {
          tap_.push_back(by_dots ? expansion(nullptr, nullptr).offset(c, kh, kw)
                                 : (c * input_rows_ + kh) * width_ + kw);
        }
      }
    }
    for (int64_t k = 0; k < outputs_; ++k) {
      output_.push_back(k * s.outH * s.outW);
    }
    for (int64_t y = 0; y < rows_ && !by_dots; ++y) {
      for (int64_t x = 0; x < s.outW; ++x) {
        input_position_.push_back(y * s.dH * width_ + x * s.dW);
        grad_position_.push_back(static_cast<int64_t>(grad_position_.size()) * lanes_);
      }
    }
  }

  int64_t buffer_size() const { return padded_ + second_ + sums_; }

  void start(T* buffer) const { std::fill_n(buffer, buffer_size(), T(0)); }

  /// Add the gradient of one image and group: its planes of dL/dy and of the input.
  void add(int64_t group, const T* g, const T* x, T* buffer) const {
    T* second = buffer + padded_;
    T* sums = second + second_;
    for (int64_t y = 0; y < s_.outH; y += rows_) {
      const int64_t n = std::min(rows_, s_.outH - y) * s_.outW;
      pad(y, x, buffer);
      if (by_dots_) {
        conv_kernels().row<T>().expand(expansion(buffer, second));
        gemm_kernels().row<T>().table_dots({outputs_, s_.taps(), n, g + y * s_.outW, output_.data(),
                                            second, tap_.data(),
                                            sums + group * outputs_ * s_.taps(), s_.taps()});
      } else {
        convert_kernels().transpose[sizeof(T) == 4 ? 2 : 3](second, lanes_, g + y * s_.outW,
                                                            s_.outH * s_.outW, outputs_, n);
        gemm_kernels().row<T>().table_gemm({s_.taps(), lanes_, n, buffer, tap_.data(),
                                            input_position_.data(), second, grad_position_.data(),
                                            sums + group * s_.taps() * lanes_, lanes_, T(1), T(1),
                                            nullptr});
      }
    }
  }

  /// to += scale times what was added up.
  void finish(const T* buffer, T scale, T* to) const {
    const T* sums = buffer + padded_ + second_;
    for (int64_t k = 0; k < s_.K; ++k) {
      const int64_t group = k / outputs_;
      const T* from =
          by_dots_ ? sums + k * s_.taps() : sums + group * s_.taps() * lanes_ + k % outputs_;
      const int64_t step = by_dots_ ? 1 : lanes_;
      for (int64_t i = 0; i < s_.taps(); ++i) {
        *to++ += scale * from[i * step];
      }
    }
  }

 private:
  Expansion<T> expansion(const T* from, T* to) const {
    return {inputs_, input_rows_, s_.outW, input_rows_ * width_, width_, s_.kW, s_.dH,
            s_.dW,   from,        to};
  }

  /// The input rows of a stripe, zeros where they reach beyond the planes.
  void pad(int64_t first, const T* x, T* to) const {
    const int64_t before = std::min(s_.padW, width_);
    const int64_t inside = std::clamp<int64_t>(width_ - before, 0, s_.W);
    for (int64_t c = 0; c < inputs_; ++c) {
      for (int64_t i = 0; i < input_rows_; ++i, to += width_) {
        const int64_t row = first * s_.dH - s_.padH + i;
        if (row < 0 || row >= s_.H) {
          std::fill_n(to, width_, T(0));
          continue;
        }
        std::fill_n(to, before, T(0));
        std::copy_n(x + (c * s_.H + row) * s_.W, inside, to + before);
        std::fill_n(to + before + inside, width_ - before - inside, T(0));
      }
    }
  }

  const ConvShape& s_;
  bool by_dots_;
  int64_t inputs_, outputs_, lanes_, width_;
  int64_t rows_, input_rows_, padded_, second_, sums_;
  std::vector<int64_t> tap_, output_, input_position_, grad_position_;
};

}  // namespace

template <class T>
void direct_conv_backward_weight(const ConvShape& s, const T* g, const T* x, T scale,
                                 T* grad_weight, T* grad_bias) {
  const int64_t plane = s.outH * s.outW;
  // Dot products over the positions pay where these are many for the input there is to expand; else
  // vectors run along the outputs.
  const bool by_dots = plane >= 256 && s.group_inputs() * s.kW * s.dH <= 64;
  const WeightGradient<T> gradient(s, by_dots || s.group_outputs() < 4);
  const int64_t slices = slices_for(s.N, s.cost());
  const Buffers<T> buffers(slices, gradient.buffer_size());
  std::vector<double> bias_sums(static_cast<size_t>(slices * s.K));
  const auto sum = conv_kernels().row<T>().sum;
  parallel_items(slices, kGrain, [&](int64_t first_slice, int64_t last_slice) {
    for (int64_t slice = first_slice; slice < last_slice; ++slice) {
      gradient.start(buffers[slice]);
      const Share share(s.N, slice, slices);
      for (int64_t n = share.begin; n < share.end; ++n) {
        for (int64_t k = 0; grad_bias != nullptr && k < s.K; ++k) {
          bias_sums[static_cast<size_t>(slice * s.K + k)] += sum(plane, g + (n * s.K + k) * plane);
        }
        for (int64_t group = 0; group < s.groups; ++group) {
          gradient.add(group, g + (n * s.K + group * s.group_outputs()) * plane,
                       x + (n * s.C + group * s.group_inputs()) * s.H * s.W, buffers[slice]);
        }
      }
    }
  });
  for (int64_t slice = 0; slice < slices; ++slice) {
    gradient.finish(buffers[slice], scale, grad_weight);
  }
  for (int64_t k = 0; grad_bias != nullptr && k < s.K; ++k) {
    double total = 0;
    for (int64_t slice = 0; slice < slices; ++slice) {
      total += bias_sums[static_cast<size_t>(slice * s.K + k)];
    }
    grad_bias[k] += static_cast<T>(static_cast<double>(scale) * total);
  }
}

template void direct_conv_backward_weight<float>(const ConvShape&, const float*, const float*,
                                                 float, float*, float*);
template void direct_conv_backward_weight<double>(const ConvShape&, const double*, const double*,
                                                  double, double*, double*);

}  // namespace th::cpu
