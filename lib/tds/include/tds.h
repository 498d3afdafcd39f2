// The C ABI of libtds: hash tables, vectors and counters outside of Lua's memory, which threads may
// share. Each has a count of references and, but for counters, a lock that is held for one call
// once threads share it.
//
// A text that get gives is a copy, an object comes with a reference: the caller gives both back
// (tds_return). False, or less than 0 where a number is answered, means that there is no memory.
#ifndef TDS_H
#define TDS_H

#ifndef TH_CDEF
#include "TH_account.h"
#pragma GCC visibility push(default)  // everything else stays inside the library
#ifdef __cplusplus
extern "C" {
#endif
#endif

typedef enum {
  TDS_NIL = 0,
  TDS_NUMBER = 1,
  TDS_STRING = 2,
  TDS_BOOLEAN = 3,   // in `number`
  TDS_FUNCTION = 4,  // in `string`, as torch.serialize gives it
  TDS_OBJECT = 5,
  TDS_SHORT = 6,  // of what was to be read: there was no memory for its text
  TDS_OTHER = 7,  // of what was to be read: get gives it
} tds_type;

// A key or a value.
typedef struct tds_elem {
  union {
    double number;
    const char* string;
    void* object;
  };
  uint32_t size;  // of a text, in bytes
  uint16_t kind;  // of an object
  uint8_t type;
} tds_elem;

// What numbers, booleans and short texts are read into, without memory for each and without
// anything to give back. One serves for all of a thread's calls: `calls` tells whether it still
// has what one's own call has read, or what a finalizer has read in between.
typedef struct tds_reading {
  double number;  // a boolean, too
  double calls;
  char text[240];
  uint32_t size;  // of the text
} tds_reading;

// Kinds of objects: what is called to take and to give back a reference. retain may be NULL: no
// reference comes with such an object when it is read. share, which may be NULL, is told before
// other threads can reach an object. A name has one number in the whole process; less than 0: there
// are too many.
int tds_kind(const char* name, void (*retain)(void*), void (*release)(void*), void (*share)(void*));
const char* tds_kind_name(int kind);
// Gives back what came with an element that was read: the reference, or the text.
void tds_return(const tds_elem* elem);
void tds_return_object(int kind, void* object);
void tds_return_text(const char* text);
// An element that was to be stored is not: its object's reference goes.
void tds_discard(const tds_elem* elem);

int tds_storage_kind(void);
// Tensors are kept as copies of their handles, which never change.
int tds_tensor_kind(void);
void* tds_tensor_new(const TH_Tensor* tensor);  // NULL: no memory
const TH_Tensor* tds_tensor_get(const void* box);

// --- hash tables ---------------------------------------------------------------------------------
typedef struct tds_hash tds_hash;
tds_hash* tds_hash_new(void);
// For who has given his back and may still ask, as finalizers do when a Lua state ends: one for
// all, which stays. So for the others below.
tds_hash* tds_hash_gone(void);
void tds_hash_retain(void* hash);
void tds_hash_free(void* hash);  // one reference
void tds_hash_share(void* hash);
int64_t tds_hash_size(tds_hash* hash);
// Objects in key and value: their references are taken over, whatever comes of it. A nil as the
// value takes the key out.
bool tds_hash_set(tds_hash* hash, const tds_elem* key, const tds_elem* value);
bool tds_hash_set_nn(tds_hash* hash, double key, double value);
bool tds_hash_set_ns(tds_hash* hash, double key, const char* value, size_t size);
bool tds_hash_set_sn(tds_hash* hash, const char* key, size_t size, double value);
// The type of the value.
int tds_hash_get(tds_hash* hash, const tds_elem* key, tds_elem* value);
int tds_hash_read_n(tds_hash* hash, double key, tds_reading* value);
int tds_hash_read_s(tds_hash* hash, const char* key, size_t size, tds_reading* value);
// The entry from a place on: the place after it; -1 when there is none.
int64_t tds_hash_next(tds_hash* hash, int64_t place, tds_elem* key, tds_elem* value);

// --- vectors -------------------------------------------------------------------------------------
// Places count from 0.
typedef struct tds_vec tds_vec;
tds_vec* tds_vec_new(void);
tds_vec* tds_vec_gone(void);
void tds_vec_retain(void* vec);
void tds_vec_free(void* vec);
void tds_vec_share(void* vec);
int64_t tds_vec_size(tds_vec* vec);
bool tds_vec_resize(tds_vec* vec, int64_t size);
// Grows to hold the place. Objects as above.
bool tds_vec_set(tds_vec* vec, int64_t place, const tds_elem* value);
bool tds_vec_set_n(tds_vec* vec, int64_t place, double value);
bool tds_vec_set_s(tds_vec* vec, int64_t place, const char* value, size_t size);
int tds_vec_get(tds_vec* vec, int64_t place, tds_elem* value);
int tds_vec_read(tds_vec* vec, int64_t place, tds_reading* value);
bool tds_vec_insert(tds_vec* vec, int64_t place, const tds_elem* value);
bool tds_vec_remove(tds_vec* vec, int64_t place);
// 1: numbers or texts are in order; 0: there is no order among what is in it.
int tds_vec_sort(tds_vec* vec);
// By a comparison that tells less (< 0), equal and greater; equal elements keep their order. 1; -1:
// no memory; -2: it was changed meanwhile, by another thread or the comparison, and is left so.
int tds_vec_sort_by(tds_vec* vec, int (*compare)(const tds_elem*, const tds_elem*));
// A number that is another after every change.
uint64_t tds_vec_changes(tds_vec* vec);
// Element i becomes what element order[i] was, unless it was changed since `changes` was read.
// Answers as tds_vec_sort_by does.
int tds_vec_permute(tds_vec* vec, const int64_t* order, int64_t size, uint64_t changes);

// --- counters ------------------------------------------------------------------------------------
typedef struct tds_atomic_counter tds_atomic_counter;
tds_atomic_counter* tds_atomic_counter_new(void);
tds_atomic_counter* tds_atomic_counter_gone(void);
void tds_atomic_counter_retain(void* counter);
void tds_atomic_counter_free(void* counter);
double tds_atomic_counter_inc(tds_atomic_counter* counter);
double tds_atomic_counter_get(const tds_atomic_counter* counter);
void tds_atomic_counter_set(tds_atomic_counter* counter, double value);

#ifndef TH_CDEF
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
#endif
