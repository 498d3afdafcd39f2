// The C ABI's fourth part: what a binding's own functions for files leave to the core.
#ifndef TH_FILE_H
#define TH_FILE_H

#include "TH_interrupt.h"

#ifndef TH_CDEF
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
#endif

// Reads bytes of a file, from `at` on, on as many threads as a loop may use; its own position
// stays. `got` are the bytes that are there without a gap: fewer than asked for where the file ends
// or cannot be read, which `reason` tells apart: 0, or what errno says.
int TH_readFile(int descriptor, void* to, int64_t at, int64_t bytes, int64_t* got, int* reason);

#ifndef TH_CDEF
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
#endif
