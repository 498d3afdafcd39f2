// The gradients of LSTMs: see sequence_groups.h.
#include "cpu/nn/recurrent/lstm_backward.h"

#include <optional>
#include <vector>

#include "core/composite/recurrent.h"
#include "core/composite/staged.h"
#include "core/composite/views.h"
#include "cpu/kernels/linalg/dense_gemm.h"
#include "cpu/kernels/nn/recurrent_cells.h"
#include "cpu/linalg/packed_columns.h"
#include "cpu/nn/recurrent/sequence_groups.h"

namespace th::cpu {
namespace {

using composite::part;
using composite::Staged;
using composite::transposed;
using composite::viewed;

/// The gradients of a group of sequences, from the last step to the first.
template <class T>
class Backward {
 public:
  struct Gradients {
    Steps<const T> gy;
    T *h, *c;       // of the states before: N x H
    T* x;           // T x N x F; null: not wanted
    T* parameters;  // of each group (F + H + 1) x 4H, by row of inputs; null: not wanted
  };

  Backward(const Sequences<T>& q, const TH_Tensor& weight, const TH_Tensor& recurrent,
           const Gradients& to, const Groups& groups)
      : q_(q),
        to_(to),
        inputs_(q.s.F + q.s.H + 1),
        width_(round_up(inputs_, kVector) + kApart),
        r_width_(4 * q.s.H + kApart),
        together_(std::clamp<int64_t>(kRows / groups.most(), 1, q.s.T)),
        rows_(together_ * groups.most()),
        memory_(1, size(q.s.F, q.s) + size(q.s.H, q.s)),
        weight_(memory_[0]),
        recurrent_(memory_[0] + size(q.s.F, q.s)) {
    weight_.pack(false, data<T>(weight), q.s.F, 4 * q.s.H, q.s.F);
    recurrent_.pack(false, data<T>(recurrent), q.s.H, 4 * q.s.H, q.s.H);
  }

  /// All sequences, by groups: whole ones where there are enough for all threads, else each by
  /// several threads, which meet when its sums grow.
  void run(const Groups& groups) const {
    const int64_t threads = threads_for(rows_ * groups.count * products(q_.s));
    const int64_t parts = std::min((threads + groups.count - 1) / groups.count,
                                   std::max<int64_t>(groups.most() / (kTile / 2), 1));
    if (parts > 1) {
      run_together(groups, parts);
      return;
    }
    each_group<T>(q_.s, groups, memory(), [&](int64_t begin, int64_t end, int64_t group, T* own) {
      for (Chunk c = first_chunk(begin, end, group, own); c.steps() > 0; c = next(c)) {
        if (!go_back(c, begin, end)) {
          return false;
        }
        grow(c, 0, 4 * q_.s.H);
      }
      return true;
    });
  }

 private:
  /// Steps last - 1 to first of a group's sequences, of whose rows the sums grow at once.
  struct Chunk {
    int64_t begin, end, group;
    T *inputs, *sums;
    int64_t last, first;

    int64_t steps() const { return last - first; }
    int64_t rows() const { return steps() * (end - begin); }
  };

  /// Elements of working memory.
  int64_t memory() const { return rows_ * (width_ + r_width_); }

  Chunk from_step(Chunk c, int64_t last) const {
    const int64_t steps = to_.parameters == nullptr ? q_.s.T : rows_ / (c.end - c.begin);
    c.last = last;
    c.first = std::max<int64_t>(last - steps, 0);
    return c;
  }
  Chunk first_chunk(int64_t begin, int64_t end, int64_t group, T* own) const {
    return from_step({begin, end, group, own, own + rows_ * width_, 0, 0}, q_.s.T);
  }
  Chunk next(const Chunk& c) const { return from_step(c, c.first); }

  void run_together(const Groups& groups, int64_t parts) const {
    const SequenceShape& s = q_.s;
    const Buffers<T> own(groups.count, memory());
    std::vector<Chunk> chunks;
    for (int64_t g = 0; g < groups.count; ++g) {
      chunks.push_back(first_chunk(groups.begin(g), groups.begin(g + 1), g, own[g]));
    }
    const auto each = [&](const auto& f) {
      const int64_t cost = rows_ / parts * products(s);
      each_part<T>(groups.count * parts, cost, 0, [&](int64_t first, int64_t last, T*) {
        bool done = true;
        for (int64_t i = first; i < last; ++i) {
          done = f(chunks[static_cast<size_t>(i / parts)], i % parts) && done;
        }
        return done;
      });
    };
    const auto left = [](const Chunk& c) { return c.steps() > 0; };
    while (std::any_of(chunks.begin(), chunks.end(), left)) {
      each([&](const Chunk& c, int64_t part) {
        const Groups inside(c.end - c.begin, parts);
        return part >= inside.count ||
               go_back(c, c.begin + inside.begin(part), c.begin + inside.begin(part + 1));
      });
      each([&](const Chunk& c, int64_t part) {
        const auto cut = [&](int64_t i) { return round_up(4 * s.H * i / parts, kVector); };
        grow(c, cut(part), std::min(cut(part + 1), 4 * s.H));
        return true;
      });
      for (Chunk& c : chunks) {
        c = next(c);
      }
    }
  }

  /// Sequences begin to end of a chunk's.
  bool go_back(const Chunk& c, int64_t begin, int64_t end) const {
    const SequenceShape& s = q_.s;
    const int64_t count = end - begin;
    int64_t row = begin - c.begin;
    for (int64_t i = c.last - 1; i >= c.first; --i) {
      if (interrupt::asked()) [[unlikely]] {
        return false;
      }
      T* const r = c.sums + row * r_width_;
      step_back(i, begin, end, r);
      fetch_step_before(i, begin, end);
      multiply(recurrent_, count, r, s.H, to_.h + begin * s.H);
      if (to_.x != nullptr) {
        multiply(weight_, count, r, s.F, to_.x + (q_.place(i) * s.N + begin) * s.F);
      }
      if (to_.parameters == nullptr) {
        continue;
      }
      for (int64_t n = begin; n < end; ++n) {
        input(i, n, c.inputs + (row + n - begin) * width_);
      }
      row += c.end - c.begin;
    }
    return true;
  }

  /// A chunk's share of some columns of its group's sums.
  void grow(const Chunk& c, int64_t column, int64_t end) const {
    if (to_.parameters == nullptr || c.steps() == 0 || column >= end) {
      return;
    }
    const int64_t all = 4 * q_.s.H;
    dense_gemm_kernels().row<T>().product(
        {true, false, inputs_, end - column, c.rows(), 1, c.inputs, width_, c.sums + column,
         r_width_, T(c.last < q_.s.T), to_.parameters + c.group * inputs_ * all + column, all});
  }

  static int64_t size(int64_t n, const SequenceShape& s) {
    return PackedColumns<T>::size(4 * s.H, n);
  }

  /// r: the gradients of the sums of products of step i.
  void step_back(int64_t i, int64_t begin, int64_t end, T* r) const {
    const SequenceShape& s = q_.s;
    const auto cell = recurrent_cells_kernels().row<T>().lstm_backward;
    const int64_t t = q_.place(i);
    for (int64_t n = begin; n < end; ++n, r += r_width_) {
      if (q_.live(t, n)) {
        cell(s.H, q_.gates(t, n), q_.memory_before(i, n), q_.c(t, n), to_.gy(t, n),
             i + 1 < s.T ? to_.h + n * s.H : nullptr, to_.c + n * s.H, r);
      } else {
        std::fill_n(r, 4 * s.H, T(0));
      }
    }
  }

  /// Asks for what the next call of step_back reads, which the forward pass wrote long ago: it
  /// comes while products are made.
  void fetch_step_before(int64_t i, int64_t begin, int64_t end) const {
    if (i == 0) {
      return;
    }
    const int64_t t = q_.place(i - 1);
    for (int64_t n = begin; n < end; ++n) {
      fetch(q_.gates(t, n), 4 * q_.s.H);
      fetch(to_.gy(t, n), q_.s.H);
      if (const T* memory = q_.memory_before(i - 1, n)) {
        fetch(memory, q_.s.H);
      }
    }
  }
  static void fetch(const T* p, int64_t count) {
    for (int64_t j = 0; j < count; j += 64 / int64_t{sizeof(T)}) {
      __builtin_prefetch(p + j, 0, 2);
    }
  }

  /// to = r times the factor.
  void multiply(const PackedColumns<T>& factor, int64_t rows, const T* r, int64_t columns,
                T* to) const {
    factor.multiply(
        {false, false, rows, columns, 4 * q_.s.H, 1, r, r_width_, nullptr, 0, 0, to, columns});
  }

  /// What the parameters were multiplied by: x, the state before, and 1. Zeros where the sequence
  /// is over: whatever lies there, times a gradient of 0 it is 0 then.
  void input(int64_t i, int64_t n, T* to) const {
    const SequenceShape& s = q_.s;
    if (!q_.live(q_.place(i), n)) {
      std::fill_n(to, inputs_, T(0));
      return;
    }
    std::copy_n(q_.x(q_.place(i), n), s.F, to);
    if (const T* h = q_.state_before(i, n)) {
      std::copy_n(h, s.H, to + s.F);
    } else {
      std::fill_n(to + s.F, s.H, T(0));
    }
    to[s.F + s.H] = 1;
  }

  const Sequences<T>& q_;
  Gradients to_;
  int64_t inputs_, width_, r_width_, together_, rows_;
  Buffers<T> memory_;
  PackedColumns<T> weight_, recurrent_;
};

}  // namespace

void lstm_backward(TH_Tensor* gx, TH_Tensor* gh0, TH_Tensor* gc0, TH_Tensor* grad_weight,
                   TH_Tensor* grad_recurrent, TH_Tensor* grad_bias, TH_Tensor* grad_recurrent_bias,
                   const TH_Tensor* gy, const TH_Tensor* gc, const TH_Tensor* x,
                   const TH_Tensor* h0, const TH_Tensor* c0, const TH_Tensor* weight,
                   const TH_Tensor* recurrent, const TH_Tensor* y, const TH_Tensor* c,
                   const TH_Tensor* gates, const TH_Tensor* lengths, bool reverse, double scale) {
  const RecurrentGradients to{grad_weight, grad_recurrent, grad_bias, grad_recurrent_bias};
  const SequenceShape s =
      check_lstm_backward(x, h0, c0, weight, recurrent, lengths, gy, gc, y, c, gates, to);
  if (!by_groups(*x, s)) {
    composite::lstm_backward(gx, gh0, gc0, grad_weight, grad_recurrent, grad_bias,
                             grad_recurrent_bias, gy, gc, x, h0, c0, weight, recurrent, y, c, gates,
                             lengths, reverse, scale);
    return;
  }
  const Tensor in = with_rows(*x), from = with_rows(*gy), states = with_rows(*y),
               memories = with_rows(*c), activations = with_rows(*gates), W = contiguous(*weight),
               U = contiguous(*recurrent), h = rows_or_none(h0), m = rows_or_none(c0),
               ends = rows_or_none(lengths);
  Staged of_state(gh0, in, {s.N, s.H}), of_memory(gc0, in, {s.N, s.H});
  std::optional<Staged> of_input;
  if (gx != nullptr) {
    of_input.emplace(gx, in, sizes_of(in));
  }
  composite::begin_memory_gradient(of_memory.tensor(), gc);
  const Groups groups(s.N);
  const int64_t inputs = s.F + s.H + 1;
  const int64_t sizes[] = {groups.count, inputs, 4 * s.H};
  const bool grows = to.weight || to.recurrent || to.bias || to.recurrent_bias;
  const Tensor sums = grows ? Tensor::like(in, in.dtype, sizes) : Tensor();
  RealTypes::dispatch(x->dtype, [&]<class T>() {
    const Sequences<T> q{s,
                         Steps<const T>(in),
                         Steps<T>(states),
                         Steps<T>(memories),
                         Steps<T>(activations),
                         data<T>(h),
                         data<T>(m),
                         data<int64_t>(ends),
                         reverse};
    const Backward<T> pass(
        q, W, U,
        {Steps<const T>(from), data<T>(of_state.tensor()), data<T>(of_memory.tensor()),
         of_input ? data<T>(of_input->tensor()) : nullptr, data<T>(sums)},
        groups);
    pass.run(groups);
  });
  composite::forget_over(of_memory.tensor(), lengths, s, reverse);
  Tensor of_weight, of_recurrent, of_bias;
  if (grows) {
    Tensor total;
    init(total, in.dtype, in.device_type, in.device);
    ops::sum(&total, &sums, 0);
    total = viewed(total, {inputs, 4 * s.H});
    of_weight = contiguous(transposed(part(total, 0, 0, s.F)));
    of_recurrent = contiguous(transposed(part(total, 0, s.F, s.H)));
    of_bias = viewed(part(total, 0, s.F + s.H, 1), {4 * s.H});
  }
  // Nothing fails from here on.
  if (of_input) {
    of_input->finish();
  }
  of_state.finish();
  of_memory.finish();
  const auto grow = [scale](TH_Tensor* parameter, const Tensor& by) {
    if (parameter != nullptr) {
      ops::add_scaled(parameter, parameter, scale, &by);
    }
  };
  grow(to.weight, of_weight);
  grow(to.recurrent, of_recurrent);
  grow(to.bias, of_bias);
  grow(to.recurrent_bias, of_bias);
}

}  // namespace th::cpu
