// What every backend checks before it draws.
#pragma once

#include <cmath>

#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"

namespace th {

/// Non-negative integers that a type holds exactly: all of an integer type, those before the first
/// gap of a floating type.
inline uint64_t exact_integers(int dtype) {
  constexpr uint64_t counts[] = {
      uint64_t{1} << 8,       uint64_t{1} << 7,        uint64_t{1} << 15,
      uint64_t{1} << 31,      uint64_t{1} << 63,       (uint64_t{1} << 11) + 1,
      (uint64_t{1} << 8) + 1, (uint64_t{1} << 24) + 1, (uint64_t{1} << 53) + 1};
  return counts[dtype];
}

inline void check_floating_result(const TH_Tensor& r) {
  if (!Floating::contains(r.dtype)) [[unlikely]] {
    Floating::unsupported(r.dtype);
  }
}

inline void check_geometric(double p) {
  TH_CHECK(p > 0 && p < 1, "p is ", p, ", expected 0 < p < 1");
}

inline void check_bernoulli(double p) {
  TH_CHECK(p >= 0 && p <= 1, "p is ", p, ", expected 0 <= p <= 1");
}

inline void check_probabilities(const TH_Tensor& r, const TH_Tensor* p) {
  TH_CHECK(p != nullptr, "the tensor of probabilities is missing");
  check_floating_result(*p);
  check_same_count(r, {p});
}

[[noreturn]] inline void not_a_probability(int64_t i, double value) {
  fail("probability ", i + 1, " is ", value, ", expected 0 to 1");
}

/// How many integers a ... b are; 0 stands for 2^64.
inline uint64_t checked_range(int64_t a, int64_t b) {
  TH_CHECK(a <= b, "the range from ", a, " to ", b,
           " is empty; the upper bound must not be below the lower one");
  return static_cast<uint64_t>(b) - static_cast<uint64_t>(a) + 1;
}

inline void check_permutation(const TH_Tensor& r, int64_t n) {
  TH_CHECK(n >= 1, "n is ", n, ", wanted at least 1");
  TH_CHECK(static_cast<uint64_t>(n) < exact_integers(r.dtype), "n is ", n, ", but a ", type_name(r),
           " holds integers to ", exact_integers(r.dtype) - 1,
           " only; take another type, as in torch.LongTensor");
}

/// Shapes and types of multinomial: rows of weights, n draws from each.
inline void check_multinomial(const TH_Tensor& r, const TH_Tensor* probabilities, int64_t n) {
  check_dtype(r, TH_LONG, "the result");
  check_defined(probabilities, "the tensor of probabilities");
  const TH_Tensor& p = *probabilities;
  TH_CHECK(p.ndim <= 2, "the tensor of probabilities is ", shape(p),
           ", wanted a vector or a matrix");
  check_floating_result(p);
  TH_CHECK(n >= 1, "the number of draws is ", n, ", wanted at least 1");
}

[[noreturn]] inline void not_a_weight(int64_t i, int64_t row, double weight) {
  fail("weight ", i + 1, " of row ", row + 1, " is ", weight,
       ", wanted a finite number that is not negative");
}

/// A row's sum, and how many of its categories are possible.
inline void check_weights(double sum, int64_t possible, int64_t row, int64_t n, bool replacement) {
  TH_CHECK(sum > 0 && std::isfinite(sum), "the weights of row ", row + 1, " sum to ", sum,
           ", wanted a finite number greater than 0");
  TH_CHECK(replacement || n <= possible, "cannot draw ", n, " different categories: row ", row + 1,
           " has only ", possible, " with a weight above 0; draw fewer, or with replacement");
}

// --- Walker's alias method ----------------------------------------------------------------------

inline void check_alias_setup(const TH_Tensor* alias, const TH_Tensor* q, const TH_Tensor* p) {
  check_defined(p, "the tensor of probabilities");
  TH_CHECK(alias != nullptr && q != nullptr, "a result is missing");
  TH_CHECK(p->ndim == 1, "the probabilities are ", shape(*p), ", wanted a vector");
  if (!Floating::contains(p->dtype)) {
    Floating::unsupported(p->dtype);
  }
  check_dtype(*alias, TH_LONG, "the tensor of aliases");
  check_same_dtype(*q, *p);
}

inline void check_alias_table(const TH_Tensor& r, const TH_Tensor* alias, const TH_Tensor* q) {
  check_dtype(r, TH_LONG, "the result");
  check_defined(alias, "the tensor of aliases");
  check_defined(q, "the tensor of probabilities");
  check_dtype(*alias, TH_LONG, "the tensor of aliases");
  TH_CHECK(alias->ndim == 1 && q->ndim == 1 && alias->sizes[0] == q->sizes[0], "aliases are ",
           shape(*alias), ", probabilities ", shape(*q),
           "; pass both as multinomialAliasSetup returns them");
}

/// Whether n entries of an alias table may hold these two.
TH_HD inline bool is_alias_entry(double kept, int64_t other, int64_t n) {
  return kept >= 0 && kept <= 1 && other >= 1 && other <= n;
}

[[noreturn]] inline void not_an_alias_entry(int64_t i, double kept, int64_t other) {
  fail("entry ", i + 1, " is no entry of an alias table: alias ", other, ", probability ", kept);
}

}  // namespace th
