// What each backend's table holds: the CPU's everything, CUDA's all but LAPACK's functions.
#include "core/backend.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace thc::test {
namespace {

std::set<std::string> missing_operations(const th::Backend& b) {
  std::set<std::string> missing;
#define TH_OP(NAME, PARAMS, ARGS) \
  if (b.NAME == nullptr) {        \
    missing.insert(#NAME);        \
  }
#include "ops/all.def"
#undef TH_OP
  return missing;
}

TEST(Backend, LacksNothingButLapackOnCuda) {
  EXPECT_EQ(missing_operations(th::backend(TH_CPU)), std::set<std::string>{});
  EXPECT_EQ(TH_missingOperation(TH_CPU), nullptr);
  const std::set<std::string> lapack{"gesv",  "gels",    "trtrs", "symeig", "eig",
                                     "svd",   "inverse", "potrf", "potrs",  "potri",
                                     "pstrf", "qr",      "geqrf", "orgqr",  "ormqr"};
  EXPECT_EQ(missing_operations(th::backend(TH_CUDA)), lapack);
  EXPECT_TRUE(lapack.contains(TH_missingOperation(TH_CUDA)));
}

}  // namespace
}  // namespace thc::test
