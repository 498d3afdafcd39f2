// Checks and selections over positions and masks, compiled once per instruction set.
#pragma once

#include "cpu/kernels/kernels.h"
#include "cpu/kernels/table.h"

namespace th::cpu {

struct IndexKernels {
  /// Whether all positions are within 1 ... size.
  bool (*in_range)(const int64_t* positions, int64_t n, int64_t size);
  /// How many ones a mask has; -1 when it has anything but zeros and ones.
  int64_t (*count_ones)(const uint8_t* mask, int64_t n);
  /// Element-wise (result, tensor, mask), by log2 of the element's size: the element whose bytes
  /// scalars point at where the mask is 1.
  Kernel masked_fill[4];
};

TH_KERNEL_TABLE(IndexKernels)

const IndexKernels& index_kernels();

}  // namespace th::cpu
