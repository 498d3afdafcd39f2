// The functions of ops/nn/resample.def, for a backend to fill in.
#pragma once

#include "TH_core.h"

#pragma GCC visibility push(default)
namespace th {

struct ResampleTable {
#define TH_OP(NAME, PARAMS, ARGS) void(*NAME) PARAMS = nullptr;
#include "ops/nn/resample.def"
#undef TH_OP
};

}  // namespace th
#pragma GCC visibility pop
