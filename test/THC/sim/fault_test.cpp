// A fault of earlier work is found by whatever asks CUDA next: each call of a piece of work is made
// the one.
#include "THC/support/devices.h"

namespace thc::test {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

using Fault = OnDevices;

/// Tensors made, filled, copied both ways, multiplied, dropped; streams, events, pinned memory.
std::string work() {
  std::string text;
  const auto ok = [&](int status) {
    if (text.empty() && status != TH_OK) {
      text = TH_lastError();
    }
    return text.empty();
  };
  Tensor x;
  Tensor y;
  const int64_t sizes[] = {600, 1000};
  Tensor host = th::test::make(TH_FLOAT, {600, 1000});
  Tensor small = th::test::make(TH_FLOAT, {10});
  THC_Event* event = nullptr;
  double sum = 0;
  int64_t bytes = 0;
  Tensor z;
  init(z, TH_FLOAT, TH_CUDA, 0);
  ok(TH_new(&x, TH_FLOAT, TH_CUDA, 0, 2, sizes)) &&
      ok(TH_new(&y, TH_FLOAT, TH_CUDA, 0, 2, sizes)) && ok(TH_fill(&x, 2)) &&
      ok(TH_copy(&y, &host)) && ok(THC_reserveStreams(1, false)) && ok(THC_setStream(0, 1)) &&
      ok(TH_add_scaled(&y, &y, 2, &x)) &&
      ok((event = THC_Event_new(0, false)) == nullptr ? TH_ERROR : TH_OK) &&
      ok(THC_setStream(0, 0)) && ok(THC_Event_waitOn(event, 0)) && ok(TH_sum_all(&sum, &y)) &&
      ok(TH_copy(&host, &y)) && ok(TH_sigmoid(&z, &x)) && ok(THC_Event_synchronize(event)) &&
      ok(THC_emptyCache(0, &bytes)) && ok(THC_synchronize(0));
  if (event != nullptr) {
    THC_Event_free(event);
  }
  return text;
}

TEST_F(Fault, IsNamedWhereverItIsFoundAndNothingIsLost) {
  EXPECT_EQ(work(), "");
  THC_setStream(0, 0);
  empty_cache();
  int64_t free_before = 0;
  int64_t total = 0;
  ASSERT_EQ(THC_memoryUsage(0, &free_before, &total), TH_OK);
  int found = 0;
  for (int call = 1; call < 1000; ++call) {
    sim::fail("fault", call, call % 2 == 0 ? cudaErrorIllegalAddress : cudaErrorLaunchFailure);
    std::string text = work();
    const bool broken = cudaPeekAtLastError() != cudaSuccess;
    if (text.empty()) {
      text = error_of(THC_synchronize(0));  // what came with the work's end
    }
    sim::reset();
    THC_setStream(0, 0);
    if (!broken) {
      break;  // that many calls the work does not make
    }
    ++found;
    EXPECT_NE(text.find("a kernel "), std::string::npos) << "call " << call << ": " << text;
    EXPECT_NE(text.find("nothing on the GPU works"), std::string::npos) << call << ": " << text;
    EXPECT_EQ(text.find("out of memory"), std::string::npos) << call << ": " << text;
    empty_cache();
    int64_t free = 0;
    ASSERT_EQ(THC_memoryUsage(0, &free, &total), TH_OK);
    EXPECT_EQ(free, free_before) << "call " << call;
  }
  EXPECT_GT(found, 30);
  EXPECT_EQ(work(), "") << "after a new start everything works";
}

TEST_F(Fault, OfAKernelIsNamedWhenALibraryFailsForIt) {
  const auto found = [](const char* call) -> std::string {
    try {
      throw_device_fault(call);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  Tensor x = on_device(TH_FLOAT, {1000});
  ASSERT_EQ(TH_fill(&x, 1), TH_OK);
  EXPECT_EQ(found("cublasCreate"), "") << "work that is not done is no fault";
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  sim::fail("kernel", 1, cudaErrorMisalignedAddress);
  ASSERT_EQ(TH_fill(&x, 1), TH_OK);
  cudaStreamSynchronize(nullptr);
  const std::string text = found("cublasCreate");
  EXPECT_NE(text.find("a kernel touched memory at an address"), std::string::npos) << text;
  EXPECT_NE(text.find("(cublasCreate returned"), std::string::npos) << text;
}

}  // namespace
}  // namespace thc::test
