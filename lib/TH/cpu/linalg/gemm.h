// Products of row-major matrices in memory: a routine for each size and layout.
#pragma once

#include <cstdint>
#include <span>

#include "core/runtime/threads.h"
#include "cpu/kernels/linalg/gemm.h"

namespace th::cpu {

/// Elements of working memory with which gemm(g) uses a whole team: all threads that it may have,
/// or 1 for whoever will call it on one of several. They are taken before anything is written: so a
/// product cannot run out of memory half-way.
template <class T>
int64_t gemm_workspace(const Gemm<T>& g, int64_t team = threads::share());

/// T: float, double. Runs threads, unless it is called by one of several; no more than there is
/// memory for, which may have been taken when the thread's share of the cores was another.
template <class T>
void gemm(const Gemm<T>& g, std::span<T> workspace);

/// Whether gemm(g) makes results that are `rounded`.
template <class T>
bool rounds_as_it_goes(const Gemm<T>& g);

/// y = beta y + alpha op(A) x, A: m x n as stored. x is contiguous; elements of y are y_step apart.
/// workspace: n elements, where A is transposed and y_step is not 1.
template <class T>
void gemv(bool transpose, int64_t m, int64_t n, T alpha, const T* a, int64_t lda, const T* x,
          T beta, T* y, int64_t y_step, T* workspace);

}  // namespace th::cpu
