// Bringing images into the shape in which a convolution is a product of matrices.
#pragma once

#include <cstdint>

#include "cpu/kernels/linalg/gemm.h"
#include "cpu/kernels/table.h"

namespace th::cpu {

/// Rows of some planes, shifted and thinned out for each column of a convolution's kernel:
///   to[kw][c][f][q][j] = from[c * plane + (q * dH + f) * row + j * dW + kw * dilW]
/// with q < ceil(rows / dH), f < dH, j < width. For a fixed kernel element, `below` rows down in
/// column kw of plane c, the operands of all outputs, row by row, then lie without gaps from
/// [kw][c][below % dH][below / dH] on. Places whose input row is >= rows are left out.
template <class T>
struct Expansion {
  int64_t planes, rows, width;
  int64_t plane, row;
  int64_t kW, dH, dW, dilW;
  const T* from;
  T* to;

  int64_t steps() const { return (rows + dH - 1) / dH; }
  int64_t size() const { return kW * planes * dH * steps() * width; }
  int64_t offset(int64_t c, int64_t below, int64_t kw) const {
    return (((kw * planes + c) * dH + below % dH) * steps() + below / dH) * width;
  }
};

/// The same for steps of 1, from planes of H x W elements with zeros around them:
///   to[kw][c][q][j] = from[(c * H + top + q) * W + left + j + kw * dilW]
template <class T>
struct PlaneExpansion {
  int64_t planes, rows, width;
  int64_t H, W, top, left;
  int64_t kW, dilW;
  const T* from;
  T* to;
};

/// The reverse, for sums: for each kernel element (c, kh, kw), one row of `from` after the other,
///   to[c * plane + (y * dH + kh * dilH) * row + x * dW + kw * dilW] += from[y * width + x]
template <class T>
struct Accumulation {
  int64_t planes, rows, width;  // planes of `to`; rows and columns of each row of `from`
  int64_t plane, row;
  int64_t kH, kW, dH, dW, dilH, dilW;
  const T* from;
  int64_t from_row;
  T* to;
};

template <class T>
struct ConvRow {
  void (*expand)(const Expansion<T>& e);  // may touch kSlack elements behind both buffers
  // Only behind the buffer that it writes.
  void (*expand_planes)(const PlaneExpansion<T>& e);
  void (*accumulate)(const Accumulation<T>& a);
  double (*sum)(int64_t n, const T* x);
  /// r += bias + addend, where there is one; then r = max(0, r) if asked for.
  void (*finish)(int64_t n, T* r, T bias, const T* addend, bool relu);
};

struct ConvKernels : RealKernels<ConvRow> {};

TH_KERNEL_TABLE(ConvKernels)

const ConvKernels& conv_kernels();

}  // namespace th::cpu
