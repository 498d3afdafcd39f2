// Comparisons: bytes of 0 and 1, or the same in the operands' own type.
#include "core/tables/compare.h"

#include "core/checks/pointwise.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "cpu/elementwise.h"
#include "cpu/register.h"
#include "cpu/select.h"

namespace th::cpu {

const CompareKernels& compare_kernels() {
  static const CompareKernels table = select_kernels<CompareKernels>();
  return table;
}

namespace {

template <class... Rest>
void apply(const KernelRow& row, TH_Tensor* r, const double* scalars, const TH_Tensor* x,
           const Rest*... rest) {
  prepare_compare(r, x, rest...);
  const int dtype = compute_dtype(x->dtype);
  const Operand operands[] = {{r, TH_BYTE}, {x, dtype}, {rest, dtype}...};
  elementwise(row.by_dtype[dtype], operands, 2 + sizeof...(Rest), scalars, 1);
}

}  // namespace

void register_compare(CompareTable& b) {
#define TH_COMPARE(NAME, FUNCTOR, FORMULA)                              \
  b.NAME = [](TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* y) {   \
    apply(compare_kernels().NAME, r, nullptr, x, y);                    \
  };                                                                    \
  b.NAME##_value = [](TH_Tensor* r, const TH_Tensor* x, double value) { \
    apply(compare_kernels().NAME##_value, r, &value, x);                \
  };
#include "ops/compare.def"
}

}  // namespace th::cpu
