// Kernels of the script's own: NVRTC itself where it is installed, and a driver that is short of
// memory.
#include <string>

#include <cuda.h>
#include <gtest/gtest.h>

#include "TH_core.h"
#include "core/check.h"
#include "core/memory/allocator.h"
#include "core/script/kernel.h"

namespace thc::test {
namespace {

/// Calls that find no memory, from now on; times that the cache was given back; calls that were
/// made.
struct FakeDriver {
  int without_memory = 0, emptied = 0, loaded = 0, launched = 0;

  CUresult answer(int& calls) {
    ++calls;
    return without_memory-- > 0 ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
  }
} driver;

CUresult load(CUmodule*, const void*) { return driver.answer(driver.loaded); }
CUresult find(CUfunction*, CUmodule, const char*) { return CUDA_SUCCESS; }
CUresult launch(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                CUstream, void**, void**) {
  return driver.answer(driver.launched);
}

}  // namespace
}  // namespace thc::test

extern "C" cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned,
                                                        unsigned long long,
                                                        cudaDriverEntryPointQueryResult* result) {
  const std::string wanted = name;
  *function = wanted == "cuModuleLoadData"      ? reinterpret_cast<void*>(thc::test::load)
              : wanted == "cuModuleGetFunction" ? reinterpret_cast<void*>(thc::test::find)
                                                : reinterpret_cast<void*>(thc::test::launch);
  *result = cudaDriverEntryPointSuccess;
  return cudaSuccess;
}

namespace thc {

void empty_cache() { ++test::driver.emptied; }
void cuda_failed(cudaError_t error, const char* call) {
  throw Error(str(call, " says ", static_cast<int>(error)));
}

namespace test {
namespace {

class Nvrtc : public testing::Test {
 protected:
  void SetUp() override {
    try {
      kernel_target(0);
    } catch (const Error& e) {
      GTEST_SKIP() << e.what();
    }
  }

  static std::string refusal(const std::string& source, int device = 0) {
    try {
      compile_kernel(source, "f", device);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  }
};

TEST_F(Nvrtc, MakesCodeThatBeginsWithTheKernelsName) {
  EXPECT_EQ(kernel_target(0).substr(kernel_target(0).size() - 6), " sm_90");
  const std::string code = compile_kernel("__global__ void f(float* x) { x[0] = 1; }", "f", 0);
  EXPECT_STREQ(code.c_str(), "_Z1fPf");
  EXPECT_EQ(code.substr(code.find('\0') + 1, 4),
            "\x7f"
            "ELF");
}

TEST_F(Nvrtc, TellsAKernelFromCudasFunctionOfItsName) {
  const std::string code = compile_kernel("__global__ void max(const float* x, int n) {}",
                                          "(void (*)(const float *, int))max", 0);
  EXPECT_STREQ(code.c_str(), "_Z3maxPKfi");
}

TEST_F(Nvrtc, SourcesHaveTheNamesOfTheStandardHeaders) {
  const std::string body =
      "__global__ void f(float* x, int64_t n, uint64_t* count) {"
      "  atomicAdd(count, (uint64_t)n);"
      "  x[0] = n > 0 ? INFINITY : NAN;"
      "  x[1] = sinf(M_PI);"
      "}";
  EXPECT_EQ(refusal(body), "");
  EXPECT_EQ(refusal("#include <cstdint>\n#include <cmath>\n#include <stdint.h>\n"
                    "#include <math.h>\n" +
                    body),
            "");
}

TEST_F(Nvrtc, FunctionsAreTheDevices) {
  EXPECT_EQ(refusal("const int kSizes[] = {3, 4};\n"
                    "struct Square { float of(float x) const { return x * x; } };\n"
                    "float twice(float x) { return 2 * x; }\n"
                    "__global__ void f(float* x, int i) {\n"
                    "  x[i] = twice(Square{}.of(x[i])) + kSizes[i];\n"
                    "}"),
            "");
}

TEST_F(Nvrtc, FindsTheHeadersOfItsToolkit) {
  const std::string half =
      "#include <cuda_fp16.h>\n__global__ void f(__half* x) { x[0] = __float2half(1.f); }";
  const std::string said = refusal(half);
  if (said.find("no directories in search list") != std::string::npos) {
    GTEST_SKIP() << "there is NVRTC without its toolkit";
  }
  EXPECT_EQ(said, "");
  // CUDA's own libraries define the names of <cstdint>, too.
  EXPECT_EQ(refusal("#include <cuda/std/cstdint>\n__global__ void f(int64_t* x) { *x = 1; }"), "");
}

TEST_F(Nvrtc, CountsTheLinesOfTheSourceAlone) {
  EXPECT_EQ(refusal("\n__global__ void f(float* x) { x[0] = y; }").substr(0, 20),
            "kernel.cu(2): error:");
}

TEST_F(Nvrtc, SaysThatItIsTooOldForADevice) {
  const std::string said = refusal("__global__ void f() {}", 1);
  EXPECT_NE(said.find("sm_199: this NVRTC does not know the device"), std::string::npos) << said;
}

TEST(ScriptKernels, GiveTheCacheBackWhereTheirCodeFindsNoMemory) {
  driver = {};
  driver.without_memory = 1;
  ScriptKernel* const kernel = open_kernel(std::string("f\0code", 6), "f", 0);
  EXPECT_EQ(driver.loaded, 2);
  EXPECT_EQ(driver.emptied, 1);
  const KernelLaunch once{{1, 1, 1}, {1, 1, 1}, 0, {}};
  kernel->launch(nullptr, once);
  EXPECT_EQ(driver.launched, 1);
  EXPECT_EQ(driver.emptied, 1);
  driver.without_memory = 1;
  kernel->launch(nullptr, once);
  EXPECT_EQ(driver.launched, 3);
  EXPECT_EQ(driver.emptied, 2);
  driver.without_memory = 2;
  try {
    kernel->launch(nullptr, once);
    ADD_FAILURE() << "it found memory";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "cuLaunchKernel says 2");
  }
}

}  // namespace
}  // namespace test
}  // namespace thc
