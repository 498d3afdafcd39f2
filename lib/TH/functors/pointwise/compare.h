// Comparisons.
#pragma once

#include "functors/instruction_set.h"
#include "functors/numeric.h"

namespace th::functors {
inline namespace TH_ISA {

struct Less {
  template <class T>
  TH_HD static bool forward(T x, T y) {
    return x < y;
  }
};

struct LessEqual {
  template <class T>
  TH_HD static bool forward(T x, T y) {
    return x <= y;
  }
};

struct Greater {
  template <class T>
  TH_HD static bool forward(T x, T y) {
    return x > y;
  }
};

struct GreaterEqual {
  template <class T>
  TH_HD static bool forward(T x, T y) {
    return x >= y;
  }
};

struct Equal {
  template <class T>
  TH_HD static bool forward(T x, T y) {
    return x == y;
  }
};

struct NotEqual {
  template <class T>
  TH_HD static bool forward(T x, T y) {
    return x != y;
  }
};

}  // namespace TH_ISA
}  // namespace th::functors
