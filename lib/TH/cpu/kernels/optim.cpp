#include "cpu/kernels/optim.h"

#include <utility>

#include "core/dtype.h"
#include "cpu/kernels/vectors.h"
#include "functors/optim.h"

namespace th::cpu::TH_ISA {
namespace {

template <class Op, class T, class... States>
[[gnu::always_inline]] inline void each(const Op& op, int64_t n, T* x, const T* g,
                                        States*... states) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    op(g[i], x[i], states[i]...);
  }
}

/// Not inlined: its code is one, whoever calls it.
template <class Op, class T>
[[gnu::noipa]] void loop(void* const* p, int64_t n, const double* numbers) {
  [&]<size_t... S, size_t... N>(std::index_sequence<S...>, std::index_sequence<N...>) {
    const Op op(numbers[N]...);
    each(op, n, static_cast<T*>(p[0]), static_cast<const T*>(p[1]), static_cast<T*>(p[2 + S])...);
  }
  (std::make_index_sequence<Op::kStates>{}, std::make_index_sequence<Op::kNumbers>{});
}

/// What the compiler fuses in a vector and in a single element may differ, so the elements beyond
/// the last whole vector are computed as one as well, filled up with the first of them: an
/// element's result depends neither on its place nor on how threads share the work.
template <class Op, class T>
void by_whole_vectors(void* const* p, int64_t n, const double* numbers) {
  constexpr int kCount = 2 + Op::kStates;
  const int64_t rest = n % kLanes<T>;
  const int64_t whole = n - rest;
  if (whole > 0) {
    loop<Op, T>(p, whole, numbers);
  }
  if (rest == 0) {
    return;
  }
  alignas(Vector<T>) T blocks[kCount][kLanes<T>];
  void* parts[kCount];
  for (int k = 0; k < kCount; ++k) {
    const T* x = static_cast<const T*>(p[k]) + whole;
    const Vector<T> part = load_part<T>(x, rest, Vector<T>{} + x[0]);
    std::memcpy(blocks[k], &part, sizeof(part));
    parts[k] = blocks[k];
  }
  loop<Op, T>(parts, kLanes<T>, numbers);
  for (int k = 0; k < kCount; ++k) {
    if (k != 1) {
      store_part<T>(static_cast<T*>(p[k]) + whole, rest, load<Vector<T>>(blocks[k]));
    }
  }
}

}  // namespace

void fill(OptimKernels& table) {
#define TH_STEP(NAME, FUNCTOR, PARAMS, ARGS)                                                \
  table.NAME.by_dtype[TH_FLOAT] = by_whole_vectors<functors::optim::FUNCTOR<float>, float>; \
  table.NAME.by_dtype[TH_DOUBLE] = by_whole_vectors<functors::optim::FUNCTOR<double>, double>;
#define TH_OP(NAME, PARAMS, ARGS)
#include "ops/optim.def"
}

}  // namespace th::cpu::TH_ISA
