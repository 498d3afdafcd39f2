// Normalisation of planes over a batch, for some of the planes.
#pragma once

#include <cstdint>

#include "cpu/kernels/table.h"

namespace th::cpu {

/// N x C x P without gaps, of which planes [first, last) count here. Arrays with a number for each
/// plane begin with plane `first`.
struct Planes {
  int64_t N, C, P;
  int64_t first, last;
};

/// r = (g - a - (x - mean) b) k, one of each number for every plane.
struct PlaneGradient {
  const double* mean;
  const double* a;
  const double* b;
  const double* k;
};

template <class T>
struct BatchNormRow {
  /// mean, and the mean of (x - mean)^2
  void (*moments)(const Planes& p, const T* x, double* mean, double* variance);
  /// y = (x - mean) scale + shift
  void (*normalise)(const Planes& p, const T* x, const double* mean, const double* scale,
                    const double* shift, T* y);
  /// sum of g, and of g (x - mean)
  void (*gradient_sums)(const Planes& p, const T* g, const T* x, const double* mean, double* sum,
                        double* product);
  void (*gradient)(const Planes& p, const T* g, const T* x, const PlaneGradient& f, T* r);
};

struct BatchNormKernels : RealKernels<BatchNormRow> {};

TH_KERNEL_TABLE(BatchNormKernels)

}  // namespace th::cpu
