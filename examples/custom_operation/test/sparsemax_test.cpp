// The operation by its C ABI, as a program without Lua would call it.
#include "sparsemax.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "TH_operation.h"

namespace {

th::Tensor floats(int64_t rows, int64_t columns, std::vector<float> values) {
  th::Tensor t;
  th::check(TH_new2d(&t, TH_FLOAT, TH_CPU, 0, rows, columns));
  std::copy(values.begin(), values.end(), th::data<float>(t));
  return t;
}

th::Tensor of_type(int dtype) {
  th::Tensor t;
  TH_Tensor_init(&t, dtype, TH_CPU, 0);
  return t;
}

std::string failure(int status) { return status == TH_OK ? "" : TH_lastError(); }

TEST(Sparsemax, ProjectsRows) {
  const th::Tensor x = floats(3, 3, {1, 0, -1, 0.5, 0.25, 0, 7, 7, 7});
  th::Tensor r = of_type(TH_FLOAT);
  th::check(sparsemax_forward(&r, &x));
  const float expected[] = {1, 0, 0, 7 / 12.F, 4 / 12.F, 1 / 12.F, 1 / 3.F, 1 / 3.F, 1 / 3.F};
  for (int i = 0; i < 9; ++i) {
    EXPECT_NEAR(expected[i], th::data<float>(r)[i], 1e-6) << i;
  }
}

TEST(Sparsemax, MayWriteOverItsOperandAndCountsTheWrite) {
  th::Tensor x = floats(1, 2, {0.75, 0.25});
  th::Tensor transposed;  // the same memory
  th::check(TH_transpose(&transposed, &x, 0, 1));
  const int32_t before = *x.store->version;
  th::check(sparsemax_forward(&x, &transposed));
  EXPECT_EQ(2, x.sizes[0]);
  EXPECT_EQ(1.F, th::data<float>(x)[0]);
  EXPECT_EQ(1.F, th::data<float>(x)[1]);
  EXPECT_NE(before, *x.store->version);
}

TEST(Sparsemax, HasTheSameBitsOnAnyNumberOfThreads) {
  std::vector<float> values(1000 * 50);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = std::sin(static_cast<float>(i));
  }
  const th::Tensor x = floats(1000, 50, values);
  std::vector<float> results[2];
  for (int threads : {1, 2}) {
    th::check(TH_setNumThreads(threads));
    th::Tensor r = of_type(TH_FLOAT);
    th::check(sparsemax_forward(&r, &x));
    results[threads - 1].assign(th::data<float>(r), th::data<float>(r) + values.size());
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST(Sparsemax, KeepsNaNWithinItsRow) {
  const th::Tensor x = floats(2, 3, {NAN, 1, 2, 0, 0, 0});
  th::Tensor r = of_type(TH_FLOAT);
  th::check(sparsemax_forward(&r, &x));
  EXPECT_TRUE(std::isnan(th::data<float>(r)[1]));
  EXPECT_NEAR(1 / 3.0, th::data<float>(r)[4], 1e-7);
}

TEST(Sparsemax, SaysWhatIsWrongAndChangesNothing) {
  const th::Tensor x = floats(1, 2, {0, 0});
  th::Tensor doubles = of_type(TH_DOUBLE);
  EXPECT_EQ("sparsemax: types differ: DoubleTensor and FloatTensor; convert one, as in x:typeAs(y)",
            failure(sparsemax_forward(&doubles, &x)));
  EXPECT_EQ(0, doubles.ndim);
  th::Tensor integers = of_type(TH_INT);
  th::check(TH_new1d(&integers, TH_INT, TH_CPU, 0, 3));
  th::Tensor r = of_type(TH_INT);
  EXPECT_EQ(
      "sparsemax: IntTensor is not supported; wanted one of FloatTensor, DoubleTensor. "
      "Convert it first, as in x:float()",
      failure(sparsemax_forward(&r, &integers)));
  EXPECT_NE("", failure(sparsemax_forward(&r, nullptr)));
  EXPECT_NE("", failure(sparsemax_forward(nullptr, &x)));
  const th::Tensor wide = floats(1, 3, {1, 0, 0});
  th::Tensor g = of_type(TH_FLOAT);
  EXPECT_EQ("sparsemaxBackward: y is 1x2, its gradient 1x3; wanted the same sizes",
            failure(sparsemax_backward(&g, &x, &wide)));
}

TEST(Sparsemax, LeavesNoMemoryBehind) {
  const int64_t before = *TH_liveBytes(TH_CPU);
  for (int i = 0; i < 3; ++i) {
    const th::Tensor x = floats(100, 100, std::vector<float>(10000, 0.5F));
    th::Tensor r = of_type(TH_FLOAT);
    th::check(sparsemax_forward(&r, &x));
    th::check(sparsemax_backward(&r, &r, &x));
  }
  EXPECT_EQ(before, *TH_liveBytes(TH_CPU));
}

}  // namespace
