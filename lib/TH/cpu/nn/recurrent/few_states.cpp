#include "cpu/nn/recurrent/few_states.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/composite/recurrent.h"
#include "core/tables/recurrent.h"
#include "core/tensor/aliasing.h"
#include "cpu/kernels/linalg/gemv.h"
#include "cpu/kernels/nn/recurrent_cells.h"
#include "cpu/linalg/gemm.h"
#include "cpu/parallel.h"
#include "cpu/register.h"
#include "cpu/work_buffers.h"

namespace th::cpu {
namespace {

/// An operand's elements without gaps, null where there is no operand. No reference is counted: to
/// count those of seven operands takes a tenth of a small step.
template <class T>
class Elements {
 public:
  explicit Elements(const TH_Tensor* t) {
    if (t != nullptr && !is_contiguous(*t)) {
      copy_.emplace(contiguous(*t));
    }
    data_ = t == nullptr ? nullptr : data<T>(copy_ ? *copy_ : *t);
  }
  operator const T*() const { return data_; }
  const T* get() const { return data_; }

 private:
  std::optional<Tensor> copy_;
  const T* data_;
};

/// What a layer reads; null: not there.
struct Layer {
  SequenceShape s;
  const TH_Tensor *x, *h0, *c0, *weight, *recurrent, *bias, *recurrent_bias, *lengths;
  bool reverse;

  const TH_Tensor* or_x(const TH_Tensor* t) const { return t == nullptr ? x : t; }
};

/// T x N x (count * H), computed where it is to be unless an operand or another result lies there.
class Steps : public Result {
 public:
  Steps(TH_Tensor* r, const Layer& l, int64_t count, const TH_Tensor* other = nullptr,
        const TH_Tensor* another = nullptr)
      : Result(checked(r, l), std::array{l.s.T, l.s.N, count * l.s.H}, Compact,
               {l.x, l.or_x(l.h0), l.or_x(l.c0), l.weight, l.recurrent, l.or_x(l.bias),
                l.or_x(l.recurrent_bias), l.or_x(l.lengths), l.or_x(other), l.or_x(another)}) {}

 private:
  static TH_Tensor* checked(TH_Tensor* r, const Layer& l) {
    TH_CHECK(r != nullptr, "an operand is missing");
    check_same_dtype(*l.x, *r);
    return r;
  }
};

/// The arithmetic that the layers share. Memory is taken when it is made, before any result is
/// written.
template <class T>
class Pass {
 public:
  explicit Pass(const Layer& l)
      : s_(l.s),
        reverse_(l.reverse),
        x_(l.x),
        h0_(l.h0),
        weight_(l.weight),
        recurrent_(l.recurrent),
        bias_(l.bias),
        recurrent_bias_(l.recurrent_bias),
        lengths_(l.lengths),
        memory_(1, std::max(gemm_workspace(of_inputs(nullptr, 0)),
                            gemm_workspace(of_state(nullptr, nullptr, 0)))) {}

  /// to = x weight' + bias, of all steps; + recurrent bias as well where there is one sum for both.
  void multiply_inputs(T* to, bool both) const {
    const bool starts = start(s_.T * s_.N, bias_, both ? recurrent_bias_.get() : nullptr, to);
    gemm(of_inputs(to, T(starts)), memory_[0]);
  }
  /// to += h recurrent', of a step.
  void add_state(const T* h, T* to) const {
    if (h != nullptr) {
      gemm(of_state(h, to, 1), memory_[0]);
    }
  }
  /// to = h recurrent' + recurrent bias
  void multiply_state(const T* h, T* to) const {
    const bool starts = start(s_.N, recurrent_bias_, nullptr, to);
    if (h != nullptr) {
      gemm(of_state(h, to, T(starts)), memory_[0]);
    } else if (!starts) {
      std::fill_n(to, s_.N * width(), T(0));
    }
  }

  /// f(t, the step before, or -1), step by step.
  template <class F>
  void each_step(const F& f) const {
    for (int64_t i = 0; i < s_.T; ++i) {
      f(reverse_ ? s_.T - 1 - i : i, i == 0 ? -1 : reverse_ ? s_.T - i : i - 1);
    }
  }
  /// Of all steps' states or memories those before a step; `first` before the first one.
  const T* before(const T* all, int64_t step, const T* first) const {
    return step < 0 ? first : all + step * s_.N * s_.H;
  }
  const T* h0() const { return h0_; }

  /// live(n) for sequences that go on at step t, over(n) for the others.
  template <class Live, class Over>
  void each_sequence(int64_t t, const Live& live, const Over& over) const {
    parallel_items(s_.N, s_.H * kCellCost, [&](int64_t begin, int64_t end) {
      for (int64_t n = begin; n < end; ++n) {
        lengths_ == nullptr || t < lengths_[n] ? live(n) : over(n);
      }
    });
  }

 private:
  int64_t width() const { return s_.G * s_.H; }

  /// Rows that are a, or a + b; false where there is none.
  bool start(int64_t rows, const T* a, const T* b, T* to) const {
    if (a == nullptr) {
      return false;
    }
    if (b == nullptr) {
      std::copy_n(a, width(), to);
    } else {
      gemv_kernels().row<T>().add_scaled(width(), to, 1, a, 1, b);
    }
    for (int64_t i = 1; i < rows; ++i) {
      std::copy_n(to, width(), to + i * width());
    }
    return true;
  }

  Gemm<T> of_inputs(T* to, T beta) const {
    return product(s_.T * s_.N, s_.F, x_, weight_, beta, to);
  }
  Gemm<T> of_state(const T* h, T* to, T beta) const {
    return product(s_.N, s_.H, h, recurrent_, beta, to);
  }
  Gemm<T> product(int64_t rows, int64_t k, const T* a, const T* b, T beta, T* to) const {
    return {false, true, rows, width(), k, 1, a, k, b, k, beta, to, width()};
  }

  SequenceShape s_;
  bool reverse_;
  Elements<T> x_, h0_, weight_, recurrent_, bias_, recurrent_bias_;
  Elements<int64_t> lengths_;
  Workspace<T> memory_;
};

/// at + n rows of `count` elements; null stays null.
template <class T>
T* row(T* at, int64_t n, int64_t count) {
  return at == nullptr ? nullptr : at + n * count;
}

}  // namespace

void lstm_of_few_states(const SequenceShape& s, TH_Tensor* y, TH_Tensor* c, TH_Tensor* gates,
                        const TH_Tensor* x, const TH_Tensor* h0, const TH_Tensor* c0,
                        const TH_Tensor* weight, const TH_Tensor* recurrent, const TH_Tensor* bias,
                        const TH_Tensor* recurrent_bias, const TH_Tensor* lengths, bool reverse) {
  check_states(*x, s, h0, c0);
  const Layer l{s, x, h0, c0, weight, recurrent, bias, recurrent_bias, lengths, reverse};
  Steps states(y, l, 1), memories(c, l, 1, y), activations(gates, l, 4, y, c);
  RealTypes::dispatch(x->dtype, [&]<class T>() {
    const Pass<T> pass(l);
    const Elements<T> first(c0);
    T *const h = states.data<T>(), *const m = memories.data<T>(), *const a = activations.data<T>();
    const auto cell = recurrent_cells_kernels().row<T>().lstm;
    pass.multiply_inputs(a, true);
    pass.each_step([&](int64_t t, int64_t last) {
      const int64_t at = t * s.N;
      pass.add_state(pass.before(h, last, pass.h0()), a + at * 4 * s.H);
      const T* const memory = pass.before(m, last, first);
      pass.each_sequence(
          t,
          [&](int64_t n) {
            cell(s.H, a + (at + n) * 4 * s.H, row(memory, n, s.H), m + (at + n) * s.H,
                 h + (at + n) * s.H);
          },
          [&](int64_t n) {
            std::fill_n(m + (at + n) * s.H, s.H, T(0));
            std::fill_n(h + (at + n) * s.H, s.H, T(0));
          });
    });
  });
  states.finish();
  memories.finish();
  activations.finish();
}

namespace {

void gru(TH_Tensor* y, TH_Tensor* gates, TH_Tensor* hidden, const TH_Tensor* x, const TH_Tensor* h0,
         const TH_Tensor* weight, const TH_Tensor* recurrent, const TH_Tensor* bias,
         const TH_Tensor* recurrent_bias, const TH_Tensor* lengths, bool reverse) {
  const SequenceShape s = check_sequence(x, 3, weight, recurrent, bias, recurrent_bias, lengths);
  if (!has_few_states(*x, s)) {
    composite::gru(y, gates, hidden, x, h0, weight, recurrent, bias, recurrent_bias, lengths,
                   reverse);
    return;
  }
  check_states(*x, s, h0, nullptr);
  const Layer l{s, x, h0, nullptr, weight, recurrent, bias, recurrent_bias, lengths, reverse};
  Steps states(y, l, 1), parts(hidden, l, 3, y), activations(gates, l, 3, y, hidden);
  RealTypes::dispatch(x->dtype, [&]<class T>() {
    const Pass<T> pass(l);
    T *const h = states.data<T>(), *const b = parts.data<T>(), *const a = activations.data<T>();
    const auto cell = recurrent_cells_kernels().row<T>().gru;
    pass.multiply_inputs(a, false);
    pass.each_step([&](int64_t t, int64_t last) {
      const int64_t at = t * s.N;
      const T* const before = pass.before(h, last, pass.h0());
      pass.multiply_state(before, b + at * 3 * s.H);
      pass.each_sequence(
          t,
          [&](int64_t n) {
            cell(s.H, a + (at + n) * 3 * s.H, b + (at + n) * 3 * s.H, row(before, n, s.H),
                 h + (at + n) * s.H);
          },
          [&](int64_t n) { std::fill_n(h + (at + n) * s.H, s.H, T(0)); });
    });
  });
  states.finish();
  parts.finish();
  activations.finish();
}

void rnn(TH_Tensor* y, const TH_Tensor* x, const TH_Tensor* h0, const TH_Tensor* weight,
         const TH_Tensor* recurrent, const TH_Tensor* bias, const TH_Tensor* recurrent_bias,
         const TH_Tensor* lengths, bool reverse, bool relu) {
  const SequenceShape s = check_sequence(x, 1, weight, recurrent, bias, recurrent_bias, lengths);
  if (!has_few_states(*x, s)) {
    composite::rnn(y, x, h0, weight, recurrent, bias, recurrent_bias, lengths, reverse, relu);
    return;
  }
  check_states(*x, s, h0, nullptr);
  const Layer l{s, x, h0, nullptr, weight, recurrent, bias, recurrent_bias, lengths, reverse};
  Steps states(y, l, 1);
  RealTypes::dispatch(x->dtype, [&]<class T>() {
    const Pass<T> pass(l);
    T* const h = states.data<T>();
    const auto cell = recurrent_cells_kernels().row<T>().rnn[relu];
    pass.multiply_inputs(h, true);
    pass.each_step([&](int64_t t, int64_t last) {
      T* const step = h + t * s.N * s.H;
      pass.add_state(pass.before(h, last, pass.h0()), step);
      pass.each_sequence(
          t, [&](int64_t n) { cell(s.H, step + n * s.H, step + n * s.H); },
          [&](int64_t n) { std::fill_n(step + n * s.H, s.H, T(0)); });
    });
  });
  states.finish();
}

}  // namespace

void register_few_states(RecurrentTable& b) {
  b.gru = gru;
  b.rnn = rnn;
}

}  // namespace th::cpu
