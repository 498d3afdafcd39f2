// One step of recurrent layers: a pass over the features of each sequence.
#include "cpu/kernels/nn/recurrent_cells.h"

#include <algorithm>

#include "core/checks/recurrent.h"
#include "core/rows_result.h"
#include "core/tables/recurrent.h"
#include "cpu/operands.h"
#include "cpu/parallel.h"
#include "cpu/register.h"
#include "cpu/select.h"

namespace th::cpu {

const RecurrentCellsKernels& recurrent_cells_kernels() {
  static const RecurrentCellsKernels table = select_kernels<RecurrentCellsKernels>();
  return table;
}

namespace {

class CellResult : public RowsResult {
 public:
  CellResult(TH_Tensor* t, const CellShape& s, int64_t count, bool keep)
      : RowsResult(t, {s.N, count * s.H}, compute_dtype(t->dtype), keep) {}
};

Tensor operand(const TH_Tensor* t, std::initializer_list<const RowsResult*> results) {
  return read_beside(t, t == nullptr ? 0 : compute_dtype(t->dtype), results);
}

/// live(n) for sequences that go on at that step, over(n) for the others.
template <class Live, class Over>
void each_sequence(const CellShape& s, const TH_Tensor* lengths, int64_t step, const Live& live,
                   const Over& over) {
  const Tensor ends = lengths == nullptr ? Tensor() : contiguous(*lengths);
  const int64_t* length = data<int64_t>(ends);
  parallel_items(s.N, s.H * kCellCost, [&](int64_t first, int64_t last) {
    for (int64_t n = first; n < last; ++n) {
      if (length == nullptr || step < length[n]) {
        live(n);
      } else {
        over(n);
      }
    }
  });
}

/// p + offset, of what may be null.
template <class T>
T* at(T* p, int64_t offset) {
  return p == nullptr ? nullptr : p + offset;
}

template <class T>
void clear(T* p, int64_t count) {
  std::fill_n(p, count, T(0));
}

void lstm_cell(TH_Tensor* h, TH_Tensor* c, TH_Tensor* gates, const TH_Tensor* c0,
               const TH_Tensor* lengths, int64_t step) {
  const CellShape s = check_lstm_cell(h, c, gates, c0, lengths);
  CellResult a(gates, s, 4, true);
  CellResult cell(c, s, 1, false);
  CellResult state(h, s, 1, false);
  const Tensor in = operand(c0, {&a, &cell, &state});
  RealTypes::dispatch(compute_dtype(gates->dtype), [&]<class T>() {
    each_sequence(
        s, lengths, step,
        [&](int64_t n) {
          recurrent_cells_kernels().row<T>().lstm(
              s.H, a.data<T>() + n * 4 * s.H, at(data<T>(in), n * s.H), cell.data<T>() + n * s.H,
              state.data<T>() + n * s.H);
        },
        [&](int64_t n) {
          clear(cell.data<T>() + n * s.H, s.H);
          clear(state.data<T>() + n * s.H, s.H);
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
  const Tensor from = operand(gh, {&out, &gradient});
  const Tensor more = operand(carried, {&out, &gradient});
  const Tensor a = operand(gates, {&out, &gradient});
  const Tensor cell = operand(c, {&out, &gradient});
  const Tensor before = operand(c0, {&out, &gradient});
  RealTypes::dispatch(compute_dtype(gates->dtype), [&]<class T>() {
    each_sequence(
        s, lengths, step,
        [&](int64_t n) {
          const int64_t i = n * s.H;
          recurrent_cells_kernels().row<T>().lstm_backward(
              s.H, data<T>(a) + 4 * i, at(data<T>(before), i), data<T>(cell) + i, data<T>(from) + i,
              at(data<T>(more), i), gradient.data<T>() + i, out.data<T>() + 4 * i);
        },
        [&](int64_t n) { clear(out.data<T>() + n * 4 * s.H, 4 * s.H); });
  });
  out.finish();
  gradient.finish();
}

void gru_cell(TH_Tensor* h, TH_Tensor* gates, const TH_Tensor* hidden, const TH_Tensor* h0,
              const TH_Tensor* lengths, int64_t step) {
  const CellShape s = check_gru_cell(h, gates, hidden, h0, lengths);
  CellResult a(gates, s, 3, true);
  CellResult state(h, s, 1, false);
  const Tensor part = operand(hidden, {&a, &state});
  const Tensor before = operand(h0, {&a, &state});
  RealTypes::dispatch(compute_dtype(gates->dtype), [&]<class T>() {
    each_sequence(
        s, lengths, step,
        [&](int64_t n) {
          const int64_t i = n * s.H;
          recurrent_cells_kernels().row<T>().gru(s.H, a.data<T>() + 3 * i, data<T>(part) + 3 * i,
                                                 at(data<T>(before), i), state.data<T>() + i);
        },
        [&](int64_t n) { clear(state.data<T>() + n * s.H, s.H); });
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
  const std::initializer_list<const RowsResult*> results = {&of_input, &of_state, &back};
  const Tensor from = operand(gh, results);
  const Tensor more = operand(carried, results);
  const Tensor a = operand(gates, results);
  const Tensor part = operand(hidden, results);
  const Tensor before = operand(h0, results);
  RealTypes::dispatch(compute_dtype(gates->dtype), [&]<class T>() {
    each_sequence(
        s, lengths, step,
        [&](int64_t n) {
          const int64_t i = n * s.H;
          recurrent_cells_kernels().row<T>().gru_backward(
              s.H, data<T>(a) + 3 * i, data<T>(part) + 3 * i, at(data<T>(before), i),
              data<T>(from) + i, at(data<T>(more), i), of_input.data<T>() + 3 * i,
              of_state.data<T>() + 3 * i, back.data<T>() + i);
        },
        [&](int64_t n) {
          clear(of_input.data<T>() + n * 3 * s.H, 3 * s.H);
          clear(of_state.data<T>() + n * 3 * s.H, 3 * s.H);
          clear(back.data<T>() + n * s.H, s.H);
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
  const Tensor a = operand(gates, {&state});
  RealTypes::dispatch(a.dtype, [&]<class T>() {
    each_sequence(
        s, lengths, step,
        [&](int64_t n) {
          recurrent_cells_kernels().row<T>().rnn[relu](s.H, data<T>(a) + n * s.H,
                                                       state.data<T>() + n * s.H);
        },
        [&](int64_t n) { clear(state.data<T>() + n * s.H, s.H); });
  });
  state.finish();
}

void rnn_cell_backward(TH_Tensor* r, const TH_Tensor* gh, const TH_Tensor* carried,
                       const TH_Tensor* h, const TH_Tensor* lengths, int64_t step, bool relu) {
  const CellShape s = check_rnn_cell_backward(r, gh, carried, h, lengths);
  CellResult out(r, s, 1, false);
  const Tensor from = operand(gh, {&out});
  const Tensor more = operand(carried, {&out});
  const Tensor state = operand(h, {&out});
  RealTypes::dispatch(state.dtype, [&]<class T>() {
    each_sequence(
        s, lengths, step,
        [&](int64_t n) {
          const int64_t i = n * s.H;
          recurrent_cells_kernels().row<T>().rnn_backward[relu](
              s.H, data<T>(state) + i, data<T>(from) + i, at(data<T>(more), i), out.data<T>() + i);
        },
        [&](int64_t n) { clear(out.data<T>() + n * s.H, s.H); });
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
