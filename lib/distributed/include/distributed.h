// The C ABI of libdistributed: processes that work together, by MPI. Conventions as in TH.h: an int
// is a TH_Status, TH_lastError() has the text. Ranks count from 0 here, from 1 in texts and in Lua.
//
// One thread of the library makes all calls of MPI, in the order in which work was begun; that is
// what lets a script compute while tensors travel.
#ifndef DISTRIBUTED_H
#define DISTRIBUTED_H

#ifndef TH_CDEF
#include "TH.h"
#pragma GCC visibility push(default)  // everything else stays inside the library
#ifdef __cplusplus
extern "C" {
#endif
#endif

typedef enum {
  DISTRIBUTED_BARRIER = 0,
  DISTRIBUTED_BROADCAST = 1,
  DISTRIBUTED_ALL_REDUCE = 2,
  DISTRIBUTED_REDUCE_SCATTER = 3,
  DISTRIBUTED_ALL_GATHER = 4,
  DISTRIBUTED_GATHER = 5,
  DISTRIBUTED_SCATTER = 6,
  DISTRIBUTED_SEND = 7,
  DISTRIBUTED_RECEIVE = 8,
  DISTRIBUTED_GROUP = 9,  // makes a group: int32 ranks in `in`, its number, one int32, in `out`
  DISTRIBUTED_END = 10    // the process ends; the library's own
} distributed_Kind;

typedef enum {
  DISTRIBUTED_SUM = 0,
  DISTRIBUTED_PRODUCT = 1,
  DISTRIBUTED_MIN = 2,
  DISTRIBUTED_MAX = 3
} distributed_Reduction;

// What a rank is asked to do. Memory is the host's and compact. `count` is the number of elements
// of one rank's part: what broadcast and allReduce work on, what each rank gives to gather and gets
// from scatter and reduceScatter.
typedef struct distributed_Request {
  int kind;
  int dtype;        // TH_DType
  int reduction;    // distributed_Reduction
  int root;         // the rank that gives or gets; of send and receive the other one
  int group;        // 0: all ranks
  bool ordered;     // reduce in the order of ranks, so that the bits do not depend on the algorithm
  bool meet;        // and no more: the elements go elsewhere
  double patience;  // seconds that the others get to come, where that is more than the timeout
  int64_t count;
  const void* in;
  void* out;
  int ndim;
  int64_t sizes[8];  // for messages; longer ones are cut
  char line[48];     // of the script, for messages
} distributed_Request;

typedef struct distributed_Work distributed_Work;

// Join the others. timeout: seconds that a rank waits for another before it fails; check: whether
// ranks tell each other what they are about to do before they do it.
int distributed_init(double timeout, bool check);
bool distributed_initialized(void);
int distributed_rank(void);
int distributed_size(void);
// Among the ranks of this machine, from 0.
int distributed_place(void);
void distributed_set(double timeout, bool check);
// "Open MPI v4.1.4, ...": the library that is there.
const char* distributed_library(void);

// Begin; free the work in any case. The request is copied, and `memory`, the storages that it
// points into, stays until MPI is done with it, whatever becomes of the caller's references.
int distributed_begin(distributed_Work** work, const distributed_Request* request,
                      TH_Storage* const* memory, int count);
// Wait so long at most; whether it has ended, or never will.
bool distributed_wait(distributed_Work* work, int milliseconds);
// How it ended.
int distributed_result(distributed_Work* work);
void distributed_free(distributed_Work* work);

#ifndef TH_CDEF
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif

#endif  // DISTRIBUTED_H
