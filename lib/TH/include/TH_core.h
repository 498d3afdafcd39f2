// The C ABI without its operations: tensors, storages, memory, threads, files, random numbers.
// TH.h has the conventions.
#ifndef TH_CORE_H
#define TH_CORE_H

#ifndef TH_CDEF
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define TH_CONST
#pragma GCC visibility push(default)  // everything else stays inside the library
#ifdef __cplusplus
extern "C" {
#endif
#else
// A script can read a tensor's fields but not assign them.
#define TH_CONST const
#endif

#ifdef TH_CDEF
enum { TH_MAX_DIMS = 16 };
#else
#define TH_MAX_DIMS 16
#endif

typedef enum { TH_OK = 0, TH_ERROR = 1, TH_OUT_OF_MEMORY = 2 } TH_Status;

typedef enum {
#define TH_DTYPE(TAG, NAME, ELEMENT, C, FIELD, KIND, COMPUTED) TAG,
#include "ops/dtypes.def"
#undef TH_DTYPE
  TH_NUM_DTYPES
} TH_DType;

typedef enum { TH_CPU = 0, TH_CUDA = 1, TH_NUM_DEVICE_TYPES = 2 } TH_DeviceType;

// Reference-counted memory. Its size may shrink and grow; the memory behind it never shrinks, so a
// tensor that was made over it stays inside it for good.
typedef struct TH_Storage {
  union {
    void* TH_CONST data;
#define TH_DTYPE(TAG, NAME, ELEMENT, C, FIELD, KIND, COMPUTED) C* TH_CONST FIELD;
#include "ops/dtypes.def"
#undef TH_DTYPE
  };
  // Moves with every write to the memory, a script's own writes included; storages that view it
  // share the counter. It comes round; 32 bits with a sign are what LuaJIT counts fastest.
  int32_t* TH_CONST version;
  TH_CONST int64_t length;    // elements a script sees
  TH_CONST int64_t capacity;  // bytes behind data
  TH_CONST int32_t references;
  TH_CONST uint8_t dtype;
  TH_CONST uint8_t device_type;
  TH_CONST int16_t device;
} TH_Storage;

typedef enum { TH_REQUIRES_GRADIENT = 1, TH_IMMOVABLE = 2 } TH_TensorFlag;

// Element (i, j, ...) lies at store->data + offset + i * strides[0] + j * strides[1] + ..., counted
// in elements. ndim == 0 is the empty tensor; there are no 0-dimensional numbers.
typedef struct TH_Tensor {
  TH_Storage* TH_CONST store;
  TH_CONST int64_t offset;
  TH_CONST int64_t sizes[TH_MAX_DIMS];
  TH_CONST int64_t strides[TH_MAX_DIMS];
  // What differentiation knows of this handle; views and copies of the struct start without.
  void* TH_CONST gradient;
  TH_CONST int16_t ndim;
  TH_CONST uint8_t is_view;  // made to show another handle's elements
  TH_CONST uint8_t flags;    // TH_REQUIRES_GRADIENT, TH_IMMOVABLE
  TH_CONST uint8_t dtype;
  TH_CONST uint8_t device_type;
  TH_CONST int16_t device;
} TH_Tensor;

// A script's handle of a storage: a struct, because LuaJIT indexes pointers without asking
// __index.
typedef struct TH_StorageRef {
  TH_Storage* TH_CONST store;
} TH_StorageRef;

typedef struct TH_Generator TH_Generator;

// A tensor that an operation reads before it writes it. Other results (TH_Tensor*) are overwritten,
// operands (const TH_Tensor*) only read: that is how a row of ops/*.def says what a call does.
typedef TH_Tensor* TH_InOut;

// --- errors and the process ---------------------------------------------------------------------
const char* TH_lastError(void);
int TH_lastStatus(void);
const char* TH_instructionSet(void);
// Bytes that live storages hold on a kind of device: memory that a garbage-collected language
// cannot see. The address stays; the binding reads it between calls and collects past a threshold
// of its own. NULL while that backend is not loaded.
const int64_t* TH_liveBytes(int device_type);
void TH_emptyCache(void);
int TH_setNumThreads(int count);
int TH_getNumThreads(void);
int TH_getNumCores(void);
// The name of the first slot a backend leaves empty, or NULL when it is complete.
const char* TH_missingOperation(int device_type);

// --- calls, and who watches them ----------------------------------------------------------------
// What a parameter is to an operation.
typedef enum {
  TH_ROLE_IN = 0,     // a tensor that is read; may be NULL where the operation allows it
  TH_ROLE_OUT = 1,    // a tensor that is overwritten
  TH_ROLE_INOUT = 2,  // a tensor that is read and written
  TH_ROLE_INS = 3,    // several tensors that are read; the next parameter is their number
  TH_ROLE_NUMBER = 4,
  TH_ROLE_INTEGER = 5,
  TH_ROLE_FLAG = 6,
  TH_ROLE_INTEGERS = 7,   // the parameter before is their number
  TH_ROLE_GENERATOR = 8,  // advanced
  TH_ROLE_RESULT = 9      // where a number goes
} TH_Role;

typedef struct TH_Parameter {
  const char* name;
  int role;
} TH_Parameter;

typedef struct TH_Signature {
  const char* name;
  int count;
  const TH_Parameter* parameters;
} TH_Signature;

// Every operation and view, numbered from 0; NULL past the last one.
const TH_Signature* TH_signature(int operation);

typedef union TH_Value {
  const TH_Tensor* tensor;
  const TH_Tensor* const* tensors;
  double number;
  int64_t integer;  // and flags
  const int64_t* integers;
  const void* other;
} TH_Value;

typedef struct TH_Call {
  int operation;
  int status;              // of a call that has ended
  const TH_Value* values;  // one per parameter
} TH_Call;

// Called before and after each call of this thread, in the order of registration. A composite
// operation's own calls lie between its before and its after. A hook must not throw, nor register.
typedef void (*TH_CallHook)(void* context, const TH_Call* call, bool after);
int TH_watchCalls(TH_CallHook hook, void* context);
void TH_unwatchCalls(TH_CallHook hook, void* context);

// A hook that keeps what it sees, for bindings that cannot be called back.
typedef struct TH_LoggedValue {
  double number;  // numbers, integers, flags
  int64_t sizes[TH_MAX_DIMS];
  const void* storage;  // NULL: no tensor, or an empty one
  int32_t version;      // of the memory, when the call had ended
  int16_t ndim;         // -1: NULL was passed
  uint8_t dtype;
  uint8_t device_type;
} TH_LoggedValue;

typedef struct TH_LoggedCall {
  int operation;
  int status;
  int depth;  // 1 for the calls that an operation makes itself
  double seconds;
  int64_t first;  // place of its values
} TH_LoggedCall;

typedef struct TH_CallLog TH_CallLog;
TH_CallLog* TH_CallLog_start(void);  // NULL: TH_lastError()
void TH_CallLog_stop(TH_CallLog* log);
int64_t TH_CallLog_size(const TH_CallLog* log);
const TH_LoggedCall* TH_CallLog_call(const TH_CallLog* log, int64_t index);
const TH_LoggedValue* TH_CallLog_values(const TH_CallLog* log, int64_t index);
void TH_CallLog_free(TH_CallLog* log);

// --- storages -----------------------------------------------------------------------------------
int TH_Storage_new(TH_StorageRef* ref, int dtype, int device_type, int device, int64_t length);
// Elements [offset, offset + length) of another storage, sharing its memory.
int TH_Storage_view(TH_StorageRef* ref, const TH_StorageRef* base, int64_t offset, int64_t length);
// As elements of another type from that byte on, where such elements may lie.
int TH_Storage_viewAs(TH_StorageRef* ref, int dtype, const TH_StorageRef* base, int64_t byte,
                      int64_t length);
// Elements in the caller's own memory of the host: it is never freed or left for other memory, and
// must outlive the storage.
int TH_Storage_in(TH_StorageRef* ref, int dtype, void* memory, int64_t length);
// A file's bytes as elements: shared = writes go to the file (made or grown to `length`), otherwise
// they stay private. length <= 0 takes the whole file. With `temporary` the file is removed when
// the storage goes.
int TH_Storage_map(TH_StorageRef* ref, int dtype, const char* path, bool shared, bool temporary,
                   int64_t length);
void TH_StorageRef_release(TH_StorageRef* ref);
void TH_StorageRef_set(TH_StorageRef* ref, TH_Storage* store);
int TH_Storage_resize(TH_StorageRef* ref, int64_t length);
int TH_Storage_fill(TH_StorageRef* ref, double value);
int TH_Storage_copy(TH_StorageRef* ref, const TH_StorageRef* source);

// --- tensors: memory and geometry (no element is read or written, except by TH_get and TH_put) ---
void TH_Tensor_release(TH_Tensor* t);
void TH_Tensor_retain(TH_Tensor* t);
// Make t an empty tensor of that type.
void TH_Tensor_init(TH_Tensor* t, int dtype, int device_type, int device);
int TH_new(TH_Tensor* r, int dtype, int device_type, int device, int ndim, const int64_t* sizes);
int TH_new1d(TH_Tensor* r, int dtype, int device_type, int device, int64_t n);
int TH_new2d(TH_Tensor* r, int dtype, int device_type, int device, int64_t rows, int64_t columns);
int TH_setStorage(TH_Tensor* r, const TH_StorageRef* s, int64_t offset, int ndim,
                  const int64_t* sizes, const int64_t* strides);
#define TH_VIEW(NAME, USER, PARAMS, ARGS, CALL) int TH_##NAME PARAMS;
#include "ops/views.def"
#undef TH_VIEW
int64_t TH_nElement(const TH_Tensor* t);
bool TH_isContiguous(const TH_Tensor* t);
bool TH_isSameSize(const TH_Tensor* a, const TH_Tensor* b);
bool TH_isSetTo(const TH_Tensor* a, const TH_Tensor* b);
// One element by its indices (counted from 0, one per dimension).
int TH_get(double* value, const TH_Tensor* t, const int64_t* indices);
int TH_put(TH_Tensor* t, const int64_t* indices, double value);
// IEEE half and bfloat16 bits to and from numbers.
double TH_halfToDouble(uint16_t bits);
uint16_t TH_doubleToHalf(double value);
double TH_bfloat16ToDouble(uint16_t bits);
uint16_t TH_doubleToBFloat16(double value);

// --- the CPU generator (MT19937, Torch7's sequences) --------------------------------------------
TH_Generator* TH_Generator_new(void);
void TH_Generator_free(TH_Generator* g);
void TH_Generator_copy(TH_Generator* g, const TH_Generator* source);
uint64_t TH_Generator_seed(TH_Generator* g);
void TH_Generator_manualSeed(TH_Generator* g, uint64_t seed);
uint64_t TH_Generator_initialSeed(const TH_Generator* g);
int TH_Generator_getState(const TH_Generator* g, uint8_t* state, int64_t bytes);
int TH_Generator_setState(TH_Generator* g, const uint8_t* state, int64_t bytes);
uint32_t TH_Generator_random(TH_Generator* g);
double TH_Generator_uniform(TH_Generator* g, double a, double b);
double TH_Generator_normal(TH_Generator* g, double mean, double stdv);
double TH_Generator_exponential(TH_Generator* g, double lambda);
double TH_Generator_cauchy(TH_Generator* g, double median, double sigma);
double TH_Generator_logNormal(TH_Generator* g, double mean, double stdv);
int64_t TH_Generator_geometric(TH_Generator* g, double p);
int TH_Generator_bernoulli(TH_Generator* g, double p);

// Any strides, any pair of types, any pair of devices: element counts must agree, r keeps its
// shape.
int TH_copy(TH_Tensor* r, const TH_Tensor* x);

#ifndef TH_CDEF
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
#endif
