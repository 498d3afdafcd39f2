// Sums of gradients, and whose memory they are in.
#pragma once

#include "core/gradient/value.h"

namespace th::gradient {

/// Whether nobody else sees the memory, and no element lies twice in it.
bool is_alone(const Value& v);
/// The same, and it may be added to.
bool is_own(const Value& v);
/// On the way: sum += gradient.
void add(Value& sum, const Value& gradient);
/// What a leaf's gradient becomes when another one comes. Where that fails nothing has changed.
void accumulate(Value& sum, Value&& gradient);

}  // namespace th::gradient
