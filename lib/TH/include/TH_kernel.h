// The C ABI of kernels that are compiled while a program runs, for the CPU.
#ifndef TH_KERNEL_H
#define TH_KERNEL_H

#include "TH_profile.h"

#ifndef TH_CDEF
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
#endif

// A loop over n elements. pointers: first the results, then the operands, all contiguous and of the
// type in which it computes; a result may be an operand, at the same address.
typedef void (*TH_Loop)(void* const* pointers, int64_t n, const double* numbers);

// Results and operands of a loop together.
enum { TH_LOOP_TENSORS = 32 };

typedef struct TH_LoopCall {
  TH_Loop loop;
  TH_Loop past_caches;  // writes results past the caches, at multiples of 64 bytes; or null
  int dtype;            // in which it computes: TH_FLOAT or TH_DOUBLE
  int cost;  // a rough number of cheap operations per element: from what size on threads help
  int result_count, operand_count;
  TH_Tensor* const* results;
  const TH_Tensor* const* operands;
  const double* numbers;
} TH_LoopCall;

// One pass over memory: operands are expanded to common sizes, which the results get. Any strides
// and types; threads as for every operation. A result may be an operand or lie over one. To those
// who watch, it is a call of "fused".
int TH_runLoop(const TH_LoopCall* call);

// The same for tensors of one size that lie compactly, of the type in which the loop computes, and
// results that are empty or like them, where nobody watches or records: it costs next to nothing by
// itself. Anything but TH_OK: nothing has been done, and TH_runLoop may be asked. There is an
// operand, and a result.
int TH_runPlainLoop(const TH_LoopCall* call);

#ifndef TH_CDEF
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
#endif
