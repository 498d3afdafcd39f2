// Formulas of the numbers in a sequence, by their place in it.
#pragma once

#include "functors/instruction_set.h"
#include "functors/numeric.h"

namespace th::functors {
inline namespace TH_ISA {

/// The i-th of n numbers, evenly spaced; exact at both ends.
class Spacing {
 public:
  Spacing(double first, double last, int64_t n)
      : first_(first),
        last_(last),
        end_(static_cast<double>(n - 1)),
        step_(n > 1 ? (last - first) / end_ : 0) {}

  TH_HD double operator()(double i) const {
    const double from_first = first_ + i * step_;
    const double from_last = last_ - (end_ - i) * step_;
    return end_ == 0 || i < end_ - i ? from_first : from_last;
  }

 private:
  double first_, last_, end_, step_;
};

/// first, first + step, ...
struct Progression {
  double first, step;
  TH_HD double operator()(double i) const { return first + i * step; }
};

}  // namespace TH_ISA
}  // namespace th::functors
