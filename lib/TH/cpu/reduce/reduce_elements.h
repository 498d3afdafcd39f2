// Elements as reduction kernels want to see them: contiguous, of the compute type.
#pragma once

#include <bit>

#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "cpu/kernels/kernels.h"
#include "cpu/kernels/reduce/reduce.h"
#include "cpu/parallel.h"

namespace th::cpu {

/// Where elements lie, and as what a kernel wants to see them.
struct Elements {
  const char* base;
  int dtype;
  int seen;
  int64_t size;

  Elements(const TH_Tensor& t, const ReduceKernel& kernel)
      : base(bytes(t)), dtype(t.dtype), seen(kernel.element), size(element_size(t.dtype)) {}

  const char* at(int64_t offset) const { return base + offset * size; }
  bool converts() const { return dtype != seen; }

  /// n elements, `stride` apart, to contiguous ones of the type seen. n <= kReduceLeaf.
  void load(void* to, int64_t offset, int64_t stride, int64_t n) const {
    const ConvertKernels& k = convert_kernels();
    alignas(64) char raw[kReduceLeaf * 2];  // only 16-bit types are converted
    const void* from = at(offset);
    if (stride != 1) {
      const int log2 = std::countr_zero(static_cast<uint64_t>(size));
      void* gathered = converts() ? raw : to;
      if (stride == 0) {
        k.repeat[log2](gathered, from, n);
      } else {
        k.gather[log2](gathered, from, stride, n);
      }
      from = gathered;
    }
    if (stride == 1 || converts()) {
      k.convert[dtype][seen](to, from, n);
    }
  }
};

/// Elements of the compute type, gathered for a kernel.
struct Buffer {
  alignas(64) char data[kReduceLeaf * 8];
};

}  // namespace th::cpu
