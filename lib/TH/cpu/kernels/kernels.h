// Loops over contiguous blocks, compiled once per instruction set.
//
// A kernel knows neither strides nor threads nor, but for bfloat16 where there is one for it,
// 16-bit types: the engine (cpu/elementwise.h) brings it blocks of elements and it computes them.
// pointers[0] is the result; operands follow.
// The result may be one of the operands, at the same address.
#pragma once

#include <cstdint>

#include "TH_core.h"
#include "cpu/kernels/table.h"

namespace th::cpu {

using Kernel = void (*)(void* const* pointers, int64_t n, const double* scalars);

/// One kernel per element type; null where the operation does not exist for it.
struct KernelRow {
  Kernel by_dtype[TH_NUM_DTYPES] = {};
};

struct PointwiseKernels {
#define TH_UNARY(NAME, FUNCTOR, DTYPES, FORMULA) \
  KernelRow NAME;                                \
  KernelRow NAME##_backward;
#define TH_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) KernelRow NAME;
#define TH_SCALAR2(NAME, FUNCTOR, DTYPES, FORMULA) \
  KernelRow NAME;                                  \
  KernelRow NAME##_backward;
#define TH_BINARY(NAME, FUNCTOR, DTYPES, FORMULA) KernelRow NAME;
#define TH_BINARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) KernelRow NAME;
#define TH_TERNARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) KernelRow NAME;
#include "ops/pointwise.def"
#undef TH_UNARY
#undef TH_SCALAR
#undef TH_SCALAR2
#undef TH_BINARY
#undef TH_BINARY_SCALAR
#undef TH_TERNARY_SCALAR
};

/// Results are bytes, 0 or 1.
struct CompareKernels {
#define TH_COMPARE(NAME, FUNCTOR, FORMULA) \
  KernelRow NAME;                          \
  KernelRow NAME##_value;
#include "ops/compare.def"
#undef TH_COMPARE
};

struct ConvertKernels {
  /// n elements of type [from] to type [to], both contiguous.
  void (*convert[TH_NUM_DTYPES][TH_NUM_DTYPES])(void* to, const void* from, int64_t n);
  /// n elements `stride` apart to contiguous ones and back, by log2 of the element's size.
  void (*gather[4])(void* to, const void* from, int64_t stride, int64_t n);
  void (*scatter[4])(void* to, int64_t stride, const void* from, int64_t n);
  /// rows x columns elements, from[i * from_stride + j] to to[j * to_stride + i], in tiles.
  void (*transpose[4])(void* to, int64_t to_stride, const void* from, int64_t from_stride,
                       int64_t rows, int64_t columns);
  /// Bytes (a multiple of 64, `to` aligned to 64) past the caches, straight into memory. Nobody
  /// else may read them before finish_past_caches(), which is better not called often: it waits for
  /// the memory.
  void (*past_caches)(void* to, const void* from, int64_t bytes);
  /// The same for long runs that are not in the caches themselves.
  void (*past_caches_from_memory)(void* to, const void* from, int64_t bytes);
  void (*finish_past_caches)();
  /// n copies of one element.
  void (*repeat[4])(void* to, const void* element, int64_t n);
};

TH_KERNEL_TABLE(PointwiseKernels)
TH_KERNEL_TABLE(CompareKernels)
TH_KERNEL_TABLE(ConvertKernels)

const PointwiseKernels& pointwise_kernels();
const CompareKernels& compare_kernels();
const ConvertKernels& convert_kernels();

}  // namespace th::cpu
