// One step of recurrent layers: a thread for each feature of each sequence.
#include <optional>

#include "core/cell_result.h"
#include "core/checks/recurrent.h"
#include "core/tables/recurrent.h"
#include "core/tensor/aliasing.h"
#include "cuda/launch.h"
#include "cuda/offsets.h"
#include "cuda/register.h"
#include "functors/recurrent.h"

namespace thc {
namespace {

namespace functors = th::functors;

/// The operands of all cells: rows without gaps, null where there is none.
template <class T>
struct Cell {
  using C = Compute<T>;
  th::CellShape s;
  const int64_t* lengths;
  int64_t step;

  TH_HD bool over(int64_t n) const { return lengths != nullptr && step >= lengths[n]; }
  TH_HD static C at(const T* p, int64_t i) { return p == nullptr ? C(0) : widen(p[i]); }
};

template <class T>
struct LstmStep : Cell<T> {
  using C = Compute<T>;
  T* gates;
  const T* c0;
  T *c, *h;

  TH_HD void operator()(int64_t i) const {
    const int64_t H = this->s.H;
    const int64_t n = i / H;
    if (this->over(n)) {
      c[i] = h[i] = narrow<T>(C(0));
      return;
    }
    T* a = gates + n * 4 * H + i % H;
    functors::LstmGates<C> v{widen(a[0]), widen(a[H]), widen(a[2 * H]), widen(a[3 * H])};
    C cell;
    C state;
    functors::lstm_step(v, this->at(c0, i), cell, state);
    a[0] = narrow<T>(v.i);
    a[H] = narrow<T>(v.f);
    a[2 * H] = narrow<T>(v.g);
    a[3 * H] = narrow<T>(v.o);
    c[i] = narrow<T>(cell);
    h[i] = narrow<T>(state);
  }
};

template <class T>
struct LstmStepBackward : Cell<T> {
  using C = Compute<T>;
  const T *gates, *c0, *c, *gh, *carried;
  T *gc, *r;

  TH_HD void operator()(int64_t i) const {
    const int64_t H = this->s.H;
    const int64_t at = i / H * 4 * H + i % H;
    functors::LstmGates<C> g{0, 0, 0, 0};
    if (!this->over(i / H)) {
      const T* a = gates + at;
      C cell = widen(gc[i]);
      g = functors::lstm_step_backward<C>(
          {widen(a[0]), widen(a[H]), widen(a[2 * H]), widen(a[3 * H])}, this->at(c0, i),
          widen(c[i]), widen(gh[i]) + this->at(carried, i), cell);
      gc[i] = narrow<T>(cell);
    }
    r[at] = narrow<T>(g.i);
    r[at + H] = narrow<T>(g.f);
    r[at + 2 * H] = narrow<T>(g.g);
    r[at + 3 * H] = narrow<T>(g.o);
  }
};

template <class T>
struct GruStep : Cell<T> {
  using C = Compute<T>;
  T* gates;
  const T *hidden, *h0;
  T* h;

  TH_HD void operator()(int64_t i) const {
    const int64_t H = this->s.H;
    if (this->over(i / H)) {
      h[i] = narrow<T>(C(0));
      return;
    }
    const int64_t at = i / H * 3 * H + i % H;
    T* a = gates + at;
    const T* part = hidden + at;
    functors::GruGates<C> v{widen(a[0]), widen(a[H]), widen(a[2 * H])};
    h[i] = narrow<T>(functors::gru_step<C>(v, {widen(part[0]), widen(part[H]), widen(part[2 * H])},
                                           this->at(h0, i)));
    a[0] = narrow<T>(v.r);
    a[H] = narrow<T>(v.z);
    a[2 * H] = narrow<T>(v.n);
  }
};

template <class T>
struct GruStepBackward : Cell<T> {
  using C = Compute<T>;
  const T *gates, *hidden, *h0, *gh, *carried;
  T *r, *ghidden, *gh0;

  TH_HD void operator()(int64_t i) const {
    const int64_t H = this->s.H;
    const int64_t at = i / H * 3 * H + i % H;
    functors::GruGates<C> g{0, 0, 0};
    C reset = 0;
    C back = 0;
    if (!this->over(i / H)) {
      const functors::GruGates<C> a{widen(gates[at]), widen(gates[at + H]),
                                    widen(gates[at + 2 * H])};
      const C gradient = widen(gh[i]) + this->at(carried, i);
      g = functors::gru_step_backward<C>(a, widen(hidden[at + 2 * H]), this->at(h0, i), gradient);
      reset = a.r;
      back = gradient * a.z;
    }
    r[at] = ghidden[at] = narrow<T>(g.r);
    r[at + H] = ghidden[at + H] = narrow<T>(g.z);
    r[at + 2 * H] = narrow<T>(g.n);
    ghidden[at + 2 * H] = narrow<T>(g.n * reset);
    gh0[i] = narrow<T>(back);
  }
};

template <class T>
struct RnnStep : Cell<T> {
  using C = Compute<T>;
  bool relu;
  const T* gates;
  T* h;

  TH_HD void operator()(int64_t i) const {
    const C a = this->over(i / this->s.H) ? C(0) : widen(gates[i]);
    h[i] = narrow<T>(relu ? (a > 0 ? a : C(0)) : th::math::tanh(a));
  }
};

template <class T>
struct RnnStepBackward : Cell<T> {
  using C = Compute<T>;
  bool relu;
  const T *h, *gh, *carried;
  T* r;

  TH_HD void operator()(int64_t i) const {
    const C state = widen(h[i]);
    const C g = this->over(i / this->s.H) ? C(0) : widen(gh[i]) + this->at(carried, i);
    r[i] = narrow<T>(relu ? (state > 0 ? g : C(0)) : g * (1 - state * state));
  }
};

template <class T>
Cell<T> cell(const th::CellShape& s, const Tensor& ends, int64_t step) {
  return {s, data<int64_t>(ends), step};
}

void lstm_cell(TH_Tensor* h, TH_Tensor* c, TH_Tensor* gates, const TH_Tensor* c0,
               const TH_Tensor* lengths, int64_t step) {
  const th::CellShape s = th::check_lstm_cell(h, c, gates, c0, lengths);
  th::CellResult a(gates, s, 4, true);
  th::CellResult memory(c, s, 1, false);
  th::CellResult state(h, s, 1, false);
  const Tensor before = th::read_beside(c0, {&a, &memory, &state});
  const Tensor ends = lengths == nullptr ? Tensor() : contiguous(*lengths);
  Floating::dispatch(gates->dtype, [&]<class T>() {
    launch(stream_for(*gates), s.N * s.H,
           LstmStep<T>{cell<T>(s, ends, step), a.data<T>(), data<T>(before), memory.data<T>(),
                       state.data<T>()});
  });
  a.finish();
  memory.finish();
  state.finish();
}

void lstm_cell_backward(TH_Tensor* r, TH_Tensor* gc, const TH_Tensor* gh, const TH_Tensor* carried,
                        const TH_Tensor* gates, const TH_Tensor* c, const TH_Tensor* c0,
                        const TH_Tensor* lengths, int64_t step) {
  const th::CellShape s = th::check_lstm_cell_backward(r, gc, gh, carried, gates, c, c0, lengths);
  th::CellResult out(r, s, 4, false);
  th::CellResult gradient(gc, s, 1, true);
  const std::initializer_list<const th::CellResult*> results = {&out, &gradient};
  const Tensor from = th::read_beside(gh, results);
  const Tensor more = th::read_beside(carried, results);
  const Tensor a = th::read_beside(gates, results);
  const Tensor memory = th::read_beside(c, results);
  const Tensor before = th::read_beside(c0, results);
  const Tensor ends = lengths == nullptr ? Tensor() : contiguous(*lengths);
  Floating::dispatch(gates->dtype, [&]<class T>() {
    launch(stream_for(*gates), s.N * s.H,
           LstmStepBackward<T>{cell<T>(s, ends, step), data<T>(a), data<T>(before), data<T>(memory),
                               data<T>(from), data<T>(more), gradient.data<T>(), out.data<T>()});
  });
  out.finish();
  gradient.finish();
}

void gru_cell(TH_Tensor* h, TH_Tensor* gates, const TH_Tensor* hidden, const TH_Tensor* h0,
              const TH_Tensor* lengths, int64_t step) {
  const th::CellShape s = th::check_gru_cell(h, gates, hidden, h0, lengths);
  th::CellResult a(gates, s, 3, true);
  th::CellResult state(h, s, 1, false);
  const Tensor part = th::read_beside(hidden, {&a, &state});
  const Tensor before = th::read_beside(h0, {&a, &state});
  const Tensor ends = lengths == nullptr ? Tensor() : contiguous(*lengths);
  Floating::dispatch(gates->dtype, [&]<class T>() {
    launch(stream_for(*gates), s.N * s.H,
           GruStep<T>{cell<T>(s, ends, step), a.data<T>(), data<T>(part), data<T>(before),
                      state.data<T>()});
  });
  a.finish();
  state.finish();
}

void gru_cell_backward(TH_Tensor* r, TH_Tensor* ghidden, TH_Tensor* gh0, const TH_Tensor* gh,
                       const TH_Tensor* carried, const TH_Tensor* gates, const TH_Tensor* hidden,
                       const TH_Tensor* h0, const TH_Tensor* lengths, int64_t step) {
  const th::CellShape s =
      th::check_gru_cell_backward(r, ghidden, gh0, gh, carried, gates, hidden, h0, lengths);
  th::CellResult of_input(r, s, 3, false);
  th::CellResult of_state(ghidden, s, 3, false);
  th::CellResult back(gh0, s, 1, false);
  const std::initializer_list<const th::CellResult*> results = {&of_input, &of_state, &back};
  const Tensor from = th::read_beside(gh, results);
  const Tensor more = th::read_beside(carried, results);
  const Tensor a = th::read_beside(gates, results);
  const Tensor part = th::read_beside(hidden, results);
  const Tensor before = th::read_beside(h0, results);
  const Tensor ends = lengths == nullptr ? Tensor() : contiguous(*lengths);
  Floating::dispatch(gates->dtype, [&]<class T>() {
    launch(stream_for(*gates), s.N * s.H,
           GruStepBackward<T>{cell<T>(s, ends, step), data<T>(a), data<T>(part), data<T>(before),
                              data<T>(from), data<T>(more), of_input.data<T>(), of_state.data<T>(),
                              back.data<T>()});
  });
  of_input.finish();
  of_state.finish();
  back.finish();
}

void rnn_cell(TH_Tensor* h, const TH_Tensor* gates, const TH_Tensor* lengths, int64_t step,
              bool relu) {
  const th::CellShape s = th::check_rnn_cell(h, gates, lengths);
  th::CellResult state(h, s, 1, false);
  const Tensor a = th::read_beside(gates, {&state});
  const Tensor ends = lengths == nullptr ? Tensor() : contiguous(*lengths);
  Floating::dispatch(gates->dtype, [&]<class T>() {
    launch(stream_for(a), s.N * s.H,
           RnnStep<T>{cell<T>(s, ends, step), relu, data<T>(a), state.data<T>()});
  });
  state.finish();
}

void rnn_cell_backward(TH_Tensor* r, const TH_Tensor* gh, const TH_Tensor* carried,
                       const TH_Tensor* h, const TH_Tensor* lengths, int64_t step, bool relu) {
  const th::CellShape s = th::check_rnn_cell_backward(r, gh, carried, h, lengths);
  th::CellResult out(r, s, 1, false);
  const Tensor from = th::read_beside(gh, {&out});
  const Tensor more = th::read_beside(carried, {&out});
  const Tensor state = th::read_beside(h, {&out});
  const Tensor ends = lengths == nullptr ? Tensor() : contiguous(*lengths);
  Floating::dispatch(h->dtype, [&]<class T>() {
    launch(stream_for(state), s.N * s.H,
           RnnStepBackward<T>{cell<T>(s, ends, step), relu, data<T>(state), data<T>(from),
                              data<T>(more), out.data<T>()});
  });
  out.finish();
}

}  // namespace

void register_recurrent_cells(th::RecurrentTable& b) {
  b.lstm_cell = lstm_cell;
  b.lstm_cell_backward = lstm_cell_backward;
  b.gru_cell = gru_cell;
  b.gru_cell_backward = gru_cell_backward;
  b.rnn_cell = rnn_cell;
  b.rnn_cell_backward = rnn_cell_backward;
}

}  // namespace thc
