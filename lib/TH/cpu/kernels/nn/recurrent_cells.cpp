#include "cpu/kernels/nn/recurrent_cells.h"

#include "cpu/kernels/whole_vectors.h"
#include "functors/recurrent.h"

namespace th::cpu::TH_ISA {
namespace {

/// f(j, value of `optional` at j, 0 where that is null) for n features; two loops, so that both are
/// vectors' work.
template <class T, class F>
[[gnu::always_inline]] inline void each(int64_t n, const T* optional, const F& f) {
  if (optional != nullptr) {
#pragma omp simd
    for (int64_t j = 0; j < n; ++j) {
      f(j, optional[j]);
    }
  } else {
#pragma omp simd
    for (int64_t j = 0; j < n; ++j) {
      f(j, T(0));
    }
  }
}

// Loops over n features of a sequence. Each gate has a pointer of its own; none is inlined: its
// code is one, whoever calls it.
#define TH_CELL_LOOP \
  template <class T> \
  [[gnu::noipa]] void

/// gates 0-3, c0 4, c 5, h 6
TH_CELL_LOOP lstm_loop(void* const* p, int64_t n) {
  const auto at = [p](int k) __attribute__((always_inline)) { return static_cast<T*>(p[k]); };
  T *i = at(0), *f = at(1), *g = at(2), *o = at(3), *c = at(5), *h = at(6);
  each(
      n, static_cast<const T*>(at(4)), [=](int64_t j, T before) __attribute__((always_inline)) {
        functors::LstmGates<T> a{i[j], f[j], g[j], o[j]};
        T cell;
        T state;
        functors::lstm_step(a, before, cell, state);
        i[j] = a.i;
        f[j] = a.f;
        g[j] = a.g;
        o[j] = a.o;
        c[j] = cell;
        h[j] = state;
      });
}

/// gates 0-3, c0 4, c 5, gh 6, carried 7, gc 8, r 9-12
TH_CELL_LOOP lstm_backward_loop(void* const* p, int64_t n) {
  const auto at = [p](int k) __attribute__((always_inline)) { return static_cast<T*>(p[k]); };
  const T *i = at(0), *f = at(1), *g = at(2), *o = at(3), *c = at(5), *gh = at(6), *more = at(7);
  T *gc = at(8), *ri = at(9), *rf = at(10), *rg = at(11), *ro = at(12);
  const auto loop = [=](auto carried) __attribute__((always_inline)) {
    each(
        n, static_cast<const T*>(at(4)), [=](int64_t j, T before) __attribute__((always_inline)) {
          const functors::LstmGates<T> a{i[j], f[j], g[j], o[j]};
          T gradient = gh[j];
          if constexpr (carried) {
            gradient += more[j];
          }
          T cell = gc[j];
          const auto r = functors::lstm_step_backward(a, before, c[j], gradient, cell);
          gc[j] = cell;
          ri[j] = r.i;
          rf[j] = r.f;
          rg[j] = r.g;
          ro[j] = r.o;
        });
  };
  more != nullptr ? loop(std::true_type{}) : loop(std::false_type{});
}

/// gates 0-2, hidden 3-5, h0 6, h 7
TH_CELL_LOOP gru_loop(void* const* p, int64_t n) {
  const auto at = [p](int k) __attribute__((always_inline)) { return static_cast<T*>(p[k]); };
  T *r = at(0), *z = at(1), *c = at(2), *h = at(7);
  const T *hr = at(3), *hz = at(4), *hn = at(5);
  each(
      n, static_cast<const T*>(at(6)), [=](int64_t j, T before) __attribute__((always_inline)) {
        functors::GruGates<T> a{r[j], z[j], c[j]};
        h[j] = functors::gru_step(a, {hr[j], hz[j], hn[j]}, before);
        r[j] = a.r;
        z[j] = a.z;
        c[j] = a.n;
      });
}

/// gates 0-2, hidden's n 3, h0 4, gh 5, carried 6, r 7-9, ghidden 10-12, gh0 13
TH_CELL_LOOP gru_backward_loop(void* const* p, int64_t n) {
  const auto at = [p](int k) __attribute__((always_inline)) { return static_cast<T*>(p[k]); };
  const T *r = at(0), *z = at(1), *c = at(2), *hidden = at(3), *gh = at(5), *more = at(6);
  T *gr = at(7), *gz = at(8), *gn = at(9), *hr = at(10), *hz = at(11), *hn = at(12), *gh0 = at(13);
  const auto loop = [=](auto carried) __attribute__((always_inline)) {
    each(
        n, static_cast<const T*>(at(4)), [=](int64_t j, T before) __attribute__((always_inline)) {
          const functors::GruGates<T> a{r[j], z[j], c[j]};
          T gradient = gh[j];
          if constexpr (carried) {
            gradient += more[j];
          }
          const auto g = functors::gru_step_backward(a, hidden[j], before, gradient);
          gr[j] = hr[j] = g.r;
          gz[j] = hz[j] = g.z;
          gn[j] = g.n;
          hn[j] = g.n * a.r;
          gh0[j] = gradient * a.z;
        });
  };
  more != nullptr ? loop(std::true_type{}) : loop(std::false_type{});
}

/// gates 0, h 1
template <class T, bool Relu>
[[gnu::noipa]] void rnn_loop(void* const* p, int64_t n) {
  const T* gates = static_cast<const T*>(p[0]);
  T* h = static_cast<T*>(p[1]);
#pragma omp simd
  for (int64_t j = 0; j < n; ++j) {
    h[j] = Relu ? (gates[j] > 0 ? gates[j] : T(0)) : math::tanh(gates[j]);
  }
}

/// h 0, gh 1, carried 2, r 3
template <class T, bool Relu>
[[gnu::noipa]] void rnn_backward_loop(void* const* p, int64_t n) {
  const T* h = static_cast<const T*>(p[0]);
  const T* gh = static_cast<const T*>(p[1]);
  T* r = static_cast<T*>(p[3]);
  each(
      n, static_cast<const T*>(p[2]), [=](int64_t j, T more) __attribute__((always_inline)) {
        const T gradient = gh[j] + more;
        r[j] = Relu ? (h[j] > 0 ? gradient : T(0)) : gradient * (1 - h[j] * h[j]);
      });
}

// The pointers, and what is read and written of them.

/// What is only read, among the others.
template <class T>
void* input(const T* p) {
  return const_cast<T*>(p);
}

template <class T>
void lstm(int64_t H, T* gates, const T* c0, T* c, T* h) {
  void* const p[] = {gates, gates + H, gates + 2 * H, gates + 3 * H, input(c0), c, h};
  by_whole_vectors<T, 7, pointers(0, 4), pointers(0, 3) | pointers(5, 6)>(p, H, lstm_loop<T>);
}

/// Asks for elements that are needed soon; they may be nobody's.
template <class T>
void fetch(const T* p, int64_t count) {
  for (int64_t i = 0; p != nullptr && i < count; i += 64 / static_cast<int64_t>(sizeof(T))) {
    __builtin_prefetch(p + i);
  }
}

template <class T>
void lstm_backward(int64_t H, const T* gates, const T* c0, const T* c, const T* gh,
                   const T* carried, T* gc, T* r) {
  // The next sequence's: the forward pass wrote them long ago, and rows are too short for the
  // processor to guess what comes.
  fetch(gates + 4 * H, 4 * H);
  fetch(c + H, H);
  fetch(gh + H, H);
  fetch(r + 4 * H, 4 * H);
  void* const p[] = {input(gates),
                     input(gates + H),
                     input(gates + 2 * H),
                     input(gates + 3 * H),
                     input(c0),
                     input(c),
                     input(gh),
                     input(carried),
                     gc,
                     r,
                     r + H,
                     r + 2 * H,
                     r + 3 * H};
  by_whole_vectors<T, 13, pointers(0, 8), pointers(8, 12)>(p, H, lstm_backward_loop<T>);
}

template <class T>
void gru(int64_t H, T* gates, const T* hidden, const T* h0, T* h) {
  void* const p[] = {
      gates,     gates + H, gates + 2 * H, input(hidden), input(hidden + H), input(hidden + 2 * H),
      input(h0), h};
  by_whole_vectors<T, 8, pointers(0, 6), pointers(0, 2) | pointer(7)>(p, H, gru_loop<T>);
}

template <class T>
void gru_backward(int64_t H, const T* gates, const T* hidden, const T* h0, const T* gh,
                  const T* carried, T* r, T* ghidden, T* gh0) {
  void* const p[] = {input(gates),
                     input(gates + H),
                     input(gates + 2 * H),
                     input(hidden + 2 * H),
                     input(h0),
                     input(gh),
                     input(carried),
                     r,
                     r + H,
                     r + 2 * H,
                     ghidden,
                     ghidden + H,
                     ghidden + 2 * H,
                     gh0};
  by_whole_vectors<T, 14, pointers(0, 6), pointers(7, 13)>(p, H, gru_backward_loop<T>);
}

template <class T, bool Relu>
void rnn(int64_t H, const T* gates, T* h) {
  void* const p[] = {input(gates), h};
  by_whole_vectors<T, 2, pointer(0), pointer(1)>(p, H, rnn_loop<T, Relu>);
}

template <class T, bool Relu>
void rnn_backward(int64_t H, const T* h, const T* gh, const T* carried, T* r) {
  void* const p[] = {input(h), input(gh), input(carried), r};
  by_whole_vectors<T, 4, pointers(0, 2), pointer(3)>(p, H, rnn_backward_loop<T, Relu>);
}

template <class T>
RecurrentCellsRow<T> row() {
  return {lstm<T>,
          lstm_backward<T>,
          gru<T>,
          gru_backward<T>,
          {rnn<T, false>, rnn<T, true>},
          {rnn_backward<T, false>, rnn_backward<T, true>}};
}

}  // namespace

void set_kernels(RecurrentCellsKernels& table) {
  table.of_float = row<float>();
  table.of_double = row<double>();
}

}  // namespace th::cpu::TH_ISA
