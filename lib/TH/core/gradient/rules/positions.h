// Gradients of what reads and writes by position.
#pragma once

#include "core/gradient/derivation.h"

namespace th::gradient {

/// Zeros of those sizes, with grad where positions (LongTensor, from 1, each at most once) say.
Value put_at(const Value& grad, std::span<const int64_t> sizes, int dim, const Value& positions);
/// The same where a position may come several times: its gradients are added.
Value add_at(const Value& grad, std::span<const int64_t> sizes, int dim, const Value& positions);
/// In the reverse order along dim.
Value reversed(const Value& x, int dim);

}  // namespace th::gradient
