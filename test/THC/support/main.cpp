// The tests' machine: four small devices, unless the environment says otherwise.
#include <cstdlib>

#include <gtest/gtest.h>

int main(int argc, char** argv) {
  setenv("THC_SIM_DEVICES", "4", 0);
  setenv("THC_SIM_MEMORY", "64M", 0);
  testing::InitGoogleTest(&argc, argv);
  // The CPU's kernels have threads, which a bare fork() would leave behind.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  return RUN_ALL_TESTS();
}
