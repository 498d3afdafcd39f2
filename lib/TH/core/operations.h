// The operations for code inside the library, composites first of all: each finds the backend of
// its tensors, tells who watches, counts the writes. A failure is an exception.
#pragma once

#include "TH_core.h"

namespace th::ops {

#define TH_OP(NAME, PARAMS, ARGS) void NAME PARAMS;
#include "ops/all.def"
#undef TH_OP

}  // namespace th::ops
