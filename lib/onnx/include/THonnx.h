// ONNX's messages for Lua: protobuf's own reflection behind a C ABI, so that Lua knows the schema
// by names alone. A function returns NULL, or what is wrong, a text that stays until the thread's
// next call. Messages within a model live as long as the model.
#ifndef THONNX_H
#define THONNX_H

#ifndef TH_CDEF
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
#endif

typedef struct THonnx_Message THonnx_Message;

enum { THONNX_MESSAGE, THONNX_BYTES, THONNX_INTEGER, THONNX_NUMBER };

typedef struct {
  const char* name;
  int64_t count;  // of a field that does not repeat: 1
  int32_t number;
  int32_t kind;
  bool repeated;
} THonnx_Field;

// An empty ModelProto, and one made of a file's bytes; free each with THonnx_free.
const char* THonnx_new(THonnx_Message** model);
const char* THonnx_parse(THonnx_Message** model, const void* bytes, size_t size);
void THonnx_free(THonnx_Message* model);

// The bytes of a model: how many, and all of them.
const char* THonnx_size(const THonnx_Message* model, size_t* size);
const char* THonnx_write(const THonnx_Message* model, void* bytes, size_t size);

// The fields that are set, at most `capacity`; the result is how many there are.
int32_t THonnx_fields(const THonnx_Message* message, THonnx_Field* fields, int32_t capacity);
const THonnx_Message* THonnx_message(const THonnx_Message* message, int32_t field, int64_t index);
const char* THonnx_bytes(const THonnx_Message* message, int32_t field, int64_t index, size_t* size);
// All elements of a field, one of a field that does not repeat.
void THonnx_integers(const THonnx_Message* message, int32_t field, int64_t* to);
void THonnx_numbers(const THonnx_Message* message, int32_t field, double* to);

// Set a field, or add to one that repeats.
const char* THonnx_addMessage(THonnx_Message* message, const char* field, THonnx_Message** added);
const char* THonnx_addBytes(THonnx_Message* message, const char* field, const void* bytes,
                            size_t size);
const char* THonnx_addIntegers(THonnx_Message* message, const char* field, const int64_t* values,
                               int64_t count);
const char* THonnx_addNumbers(THonnx_Message* message, const char* field, const double* values,
                              int64_t count);
// The kind of a field, or -1 where the schema has none of that name.
int32_t THonnx_kind(const THonnx_Message* message, const char* field);

#ifndef TH_CDEF
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
#endif
