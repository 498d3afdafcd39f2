// One or more calls of every operation that has both results and operands, for tests that walk the
// list: what the tensors are, and how to call it.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "TH/support/convolutions.h"
#include "TH/support/operation_case.h"
#include "TH/support/sequence_operations.h"
#include "TH/support/tensors.h"

namespace th::test {

namespace detail {

template <class F>
struct Signature;
template <class... Args>
struct Signature<int (*)(Args...)> {
  static constexpr bool reads_and_writes =
      (std::is_same_v<Args, TH_Tensor*> || ...) && (std::is_same_v<Args, const TH_Tensor*> || ...);
};

}  // namespace detail

/// The operations that have results and operands, but for lists of operands (cat).
inline std::set<std::string> operations_with_results_and_operands() {
  std::set<std::string> names;
#define TH_OP(NAME, PARAMS, ARGS)                                  \
  if (detail::Signature<decltype(&TH_##NAME)>::reads_and_writes) { \
    names.insert(#NAME);                                           \
  }
#include "ops/all.def"
#undef TH_OP
  return names;
}

inline void add_pointwise(std::vector<Case>& cases, int dtype) {
  const Argument r = result(dtype);
  // Equal counts in other shapes: the result takes the first one's.
  const Argument x = operand(dtype, {4, 6});
  const Argument y = operand(dtype, {6, 4});
  const Argument z = operand(dtype, {3, 8});
  const auto add = [&]<class Types>(Types, const char* name, std::vector<Argument> arguments,
                                    Call call) {
    if (Types::contains(dtype)) {
      cases.push_back({name, std::move(arguments), std::move(call)});
    }
  };
#define TH_UNARY(NAME, FUNCTOR, DTYPES, FORMULA)                     \
  add(DTYPES{}, #NAME, {r, x}, TH_CASE_CALL(TH_##NAME(t[0], t[1]))); \
  add(Floating{}, #NAME "_backward", {r, x, y, z},                   \
      TH_CASE_CALL(TH_##NAME##_backward(t[0], t[1], t[2], t[3])));
#define TH_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) \
  add(DTYPES{}, #NAME, {r, x}, TH_CASE_CALL(TH_##NAME(t[0], t[1], 3)));
#define TH_SCALAR2(NAME, FUNCTOR, DTYPES, FORMULA)                         \
  add(DTYPES{}, #NAME, {r, x}, TH_CASE_CALL(TH_##NAME(t[0], t[1], 1, 2))); \
  add(Floating{}, #NAME "_backward", {r, x, y, z},                         \
      TH_CASE_CALL(TH_##NAME##_backward(t[0], t[1], t[2], t[3], 1, 2)));
#define TH_BINARY(NAME, FUNCTOR, DTYPES, FORMULA) \
  add(DTYPES{}, #NAME, {r, x, y}, TH_CASE_CALL(TH_##NAME(t[0], t[1], t[2])));
#define TH_BINARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) \
  add(DTYPES{}, #NAME, {r, x, y}, TH_CASE_CALL(TH_##NAME(t[0], t[1], 2, t[2])));
#define TH_TERNARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) \
  add(DTYPES{}, #NAME, {r, x, y, z}, TH_CASE_CALL(TH_##NAME(t[0], t[1], 2, t[2], t[3])));
#include "ops/pointwise.def"
#undef TH_UNARY
#undef TH_SCALAR
#undef TH_SCALAR2
#undef TH_BINARY
#undef TH_BINARY_SCALAR
#undef TH_TERNARY_SCALAR
#define TH_COMPARE(NAME, FUNCTOR, FORMULA)                                      \
  add(AllTypes{}, #NAME, {r, x, y}, TH_CASE_CALL(TH_##NAME(t[0], t[1], t[2]))); \
  add(AllTypes{}, #NAME "_value", {r, x}, TH_CASE_CALL(TH_##NAME##_value(t[0], t[1], 2)));
#include "ops/compare.def"
#undef TH_COMPARE
}

/// Values, places and masks of one type, so that a result can be each of them.
inline void add_order_and_places(std::vector<Case>& cases) {
  const auto add = [&](const char* name, std::vector<Argument> arguments, Call call) {
    cases.push_back({name, std::move(arguments), std::move(call)});
  };
  const Argument l = result(TH_LONG);
  const Argument x = operand(TH_LONG, {5, 7});
  for (int dim = 0; dim < 2; ++dim) {
#define TH_DIM_CALL(...) [dim](TH_Tensor* const* t, TH_Generator*) -> int { return __VA_ARGS__; }
    add("min", {l, l, x}, TH_DIM_CALL(TH_min(t[0], t[1], t[2], dim)));
    add("max", {l, l, x}, TH_DIM_CALL(TH_max(t[0], t[1], t[2], dim)));
    add("sort", {l, l, x}, TH_DIM_CALL(TH_sort(t[0], t[1], t[2], dim, true)));
    add("topk", {l, l, x}, TH_DIM_CALL(TH_topk(t[0], t[1], t[2], 3, dim, true, true)));
    add("kthvalue", {l, l, x}, TH_DIM_CALL(TH_kthvalue(t[0], t[1], t[2], 2, dim)));
    add("median", {l, l, x}, TH_DIM_CALL(TH_median(t[0], t[1], t[2], dim)));
    add("mode", {l, l, x}, TH_DIM_CALL(TH_mode(t[0], t[1], t[2], dim)));
    const int64_t size = dim == 0 ? 5 : 7;
    const Argument vector = operand(TH_LONG, {3}, Holds::Places, size);
    const Argument slices = operand(TH_LONG, dim == 0 ? Sizes{3, 7} : Sizes{5, 3});
    const Argument places = operand(TH_LONG, slices.sizes, Holds::Places, size);
    const Argument to = written(TH_LONG, {5, 7});
    add("index", {l, x, vector}, TH_DIM_CALL(TH_index(t[0], t[1], dim, t[2])));
    add("gather", {l, x, places}, TH_DIM_CALL(TH_gather(t[0], t[1], dim, t[2])));
    add("index_copy", {to, vector, slices}, TH_DIM_CALL(TH_index_copy(t[0], dim, t[1], t[2])));
    add("index_add", {to, vector, slices}, TH_DIM_CALL(TH_index_add(t[0], dim, t[1], t[2])));
    add("index_fill", {to, vector}, TH_DIM_CALL(TH_index_fill(t[0], dim, t[1], 3)));
    add("scatter", {to, places, slices}, TH_DIM_CALL(TH_scatter(t[0], dim, t[1], t[2])));
    add("scatter_value", {to, places}, TH_DIM_CALL(TH_scatter_value(t[0], dim, t[1], 3)));
  }
  // As many positions as elements: the tensor may be its own positions.
  const Argument square = operand(TH_LONG, {4, 4}, Holds::Places, 4);
  const Argument written_square = written(TH_LONG, {4, 4}, Holds::Places, 4);
  add("index", {l, operand(TH_LONG, {4}), operand(TH_LONG, {4}, Holds::Places, 4)},
      TH_CASE_CALL(TH_index(t[0], t[1], 0, t[2])));
  add("gather", {l, square, square}, TH_CASE_CALL(TH_gather(t[0], t[1], 1, t[2])));
  add("scatter", {written_square, square, square}, TH_CASE_CALL(TH_scatter(t[0], 0, t[1], t[2])));
  add("index_copy",
      {written(TH_LONG, {4}, Holds::Places, 4), operand(TH_LONG, {4}, Holds::Places, 4),
       operand(TH_LONG, {4}, Holds::Places, 4)},
      TH_CASE_CALL(TH_index_copy(t[0], 0, t[1], t[2])));
  const Argument mask = operand(TH_BYTE, {6, 4}, Holds::Flags);
  const Argument bytes = operand(TH_BYTE, {4, 6}, Holds::Flags);
  add("masked_select", {result(TH_BYTE), bytes, mask},
      TH_CASE_CALL(TH_masked_select(t[0], t[1], t[2])));
  add("masked_copy", {written(TH_BYTE, {4, 6}, Holds::Flags), mask, bytes},
      TH_CASE_CALL(TH_masked_copy(t[0], t[1], t[2])));
  add("masked_fill", {written(TH_BYTE, {4, 6}, Holds::Flags), mask},
      TH_CASE_CALL(TH_masked_fill(t[0], t[1], 1)));
  add("nonzero", {l, x}, TH_CASE_CALL(TH_nonzero(t[0], t[1])));
}

inline void add_dimensions(std::vector<Case>& cases, int dtype) {
  const auto add = [&](const char* name, std::vector<Argument> arguments, Call call) {
    cases.push_back({name, std::move(arguments), std::move(call)});
  };
  const Argument r = result(dtype);
  const Argument x = operand(dtype, {5, 7});
  for (int dim = 0; dim < 2; ++dim) {
    add("sum", {r, x}, TH_DIM_CALL(TH_sum(t[0], t[1], dim)));
    add("prod", {r, x}, TH_DIM_CALL(TH_prod(t[0], t[1], dim)));
    add("cumsum", {r, x}, TH_DIM_CALL(TH_cumsum(t[0], t[1], dim)));
    add("cumprod", {r, x}, TH_DIM_CALL(TH_cumprod(t[0], t[1], dim)));
  }
  for (int k = -1; k < 2; ++k) {
#define TH_K_CALL(...) [k](TH_Tensor* const* t, TH_Generator*) -> int { return __VA_ARGS__; }
    add("diag", {r, x}, TH_K_CALL(TH_diag(t[0], t[1], k)));
    add("diag", {r, operand(dtype, {5})}, TH_K_CALL(TH_diag(t[0], t[1], k)));
    add("tril", {r, x}, TH_K_CALL(TH_tril(t[0], t[1], k)));
    add("triu", {r, x}, TH_K_CALL(TH_triu(t[0], t[1], k)));
  }
  for (const int64_t n : {4, 6}) {  // square, so that the result needs no resizing; and not
    const Argument t = operand(dtype, {4, n});
    const Argument a = operand(dtype, {4, 4});
    const Argument b = operand(dtype, {4, n});
    const Argument batch_t = operand(dtype, {3, 4, n});
    const Argument batch_a = operand(dtype, {3, 4, 4});
    add("addmm", {r, t, a, b}, TH_CASE_CALL(TH_addmm(t[0], 2, t[1], 3, t[2], t[3])));
    add("addmm", {r, t, a, b}, TH_CASE_CALL(TH_addmm(t[0], 0, t[1], 3, t[2], t[3])));
    add("baddbmm", {r, batch_t, batch_a, batch_t},
        TH_CASE_CALL(TH_baddbmm(t[0], 2, t[1], 3, t[2], t[3])));
    add("addbmm", {r, t, batch_a, batch_t}, TH_CASE_CALL(TH_addbmm(t[0], 2, t[1], 3, t[2], t[3])));
    add("addmv", {r, operand(dtype, {4}), operand(dtype, {4, n}), operand(dtype, {n})},
        TH_CASE_CALL(TH_addmv(t[0], 2, t[1], 3, t[2], t[3])));
    add("addr", {r, t, operand(dtype, {4}), operand(dtype, {n})},
        TH_CASE_CALL(TH_addr(t[0], 2, t[1], 3, t[2], t[3])));
  }
  add("cross", {r, operand(dtype, {4, 3}), operand(dtype, {4, 3})},
      TH_CASE_CALL(TH_cross(t[0], t[1], t[2], 1)));
  add("cross", {r, operand(dtype, {3, 4}), operand(dtype, {3, 4})},
      TH_CASE_CALL(TH_cross(t[0], t[1], t[2], 0)));
  add("match", {r, operand(dtype, {5, 3}), operand(dtype, {4, 3})},
      TH_CASE_CALL(TH_match(t[0], t[1], t[2], 2)));
  add("match", {r, operand(dtype, {4, 4}), operand(dtype, {4, 4})},
      TH_CASE_CALL(TH_match(t[0], t[1], t[2], 2)));
  for (const bool full : {false, true}) {
#define TH_FULL_CALL(...) [full](TH_Tensor* const* t, TH_Generator*) -> int { return __VA_ARGS__; }
    const Argument plane = operand(dtype, {5, 6});
    const Argument taps = operand(dtype, {2, 3});
    const Argument volume = operand(dtype, {3, 4, 5});
    const Argument cube = operand(dtype, {2, 2, 2});
    add("conv2", {r, plane, taps}, TH_FULL_CALL(TH_conv2(t[0], t[1], t[2], full)));
    add("xcorr2", {r, plane, taps}, TH_FULL_CALL(TH_xcorr2(t[0], t[1], t[2], full)));
    add("conv3", {r, volume, cube}, TH_FULL_CALL(TH_conv3(t[0], t[1], t[2], full)));
    add("xcorr3", {r, volume, cube}, TH_FULL_CALL(TH_xcorr3(t[0], t[1], t[2], full)));
  }
}

inline void add_floating(std::vector<Case>& cases, int dtype) {
  const auto add = [&](const char* name, std::vector<Argument> arguments, Call call) {
    cases.push_back({name, std::move(arguments), std::move(call)});
  };
  const Argument r = result(dtype);
  const Argument x = operand(dtype, {5, 7});
  const Argument y = operand(dtype, {5, 7}, Holds::Positive);
  for (int dim = 0; dim < 2; ++dim) {
    add("mean", {r, x}, TH_DIM_CALL(TH_mean(t[0], t[1], dim)));
    add("var", {r, x}, TH_DIM_CALL(TH_var(t[0], t[1], dim, false)));
    add("std", {r, x}, TH_DIM_CALL(TH_std(t[0], t[1], dim, true)));
    add("norm", {r, x}, TH_DIM_CALL(TH_norm(t[0], t[1], 2, dim)));
    add("renorm", {r, x}, TH_DIM_CALL(TH_renorm(t[0], t[1], 2, dim, 0.5)));
    add("softmax", {r, x}, TH_DIM_CALL(TH_softmax(t[0], t[1], dim)));
    add("log_softmax", {r, x}, TH_DIM_CALL(TH_log_softmax(t[0], t[1], dim)));
    add("softmax_backward", {r, x, y}, TH_DIM_CALL(TH_softmax_backward(t[0], t[1], t[2], dim)));
    add("log_softmax_backward", {r, x, y},
        TH_DIM_CALL(TH_log_softmax_backward(t[0], t[1], t[2], dim)));
  }
  add("histc", {r, x}, TH_CASE_CALL(TH_histc(t[0], t[1], 6, -1, 1)));
  add("bhistc", {r, x}, TH_CASE_CALL(TH_bhistc(t[0], t[1], 6, -1, 1)));
  add("bernoulli_tensor", {written(dtype, {5, 7}), y},
      [](TH_Tensor* const* t, TH_Generator* g) { return TH_bernoulli_tensor(t[0], g, t[1]); });
  add("multinomial", {result(TH_LONG), y},
      [](TH_Tensor* const* t, TH_Generator* g) { return TH_multinomial(t[0], g, t[1], 3, true); });
  add("multinomial_alias_setup",
      {result(TH_LONG), result(dtype), operand(dtype, {6}, Holds::Positive)},
      TH_CASE_CALL(TH_multinomial_alias_setup(t[0], t[1], t[2])));
  add("multinomial_alias",
      {written(TH_LONG, {6}), operand(TH_LONG, {6}, Holds::Places, 6),
       operand(dtype, {6}, Holds::Positive)},
      [](TH_Tensor* const* t, TH_Generator* g) {
        return TH_multinomial_alias(t[0], g, t[1], t[2]);
      });
}

/// Layers.
inline void add_layers(std::vector<Case>& cases, int dtype) {
  const auto add = [&](const char* name, std::vector<Argument> arguments, Call call) {
    cases.push_back({name, std::move(arguments), std::move(call)});
  };
  const Argument r = result(dtype);
  const Argument l = result(TH_LONG);
  const auto numbers = [dtype](Sizes sizes) { return operand(dtype, std::move(sizes)); };
  const auto positive = [dtype](int64_t n) { return operand(dtype, {n}, Holds::Positive); };
  add("linear", {r, numbers({5, 4}), numbers({4, 4}), numbers({4})},
      TH_CASE_CALL(TH_linear(t[0], t[1], t[2], t[3])));
  add("dropout", {r, r, numbers({5, 7})},
      [](TH_Tensor* const* t, TH_Generator* g) { return TH_dropout(t[0], t[1], t[2], 0.5, g); });
  const Argument image = numbers({2, 3, 5, 5});
  const Argument weight = numbers({3, 3, 3, 3});
  add("conv", {r, image, weight, numbers({3})},
      TH_CASE_CALL(conv2d(t[0], t[1], t[2], t[3], 1, 1, 1, 1, 1)));
  add("conv_add_relu", {r, image, weight, numbers({3}), image},
      TH_CASE_CALL(conv2d_add_relu(t[0], t[1], t[2], t[3], t[4], true, 1, 1, 1, 1, 1)));
  add("conv_backward_input", {r, image, image, weight},
      TH_CASE_CALL(conv2d_backward_input(t[0], t[1], t[2], t[3], 1, 1, 1, 1, 1)));
  add("conv_backward_weight", {written(dtype, {3, 3, 3, 3}), written(dtype, {3}), image, image},
      TH_CASE_CALL(conv2d_backward_weight(t[0], t[1], t[2], t[3], 1, 1, 1, 1, 1, 2)));
  if (dtype == TH_FLOAT) {  // once
    const Argument q = result(TH_BYTE);
    const Argument codes = operand(TH_BYTE, {2, 3, 5, 5});
    const Argument chars = operand(TH_CHAR, {3, 3, 3, 3});
    const Argument three = numbers({3});
    static constexpr int64_t kOnes[] = {1, 1}, kTwos[] = {2, 2}, kZeros[] = {0, 0};
    add("quantize", {q, image}, TH_CASE_CALL(TH_quantize(t[0], t[1], 0.5, 3)));
    add("quantized_linear", {q, operand(TH_BYTE, {5, 4}), operand(TH_CHAR, {3, 4}), three, three},
        TH_CASE_CALL(TH_quantized_linear(t[0], t[1], t[2], t[3], t[4])));
    add("quantized_conv", {q, codes, chars, three, three, codes},
        TH_CASE_CALL(TH_quantized_conv(t[0], t[1], t[2], t[3], t[4], t[5], 0.5, 2, 2, kOnes, kOnes,
                                       kOnes, 1)));
    add("quantized_add", {q, codes, codes},
        TH_CASE_CALL(TH_quantized_add(t[0], t[1], t[2], 0.5, 0.25, 1)));
    add("quantized_max_pool", {q, codes},
        TH_CASE_CALL(TH_quantized_max_pool(t[0], t[1], 2, kTwos, kTwos, kZeros, kOnes, false)));
    const Argument packed = operand(TH_BYTE, {3, 16});
    const Argument groups = numbers({3, 2});
    const Argument zeros = operand(TH_BYTE, {3, 2});
    add("unpack_rows", {r, packed, groups, zeros},
        TH_CASE_CALL(TH_unpack_rows(t[0], t[1], t[2], t[3], 4)));
    add("packed_linear", {r, numbers({5, 32}), packed, groups, zeros, three},
        TH_CASE_CALL(TH_packed_linear(t[0], t[1], t[2], t[3], t[4], t[5], 4)));
  }
  const Argument pooled = numbers({2, 3, 2, 3});
  const Argument unpooled = numbers({2, 3, 4, 6});
  static constexpr int64_t kTwo[] = {2, 2}, kNone[] = {0, 0}, kOne[] = {1, 1}, kOut[] = {2, 3};
  const Argument positions = operand(TH_LONG, {2, 3, 2, 3}, Holds::Places, 24);
  const Argument samples = operand(dtype, {2, 3, 2}, Holds::Positive);
  add("max_pool", {r, l, unpooled},
      TH_CASE_CALL(TH_max_pool(t[0], t[1], t[2], 2, kTwo, kTwo, kNone, kOne, false)));
  add("max_pool_backward", {r, pooled, unpooled, positions},
      TH_CASE_CALL(
          TH_max_pool_backward(t[0], t[1], t[2], t[3], 2, kTwo, kTwo, kNone, kOne, false)));
  add("avg_pool", {r, unpooled},
      TH_CASE_CALL(TH_avg_pool(t[0], t[1], true, 2, kTwo, kTwo, kNone, kOne, false)));
  add("avg_pool_backward", {r, pooled, unpooled},
      TH_CASE_CALL(
          TH_avg_pool_backward(t[0], t[1], t[2], true, 2, kTwo, kTwo, kNone, kOne, false)));
  add("adaptive_max_pool", {r, l, unpooled},
      TH_CASE_CALL(TH_adaptive_max_pool(t[0], t[1], t[2], 2, kOut)));
  add("adaptive_max_pool_backward", {r, pooled, unpooled, positions},
      TH_CASE_CALL(TH_adaptive_max_pool_backward(t[0], t[1], t[2], t[3], 2, kOut)));
  add("adaptive_avg_pool", {r, unpooled}, TH_CASE_CALL(TH_adaptive_avg_pool(t[0], t[1], 2, kOut)));
  add("adaptive_avg_pool_backward", {r, pooled, unpooled},
      TH_CASE_CALL(TH_adaptive_avg_pool_backward(t[0], t[1], t[2], 2, kOut)));
  add("fractional_max_pool", {r, l, unpooled, samples},
      TH_CASE_CALL(TH_fractional_max_pool(t[0], t[1], t[2], t[3], 2, kTwo, kOut)));
  add("fractional_max_pool_backward", {r, pooled, unpooled, positions, samples},
      TH_CASE_CALL(TH_fractional_max_pool_backward(t[0], t[1], t[2], t[3], t[4], 2, kTwo, kOut)));
  const Argument widened = numbers({2, 3, 6, 8});
#define TH_RESAMPLE_CASES(NAME, ...)                                              \
  add(#NAME, {r, unpooled}, TH_CASE_CALL(TH_##NAME(t[0], t[1], 2, __VA_ARGS__))); \
  add(#NAME "_backward", {r, widened, unpooled},                                  \
      TH_CASE_CALL(TH_##NAME##_backward(t[0], t[1], t[2], 2, __VA_ARGS__)))
  static constexpr int64_t kWide[] = {6, 8};
  TH_RESAMPLE_CASES(replicate_pad, kOne, kOne);
  TH_RESAMPLE_CASES(reflect_pad, kOne, kOne);
  TH_RESAMPLE_CASES(upsample_nearest, kWide);
  TH_RESAMPLE_CASES(upsample_linear, kWide);
#undef TH_RESAMPLE_CASES
  const Argument kept = written(dtype, {3}, Holds::Positive);
  for (const bool train : {true, false}) {
    for (const Sizes& sizes : {Sizes{5, 3}, Sizes{2, 3, 4, 4}}) {
      // Without training the batch's mean and deviation are not results, they stay as they are.
      const Argument saved = train ? r : written(dtype, {3});
      add("batch_norm", {r, saved, saved, numbers(sizes), numbers({3}), numbers({3}), kept, kept},
          [train](TH_Tensor* const* t, TH_Generator*) {
            return TH_batch_norm(t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], train, 0.1, 1e-3);
          });
      add("batch_norm_backward",
          {r, written(dtype, {3}), written(dtype, {3}), numbers(sizes), numbers(sizes),
           numbers({3}), numbers({3}), positive(3), numbers({3}), positive(3)},
          [train](TH_Tensor* const* t, TH_Generator*) {
            return TH_batch_norm_backward(t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8],
                                          t[9], train, 1e-3, 2);
          });
    }
  }
  const Argument target = operand(TH_LONG, {5}, Holds::Places, 3);
  add("nll_loss", {r, r, numbers({5, 3}), target, positive(3)},
      TH_CASE_CALL(TH_nll_loss(t[0], t[1], t[2], t[3], t[4], true, -100)));
  add("nll_loss_backward", {r, numbers({5, 3}), target, positive(3), positive(1)},
      TH_CASE_CALL(TH_nll_loss_backward(t[0], t[1], t[2], t[3], t[4], true, -100)));
  const auto fractions = [dtype](Sizes sizes) {
    return operand(dtype, std::move(sizes), Holds::Positive);
  };
#define TH_LOSS(NAME, FUNCTOR, FORMULA)                                            \
  add(#NAME, {r, fractions({5, 7}), fractions({7, 5}), numbers({35})},             \
      TH_CASE_CALL(TH_##NAME(t[0], t[1], t[2], t[3], 2, 0.5, true)));              \
  add(#NAME "_backward", {r, fractions({5, 7}), fractions({7, 5}), numbers({35})}, \
      TH_CASE_CALL(TH_##NAME##_backward(t[0], t[1], t[2], t[3], 2, 0.5, true)));
#include "ops/nn/element_loss.def"
#undef TH_LOSS
}

template <class... Rest>
void add_step(std::vector<Case>& cases, int dtype, const char* name,
              int (*step)(TH_Tensor*, const TH_Tensor*, Rest...)) {
  std::vector<Argument> arguments{written(dtype, {4, 6}), operand(dtype, {6, 4})};
  for (size_t k = 0; k < (size_t{std::is_pointer_v<Rest>} + ... + 0); ++k) {
    arguments.push_back(written(dtype, {4, 6}, Holds::Positive));
  }
  cases.push_back({name, arguments, [step](TH_Tensor* const* t, TH_Generator*) -> int {
                     int next = 2;
                     const auto argument = [&]<class T>(T*) -> T {
                       if constexpr (std::is_pointer_v<T>) {
                         return t[next++];
                       } else {
                         return 0.5;
                       }
                     };
                     // Braces: in the order in which they stand.
                     const std::tuple<TH_Tensor*, const TH_Tensor*, Rest...> all{
                         t[0], t[1], argument(static_cast<Rest*>(nullptr))...};
                     return std::apply(step, all);
                   }});
}

/// Steps of optimisers: every number is 1/2, which suits them all.
inline void add_steps(std::vector<Case>& cases, int dtype) {
#define TH_STEP(NAME, FUNCTOR, PARAMS, ARGS) add_step(cases, dtype, #NAME, TH_##NAME);
#define TH_OP(NAME, PARAMS, ARGS)
#include "ops/optim.def"
#undef TH_STEP
#undef TH_OP
}

/// What LAPACK does.
inline void add_matrices(std::vector<Case>& cases, int dtype) {
  const auto add = [&](const char* name, std::vector<Argument> arguments, Call call) {
    cases.push_back({name, std::move(arguments), std::move(call)});
  };
  const Argument r = result(dtype);
  const Argument a = operand(dtype, {4, 4}, Holds::Definite);
  const Argument b = operand(dtype, {4, 3});
  const Argument tall = operand(dtype, {6, 4}, Holds::Definite);
  const Argument tau = operand(dtype, {4}, Holds::Positive);
  add("gesv", {r, r, b, a}, TH_CASE_CALL(TH_gesv(t[0], t[1], t[2], t[3])));
  add("gels", {r, r, operand(dtype, {6, 3}), tall}, TH_CASE_CALL(TH_gels(t[0], t[1], t[2], t[3])));
  add("trtrs", {r, r, b, a}, TH_CASE_CALL(TH_trtrs(t[0], t[1], t[2], t[3], true, false, false)));
  add("symeig", {r, r, a}, TH_CASE_CALL(TH_symeig(t[0], t[1], t[2], true, true)));
  add("eig", {r, r, a}, TH_CASE_CALL(TH_eig(t[0], t[1], t[2], true)));
  add("svd", {r, r, r, tall}, TH_CASE_CALL(TH_svd(t[0], t[1], t[2], t[3], false)));
  add("inverse", {r, a}, TH_CASE_CALL(TH_inverse(t[0], t[1])));
  add("potrf", {r, a}, TH_CASE_CALL(TH_potrf(t[0], t[1], true)));
  add("potrs", {r, b, a}, TH_CASE_CALL(TH_potrs(t[0], t[1], t[2], true)));
  add("potri", {r, a}, TH_CASE_CALL(TH_potri(t[0], t[1], true)));
  add("pstrf", {r, result(TH_INT), a}, TH_CASE_CALL(TH_pstrf(t[0], t[1], t[2], true, -1)));
  add("qr", {r, r, tall}, TH_CASE_CALL(TH_qr(t[0], t[1], t[2])));
  add("geqrf", {r, r, tall}, TH_CASE_CALL(TH_geqrf(t[0], t[1], t[2])));
  add("orgqr", {r, tall, tau}, TH_CASE_CALL(TH_orgqr(t[0], t[1], t[2])));
  add("ormqr", {r, tall, tau, operand(dtype, {6, 3})},
      TH_CASE_CALL(TH_ormqr(t[0], t[1], t[2], t[3], true, true)));
}

inline std::vector<Case> cases_of_operations() {
  std::vector<Case> cases;
  for (const int dtype : {TH_FLOAT, TH_HALF, TH_INT, TH_BYTE}) {
    add_pointwise(cases, dtype);
  }
  for (const int dtype : {TH_FLOAT, TH_LONG}) {
    add_dimensions(cases, dtype);
  }
  add_order_and_places(cases);
  add_floating(cases, TH_FLOAT);
  add_layers(cases, TH_FLOAT);
  add_layers(cases, TH_HALF);
  add_sequences(cases, TH_FLOAT);
  add_sequences(cases, TH_HALF);
  add_steps(cases, TH_FLOAT);
  add_steps(cases, TH_HALF);
  add_matrices(cases, TH_DOUBLE);
  return cases;
}

}  // namespace th::test
