// How an operation's function is called where a result is also an operand, as in
// torch.cmul(y, x, y). A function resizes its result before it reads; so such an operand comes with
// a handle of its own, which keeps its sizes. That the elements may meet in memory is the
// function's business (core/tensor/aliasing.h).
#pragma once

#include <type_traits>

#include "core/tensor/tensor.h"

namespace th {

/// What an operation resizes its result to.
enum class Resizes {
  AsFirst,    ///< the first operand's sizes: nothing happens in place
  Otherwise,  ///< whatever it wants
};

namespace detail {

template <class T>
constexpr bool is_operand = std::is_same_v<T, const TH_Tensor*>;
template <class T>
constexpr bool is_result = std::is_same_v<T, TH_Tensor*>;

/// How many of the arguments are t, as results.
template <class... Args>
int times_written(const TH_Tensor* t, const Args&... args) {
  const auto one = [t]<class T>(const T& argument) -> int {
    if constexpr (is_result<T>) {
      return argument == t;
    } else {
      return 0;
    }
  };
  return t == nullptr ? 0 : (one(args) + ... + 0);
}

/// An argument as the function gets it.
template <class T>
struct Passed {
  T value;
  template <class... Args>
  explicit Passed(T argument, const Args&...) : value(argument) {}
  T get() const { return value; }
};

template <>
struct Passed<const TH_Tensor*> {
  const TH_Tensor* value;
  Tensor own;
  template <class... Args>
  explicit Passed(const TH_Tensor* argument, const Args&... args) : value(argument) {
    if (times_written(argument, args...) > 0) {
      own = Tensor(*argument);
      value = &own;
    }
  }
  const TH_Tensor* get() const { return value; }
};

template <class... Args>
[[gnu::noinline, gnu::cold]] void invoke_apart(void (*function)(Args...), const Args&... args) {
  function(Passed<Args>(args, args...).get()...);
}

inline const TH_Tensor* first_operand() { return nullptr; }
template <class T, class... Rest>
const TH_Tensor* first_operand(const T& argument, const Rest&... rest) {
  if constexpr (is_operand<T>) {
    return argument;
  } else {
    return first_operand(rest...);
  }
}

/// Whether a result's new sizes would become those of an operand too.
template <Resizes resizes, class... Args>
bool resizes_operand(const Args&... args) {
  [[maybe_unused]] const TH_Tensor* const first = first_operand(args...);
  const auto one = [&]<class T>(const T& argument) {
    if constexpr (!is_operand<T>) {
      return false;
    } else if constexpr (resizes == Resizes::AsFirst) {
      return argument != first && first != nullptr && times_written(argument, args...) > 0 &&
             !same_sizes(*argument, *first);
    } else {
      return times_written(argument, args...) > 0;
    }
  };
  return (one(args) || ...);
}

}  // namespace detail

template <Resizes resizes, class Function>
struct Invoke;

/// Calls an operation's function: Invoke<resizes, decltype(f)>{f}(r, x, ...).
template <Resizes resizes, class... Args>
struct Invoke<resizes, void (*)(Args...)> {
  void (*function)(Args...);

  void operator()(Args... args) const {
    if constexpr ((detail::is_result<Args> + ... + 0) > 1) {
      check_results(args...);
    }
    if (detail::resizes_operand<resizes>(args...)) [[unlikely]] {
      detail::invoke_apart(function, args...);
    } else {
      function(args...);
    }
  }

 private:
  static void check_results(const Args&... args) {
    const auto check = [&]<class T>(const T& argument) {
      if constexpr (detail::is_result<T>) {
        TH_CHECK(detail::times_written(argument, args...) <= 1,
                 "two results cannot go into the same tensor");
      }
    };
    (check(args), ...);
  }
};

}  // namespace th
