// The C ABI of kernels of the script's own.
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "THC.h"
#include "core/backend.h"
#include "core/call/call.h"
#include "core/device.h"
#include "core/script/kernel.h"
#include "core/stream.h"
#include "core/tensor/tensor.h"

using th::guarded;

namespace {

const char* const kAxes[] = {"x", "y", "z"};

/// What no launch may ask of a device; a launch that asks for it would be lost in an error code.
void check_sizes(const thc::KernelLaunch& launch, int device) {
  const cudaDeviceProp& p = thc::device_properties(device);
  int64_t threads = 1;
  for (int axis = 0; axis < 3; ++axis) {
    TH_CHECK(
        launch.grid[axis] >= 1 && launch.grid[axis] <= static_cast<uint32_t>(p.maxGridSize[axis]),
        "a grid of ", launch.grid[axis], " blocks in ", kAxes[axis], ", expected 1 to ",
        p.maxGridSize[axis]);
    TH_CHECK(launch.block[axis] >= 1 &&
                 launch.block[axis] <= static_cast<uint32_t>(p.maxThreadsDim[axis]),
             "a block of ", launch.block[axis], " threads in ", kAxes[axis], ", expected 1 to ",
             p.maxThreadsDim[axis]);
    threads *= launch.block[axis];
  }
  TH_CHECK(threads <= p.maxThreadsPerBlock, "a block of ", threads, " threads, of which ",
           p.maxThreadsPerBlock, " are the most");
  TH_CHECK(launch.shared_bytes <= thc::kMostSharedBytes, launch.shared_bytes,
           " bytes of shared memory, of which ", thc::kMostSharedBytes, " are the most");
}

void launch(thc::ScriptKernel& kernel, const THC_KernelLaunch& asked) {
  std::vector<uint64_t> arguments(asked.arguments, asked.arguments + asked.argument_count);
  const th::Backend& backend = th::backend(TH_CUDA);
  for (int i = 0; i < asked.tensor_count; ++i) {
    const TH_Tensor& t = *asked.tensors[i];
    TH_CHECK(t.device_type == TH_CUDA && t.device == asked.device, "a tensor of device ",
             t.device + 1, ", the launch is on device ", asked.device + 1);
    backend.enter(t);
    arguments[static_cast<size_t>(asked.places[i])] = reinterpret_cast<uint64_t>(th::bytes(t));
  }
  const thc::KernelLaunch launch{{asked.grid[0], asked.grid[1], asked.grid[2]},
                                 {asked.block[0], asked.block[1], asked.block[2]},
                                 static_cast<size_t>(asked.shared_bytes),
                                 arguments};
  check_sizes(launch, asked.device);
  thc::activate(asked.device);
  kernel.launch(thc::current_stream(asked.device), launch);
  for (int i = 0; i < asked.tensor_count; ++i) {
    if (asked.written[i]) {
      th::count_write(asked.tensors[i]);
    }
  }
}

}  // namespace

extern "C" {

int THC_Kernel_target(int device, const char** target) {
  return guarded("kernel", [&] {
    thread_local std::string text;
    text = thc::kernel_target(device);
    *target = text.c_str();
  });
}

int THC_Kernel_compile(const char* source, const char* address, int device, const char** code,
                       int64_t* bytes) {
  return guarded(nullptr, [&] {
    thread_local std::string made;
    made = thc::compile_kernel(source, address, device);
    *code = made.data();
    *bytes = static_cast<int64_t>(made.size());
  });
}

int THC_Kernel_open(THC_Kernel** kernel, const char* code, int64_t bytes, const char* name,
                    int device) {
  return guarded("kernel", [&] {
    static std::mutex mutex;
    static std::map<std::tuple<std::string, std::string, int>, thc::ScriptKernel*> open;
    const std::lock_guard lock(mutex);
    const std::string text(code, static_cast<size_t>(bytes));
    thc::ScriptKernel*& known = open[{text, name, device}];
    if (known == nullptr) {
      known = thc::open_kernel(text, name, device);
    }
    *kernel = reinterpret_cast<THC_Kernel*>(known);
  });
}

int THC_Kernel_launch(THC_Kernel* kernel, const THC_KernelLaunch* asked) {
  return guarded("kernel", [&] {
    thc::check_device(asked->device);
    const auto run = [&] { launch(*reinterpret_cast<thc::ScriptKernel*>(kernel), *asked); };
    th::backend_launch(
        asked->tensors, asked->tensor_count,
        [](const void* f) { (*static_cast<const decltype(run)*>(f))(); }, &run);
  });
}

}  // extern "C"
