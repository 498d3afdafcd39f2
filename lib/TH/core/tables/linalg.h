// The functions of ops/linalg.def, for a backend to fill in.
#pragma once

#include "TH_core.h"

#pragma GCC visibility push(default)
namespace th {

struct LinalgTable {
#define TH_OP(NAME, PARAMS, ARGS) void(*NAME) PARAMS = nullptr;
#include "ops/linalg.def"
#undef TH_OP
};

}  // namespace th
#pragma GCC visibility pop
