// What errors of differentiation tell: which call, and, where somebody has asked for it, on which
// line of the script.
#pragma once

#include <span>
#include <string>

#include "core/call/call.h"
#include "core/gradient/derivative.h"
#include "core/gradient/value.h"

namespace th::gradient {

/// "cmul of 2x3 (train.lua:7)".
std::string describe(const Node& node);

/// What the derivative of a node reads was written since.
[[noreturn]] void fail_changed(const Node& node, const Saved& saved, const char* parameter);

/// An operand that needs a gradient has got one, or the row has nothing for it.
void check_covered(const Node& node, const Derivative& row);

/// An error where a call has made a NaN, or where a node's derivative has.
void look_for_anomaly(Op op, const TH_Value* values);
void look_for_anomaly(const Node& node, std::span<const Value> gradients);

}  // namespace th::gradient
