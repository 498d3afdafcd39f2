// What the comparison with the CPU takes for equal.
#include "THC/support/compare.h"

#include <limits>

namespace thc::test {
namespace {

TEST(Near, AnInfinityIsNearToItselfAlone) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  for (const double tolerance : {0.0, 1e-6, 1.0}) {
    EXPECT_TRUE(near(inf, inf, tolerance));
    EXPECT_TRUE(near(-inf, -inf, tolerance));
    EXPECT_FALSE(near(5, inf, tolerance));
    EXPECT_FALSE(near(inf, 5, tolerance));
    EXPECT_FALSE(near(-inf, inf, tolerance));
    EXPECT_FALSE(near(NAN, inf, tolerance));
    EXPECT_FALSE(near(NAN, 1, tolerance));
    EXPECT_TRUE(near(NAN, NAN, tolerance));
  }
  EXPECT_TRUE(near(1e6 + 0.5, 1e6, 1e-6));
  EXPECT_FALSE(near(1e6 + 2, 1e6, 1e-6));
}

}  // namespace
}  // namespace thc::test
