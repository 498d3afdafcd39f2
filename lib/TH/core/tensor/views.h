// Views as operations.h has the operations: told to who watches, and recorded. A failure is an
// exception.
#pragma once

#include "TH_core.h"

namespace th {
namespace views {

#define TH_VIEW(NAME, USER, PARAMS, ARGS, CALL) void NAME PARAMS;
#include "ops/views.def"
#undef TH_VIEW

}  // namespace views

namespace ops {

/// A copy between any types and devices, as a call like any other.
void copy(TH_Tensor* r, const TH_Tensor* x);

}  // namespace ops
}  // namespace th
