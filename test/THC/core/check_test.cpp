#include "core/check.h"

#include "THC/support/devices.h"

namespace thc::test {
namespace {

using Check = OnDevices;

constexpr int64_t kBlocks = 0x7fffffff;

std::string refusal(int64_t blocks, int threads, int most_threads, size_t shared) {
  try {
    check_launch(blocks, threads, most_threads, shared);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST_F(Check, LaunchesKeepToWhatAGridHas) {
  EXPECT_EQ(refusal(kBlocks, 256, 256, 48 << 10), "");
  EXPECT_NE(refusal(kBlocks + 1, 256, 256, 0).find("2147483648 blocks of 256 threads"),
            std::string::npos);
  EXPECT_NE(refusal(1, 32, 256, (48 << 10) + 1).find("with 49153 bytes of shared memory"),
            std::string::npos);
  EXPECT_NE(refusal(0, 32, 256, 0).find("too much for one kernel: 0 blocks of 32 threads"),
            std::string::npos);
  EXPECT_NE(refusal(1, 0, 256, 0).find("too much for one kernel: 1 blocks of 0 threads"),
            std::string::npos);
}

TEST_F(Check, ThreadsAreBoundedByWhatTheKernelIsCompiledFor) {
  EXPECT_NE(refusal(1, 512, 256, 0).find("256 threads"), std::string::npos);
  EXPECT_EQ(refusal(1, 512, 1024, 0), "");
}

TEST_F(Check, WhatEndsAProcessIsSaidOfEveryFault) {
  for (const cudaError_t error :
       {cudaErrorIllegalAddress, cudaErrorLaunchTimeout, cudaErrorAssert,
        cudaErrorHardwareStackError, cudaErrorIllegalInstruction, cudaErrorMisalignedAddress,
        cudaErrorInvalidAddressSpace, cudaErrorInvalidPc, cudaErrorLaunchFailure,
        cudaErrorECCUncorrectable,
        // NVLink, contained, tensor memory, MPS, an external device: not every toolkit names them.
        static_cast<cudaError_t>(220), static_cast<cudaError_t>(226), static_cast<cudaError_t>(721),
        static_cast<cudaError_t>(810), static_cast<cudaError_t>(911)}) {
    EXPECT_TRUE(is_sticky(error)) << cudaGetErrorName(error);
    EXPECT_NE(explain(error).find("nothing on the GPU works"), std::string::npos)
        << cudaGetErrorName(error);
  }
  EXPECT_FALSE(is_sticky(cudaErrorMemoryAllocation));
  EXPECT_FALSE(is_sticky(cudaErrorUnknown));  // nobody says that it stays
  EXPECT_NE(explain(cudaErrorUnknown).find("Xid"), std::string::npos);
  EXPECT_FALSE(is_sticky(cudaErrorNotReady));
}

TEST_F(Check, AnElementTooManyIsAnErrorOfTheScriptsLineAndNotAShortResult) {
  // One element, seen 2^40 times: no memory is needed to ask for it.
  Tensor t = on_device(TH_FLOAT, {1, 1});
  const int64_t sizes[] = {int64_t{1} << 20, int64_t{1} << 20};
  expand(t, t, sizes);
  EXPECT_NE(error_of(TH_fill(&t, 1)).find("too much for one kernel"), std::string::npos);
}

}  // namespace
}  // namespace thc::test
