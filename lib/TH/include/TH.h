// The C ABI of the tensor core: everything a binding may call. What is not an operation stands in
// TH_core.h, which the library itself includes: a new row does not compile it anew.
//
// The preprocessor turns this very file into LuaJIT's declarations (-DTH_CDEF), so it holds plain C
// only: no inline code, no attributes the binding would not understand.
//
// Conventions
//   - A function returns a TH_Status. On failure TH_lastError() has the text and nothing has
//     changed: no result was resized, no element written, unless the text says otherwise.
//   - Results come first. An operation resizes its result; `dim` counts from 0.
//   - A result may be an operand, and lie in an operand's memory in any order: it becomes what it
//     would become elsewhere, as if operands were read first. Two results must be two tensors.
//   - A TH_Tensor is a value owned by the caller (zeroed memory is an empty ByteTensor) that holds
//     one reference to its storage; TH_Tensor_release gives that reference back.
#ifndef TH_H
#define TH_H

#include "TH_core.h"

#ifndef TH_CDEF
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
#endif

// --- the operations: one row each in ops/*.def --------------------------------------------------
#define TH_OP(NAME, PARAMS, ARGS) int TH_##NAME PARAMS;
#include "ops/all.def"
#undef TH_OP

#ifndef TH_CDEF
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
#endif
