// Steps of optimisers, each one kernel: x and the states are read and written, the gradient is
// read.
#include "core/checks/optim.h"
#include "core/tables/optim.h"
#include "cuda/elementwise.cuh"
#include "cuda/register.h"
#include "functors/optim.h"

namespace thc {
namespace {

/// The call op(g, x, states...), elements in arrays: e[0] is x, e[1] the gradient.
template <class Op, class C, size_t... S>
TH_HD inline void update(const Op& op, C* e, std::index_sequence<S...>) {
  op(e[1], e[0], e[2 + S]...);
}

template <class T, class Op>
struct CompactStep {
  static constexpr int kTensors = 2 + Op::kStates;
  static constexpr int kLanes = 16 / static_cast<int>(sizeof(T));
  using Block = Lanes<T, kLanes>;
  using Indices = std::make_index_sequence<Op::kStates>;

  T* p[kTensors];
  int64_t n;
  Op op;

  bool aligned() const {
    bool fits = true;
    for (const T* each : p) {
      fits = fits && reinterpret_cast<uintptr_t>(each) % alignof(Block) == 0;
    }
    return fits;
  }

  TH_HD void operator()(int64_t i) const {
    const int64_t first = i * kLanes;
    if (first + kLanes <= n) {
      Block blocks[kTensors];
      for (int k = 0; k < kTensors; ++k) {
        blocks[k] = *reinterpret_cast<const Block*>(p[k] + first);
      }
      for (int j = 0; j < kLanes; ++j) {
        Compute<T> e[kTensors];
        for (int k = 0; k < kTensors; ++k) {
          e[k] = widen(blocks[k].v[j]);
        }
        update(op, e, Indices{});
        for (int k = 0; k < kTensors; ++k) {
          blocks[k].v[j] = narrow<T>(e[k]);
        }
      }
      for (int k = 0; k < kTensors; ++k) {
        if (k != 1) {
          *reinterpret_cast<Block*>(p[k] + first) = blocks[k];
        }
      }
      return;
    }
    for (int64_t j = first; j < n; ++j) {
      Compute<T> e[kTensors];
      for (int k = 0; k < kTensors; ++k) {
        e[k] = widen(p[k][j]);
      }
      update(op, e, Indices{});
      for (int k = 0; k < kTensors; ++k) {
        if (k != 1) {
          p[k][j] = narrow<T>(e[k]);
        }
      }
    }
  }
};

template <class C, class Op>
struct StridedStep {
  static constexpr int kTensors = 2 + Op::kStates;

  Elements<C> p[kTensors];
  Op op;

  TH_HD void operator()(int64_t i) const {
    C e[kTensors];
    for (int k = 0; k < kTensors; ++k) {
      e[k] = p[k].load(i);
    }
    update(op, e, std::make_index_sequence<Op::kStates>{});
    for (int k = 0; k < kTensors; ++k) {
      if (k != 1) {
        p[k].store(i, e[k]);
      }
    }
  }
};

template <class Op, class S>
Op made_of(const S& step) {
  return [&]<size_t... N>(std::index_sequence<N...>) { return Op(step.numbers[N]...); }
  (std::make_index_sequence<Op::kNumbers>{});
}

template <template <class> class Functor, class... Args>
void run_step(TH_Tensor* x, const TH_Tensor* gradient, Args... args) {
  const th::Step<Functor<float>> step(x, gradient, args...);
  check_step(x, gradient, step.written());
  const int64_t n = numel(*x);
  if (n == 0) {
    return;
  }
  const Tensor g = undisturbed(*gradient, *x, step.written());
  const cudaStream_t stream = stream_for(*x);
  constexpr int kTensors = 2 + Functor<float>::kStates;
  const TH_Tensor* tensors[kTensors] = {x, &g};
  std::copy_n(step.states, kTensors - 2, tensors + 2);
  bool compact = true;
  for (const TH_Tensor* t : tensors) {
    compact = compact && is_contiguous(*t);
  }
  Floating::dispatch(x->dtype, [&]<class T>() {
    using Op = Functor<Compute<T>>;
    CompactStep<T, Op> together{{}, n, made_of<Op>(step)};
    StridedStep<Compute<T>, Op> apart{{}, together.op};
    for (int k = 0; k < kTensors; ++k) {
      together.p[k] = data<T>(*tensors[k]);
      apart.p[k] = Elements<Compute<T>>(*tensors[k]);
    }
    if (compact && together.aligned()) {
      constexpr int kLanes = CompactStep<T, Op>::kLanes;
      launch(stream, (n + kLanes - 1) / kLanes, together);
    } else {
      launch(stream, n, apart);
    }
  });
}

}  // namespace

void register_optim(th::OptimTable& b) {
#define TH_STEP(NAME, FUNCTOR, PARAMS, ARGS) \
  b.NAME = [] PARAMS { run_step<th::functors::optim::FUNCTOR> ARGS; };
#define TH_OP(NAME, PARAMS, ARGS)
#include "ops/optim.def"
}

}  // namespace thc
