#include "core/tensor/views.h"

#include <algorithm>

#include "core/device_functions.h"
#include "core/gradient/record.h"
#include "core/tensor/tensor.h"

namespace th {
namespace {

std::span<const int64_t> list(const int64_t* values, int count) {
  return values == nullptr
             ? std::span<const int64_t>{}
             : std::span<const int64_t>{values, static_cast<size_t>(std::max(count, 0))};
}

}  // namespace

namespace views {

#define TH_VIEW(NAME, USER, PARAMS, ARGS, CALL)          \
  void NAME PARAMS {                                     \
    const bool variables = gradient::has_variables ARGS; \
    if (!watched() && !variables) [[likely]] {           \
      th::CALL;                                          \
      return;                                            \
    }                                                    \
    const auto run = [&] { th::CALL; };                  \
    gradient::Attended{Op::NAME, variables, run} ARGS;   \
  }
#include "ops/views.def"
#undef TH_VIEW

}  // namespace views

namespace ops {

void copy(TH_Tensor* r, const TH_Tensor* x) {
  const auto run = [&] {
    th::copy(*r, *x);
    count_write(r);
  };
  const bool variables = gradient::has_variables(r, x);
  if (!watched() && !variables) [[likely]] {
    run();
  } else {
    gradient::Attended{Op::copy, variables, run}(r, x);
  }
}

}  // namespace ops
}  // namespace th
