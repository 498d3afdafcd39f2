// Kernels of the script's own on simulated devices: the host's compiler has made a library of the
// source (lua/cutorch/kernel/simulated.lua); its threads are the fibers of any block kernel.
#include "sim/script_kernel.h"

#include <vector>

#include <dlfcn.h>

#include "core/check.h"
#include "core/script/kernel.h"
#include "sim/block.h"
#include "sim/tasks.h"

namespace thc {
namespace {

/// Place `index` of a box of those sizes, x first.
luatorch_Size place(int64_t index, const uint32_t* sizes) {
  return {static_cast<unsigned>(index % sizes[0]),
          static_cast<unsigned>(index / sizes[0] % sizes[1]),
          static_cast<unsigned>(index / sizes[0] / sizes[1])};
}

/// One launch, as its threads see it.
struct Body {
  luatorch_Kernel kernel;
  std::vector<uint64_t> arguments;
  uint32_t grid[3];
  uint32_t block[3];

  void operator()(sim::Block& block_of_threads) const {
    const luatorch_Thread thread{
        place(block_of_threads.thread(), block),
        place(block_of_threads.index(), grid),
        {grid[0], grid[1], grid[2]},
        {block[0], block[1], block[2]},
        block_of_threads.shared<void>(),
        &block_of_threads,
        [](const void* self) { static_cast<const sim::Block*>(self)->sync(); },
        [](const void* self, uint64_t value, int lane) {
          const auto& block = *static_cast<const sim::Block*>(self);
          return block.shuffle_xor(value, (block.thread() ^ lane) % sim::kWarpSize);
        }};
    kernel(&thread, arguments.data());
  }
};

class HostKernel : public ScriptKernel {
 public:
  explicit HostKernel(luatorch_Kernel kernel) : kernel_(kernel) {}

  void launch(cudaStream_t stream, const KernelLaunch& launch) override {
    const std::vector<uint64_t> arguments(launch.arguments.begin(), launch.arguments.end());
    const Body body{kernel_,
                    arguments,
                    {launch.grid[0], launch.grid[1], launch.grid[2]},
                    {launch.block[0], launch.block[1], launch.block[2]}};
    THC_CHECK(sim::enqueue(
        stream, "kernel of the script",
        [body, blocks = launch.blocks(), threads = launch.threads(), shared = launch.shared_bytes] {
          sim::run_blocks(blocks, threads, shared, body);
        }));
  }

 private:
  luatorch_Kernel kernel_;
};

}  // namespace

std::string kernel_target(int) { return "simulated"; }

std::string compile_kernel(const std::string&, const std::string&, int) {
  fail("the host's compiler makes kernels of simulated devices");
}

/// code is the path of a library.
ScriptKernel* open_kernel(const std::string& code, const std::string&, int) {
  void* library = dlopen(code.c_str(), RTLD_NOW | RTLD_LOCAL);
  TH_CHECK(library != nullptr, dlerror());
  void* symbol = dlsym(library, "luatorch_kernel");
  TH_CHECK(symbol != nullptr, code, " is no kernel");
  return new HostKernel(reinterpret_cast<luatorch_Kernel>(symbol));
}

}  // namespace thc
