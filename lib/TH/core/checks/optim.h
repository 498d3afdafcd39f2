// What every backend checks before it takes an optimiser's step.
#pragma once

#include <span>

#include "core/checks/reduce.h"
#include "core/tensor/aliasing.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"

namespace th {

/// A step's tensors and numbers, sorted out of a row's arguments.
template <class Functor>
struct Step {
  TH_Tensor* x;
  const TH_Tensor* g;
  TH_Tensor* states[Functor::kStates + 1];  // one more: none would be no array
  double numbers[Functor::kNumbers];

  template <class... Args>
  Step(TH_Tensor* x_, const TH_Tensor* g_, Args... args) : x(x_), g(g_) {
    static_assert(sizeof...(Args) == Functor::kStates + Functor::kNumbers);
    int tensors = 0;
    int count = 0;
    const auto take = [&]<class T>(T argument) {
      if constexpr (std::is_same_v<T, double>) {
        numbers[count++] = argument;
      } else {
        states[tensors++] = argument;
      }
    };
    (take(args), ...);
  }
  std::span<TH_Tensor* const> written() const { return {states, Functor::kStates}; }
};

/// Whether some element of both is the same memory.
inline bool share_elements(const TH_Tensor& a, const TH_Tensor& b) {
  return numel(a) > 0 && numel(b) > 0 && (bytes(a) == bytes(b) || displaces(a, b));
}

inline void check_step(const TH_Tensor* x, const TH_Tensor* g, std::span<TH_Tensor* const> states) {
  TH_CHECK(x != nullptr && g != nullptr, "an operand is missing");
  check_floating(*x);
  check_same_dtype(*x, *g);
  TH_CHECK(numel(*g) == numel(*x), "the gradient is ", shape(*g),
           ", expected as many elements as x, ", shape(*x));
  TH_CHECK(!may_overlap_itself(*x), "x is expanded: several of its elements are one in memory");
  for (size_t i = 0; i < states.size(); ++i) {
    TH_CHECK(states[i] != nullptr, "state ", i + 1, " is missing");
    const TH_Tensor& s = *states[i];
    check_same_dtype(*x, s);
    TH_CHECK(numel(s) == numel(*x), "state ", i + 1, " is ", shape(s),
             ", expected as many elements as x, ", shape(*x));
    TH_CHECK(!may_overlap_itself(s), "state ", i + 1,
             " is expanded: several of its elements are one in memory");
    TH_CHECK(!share_elements(*x, s), "state ", i + 1, " shares memory with x");
    for (size_t k = 0; k < i; ++k) {
      TH_CHECK(!share_elements(*states[k], s), "states ", k + 1, " and ", i + 1, " share memory");
    }
  }
}

}  // namespace th
