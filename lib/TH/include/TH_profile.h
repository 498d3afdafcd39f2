// The C ABI of profiling: what a thread's calls, ranges and memory take, event by event.
//
// A profile belongs to the thread that starts it. Times are nanoseconds since its start.
#ifndef TH_PROFILE_H
#define TH_PROFILE_H

#include "TH_gradient.h"

#ifndef TH_CDEF
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
#endif

typedef enum {
  TH_PROFILE_OPERATION = 0,
  TH_PROFILE_RANGE = 1,
  TH_PROFILE_MEMORY = 2  // taken or given back; end is begin
} TH_ProfileKind;

typedef struct TH_ProfileEvent {
  int64_t begin, end;
  int64_t device_begin, device_end;  // work on a device; -1: none
  // Operations: of the tensors that it reads and writes. Memory: less than 0 when given back.
  int64_t bytes;
  const void* block;  // memory: whose
  int32_t kind;
  int32_t name;    // operations: their number; ranges: what TH_Profile_enter was given
  int32_t place;   // of the script, 0: unknown
  int32_t parent;  // the event that it lies in, -1: none
  int16_t device;
  uint8_t device_type;
  bool failed;
} TH_ProfileEvent;

// A line of the script that runs, or that called the one that runs.
typedef struct TH_ProfilePlace {
  const char* source;
  int32_t line;
  int32_t caller;  // 0: none
} TH_ProfilePlace;

typedef struct TH_Profile TH_Profile;
// NULL: TH_lastError(). With `lines`, calls are made from interpreted Lua only.
TH_Profile* TH_Profile_start(bool lines);
void TH_Profile_stop(TH_Profile* profile);
void TH_Profile_free(TH_Profile* profile);
// Lua code in files below this folder is no part of the script.
void TH_Profile_library(TH_Profile* profile, const char* folder);
// A range's event, which ends with leave(); -1 when there is no memory for it.
int64_t TH_Profile_enter(TH_Profile* profile, int32_t name, const char* text);
void TH_Profile_leave(TH_Profile* profile, int64_t range);
int64_t TH_Profile_now(const TH_Profile* profile);
// The script's line of now.
int32_t TH_Profile_here(TH_Profile* profile);
// Memory ran out: events are missing.
bool TH_Profile_incomplete(const TH_Profile* profile);
int64_t TH_Profile_size(const TH_Profile* profile);
const TH_ProfileEvent* TH_Profile_events(const TH_Profile* profile);
// Place 1 stands first.
int32_t TH_Profile_placeCount(const TH_Profile* profile);
const TH_ProfilePlace* TH_Profile_places(const TH_Profile* profile);

// A function of Lua's C API, for package.loadlib: from now on this thread's lines are those of the
// coroutine that calls it, or that it is given.
struct lua_State;
int TH_Profile_coroutine(struct lua_State* L);

#ifndef TH_CDEF
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
#endif
