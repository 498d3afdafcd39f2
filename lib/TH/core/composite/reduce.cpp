// Numbers that other reductions give.
#include "core/tables/reduce.h"

#include <algorithm>
#include <cmath>

#include "core/checks/reduce.h"
#include "core/composite/register.h"
#include "core/operations.h"
#include "core/tensor/tensor.h"

namespace th::composite {
namespace {

void mean_all(double* value, const TH_Tensor* x) {
  check_floating(*x);
  check_not_empty(*x);
  ops::sum_all(value, x);
  *value /= static_cast<double>(numel(*x));
}

void std_all(double* value, const TH_Tensor* x, bool biased) {
  ops::var_all(value, x, biased);
  *value = std::sqrt(*value);
}

void trace(double* value, const TH_Tensor* x) {
  const TH_Tensor diagonal = checked_diagonal(*x);
  ops::sum_all(value, &diagonal);
}

}  // namespace

void register_reduce(ReduceTable& b) {
  offer(b.mean_all, mean_all);
  offer(b.std_all, std_all);
  offer(b.trace, trace);
}

}  // namespace th::composite
