#include "cpu/kernels/optim.h"

#include <utility>

#include "core/tensor/dtype.h"
#include "cpu/kernels/whole_vectors.h"
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

/// All but the gradient, p[1], are written.
template <class Op, class T>
void step(void* const* p, int64_t n, const double* numbers) {
  constexpr int kCount = 2 + Op::kStates;
  by_whole_vectors<T, kCount, pointers(0, kCount - 1), pointers(0, kCount - 1) - pointer(1)>(
      p, n, [=](void* const* from, int64_t count) { loop<Op, T>(from, count, numbers); });
}

}  // namespace

void set_kernels(OptimKernels& table) {
#define TH_STEP(NAME, FUNCTOR, PARAMS, ARGS)                                    \
  table.NAME.by_dtype[TH_FLOAT] = step<functors::optim::FUNCTOR<float>, float>; \
  table.NAME.by_dtype[TH_DOUBLE] = step<functors::optim::FUNCTOR<double>, double>;
#define TH_OP(NAME, PARAMS, ARGS)
#include "ops/optim.def"
}

}  // namespace th::cpu::TH_ISA
