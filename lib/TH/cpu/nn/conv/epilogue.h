// What becomes of a convolution's results while a cache still has them.
#pragma once

#include <cstdint>

#include "cpu/kernels/nn/conv.h"

namespace th::cpu {

/// r + addend where there is one, then max(0, .) if asked for.
template <class T>
struct Epilogue {
  const T* addend = nullptr;  ///< lies as the result does
  bool relu = false;

  bool any() const { return addend != nullptr || relu; }

  /// n neighbours of the result that begin `at` elements behind its first.
  void finish(T* r, int64_t at, int64_t n, T bias = T(0)) const {
    conv_kernels().row<T>().finish(n, r + at, bias, addend == nullptr ? nullptr : addend + at,
                                   relu);
  }
};

}  // namespace th::cpu
