#include "cpu/linalg/blas_library.h"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "core/error.h"

namespace th::test {
namespace {

TEST(BlasLibrary, MultipliesMatrices) {
  const double a[] = {1, 2, 3, 4, 5, 6};  // 2 x 3
  const double b[] = {1, 0, 0, 1, 1, 1};  // 3 x 2
  double c[] = {1, 1, 1, 1};
  blas_library().dgemm(BlasLibrary::RowMajor,
                       BlasLibrary::NoTranspose,
                       BlasLibrary::NoTranspose,
                       2,
                       2,
                       3,
                       2,
                       a,
                       3,
                       b,
                       2,
                       1,
                       c,
                       2);
  EXPECT_EQ(c[0], 9);
  EXPECT_EQ(c[1], 11);
  EXPECT_EQ(c[2], 21);
  EXPECT_EQ(c[3], 23);
}

TEST(BlasLibrary, LeavesTheEnvironmentAsItWas) {
  const char* before = std::getenv("OPENBLAS_CORETYPE");
  const std::string value = before == nullptr ? "" : before;
  blas_library();
  const char* after = std::getenv("OPENBLAS_CORETYPE");
  EXPECT_EQ(after == nullptr, before == nullptr);
  EXPECT_EQ(value, after == nullptr ? "" : after);
}

TEST(BlasLibrary, HasLapackAndNamesWhatItHasNot) {
  EXPECT_NE(blas_symbol("dgesv_"), nullptr);
  try {
    blas_symbol("no_such_function_");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("no_such_function_"), std::string::npos);
  }
}

}  // namespace
}  // namespace th::test
