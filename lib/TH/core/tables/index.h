// The functions of ops/index.def, for a backend to fill in.
#pragma once

#include "TH_core.h"

#pragma GCC visibility push(default)
namespace th {

struct IndexTable {
#define TH_OP(NAME, PARAMS, ARGS) void(*NAME) PARAMS = nullptr;
#include "ops/index.def"
#undef TH_OP
};

}  // namespace th
#pragma GCC visibility pop
