// The mathematics of libm under one name per function, for float and double, host and device.
//
// On x86-64, glibc's libmvec has vector forms of these; declaring them here lets the compiler's
// vectoriser call those (at most 4 ulp off) without -ffast-math and its other liberties.
#pragma once

#include <cmath>

#include "functors/numeric.h"

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__CUDACC__) && __GLIBC_PREREQ(2, 35)
#define TH_VECTOR_MATH(NAME)                                                         \
  extern "C" __attribute__((__simd__("notinbranch"))) float NAME##f(float) noexcept; \
  extern "C" __attribute__((__simd__("notinbranch"))) double NAME(double) noexcept;
#define TH_VECTOR_MATH2(NAME)                                                               \
  extern "C" __attribute__((__simd__("notinbranch"))) float NAME##f(float, float) noexcept; \
  extern "C" __attribute__((__simd__("notinbranch"))) double NAME(double, double) noexcept;
TH_VECTOR_MATH(exp)
TH_VECTOR_MATH(expm1)
TH_VECTOR_MATH(log)
TH_VECTOR_MATH(log1p)
TH_VECTOR_MATH(sin)
TH_VECTOR_MATH(cos)
TH_VECTOR_MATH(tan)
TH_VECTOR_MATH(asin)
TH_VECTOR_MATH(acos)
TH_VECTOR_MATH(atan)
TH_VECTOR_MATH(sinh)
TH_VECTOR_MATH(cosh)
TH_VECTOR_MATH(tanh)
TH_VECTOR_MATH(erf)
TH_VECTOR_MATH(erfc)
TH_VECTOR_MATH2(pow)
TH_VECTOR_MATH2(atan2)
#undef TH_VECTOR_MATH
#undef TH_VECTOR_MATH2
#endif

namespace th::math {

#define TH_MATH(NAME)                                       \
  TH_HD inline float NAME(float x) { return ::NAME##f(x); } \
  TH_HD inline double NAME(double x) { return ::NAME(x); }
#define TH_MATH2(NAME)                                                  \
  TH_HD inline float NAME(float x, float y) { return ::NAME##f(x, y); } \
  TH_HD inline double NAME(double x, double y) { return ::NAME(x, y); }
TH_MATH(exp)
TH_MATH(expm1)
TH_MATH(log)
TH_MATH(log1p)
TH_MATH(sqrt)
TH_MATH(sin)
TH_MATH(cos)
TH_MATH(tan)
TH_MATH(asin)
TH_MATH(acos)
TH_MATH(atan)
TH_MATH(sinh)
TH_MATH(cosh)
TH_MATH(tanh)
TH_MATH(erf)
TH_MATH(erfc)
TH_MATH(floor)
TH_MATH(ceil)
TH_MATH(round)
TH_MATH(trunc)
TH_MATH(fabs)
TH_MATH2(pow)
TH_MATH2(atan2)
TH_MATH2(fmod)
#undef TH_MATH
#undef TH_MATH2

}  // namespace th::math
