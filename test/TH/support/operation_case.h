// A call of an operation, for tests that walk the list: what the tensors are, and how to call it.
#pragma once

#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "TH/support/tensors.h"

namespace th::test {

/// What a tensor's elements must be for the operation to make sense.
enum class Holds {
  Numbers,   ///< multiples of 1/16 or small integers, none of them 0
  Positive,  ///< 1/16 to 1: probabilities, variances
  Places,    ///< 1 to `limit`, all different where there are so many
  Flags,     ///< 0 or 1, as masks
  Definite,  ///< a square positive definite matrix
};

struct Argument {
  enum Role { Result, ReadResult, Operand } role;
  int dtype;
  Sizes sizes;  // of a Result: none
  Holds holds = Holds::Numbers;
  int64_t limit = 0;
};

using Call = std::function<int(TH_Tensor* const* t, TH_Generator* g)>;

struct Case {
  std::string name;
  std::vector<Argument> arguments;  // tensors, in the order of the call
  Call call;
};

inline Argument result(int dtype) { return {Argument::Result, dtype, {}}; }
inline Argument operand(int dtype, Sizes sizes, Holds holds = Holds::Numbers, int64_t limit = 0) {
  return {Argument::Operand, dtype, std::move(sizes), holds, limit};
}
/// A result that keeps its shape and, mostly, its elements.
inline Argument written(int dtype, Sizes sizes, Holds holds = Holds::Numbers, int64_t limit = 0) {
  return {Argument::ReadResult, dtype, std::move(sizes), holds, limit};
}

/// The elements of an argument.
inline Tensor elements_of(const Argument& a, std::mt19937& rng) {
  if (a.role == Argument::Result) {
    return empty(a.dtype);
  }
  Tensor t = random(a.dtype, a.sizes, rng);
  std::vector<double> numbers = values(t);
  const auto n = static_cast<int64_t>(numbers.size());
  for (int64_t i = 0; i < n; ++i) {
    double& x = numbers[static_cast<size_t>(i)];
    switch (a.holds) {
      case Holds::Numbers:
        x = x == 0 ? 1 : x;
        break;
      case Holds::Positive:
        x = std::abs(x) + 0x1p-4;
        break;
      case Holds::Places:
        x = static_cast<double>((i * 5 + 2) % a.limit + 1);
        break;
      case Holds::Flags:
        x = static_cast<double>((i * i / 3 + i) % 2);
        break;
      case Holds::Definite: {
        const int64_t columns = a.sizes.back();
        const int64_t row = i / columns, column = i % columns;
        x = row == column ? 6 + static_cast<double>(row)
                          : 1.0 / static_cast<double>(row + column + 2);
        break;
      }
    }
  }
  assign(t, numbers);
  return t;
}

/// The call of a case, t being its tensors.
#define TH_CASE_CALL(...) [](TH_Tensor* const* t, TH_Generator*) -> int { return __VA_ARGS__; }

}  // namespace th::test
