// Products of matrices too large for one pass through a cache.
#pragma once

#include <span>

#include "core/runtime/threads.h"
#include "cpu/kernels/linalg/gemm.h"

namespace th::cpu {

/// With so many columns of the result it pays to pack A' by tiles, which would read a part of each
/// of its lines.
constexpr int64_t kTilingColumns = 128;

/// Multiplications (some 2 microseconds) below which another thread would not help.
constexpr int64_t kThreadGrain = 256 * 1024;

/// C = beta C + alpha op(A) op(B) for any sizes. T: float, double. Every element is the same sum in
/// the same order, whatever the number of threads. `workspace`: as many elements as
/// blocked_workspace() said, at whatever share of the cores.
template <class T>
void blocked_gemm(const Gemm<T>& g, std::span<T> workspace);

/// Whether its results are complete while a cache has them, so that they can be `rounded`.
template <class T>
bool rounds_in_blocks(const Gemm<T>& g);

/// Elements of working memory for it, on one thread or on all of a team.
template <class T>
int64_t blocked_workspace(const Gemm<T>& g, int64_t team = threads::share());

}  // namespace th::cpu
