// Products with rows of numbers of 4 or 8 bits, packed into bytes, the first in the lowest bits.
//
// A vector of 32-bit lanes holds 8 or 4 neighbouring codes in each: shifted and masked they are
// numbers in all lanes at once. So x comes in another order, that of the shifts: see `arrange`.
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

struct PackedRowKernels {
  /// Columns that a block has: x is arranged in as many floats as whole blocks have.
  int64_t (*block)(int bits);
  /// x in the order of the products, with zeros behind; the sums of its groups.
  void (*arrange)(const PackedOperand& w, const float* x, float* arranged, float* sums);
  /// y[i] = row i . x for rows [first, last), plus bias[i] if there is one.
  void (*multiply)(const PackedOperand& w, int64_t first, int64_t last, const float* arranged,
                   const float* sums, const float* bias, float* y);
  /// Row i as floats.
  void (*unpack)(const PackedOperand& w, int64_t i, float* to);
};

TH_KERNEL_TABLE(PackedRowKernels)

}  // namespace th::cpu
