// LSTMs forward: see sequence_groups.h.
#include "core/composite/recurrent.h"
#include "core/composite/staged.h"
#include "core/tables/recurrent.h"
#include "cpu/kernels/nn/recurrent_cells.h"
#include "cpu/linalg/packed_columns.h"
#include "cpu/nn/recurrent/lstm_backward.h"
#include "cpu/nn/recurrent/sequence_groups.h"
#include "cpu/register.h"

namespace th::cpu {
namespace {

using composite::Staged;

/// Sequences through all steps.
template <class T>
class Forward {
 public:
  Forward(const Sequences<T>& q, const TH_Tensor& weight, const TH_Tensor& recurrent, const T* bias)
      : q_(q),
        bias_(bias),
        memory_(1, size(q.s.F) + size(q.s.H)),
        weight_(memory_[0]),
        recurrent_(memory_[0] + size(q.s.F)) {
    weight_.pack(true, data<T>(weight), q.s.F, q.s.F, 4 * q.s.H);
    recurrent_.pack(true, data<T>(recurrent), q.s.H, q.s.H, 4 * q.s.H);
  }

  bool run(int64_t begin, int64_t end) const {
    for (int64_t i = 0; i < q_.s.T; ++i) {
      if (interrupt::asked()) [[unlikely]] {
        return false;
      }
      const int64_t t = q_.place(i);
      weight_.multiply(
          product(q_.x(t, begin), q_.x.row, q_.s.F, t, begin, end, T(bias_ != nullptr), bias_));
      if (const T* h = q_.state_before(i, begin)) {
        recurrent_.multiply(product(h, q_.s.H, q_.s.H, t, begin, end, 1, nullptr));
      }
      // On several threads where those do not have a group each.
      parallel_items(end - begin, q_.s.H * kCellCost,
                     [&](int64_t first, int64_t last) { cells(i, begin + first, begin + last); });
    }
    return true;
  }

 private:
  int64_t size(int64_t k) const { return PackedColumns<T>::size(k, 4 * q_.s.H); }

  /// A step's gates = a times a factor + beta start, or beta times what they are.
  Gemm<T> product(const T* a, int64_t a_row, int64_t k, int64_t t, int64_t begin, int64_t end,
                  T beta, const T* start) const {
    return {.transpose_a = false,
            .transpose_b = true,
            .m = end - begin,
            .n = 4 * q_.s.H,
            .k = k,
            .alpha = 1,
            .a = a,
            .lda = a_row,
            .b = nullptr,
            .ldb = 0,
            .beta = beta,
            .c = q_.gates(t, begin),
            .ldc = q_.gates.row,
            .start = start};
  }

  void cells(int64_t i, int64_t begin, int64_t end) const {
    const SequenceShape& s = q_.s;
    const auto cell = recurrent_cells_kernels().row<T>().lstm;
    const int64_t t = q_.place(i);
    for (int64_t n = begin; n < end; ++n) {
      if (q_.live(t, n)) {
        cell(s.H, q_.gates(t, n), q_.memory_before(i, n), q_.c(t, n), q_.y(t, n));
      } else {
        std::fill_n(q_.c(t, n), s.H, T(0));
        std::fill_n(q_.y(t, n), s.H, T(0));
      }
    }
  }

  const Sequences<T>& q_;
  const T* bias_;
  Buffers<T> memory_;
  PackedColumns<T> weight_, recurrent_;
};

void lstm(TH_Tensor* y, TH_Tensor* c, TH_Tensor* gates, const TH_Tensor* x, const TH_Tensor* h0,
          const TH_Tensor* c0, const TH_Tensor* weight, const TH_Tensor* recurrent,
          const TH_Tensor* bias, const TH_Tensor* recurrent_bias, const TH_Tensor* lengths,
          bool reverse) {
  const SequenceShape s = check_sequence(x, 4, weight, recurrent, bias, recurrent_bias, lengths);
  if (has_few_states(*x, s)) {
    lstm_of_few_states(s, y, c, gates, x, h0, c0, weight, recurrent, bias, recurrent_bias, lengths,
                       reverse);
    return;
  }
  if (!by_groups(*x, s)) {
    composite::lstm(y, c, gates, x, h0, c0, weight, recurrent, bias, recurrent_bias, lengths,
                    reverse);
    return;
  }
  check_states(*x, s, h0, c0);
  const Tensor in = with_rows(*x), W = contiguous(*weight), U = contiguous(*recurrent),
               both = composite::sum_of(bias, recurrent_bias), h = rows_or_none(h0),
               m = rows_or_none(c0), ends = rows_or_none(lengths);
  Staged states(y, in, {s.T, s.N, s.H}), memories(c, in, {s.T, s.N, s.H}),
      activations(gates, in, {s.T, s.N, 4 * s.H});
  RealTypes::dispatch(x->dtype, [&]<class T>() {
    const Sequences<T> q{s,
                         Steps<const T>(in),
                         Steps<T>(states.tensor()),
                         Steps<T>(memories.tensor()),
                         Steps<T>(activations.tensor()),
                         data<T>(h),
                         data<T>(m),
                         data<int64_t>(ends),
                         reverse};
    const Forward<T> pass(q, W, U, data<T>(both));
    const Groups groups = Groups::for_threads(s.N, threads_for(s.T * s.N * products(s)));
    each_group<T>(s, groups, 0,
                  [&](int64_t begin, int64_t end, int64_t, T*) { return pass.run(begin, end); });
  });
  for (Staged* r : {&states, &memories, &activations}) {
    r->finish();
  }
}

}  // namespace

void register_lstm(RecurrentTable& b) {
  b.lstm = lstm;
  b.lstm_backward = lstm_backward;
}

}  // namespace th::cpu
