#include "cpu/linalg/blas_library.h"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "core/runtime/error.h"

namespace th::test {
namespace {

TEST(BlasLibrary, LeavesTheEnvironmentAsItWas) {
  const char* before = std::getenv("OPENBLAS_CORETYPE");
  const std::string value = before == nullptr ? "" : before;
  blas_symbol("dgesv_");
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
