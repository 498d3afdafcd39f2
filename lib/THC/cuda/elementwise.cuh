// The engine of element-wise operations: r[i] = f(x[i], y[i], ...) over tensors of any strides and
// shapes with equal element counts, in row-major order.
//
//   elementwise<float>(r, Plus{}, {&x, &y})   // all three of one type: float, or half seen as
//   float
//
// Tensors that lie compactly are moved 16 bytes per operand and thread, so that the memory sets the
// pace; others are walked element by element through their OffsetCalculator.
#pragma once

#include <initializer_list>
#include <type_traits>
#include <utility>

#include "core/tensor/aliasing.h"
#include "cuda/launch.h"
#include "cuda/offsets.h"

namespace thc {

/// Several neighbouring elements, moved at once.
template <class T, int Count>
struct alignas(sizeof(T) * Count < 16 ? sizeof(T) * Count : 16) Lanes {
  T v[Count];
};

namespace detail {

/// f(x[0], x[1], ...), the operands taken from an array through `get`.
template <class F, class Get, size_t... K>
TH_HD inline auto call(const F& f, const Get& get, std::index_sequence<K...>) {
  return f(get(K)...);
}

template <class R, class X, int N, class F>
struct CompactKernel {
  static constexpr int kLanes =
      16 / static_cast<int>(sizeof(R) > sizeof(X) ? sizeof(R) : sizeof(X));
  using In = Lanes<X, kLanes>;
  using Out = Lanes<R, kLanes>;

  R* r;
  const X* x[N > 0 ? N : 1];
  int64_t n;
  F f;

  /// All pointers allow whole lanes.
  bool aligned() const {
    bool fits = reinterpret_cast<uintptr_t>(r) % alignof(Out) == 0;
    for (int k = 0; k < N; ++k) {
      fits = fits && reinterpret_cast<uintptr_t>(x[k]) % alignof(In) == 0;
    }
    return fits;
  }

  TH_HD void operator()(int64_t i) const {
    const int64_t first = i * kLanes;
    if (first + kLanes <= n) {
      In in[N > 0 ? N : 1];
      for (int k = 0; k < N; ++k) {
        in[k] = *reinterpret_cast<const In*>(x[k] + first);
      }
      Out out;
      for (int j = 0; j < kLanes; ++j) {
        const auto get = [&](size_t k) { return widen(in[k].v[j]); };
        out.v[j] = narrow<R>(call(f, get, std::make_index_sequence<N>{}));
      }
      *reinterpret_cast<Out*>(r + first) = out;
      return;
    }
    for (int64_t j = first; j < n; ++j) {
      const auto get = [&](size_t k) { return widen(x[k][j]); };
      r[j] = narrow<R>(call(f, get, std::make_index_sequence<N>{}));
    }
  }
};

template <class CR, class CX, int N, class F>
struct StridedKernel {
  Elements<CR> r;
  Elements<CX> x[N > 0 ? N : 1];
  F f;

  TH_HD void operator()(int64_t i) const {
    const auto get = [&](size_t k) { return x[k].load(i); };
    r.store(i, call(f, get, std::make_index_sequence<N>{}));
  }
};

template <class R, class X, int N, class F>
bool try_compact(TH_Tensor& r, const F& f, const TH_Tensor* const* x, int64_t n,
                 cudaStream_t stream) {
  bool compact = is_contiguous(r);
  for (int k = 0; k < N; ++k) {
    compact = compact && is_contiguous(*x[k]);
  }
  if (!compact) {
    return false;
  }
  using Kernel = CompactKernel<R, X, N, F>;
  Kernel kernel{data<R>(r), {}, n, f};
  for (int k = 0; k < N; ++k) {
    kernel.x[k] = data<X>(*x[k]);
  }
  if (!kernel.aligned()) {
    return false;
  }
  launch(stream, (n + Kernel::kLanes - 1) / Kernel::kLanes, kernel);
  return true;
}

template <class R, class X, int N, class F>
void elementwise(TH_Tensor& r, const F& f, const TH_Tensor* const* x) {
  const int64_t n = numel(r);
  if (n == 0) {
    return;
  }
  Tensor apart[N > 0 ? N : 1];  // copies of operands that r's elements would overwrite
  const TH_Tensor* operands[N > 0 ? N : 1];
  for (int k = 0; k < N; ++k) {
    operands[k] = x[k];
    if (displaces(r, *x[k])) [[unlikely]] {
      apart[k] = clone(*x[k]);
      operands[k] = &apart[k];
    }
  }
  const cudaStream_t stream = stream_for(r);
  if (try_compact<R, X, N>(r, f, operands, n, stream)) {
    return;
  }
  StridedKernel<Compute<R>, Compute<X>, N, F> kernel{Elements<Compute<R>>(r), {}, f};
  for (int k = 0; k < N; ++k) {
    kernel.x[k] = Elements<Compute<X>>(*operands[k]);
  }
  launch(stream, n, kernel);
}

}  // namespace detail

/// r[i] = f(x[i]...). R and X are the tensors' element types (all x of one type); f takes and
/// returns Compute<X> and Compute<R>. Counts agree, memory is allocated: the caller has checked.
template <class R, class X, class F, class... Xs>
void elementwise(TH_Tensor& r, const F& f, const Xs*... x) {
  constexpr int kOperands = sizeof...(Xs);
  const TH_Tensor* const operands[kOperands > 0 ? kOperands : 1] = {x...};
  detail::elementwise<R, X, kOperands>(r, f, operands);
}

}  // namespace thc
