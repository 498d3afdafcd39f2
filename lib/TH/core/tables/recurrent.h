// The functions of ops/nn/recurrent.def, for a backend to fill in.
#pragma once

#include "TH_core.h"

#pragma GCC visibility push(default)
namespace th {

struct RecurrentTable {
#define TH_OP(NAME, PARAMS, ARGS) void(*NAME) PARAMS = nullptr;
#include "ops/nn/recurrent.def"
#undef TH_OP
};

}  // namespace th
#pragma GCC visibility pop
