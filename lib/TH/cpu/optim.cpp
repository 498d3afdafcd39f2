// Steps of optimisers: checks, and the kernel for the type.
#include "cpu/kernels/optim.h"

#include <algorithm>

#include "core/checks/optim.h"
#include "core/tables/optim.h"
#include "cpu/elementwise.h"
#include "cpu/register.h"
#include "cpu/select.h"
#include "functors/optim.h"

namespace th::cpu {
namespace {

const OptimKernels& kernels() {
  static const OptimKernels table = select_kernels<OptimKernels>();
  return table;
}

/// A division, a root and several operands: a second thread is worth its start from 8192 elements.
constexpr int kCost = 4;

/// Few elements, lying as the kernel wants them, in memory of their own each.
template <class S>
bool small_and_plain_step(const S& step) {
  const TH_Tensor& x = *step.x;
  const auto size = element_size(x.dtype);
  const int64_t n = is_half(x.dtype) ? 0 : small_and_plain(size, x, *step.g);
  bool plain = n > 0 && step.g->dtype == x.dtype;
  for (const TH_Tensor* s : step.written()) {
    plain = plain && s != nullptr && s->dtype == x.dtype && small_and_plain(size, x, *s) == n &&
            apart(*s->store, *x.store) && apart(*s->store, *step.g->store);
  }
  for (size_t i = 1; plain && i < step.written().size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      plain = plain && apart(*step.written()[i]->store, *step.written()[k]->store);
    }
  }
  return plain;
}

template <class Functor>
void run(const KernelRow& row, const Step<Functor>& step) {
  constexpr int kCount = 2 + Functor::kStates;
  if (step.x != nullptr && step.g != nullptr && small_and_plain_step(step)) [[likely]] {
    void* pointers[kCount] = {bytes(*step.x), bytes(*step.g)};
    for (int k = 2; k < kCount; ++k) {
      pointers[k] = bytes(*step.states[k - 2]);
    }
    row.by_dtype[step.x->dtype](pointers, numel(*step.x), step.numbers);
    return;
  }
  check_step(step.x, step.g, step.written());
  const Tensor g = undisturbed(*step.g, *step.x, step.written());
  const int dtype = compute_dtype(step.x->dtype);
  Operand operands[kCount] = {{step.x, dtype}, {&g, dtype}};
  for (int k = 2; k < kCount; ++k) {
    operands[k] = {step.states[k - 2], dtype};
  }
  elementwise_in_place(row.by_dtype[dtype], operands, kCount, step.numbers, kCost);
}

}  // namespace

void register_optim(OptimTable& b) {
#define TH_STEP(NAME, FUNCTOR, PARAMS, ARGS) \
  b.NAME = [] PARAMS { run(kernels().NAME, Step<functors::optim::FUNCTOR<float>> ARGS); };
#define TH_OP(NAME, PARAMS, ARGS)
#include "ops/optim.def"
}

}  // namespace th::cpu
