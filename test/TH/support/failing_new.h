// Tests in which `new` fails: failing_new.cpp replaces the operator in the test programs, and it
// counts with everything else that TH_failAllocation (core/memory/fault.h) makes fail.
#pragma once

#include <cstdint>

#include "core/memory/fault.h"

namespace th::testing_support {

/// What a test's own code allocates in such a scope is not counted and does not fail.
class WithoutFailures {
 public:
  WithoutFailures();
  ~WithoutFailures();
  WithoutFailures(const WithoutFailures&) = delete;
};

/// Let the `count`th allocation of f fail; whether one did. f's exceptions pass.
template <class F>
bool with_failure(int64_t count, F&& f) {
  struct Disarm {
    ~Disarm() { TH_failAllocation(0); }
  } disarm;
  TH_failAllocation(count);
  f();
  return TH_failAllocation(0) == 0;
}

}  // namespace th::testing_support
