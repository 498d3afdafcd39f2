// The C ABI's third part: Ctrl-C, for a prompt that goes on after it.
//
// TH_interrupt is a handler of SIGINT. It tells the core to give up what it is computing: the call
// fails with the text "interrupted", and what its results hold is undefined. Then it calls the
// binding's own handler, which makes the language stop, and whatever handles SIGPROF: LuaJIT's
// profiler, while it runs, makes compiled code return to the interpreter, which alone looks for
// what the former has asked for.
#ifndef TH_INTERRUPT_H
#define TH_INTERRUPT_H

#include "TH_account.h"

#ifndef TH_CDEF
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
#endif

void TH_interrupt(int signal);

// The handler that TH_interrupt calls, which may put another in its place; NULL for none.
void TH_onInterrupt(void (*handler)(int));

// How often TH_interrupt was called since TH_forgetInterrupts. The core gives up what it computes
// until TH_takeInterrupt is called.
int TH_interrupts(void);
void TH_takeInterrupt(void);
void TH_forgetInterrupts(void);

#ifndef TH_CDEF
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
#endif
