// The C ABI of libthreads: operating system threads that each run a Lua state, the queues between
// them, what a message refers to, and locks. Conventions as in TH.h: an int that is no answer is a
// TH_Status, TH_lastError() has the text.
//
// Nothing here waits longer than it is told to, but the functions that free: who waits for another
// thread asks again and again, so that Lua looks in between whether somebody has pressed Ctrl-C.
#ifndef THREADS_H
#define THREADS_H

#ifndef TH_CDEF
#include "TH.h"
#pragma GCC visibility push(default)  // everything else stays inside the library
#ifdef __cplusplus
extern "C" {
#endif
#endif

// --- what messages refer to ----------------------------------------------------------------------
// A message is bytes. Objects that it shares instead of copying are in its parcel, which holds a
// reference to each until it is dropped; the bytes have the parcel's number and the objects'
// places, no addresses. 0 is no parcel.
double threads_parcel_new(void);  // 0 without memory
// A worker, before it writes a job's results: their parcel goes with the job if it is stopped
// before threads_pool_finish has it.
void threads_parcel_watch(void);
// For the one who reads the message: a second one is told no.
bool threads_parcel_claim(double parcel);
void threads_parcel_drop(double parcel);
// Takes over the caller's reference; `kind` tells what the object is. The object's place, from 0;
// -1 without such a parcel, or without memory.
int threads_parcel_add(double parcel, const char* kind, void* object, void (*release)(void*));
// The same of a tensor's handle, whose memory other threads may look at from now on.
int threads_parcel_addTensor(double parcel, const TH_Tensor* tensor);
// Makes `to` a handle of the tensor at a place; false where there is none.
bool threads_parcel_tensor(double parcel, int place, TH_Tensor* to);
// The object, which the parcel keeps; NULL where there is none, or one of another kind.
void* threads_parcel_get(double parcel, int place, const char* kind);
// Parcels that there are.
int threads_parcel_count(void);

// --- a queue of messages -------------------------------------------------------------------------
typedef struct threads_Queue threads_Queue;
threads_Queue* threads_queue_new(int capacity);
void threads_queue_retain(threads_Queue* queue);
void threads_queue_release(void* queue);
double threads_queue_id(const threads_Queue* queue);
// Each waits so long at most; whether it was done (put: -1, there is no memory). On success bytes
// and parcel have moved.
int threads_queue_put(threads_Queue* queue, TH_StorageRef* bytes, double parcel, int milliseconds);
bool threads_queue_take(threads_Queue* queue, TH_StorageRef* bytes, double* parcel,
                        int milliseconds);
int threads_queue_size(threads_Queue* queue);
int threads_queue_capacity(threads_Queue* queue);

// --- a thread that runs Lua code -----------------------------------------------------------------
typedef struct threads_Thread threads_Thread;
int threads_thread_new(threads_Thread** thread, const char* code, int64_t length);
double threads_thread_id(const threads_Thread* thread);
bool threads_thread_wait(threads_Thread* thread, int milliseconds);
// Why it ended; NULL when it ended well. Waited for before.
const char* threads_thread_error(threads_Thread* thread);
void threads_thread_free(threads_Thread* thread);  // waits for its end

// --- threads that do jobs ------------------------------------------------------------------------
typedef struct threads_Pool threads_Pool;

typedef enum {
  THREADS_DONE = 0,     // with the job's results
  THREADS_FAILED = 1,   // with an error's text
  THREADS_DIED = 2,     // the thread has ended; threads_pool_reason says why
  THREADS_STOPPED = 3,  // the job was cancelled before it began
} threads_Outcome;

typedef struct threads_Job {
  double number;
  double parcel;
  int worker;   // from 1
  int outcome;  // of a result
} threads_Job;

// Starts `count` threads that run the code, called `name` as Lua names chunks, with the pool (light
// userdata) and their number.
int threads_pool_new(threads_Pool** pool, int count, const char* code, int64_t length,
                     const char* name);
// The pool's own side. worker 0 is any.
bool threads_pool_accepts(threads_Pool* pool, int worker);
// 1: the bytes have moved; 0: no room; -1: that worker, or every one, has ended; -2: no memory.
int threads_pool_put(threads_Pool* pool, int worker, TH_StorageRef* bytes, double number,
                     double parcel);
// Jobs for any worker whose number is greater wait until it is raised, and there is room for all
// that come. Before the first call none waits.
void threads_pool_allow(threads_Pool* pool, double number);
bool threads_pool_result(threads_Pool* pool, TH_StorageRef* bytes, threads_Job* job);
// Waits for a result; where worker is 0 or more, also for room for a job.
bool threads_pool_wait(threads_Pool* pool, int worker, int milliseconds);
const char* threads_pool_reason(threads_Pool* pool, int worker);
// Jobs that have not begun become results, those that run are made to fail; called again and again
// until it answers that none runs any more.
bool threads_pool_cancel(threads_Pool* pool);
void threads_pool_pause(threads_Pool* pool);  // a moment, or until something is done
// No more jobs: workers end when they have done those that there are.
void threads_pool_stop(threads_Pool* pool);
bool threads_pool_ended(threads_Pool* pool, int milliseconds);
// Results that nobody has taken.
int threads_pool_results(threads_Pool* pool);
bool threads_pool_is_child(const threads_Pool* pool);  // of a fork, without the threads
void threads_pool_free(void* pool);                    // waits for a second, then cancels
// A worker's side. 1: a job; 0: none came in that time (less than 0: for ever); -1: none will.
int threads_pool_take(threads_Pool* pool, int worker, TH_StorageRef* bytes, threads_Job* job,
                      int milliseconds);
void threads_pool_finish(threads_Pool* pool, int worker, int outcome, TH_StorageRef* bytes,
                         double parcel);

// --- locks ---------------------------------------------------------------------------------------
// Ids are numbers by which other threads find them, while any reference is left.
typedef struct threads_Mutex threads_Mutex;
threads_Mutex* threads_mutex_new(void);
threads_Mutex* threads_mutex_find(double id);  // with a reference; NULL: there is none
void threads_mutex_retain(threads_Mutex* mutex);
void threads_mutex_release(void* mutex);
double threads_mutex_id(const threads_Mutex* mutex);
// 1: locked; 0: not yet; -1: the caller has it already.
int threads_mutex_lock(threads_Mutex* mutex, int milliseconds);
// 1: unlocked; 0: nobody has it; -1: another thread has it.
int threads_mutex_unlock(threads_Mutex* mutex);

typedef struct threads_Condition threads_Condition;
threads_Condition* threads_condition_new(void);
threads_Condition* threads_condition_find(double id);
void threads_condition_retain(threads_Condition* condition);
void threads_condition_release(void* condition);
double threads_condition_id(const threads_Condition* condition);
void threads_condition_signal(threads_Condition* condition);
// Waiting: begin, wait until it is true or the caller gives up, end.
void threads_condition_begin(threads_Condition* condition);
bool threads_condition_wait(threads_Condition* condition, int milliseconds);
void threads_condition_end(threads_Condition* condition, bool signalled);

#ifndef TH_CDEF
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
#endif
