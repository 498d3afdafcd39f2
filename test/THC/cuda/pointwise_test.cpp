// Element-wise operations on devices against the CPU's, for every row of the list, type and layout.
#include <functional>

#include "THC/support/devices.h"

namespace thc::test {
namespace {

using Pointwise = OnDevices;

struct Row {
  const char* name;
  int operands;  // besides r
  std::function<int(TH_Tensor*, const Tensor*)> run;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> list = {
#define TH_UNARY(NAME, FUNCTOR, DTYPES, FORMULA)                                 \
  {#NAME, 1, [](TH_Tensor* r, const Tensor* x) { return TH_##NAME(r, &x[0]); }}, \
      {#NAME "_backward", 3, [](TH_Tensor* r, const Tensor* x) {                 \
         return TH_##NAME##_backward(r, &x[0], &x[1], &x[2]);                    \
       }},
#define TH_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) \
  {#NAME, 1, [](TH_Tensor* r, const Tensor* x) { return TH_##NAME(r, &x[0], 3); }},
#define TH_SCALAR2(NAME, FUNCTOR, DTYPES, FORMULA)                                     \
  {#NAME, 1, [](TH_Tensor* r, const Tensor* x) { return TH_##NAME(r, &x[0], 1, 2); }}, \
      {#NAME "_backward", 3, [](TH_Tensor* r, const Tensor* x) {                       \
         return TH_##NAME##_backward(r, &x[0], &x[1], &x[2], 1, 2);                    \
       }},
#define TH_BINARY(NAME, FUNCTOR, DTYPES, FORMULA) \
  {#NAME, 2, [](TH_Tensor* r, const Tensor* x) { return TH_##NAME(r, &x[0], &x[1]); }},
#define TH_BINARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) \
  {#NAME, 2, [](TH_Tensor* r, const Tensor* x) { return TH_##NAME(r, &x[0], 2, &x[1]); }},
#define TH_TERNARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) \
  {#NAME, 3, [](TH_Tensor* r, const Tensor* x) { return TH_##NAME(r, &x[0], 2, &x[1], &x[2]); }},
#include "ops/pointwise.def"
#undef TH_UNARY
#undef TH_SCALAR
#undef TH_SCALAR2
#undef TH_BINARY
#undef TH_BINARY_SCALAR
#undef TH_TERNARY_SCALAR
#define TH_COMPARE(NAME, FUNCTOR, FORMULA)                                              \
  {#NAME, 2, [](TH_Tensor* r, const Tensor* x) { return TH_##NAME(r, &x[0], &x[1]); }}, \
      {#NAME "_value", 1,                                                               \
       [](TH_Tensor* r, const Tensor* x) { return TH_##NAME##_value(r, &x[0], 2); }},
#include "ops/compare.def"
#undef TH_COMPARE
  };
  return list;
}

/// Of that type, without zeros (some divide).
Tensor operand(int dtype, const Sizes& sizes, std::mt19937& rng) {
  Tensor t = th::test::random(dtype, sizes, rng);
  std::vector<double> numbers = th::test::values(t);
  for (double& x : numbers) {
    x = x == 0 ? 1 : x;
  }
  th::test::assign(t, numbers);
  return t;
}

/// The largest |a - b| / max(1, |b|); NaN agrees with NaN, infinity with itself.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = a.size() == b.size() ? 0 : INFINITY;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (std::isnan(a[i]) != std::isnan(b[i])) {
      return INFINITY;
    }
    if (!std::isnan(a[i]) && a[i] != b[i]) {
      largest = std::max(largest, std::abs(a[i] - b[i]) / std::max(1.0, std::abs(b[i])));
    }
  }
  return largest;
}

void compare_with_cpu(const Row& row, int dtype, const Sizes& sizes, Layout layout, int result) {
  SCOPED_TRACE(th::str(row.name, " of ", class_name(dtype), "Tensors, layout ",
                       static_cast<int>(layout), ", seed 7"));
  std::mt19937 rng(7);
  Tensor host[3];
  Tensor device[3];
  for (int i = 0; i < row.operands; ++i) {
    host[i] = operand(dtype, sizes, rng);
    device[i] = upload(host[i], layout);
  }
  Tensor expected = th::test::empty(result);
  Tensor r = layout == Layout::Compact ? on_device(result, {1}) : on_device(result, sizes, layout);
  const int status = row.run(&expected, host);
  const std::string text = error_of(status);
  ASSERT_EQ(row.run(&r, device), status);
  if (status != TH_OK) {
    EXPECT_EQ(error_of(status).substr(0, text.find("Tensor")), text.substr(0, text.find("Tensor")));
    return;
  }
  ASSERT_TRUE(same_sizes(r, expected));
  // Vector forms of libm on the CPU are up to 4 units off, and gradients multiply.
  EXPECT_LE(largest_difference(th::test::values(download(r)), th::test::values(expected)),
            8 * th::test::precision(dtype));
}

TEST_F(Pointwise, EveryRowOfEveryTypeAgreesWithTheCpu) {
  for (const Row& row : rows()) {
    for (int dtype = 0; dtype < TH_NUM_DTYPES; ++dtype) {
      const bool comparison = row.name[2] == '\0' || std::string(row.name).find("_value") == 2;
      compare_with_cpu(row, dtype, {7, 37}, Layout::Compact, comparison ? TH_BYTE : dtype);
    }
  }
}

TEST_F(Pointwise, AnyLayoutWillDo) {
  for (const Row& row : rows()) {
    for (Layout layout : {Layout::Transposed, Layout::Narrowed, Layout::Spread}) {
      for (int dtype : {TH_SHORT, TH_HALF, TH_FLOAT}) {
        compare_with_cpu(row, dtype, {3, 5, 4}, layout, dtype);
      }
    }
  }
}

TEST_F(Pointwise, OperandsNeedEqualCountsNotEqualShapes) {
  std::mt19937 rng(3);
  const Tensor x = th::test::random(TH_FLOAT, {4, 6}, rng);
  const Tensor y = th::test::random(TH_FLOAT, {3, 8}, rng);
  Tensor expected = th::test::empty(TH_FLOAT);
  ASSERT_EQ(TH_cmul(&expected, &x, &y), TH_OK);
  for (Layout layout : th::test::kLayouts) {
    const Tensor dx = upload(x, layout);
    const Tensor dy = upload(y);
    Tensor r = on_device(TH_FLOAT, {1});
    ASSERT_EQ(TH_cmul(&r, &dx, &dy), TH_OK);
    EXPECT_EQ(Sizes(r.sizes, r.sizes + r.ndim), (Sizes{4, 6}));
    EXPECT_EQ(th::test::values(download(r)), th::test::values(expected));
  }
  const Tensor z = on_device(TH_FLOAT, {5});
  const Tensor dx = upload(x);
  Tensor r = on_device(TH_FLOAT, {1});
  EXPECT_NE(error_of(TH_cmul(&r, &dx, &z)).find("[4x6] and [5]"), std::string::npos);
}

TEST_F(Pointwise, TheResultMayBeAnOperand) {
  std::mt19937 rng(3);
  const Tensor host = th::test::random(TH_FLOAT, {1001}, rng);
  Tensor x = upload(host);
  ASSERT_EQ(TH_add_value(&x, &x, 1), TH_OK);
  ASSERT_EQ(TH_cmul(&x, &x, &x), TH_OK);
  std::vector<double> expected = th::test::values(host);
  for (double& v : expected) {
    v = (v + 1) * (v + 1);
  }
  EXPECT_EQ(th::test::values(download(x)), expected);
}

TEST_F(Pointwise, AnOffsetThatBreaksAlignmentIsNoTrouble) {
  std::mt19937 rng(3);
  const Tensor host = th::test::random(TH_FLOAT, {103}, rng);
  Tensor all = upload(host);
  for (int64_t first = 0; first < 5; ++first) {
    Tensor x;
    narrow(x, all, 0, first, 98);
    Tensor r = on_device(TH_FLOAT, {1});
    ASSERT_EQ(TH_neg(&r, &x), TH_OK);
    std::vector<double> expected = th::test::values(host);
    expected = {expected.begin() + first, expected.begin() + first + 98};
    for (double& v : expected) {
      v = -v;
    }
    EXPECT_EQ(th::test::values(download(r)), expected) << first;
  }
}

TEST_F(Pointwise, IntegerDivisionByZeroIsRefusedWithTheElement) {
  Tensor x = upload(th::test::from(TH_INT, {4}, {1, 2, 3, 4}));
  const Tensor y = upload(th::test::from(TH_INT, {2, 2}, {5, 5, 0, 0}), Layout::Transposed);
  EXPECT_EQ(error_of(TH_cdiv(&x, &x, &y)),
            "cdiv: integer division by zero: element 3 of the divisor is 0");
  EXPECT_EQ(th::test::values(download(x)), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(error_of(TH_div(&x, &x, 0.5)),
            "div: integer division by zero: 0.5 is 0 as an element of a CudaIntTensor");
}

TEST_F(Pointwise, ComparisonsAnswerInTheOperandsTypeToo) {
  std::mt19937 rng(5);
  for (int dtype = 0; dtype < TH_NUM_DTYPES; ++dtype) {
    const Row& row = rows().back();
    compare_with_cpu(row, dtype, {50}, Layout::Compact, dtype);
  }
}

}  // namespace
}  // namespace thc::test
