// What operations in libraries of their own are written with, in C++20: the C ABI, and of the core
// what it is made with itself. CMake's target LuaTorch::TH has it; examples/custom_operation shows
// it.
//
//   TH_CHECK(condition, text...)       the caller's mistake, as an exception
//   th::guarded("name", f)             an exception becomes a TH_Status: the C function's body
//   th::RealTypes::dispatch(dtype, f)  f<T>() for the type that a tag names
//   th::Tensor, th::contiguous(t)      a tensor that is released by itself
//   th::Result                         a result that may lie in an operand's memory
//   th::parallel_for(n, grain, f)      f(begin, end) on the core's threads
//   th::check(TH_mul(...))             operations of the core, whose failures are passed on
//
// This side has no stable binary form: compile again for each version of LuaTorch.
#ifndef TH_OPERATION_H
#define TH_OPERATION_H

#include "TH_profile.h"
#include "core/runtime/error.h"
#include "core/tensor/aliasing.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "cpu/parallel.h"

namespace th {

using cpu::kGrain;
using cpu::parallel_for;
using cpu::parallel_items;

/// A failed call of the C ABI becomes an exception.
inline void check(int status) {
  if (status == TH_OUT_OF_MEMORY) {
    throw OutOfMemory(TH_lastError());
  }
  TH_CHECK(status == TH_OK, TH_lastError());
}

/// t, given as an operand: there, with elements, and on the CPU.
inline const TH_Tensor& on_cpu(const TH_Tensor* t, const char* argument) {
  check_defined(t, argument);
  TH_CHECK(t->device_type == TH_CPU, argument, " is a ", type_name(*t),
           ", wanted a tensor of the CPU; copy it, as in x:float()");
  return *t;
}

/// The result is there, of x's type and on the CPU.
inline void check_result(const TH_Tensor* r, const TH_Tensor& x) {
  TH_CHECK(r != nullptr, "there is no result");
  check_same_dtype(*r, x);
  TH_CHECK(r->device_type == TH_CPU, "the result is a ", type_name(*r), ", wanted one of the CPU");
}

/// What r had is no more: said when an operation has written it.
inline void written(TH_Tensor* r) {
  if (r->store != nullptr) {
    count_write(r->store);
  }
}

}  // namespace th

#endif
