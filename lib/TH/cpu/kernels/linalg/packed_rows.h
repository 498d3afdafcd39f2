// Products with rows of numbers of 4 or 8 bits, packed into bytes, the first in the lowest bits.
//
// A vector of 32-bit lanes holds 8 or 4 neighbouring codes in each. Shifted to the top of a
// mantissa and masked, a code c of b bits is the float 1 + c / 2^b, in all lanes at once; what the
// 1 adds to a sum is known from the vector's own sum. So vectors come in another order, that of the
// shifts.
#pragma once

#include <cstdint>

#include "cpu/kernels/table.h"

namespace th::cpu {

/// Rows of `columns` codes, a whole number of bytes, in groups of `group` columns with a scale and
/// a zero each. Several groups are of a multiple of 8 columns.
struct PackedOperand {
  const uint8_t* codes;
  const float* scale;
  const uint8_t* zero;
  int64_t columns, group;
  int bits;

  int64_t row_bytes() const { return columns * bits / 8; }
  int64_t groups() const { return columns / group; }
};

/// Vectors that rows are multiplied with, in the order of the products.
struct ArrangedVectors {
  int64_t count;
  const float* x;     ///< `length` floats of each
  const float* sums;  ///< of the groups of each
  int64_t length;
};

struct PackedRowKernels {
  /// Columns that a block has: an arranged vector has as many floats as whole blocks.
  int64_t (*block)(int bits);
  /// A vector in the order of the products, with zeros behind; the sums of its groups.
  void (*arrange)(const PackedOperand& w, const float* x, float* arranged, float* sums);
  /// y[v * y_step + i] = row i . vector v for rows [first, last), plus bias[i] if there is one.
  void (*multiply)(const PackedOperand& w, int64_t first, int64_t last, const ArrangedVectors& x,
                   const float* bias, float* y, int64_t y_step);
  /// Row i as floats.
  void (*unpack)(const PackedOperand& w, int64_t i, float* to);
};

TH_KERNEL_TABLE(PackedRowKernels)

}  // namespace th::cpu
