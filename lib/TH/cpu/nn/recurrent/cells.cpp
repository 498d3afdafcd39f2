// One step of recurrent layers: a pass over the features of each sequence.
#include <algorithm>

#include "core/cell_result.h"
#include "core/checks/recurrent.h"
#include "core/tables/recurrent.h"
#include "cpu/kernels/nn/recurrent_cells.h"
#include "cpu/register.h"
#include "cpu/select.h"
#include "cpu/widened_parts.h"

namespace th::cpu {

const RecurrentCellsKernels& recurrent_cells_kernels() {
  static const RecurrentCellsKernels table = select_kernels<RecurrentCellsKernels>();
  return table;
}

namespace {

/// A sequence's rows, H features or a multiple of them: where they lie, or, of 16 bits, one behind
/// the other in working memory.
template <class T>
class Row {
 public:
  Row(int64_t n, int64_t H, int dtype, T* memory) : n_(n), H_(H), dtype_(dtype), memory_(memory) {}

  /// `count` times H elements to be read; null where there is no such operand.
  const T* read(const Tensor& t, int64_t count = 1) {
    return t.ndim == 0 ? nullptr : WidenedParts<T>(t).read(lines(count), take(count));
  }
  /// To be written with commit().
  T* write(const CellResult& r, int64_t count = 1) {
    const WidenedParts<T> parts(r, dtype_);
    T* const to = parts.place(n_ * count * H_, take(count));
    written_[writes_++] = {parts, lines(count), to};
    return to;
  }
  /// To be read and written.
  T* change(const CellResult& r, int64_t count = 1) {
    T* const to = write(r, count);
    written_[writes_ - 1].parts.read(lines(count), to);
    return to;
  }
  void clear(const CellResult& r, int64_t count = 1) {
    std::fill_n(write(r, count), count * H_, T(0));
  }

  void commit() const {
    for (int i = 0; i < writes_; ++i) {
      written_[i].parts.commit(written_[i].lines, written_[i].from);
    }
  }

 private:
  struct Written {
    WidenedParts<T> parts;
    Lines lines;
    const T* from;
  };

  Lines lines(int64_t count) const { return Lines::one(n_ * count * H_, count * H_); }
  T* take(int64_t count) {
    T* const here = memory_;
    memory_ += is_half(dtype_) ? count * H_ : 0;
    return here;
  }

  int64_t n_, H_;
  int dtype_;
  T* memory_;
  Written written_[3] = {};
  int writes_ = 0;
};

/// live(row) for sequences that go on at that step, over(row) for the others. `features`: how many
/// times H elements a row has in all.
template <class T, class Live, class Over>
void each_sequence(const CellShape& s, int dtype, int64_t features, const TH_Tensor* lengths,
                   int64_t step, const Live& live, const Over& over) {
  const Tensor ends = lengths == nullptr ? Tensor() : contiguous(*lengths);
  const int64_t* length = data<int64_t>(ends);
  const auto rows = widened_items<T>(dtype, s.N, s.H * kCellCost, features * s.H);
  rows.run([&](int64_t first, int64_t last, T* own) {
    for (int64_t n = first; n < last; ++n) {
      Row<T> row(n, s.H, dtype, own);
      if (length == nullptr || step < length[n]) {
        live(row);
      } else {
        over(row);
      }
      row.commit();
    }
  });
}

template <class T>
const RecurrentCellsRow<T>& kernels() {
  return recurrent_cells_kernels().row<T>();
}

void lstm_cell(TH_Tensor* h, TH_Tensor* c, TH_Tensor* gates, const TH_Tensor* c0,
               const TH_Tensor* lengths, int64_t step) {
  const CellShape s = check_lstm_cell(h, c, gates, c0, lengths);
  CellResult a(gates, s, 4, true);
  CellResult cell(c, s, 1, false);
  CellResult state(h, s, 1, false);
  const Tensor in = read_beside(c0, {&a, &cell, &state});
  RealTypes::dispatch(compute_dtype(gates->dtype), [&]<class T>() {
    each_sequence<T>(
        s, gates->dtype, 7, lengths, step,
        [&](Row<T>& row) {
          T* const of_gates = row.change(a, 4);
          const T* const before = row.read(in);
          T* const now = row.write(cell);
          kernels<T>().lstm(s.H, of_gates, before, now, row.write(state));
        },
        [&](Row<T>& row) {
          row.clear(cell);
          row.clear(state);
        });
  });
  a.finish();
  cell.finish();
  state.finish();
}

void lstm_cell_backward(TH_Tensor* r, TH_Tensor* gc, const TH_Tensor* gh, const TH_Tensor* carried,
                        const TH_Tensor* gates, const TH_Tensor* c, const TH_Tensor* c0,
                        const TH_Tensor* lengths, int64_t step) {
  const CellShape s = check_lstm_cell_backward(r, gc, gh, carried, gates, c, c0, lengths);
  CellResult out(r, s, 4, false);
  CellResult gradient(gc, s, 1, true);
  const Tensor from = read_beside(gh, {&out, &gradient});
  const Tensor more = read_beside(carried, {&out, &gradient});
  const Tensor a = read_beside(gates, {&out, &gradient});
  const Tensor cell = read_beside(c, {&out, &gradient});
  const Tensor before = read_beside(c0, {&out, &gradient});
  RealTypes::dispatch(compute_dtype(gates->dtype), [&]<class T>() {
    each_sequence<T>(
        s, gates->dtype, 13, lengths, step,
        [&](Row<T>& row) {
          const T *of_gates = row.read(a, 4), *c_before = row.read(before), *now = row.read(cell),
                  *g = row.read(from), *g_more = row.read(more);
          T* const to_cell = row.change(gradient);
          kernels<T>().lstm_backward(s.H, of_gates, c_before, now, g, g_more, to_cell,
                                     row.write(out, 4));
        },
        [&](Row<T>& row) { row.clear(out, 4); });
  });
  out.finish();
  gradient.finish();
}

void gru_cell(TH_Tensor* h, TH_Tensor* gates, const TH_Tensor* hidden, const TH_Tensor* h0,
              const TH_Tensor* lengths, int64_t step) {
  const CellShape s = check_gru_cell(h, gates, hidden, h0, lengths);
  CellResult a(gates, s, 3, true);
  CellResult state(h, s, 1, false);
  const Tensor part = read_beside(hidden, {&a, &state});
  const Tensor before = read_beside(h0, {&a, &state});
  RealTypes::dispatch(compute_dtype(gates->dtype), [&]<class T>() {
    each_sequence<T>(
        s, gates->dtype, 8, lengths, step,
        [&](Row<T>& row) {
          T* const of_gates = row.change(a, 3);
          const T *of_state = row.read(part, 3), *h_before = row.read(before);
          kernels<T>().gru(s.H, of_gates, of_state, h_before, row.write(state));
        },
        [&](Row<T>& row) { row.clear(state); });
  });
  a.finish();
  state.finish();
}

void gru_cell_backward(TH_Tensor* r, TH_Tensor* ghidden, TH_Tensor* gh0, const TH_Tensor* gh,
                       const TH_Tensor* carried, const TH_Tensor* gates, const TH_Tensor* hidden,
                       const TH_Tensor* h0, const TH_Tensor* lengths, int64_t step) {
  const CellShape s =
      check_gru_cell_backward(r, ghidden, gh0, gh, carried, gates, hidden, h0, lengths);
  CellResult of_input(r, s, 3, false);
  CellResult of_state(ghidden, s, 3, false);
  CellResult back(gh0, s, 1, false);
  const std::initializer_list<const CellResult*> results = {&of_input, &of_state, &back};
  const Tensor from = read_beside(gh, results);
  const Tensor more = read_beside(carried, results);
  const Tensor a = read_beside(gates, results);
  const Tensor part = read_beside(hidden, results);
  const Tensor before = read_beside(h0, results);
  RealTypes::dispatch(compute_dtype(gates->dtype), [&]<class T>() {
    each_sequence<T>(
        s, gates->dtype, 16, lengths, step,
        [&](Row<T>& row) {
          const T *of_gates = row.read(a, 3), *hidden_part = row.read(part, 3),
                  *h_before = row.read(before), *g = row.read(from), *g_more = row.read(more);
          T *to_input = row.write(of_input, 3), *to_state = row.write(of_state, 3);
          kernels<T>().gru_backward(s.H, of_gates, hidden_part, h_before, g, g_more, to_input,
                                    to_state, row.write(back));
        },
        [&](Row<T>& row) {
          row.clear(of_input, 3);
          row.clear(of_state, 3);
          row.clear(back);
        });
  });
  of_input.finish();
  of_state.finish();
  back.finish();
}

void rnn_cell(TH_Tensor* h, const TH_Tensor* gates, const TH_Tensor* lengths, int64_t step,
              bool relu) {
  const CellShape s = check_rnn_cell(h, gates, lengths);
  CellResult state(h, s, 1, false);
  const Tensor a = read_beside(gates, {&state});
  RealTypes::dispatch(compute_dtype(a.dtype), [&]<class T>() {
    each_sequence<T>(
        s, a.dtype, 2, lengths, step,
        [&](Row<T>& row) {
          const T* const of_gates = row.read(a);
          kernels<T>().rnn[relu](s.H, of_gates, row.write(state));
        },
        [&](Row<T>& row) { row.clear(state); });
  });
  state.finish();
}

void rnn_cell_backward(TH_Tensor* r, const TH_Tensor* gh, const TH_Tensor* carried,
                       const TH_Tensor* h, const TH_Tensor* lengths, int64_t step, bool relu) {
  const CellShape s = check_rnn_cell_backward(r, gh, carried, h, lengths);
  CellResult out(r, s, 1, false);
  const Tensor from = read_beside(gh, {&out});
  const Tensor more = read_beside(carried, {&out});
  const Tensor state = read_beside(h, {&out});
  RealTypes::dispatch(compute_dtype(state.dtype), [&]<class T>() {
    each_sequence<T>(
        s, state.dtype, 4, lengths, step,
        [&](Row<T>& row) {
          const T *of_state = row.read(state), *g = row.read(from), *g_more = row.read(more);
          kernels<T>().rnn_backward[relu](s.H, of_state, g, g_more, row.write(out));
        },
        [&](Row<T>& row) { row.clear(out); });
  });
  out.finish();
}

}  // namespace

void register_recurrent_cells(RecurrentTable& b) {
  b.lstm_cell = lstm_cell;
  b.lstm_cell_backward = lstm_cell_backward;
  b.gru_cell = gru_cell;
  b.gru_cell_backward = gru_cell_backward;
  b.rnn_cell = rnn_cell;
  b.rnn_cell_backward = rnn_cell_backward;
}

}  // namespace th::cpu
