// The functions of ops/compare.def, for a backend to fill in.
#pragma once

#include "TH_core.h"

#pragma GCC visibility push(default)
namespace th {

struct CompareTable {
#define TH_OP(NAME, PARAMS, ARGS) void(*NAME) PARAMS = nullptr;
#define TH_OP_AS_FIRST TH_OP
#include "ops/compare_ops.def"
#undef TH_OP
#undef TH_OP_AS_FIRST
};

}  // namespace th
#pragma GCC visibility pop
