// Reductions with one accumulator per result. Part of kernels/reduce.cpp.
#pragma once

#include "cpu/kernels/reduce_row.h"

namespace th::cpu::TH_ISA {
namespace {

template <class Op, class A, class T>
struct Fold {
  static void init(void* acc, int64_t items, int64_t) {
    A* a = static_cast<A*>(acc);
    for (int64_t i = 0; i < items; ++i) {
      a[i] = Op::template identity<A>();
    }
  }

  static void rows(
      void* acc, int64_t items, const void* x, int64_t stride, int64_t n, int64_t, double p) {
    A* a = static_cast<A*>(acc);
    const T* row = static_cast<const T*>(x);
    for (int64_t i = 0; i < items; ++i, row += stride) {
      a[i] = Op::combine(a[i], reduce_row<Op, A>(row, n, p));
    }
  }

  static void columns(
      void* acc, int64_t items, const void* x, int64_t stride, int64_t n, int64_t, double p) {
    A* a = static_cast<A*>(acc);
    const T* row = static_cast<const T*>(x);
    int64_t i = 0;
    // Four rows at a time: the accumulators are loaded and stored a quarter as often.
    for (; i + 4 <= n; i += 4, row += 4 * stride) {
      const T* x0 = row;
      const T* x1 = row + stride;
      const T* x2 = row + 2 * stride;
      const T* x3 = row + 3 * stride;
#pragma GCC ivdep
      for (int64_t j = 0; j < items; ++j) {
        const A first =
            Op::combine(Op::map(static_cast<A>(x0[j]), p), Op::map(static_cast<A>(x1[j]), p));
        const A second =
            Op::combine(Op::map(static_cast<A>(x2[j]), p), Op::map(static_cast<A>(x3[j]), p));
        a[j] = Op::combine(a[j], Op::combine(first, second));
      }
    }
    for (; i < n; ++i, row += stride) {
#pragma GCC ivdep
      for (int64_t j = 0; j < items; ++j) {
        a[j] = Op::combine(a[j], Op::map(static_cast<A>(row[j]), p));
      }
    }
  }

  static void combine(void* acc, const void* later, int64_t items) {
    A* a = static_cast<A*>(acc);
    const A* b = static_cast<const A*>(later);
#pragma GCC ivdep
    for (int64_t i = 0; i < items; ++i) {
      a[i] = Op::combine(a[i], b[i]);
    }
  }

  static void gather(void* acc, int64_t items, const void* wide, int64_t groups) {
    for (int64_t g = 0; g < groups; ++g) {
      combine(acc, static_cast<const A*>(wide) + g * items, items);
    }
  }
};

}  // namespace
}  // namespace th::cpu::TH_ISA
