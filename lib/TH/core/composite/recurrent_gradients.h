// What a recurrent layer's backward pass does beside its steps: the gradients of input and
// parameters, for some steps at a time where their rows lie in a near cache then.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "core/checks/recurrent.h"
#include "core/composite/staged.h"
#include "core/composite/views.h"
#include "core/device_functions.h"
#include "core/operations.h"

namespace th::composite {

/// t as (T N) x features.
inline Tensor rows(const TH_Tensor& t) { return viewed(t, {t.sizes[0] * t.sizes[1], t.sizes[2]}); }

/// x with zeros where a sequence is over: whatever lies there, times a gradient of 0 it is 0 then.
inline Tensor without_padding(const TH_Tensor& x, const TH_Tensor* lengths) {
  if (lengths == nullptr) {
    return Tensor(x);
  }
  Tensor own = Tensor::like(x, x.dtype, sizes_of(x));
  Tensor zeros = Tensor::like(x, x.dtype, sizes_of(at(x, 0)));
  ops::fill(&zeros, 0);
  for (int64_t t = 0; t < x.sizes[0]; ++t) {
    // tanh's derivative at 0 is 1: what goes on is copied.
    Tensor to = at(own, t);
    const Tensor from = at(x, t);
    ops::rnn_cell_backward(&to, &from, nullptr, &zeros, lengths, t, false);
  }
  return own;
}

/// Told of each step's gradients of the sums of products, of_input those of the input's part,
/// of_state of the state's, in the order of the backward pass. Parameters grow when all is
/// computed.
class SequenceGradients {
 public:
  /// gx: the gradient of the input, or null.
  SequenceGradients(const SequenceShape& s, const Tensor& x, const TH_Tensor& y,
                    const TH_Tensor* h0, const TH_Tensor* lengths, const Tensor& of_input,
                    const Tensor& of_state, bool reverse, TH_Tensor* gx, const TH_Tensor* weights,
                    const RecurrentGradients& to)
      : s_(s),
        x_(without_padding(x, to.weight == nullptr ? nullptr : lengths)),
        y_(y),
        h0_(h0),
        of_input_(of_input),
        of_state_(of_state),
        reverse_(reverse),
        weights_(weights),
        to_(to) {
    // Sums of 16 bits are not to be rounded again and again.
    constexpr int64_t kWeights = 1 << 19;  // more leave a second-level cache anyway
    if (x.device_type == TH_CPU && !is_half(x.dtype) && numel(*weights) <= kWeights) {
      constexpr int64_t kRows = 128;  // that it has beside the weights
      together_ = std::max<int64_t>(kRows / std::max<int64_t>(s.N, 1), 1);
    } else {
      together_ = s.T;
    }
    if (gx != nullptr) {
      of_x_.emplace(gx, x, sizes_of(x));
    }
    weight_.begin(to.weight);
    if (s.T > 1 || h0 != nullptr) {
      recurrent_.begin(to.recurrent);
    }
  }

  /// Step t's are there.
  void known(int64_t t) {
    first_ = count_ == 0 ? t : std::min(first_, t);
    if (++count_ == together_) {
      multiply();
    }
  }

  void complete() {
    if (count_ > 0) {
      multiply();
    }
    weight_.turn();
    recurrent_.turn();
    const TH_Tensor* sum = bias(bias_, to_.bias, of_input_, nullptr);
    bias(recurrent_bias_, to_.recurrent_bias, of_state_, &of_input_ == &of_state_ ? sum : nullptr);
  }

  /// Nothing fails from here on.
  void finish(std::initializer_list<Staged*> results, double scale) {
    if (of_x_) {
      of_x_->finish();
    }
    for (Staged* r : results) {
      r->finish();
    }
    for (const Grown* g : {&weight_, &recurrent_, &bias_, &recurrent_bias_}) {
      if (g->parameter != nullptr) {
        ops::add_scaled(g->parameter, g->parameter, scale, &g->sum);
      }
    }
  }

 private:
  struct Grown {
    TH_Tensor* parameter = nullptr;
    Tensor sum;
    double keep = 0;

    /// The sum of a matrix is made with its rows for columns: so the wide factor of its products is
    /// read along its rows.
    void begin(TH_Tensor* matrix) {
      parameter = matrix;
      if (matrix != nullptr) {
        const int64_t sizes[] = {matrix->sizes[1], matrix->sizes[0]};
        sum = Tensor::like(*matrix, matrix->dtype, sizes);
      }
    }
    void add(const Tensor& x, const Tensor& g) {
      const Tensor turned = transposed(x);
      ops::addmm(&sum, keep, &sum, 1, &turned, &g);
      keep = 1;
    }
    void turn() {
      if (parameter != nullptr) {
        sum = contiguous(transposed(sum));
      }
    }
  };

  /// The products of the steps that are known.
  void multiply() {
    const Tensor g = rows(part(of_input_, 0, first_, count_));
    if (of_x_) {
      Tensor to = rows(part(of_x_->tensor(), 0, first_, count_));
      ops::addmm(&to, 0, &to, 1, &g, weights_);
    }
    if (weight_.parameter != nullptr) {
      weight_.add(rows(part(x_, 0, first_, count_)), g);
    }
    if (recurrent_.parameter != nullptr) {
      multiply_states();
    }
    count_ = 0;
  }

  /// Each step's gradient with the state before it.
  void multiply_states() {
    const int64_t end = first_ + count_;
    const int64_t from = reverse_ ? first_ : std::max<int64_t>(first_, 1);
    const int64_t steps = (reverse_ ? std::min(end, s_.T - 1) : end) - from;
    if (steps > 0) {
      recurrent_.add(rows(part(y_, 0, reverse_ ? from + 1 : from - 1, steps)),
                     rows(part(of_state_, 0, from, steps)));
    }
    const int64_t start = reverse_ ? s_.T - 1 : 0;
    if (h0_ != nullptr && first_ <= start && start < end) {
      recurrent_.add(Tensor(*h0_), at(of_state_, start));
    }
  }

  /// known: the sum of the gradients where it was made before.
  static const TH_Tensor* bias(Grown& g, TH_Tensor* parameter, const TH_Tensor& gradients,
                               const TH_Tensor* known) {
    if (parameter == nullptr) {
      return nullptr;
    }
    g.parameter = parameter;
    if (known != nullptr) {
      g.sum = Tensor(*known);
    } else {
      const Tensor flat = rows(gradients);
      init(g.sum, flat.dtype, flat.device_type, flat.device);
      ops::sum(&g.sum, &flat, 0);
      g.sum = viewed(g.sum, {numel(g.sum)});
    }
    return &g.sum;
  }

  const SequenceShape& s_;
  const Tensor x_;
  const TH_Tensor& y_;
  const TH_Tensor* h0_;
  const Tensor& of_input_;
  const Tensor& of_state_;
  bool reverse_;
  const TH_Tensor* weights_;
  RecurrentGradients to_;
  int64_t together_;
  int64_t first_ = 0, count_ = 0;  // steps that are known and not multiplied
  std::optional<Staged> of_x_;
  Grown weight_, recurrent_, bias_, recurrent_bias_;
};

}  // namespace th::composite
