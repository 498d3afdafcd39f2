// The functions of ops/nn/quantized.def, for a backend to fill in.
#pragma once

#include "TH_core.h"

#pragma GCC visibility push(default)
namespace th {

struct QuantizedTable {
#define TH_OP(NAME, PARAMS, ARGS) void(*NAME) PARAMS = nullptr;
#include "ops/nn/quantized.def"
#undef TH_OP
};

}  // namespace th
#pragma GCC visibility pop
