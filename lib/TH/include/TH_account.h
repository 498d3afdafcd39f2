// The C ABI's second part: what threads of a program that each run a binding (a Lua state, say)
// must know of each other, and what is chosen for all of them.
#ifndef TH_ACCOUNT_H
#define TH_ACCOUNT_H

#include "TH.h"

#ifndef TH_CDEF
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
#endif

// Bytes behind the storages that a thread has made and that live: memory that a garbage-collected
// language cannot see. The binding compares made + elsewhere with the threshold, which is its own
// to set, before it allocates, and collects past it.
typedef struct TH_Account {
  TH_CONST double made;       // by the thread, less what it has released
  TH_CONST double elsewhere;  // less than 0: released by other threads
  double threshold;           // lowered by other threads that have run out of memory
} TH_Account;

// The calling thread's.
TH_Account* TH_account(void);

// Said after a failure for lack of memory, when the caller has collected its own garbage: if memory
// is still short, the threads whose bindings have set thresholds are made to collect first.
void TH_lastResort(void);

// Whether Lua's C interface is in the process: then `TH_Tensor_finalize`, by package.loadlib, is
// TH_Tensor_release as a C function of Lua's.
bool TH_findLua(void);

// Whether convolutions of floats may take Winograd's way: twice as fast, some five times less
// exact.
void TH_setWinograd(bool on);
bool TH_getWinograd(void);

// A script gets a pointer to the memory, by which it may write without moving the version: nothing
// that was made of the elements is kept from then on.
void TH_Storage_expose(TH_Storage* store);

// Whether the memory is the library's: neither a file's, which other processes write, nor one that
// a script brought. Every write to such memory moves the version, but for those by pointers.
bool TH_Storage_isOwn(const TH_Storage* store);

// Before another thread is given a reference: from now on the memory stays where it is, so that the
// storage cannot grow beyond it.
void TH_Storage_share(TH_StorageRef* ref);
// References of those who keep no TH_StorageRef: a message on its way to another thread, say. The
// count is any thread's from now on.
void TH_Storage_retain(TH_Storage* store);
// Shares it and takes a reference.
void TH_Storage_give(TH_Storage* store);
void TH_Storage_release(void* store);

#ifndef TH_CDEF
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
#endif
