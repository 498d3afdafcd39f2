// What a row of the table of derivatives works with: the call's arguments as they were, the
// gradients of its results, and where those of its operands go.
#pragma once

#include <tuple>
#include <vector>

#include "core/gradient/derivative.h"
#include "core/gradient/value.h"
#include "core/tensor/views.h"

namespace th::gradient {

class Derivation;

/// A tensor argument: its elements where the clause reads them, its sizes always.
class Operand {
 public:
  Operand(Derivation& d, Saved* saved, int parameter, int part = -1)
      : d_(&d), saved_(saved), parameter_(parameter), part_(part) {}
  /// An error where the elements have changed since.
  operator Value() const;  // NOLINT: x stands for its value in formulas
  bool defined() const { return saved_ != nullptr; }
  std::span<const int64_t> sizes() const { return saved_->sizes(); }
  const Saved& saved() const { return *saved_; }
  int parameter() const { return parameter_; }

 private:
  Derivation* d_;
  Saved* saved_;
  int parameter_;
  int part_;
};

/// Several tensors in one argument.
class Operands {
 public:
  Operands(Derivation& d, Saved** list, int parameter)
      : d_(&d), list_(list), parameter_(parameter) {}
  Operand operator[](int i) const { return {*d_, list_[i], parameter_, i}; }

 private:
  Derivation* d_;
  Saved** list_;
  int parameter_;
};

// What a clause may ask of an operand without its elements being kept for that.
inline std::span<const int64_t> shape_of(const Operand& x) { return x.sizes(); }
inline int64_t size_of(const Operand& x, int dim) { return x.sizes()[static_cast<size_t>(dim)]; }
inline int dims_of(const Operand& x) { return x.saved().ndim; }
inline int64_t count_of(const Operand& x) {
  int64_t n = x.saved().ndim > 0 ? 1 : 0;
  for (const int64_t size : x.sizes()) {
    n *= size;
  }
  return n;
}

/// A gradient that is the product of two matrices. Where it is added to one that is there already,
/// the product is; so it is made when it is known where it goes.
struct Factors {
  Value a, b;
  int edge = -1;  // of the operand

  Value multiplied() const { return product(a, b); }
};

class Derivation {
 public:
  /// factors: where products go that are taken as such.
  Derivation(Node& node, std::span<Value> gradients, std::span<Value> results,
             std::vector<Factors>* factors = nullptr)
      : node_(node), gradients_(gradients), results_(results), factors_(factors) {}

  /// The gradient of a result; zeros where none has come.
  const Value& gradient(int output = 0);
  bool has(int output) const { return gradients_[static_cast<size_t>(output)].defined(); }

  bool wanted(const Operand& x) const {
    return x.defined() && x.saved().edge >= 0 && x.saved().ndim > 0;
  }
  void give(const Operand& x, Value gradient);
  /// Of an operand with one clause.
  void give(const Operand& x, Factors gradient);

  /// Empty operands get empty gradients; where all results or all operands are empty, that was all:
  /// operands of an empty result get zeros.
  bool is_empty();

  /// The arguments by position, for structured bindings.
  template <class... Args>
  auto arguments(void (*)(Args...)) {
    return arguments<Args...>(std::index_sequence_for<Args...>());
  }

  Node& node() { return node_; }

 private:
  template <class... Args, size_t... I>
  auto arguments(std::index_sequence<I...>) {
    return std::make_tuple(argument(static_cast<Args*>(nullptr), static_cast<int>(I))...);
  }
  Operand argument(TH_Tensor**, int i) { return {*this, at(i).tensor, i}; }
  Operand argument(const TH_Tensor**, int i) { return {*this, at(i).tensor, i}; }
  Operand argument(double**, int i) { return {*this, at(i).tensor, i}; }
  Operands argument(const TH_Tensor* const**, int i) { return {*this, at(i).tensors, i}; }
  double argument(double*, int i) { return at(i).number; }
  int argument(int*, int i) { return static_cast<int>(at(i).integer); }
  int64_t argument(int64_t*, int i) { return at(i).integer; }
  bool argument(bool*, int i) { return at(i).integer != 0; }
  const int64_t* argument(const int64_t**, int i) { return at(i).integers; }
  std::nullptr_t argument(const void*, int) { return nullptr; }
  const Argument& at(int i) const { return node_.arguments[i]; }

  Node& node_;
  std::span<Value> gradients_;
  std::span<Value> results_;
  std::vector<Factors>* factors_;
};

namespace detail {

template <>
struct Passed<Operand> {
  Value x;
  const TH_Tensor* get() const { return x.defined() ? &x : nullptr; }
};

}  // namespace detail

// A row of the table: TH_DERIVATIVES(operation, NAMES(its parameters), clauses). A clause is
// D(operand, its gradient), or ALL(statement), which gives several. `grad` is the gradient of the
// first result, d the Derivation.
#define NAMES(...) [__VA_ARGS__]
#define D(OPERAND, ...)           \
  if (d.wanted(OPERAND)) {        \
    d.give(OPERAND, __VA_ARGS__); \
  }
#define ALL(...) __VA_ARGS__;
#define TH_DERIVATIVES(NAME, PARAMETERS, ...)                            \
  define(table, Op::NAME, #PARAMETERS, #__VA_ARGS__, [](Derivation& d) { \
    [[maybe_unused]] const auto PARAMETERS = d.arguments(&calls::NAME);  \
    [[maybe_unused]] const Value& grad = d.gradient();                   \
    __VA_ARGS__                                                          \
  });
/// The results are constants: their gradient is 0 wherever there is one.
#define TH_CONSTANT(NAME, BECAUSE) define(table, Op::NAME, Derivative::Kind::Constant, BECAUSE);
/// There is a gradient, and nobody gives it.
#define TH_UNDIFFERENTIATED(NAME, BECAUSE) define(table, Op::NAME, Derivative::Kind::None, BECAUSE);

namespace calls {
using namespace ops;    // NOLINT: rows name operations and views alike
using namespace views;  // NOLINT
}  // namespace calls

}  // namespace th::gradient
