// The functions of ops/pointwise.def, for a backend to fill in.
#pragma once

#include "TH_core.h"

#pragma GCC visibility push(default)
namespace th {

struct PointwiseTable {
#define TH_OP(NAME, PARAMS, ARGS) void(*NAME) PARAMS = nullptr;
#define TH_OP_AS_FIRST TH_OP
#include "ops/pointwise_ops.def"
#undef TH_OP
#undef TH_OP_AS_FIRST
};

}  // namespace th
#pragma GCC visibility pop
