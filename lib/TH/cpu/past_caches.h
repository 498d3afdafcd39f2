// Results that no cache would keep are written past the caches: a plain store first reads the line
// that it will overwrite, which is a third of an addition's traffic.
#pragma once

#include "cpu/elementwise.h"

namespace th::cpu {

/// Whether operands that span so many bytes drive a result out of every cache anyway.
bool exceeds_caches(int64_t bytes);

/// Whether that is so for tensors at pointers[0] to pointers[count - 1], results first, and results
/// are none of the operands and can be written by whole lines.
bool worth_passing_caches(int64_t span, void* const* pointers, int results, int count);

/// elementwise() for elements [begin, end) of such operands, block by block through a buffer.
/// begin * element size is a multiple of 64 bytes.
void run_past_caches(Kernel kernel, const Operand* operands, int count, const double* scalars,
                     int64_t begin, int64_t end);

/// n bytes from anywhere to anywhere else.
void copy_past_caches(char* to, const char* from, int64_t n);

}  // namespace th::cpu
