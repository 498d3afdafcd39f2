// Plain messages: tables of numbers, strings and tensors, which most jobs and results are, as bytes
// and back. In C, as LuaJIT does not compile what walks a table: by Lua it takes five times as
// long.
//
//    message := number of the parcel (double), kPlain, value; all of it in words of 8 bytes
//    value   := NIL | FALSE | TRUE | NUMBER double | STRING text | TABLE fields
//             | OBJECT text fields | TENSOR place in the parcel
//    text    := size, bytes
//    fields  := how many of the keys are 1, 2, ... and how many others; as many times value value
//
// Numbers are integers where nothing else is said. There are no numbers for objects that come
// again, no functions, and no classes with ways of their own to be written: with any of these there
// is no plain message, but one in the form of .t7.
#pragma once

#include <cstdint>

#include "threads.h"

struct lua_State;

namespace threads::plain {

/// A message in the form of .t7 has an object's type here, from 0 on.
inline constexpr int64_t kPlain = -1;
inline constexpr int64_t kHeader = 2;  // words
inline constexpr int kDeepest = 50;    // of nested tables

enum Kind : int64_t { NIL, FALSE, TRUE, NUMBER, STRING, TABLE, OBJECT, TENSOR };

enum Argument { kNewTensor = 2, kNewInstance = 3 };  // of functions of Lua's that read

bool is(const TH_StorageRef& bytes);

/// Pushes the object of a plain message; false where it was read before. What is on the
/// stack at kNewTensor gives empty handles, at kNewInstance instances of a class's name. The parcel
/// is dropped, but not if there is an error.
bool read(lua_State* L, const TH_StorageRef& bytes);

}  // namespace threads::plain
