// Kernels of the script's own by NVRTC and the driver.
#include <vector>

#include <cuda.h>
#include <nvrtc.h>

#include "core/device.h"
#include "core/memory/allocator.h"
#include "core/script/kernel.h"
#include "core/vendor/library.h"

namespace thc {
namespace {

/// Names of <cstdint>, which NVRTC does not bring along.
constexpr const char* kTypes =
    "typedef signed char int8_t; typedef unsigned char uint8_t; typedef short int16_t; "
    "typedef unsigned short uint16_t; typedef int int32_t; typedef unsigned uint32_t; "
    "typedef long int64_t; typedef unsigned long uint64_t;\n#line 1 \"kernel.cu\"\n";

struct Nvrtc {
  Library library{"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"};
  decltype(&nvrtcVersion) version;
  decltype(&nvrtcGetErrorString) text;
  decltype(&nvrtcCreateProgram) create;
  decltype(&nvrtcDestroyProgram) destroy;
  decltype(&nvrtcAddNameExpression) add_name;
  decltype(&nvrtcGetLoweredName) lowered_name;
  decltype(&nvrtcCompileProgram) compile;
  decltype(&nvrtcGetProgramLogSize) log_size;
  decltype(&nvrtcGetProgramLog) log;
  decltype(&nvrtcGetCUBINSize) code_size;
  decltype(&nvrtcGetCUBIN) code;

  Nvrtc() {
    TH_CHECK(library.is_open(),
             "NVRTC is not installed, which compiles kernels (NVIDIA's package cuda-nvrtc, or "
             "libnvrtc.so on LD_LIBRARY_PATH): ",
             library.error());
    const bool whole =
        library.find(version, "nvrtcVersion") && library.find(text, "nvrtcGetErrorString") &&
        library.find(create, "nvrtcCreateProgram") &&
        library.find(destroy, "nvrtcDestroyProgram") &&
        library.find(add_name, "nvrtcAddNameExpression") &&
        library.find(lowered_name, "nvrtcGetLoweredName") &&
        library.find(compile, "nvrtcCompileProgram") &&
        library.find(log_size, "nvrtcGetProgramLogSize") &&
        library.find(log, "nvrtcGetProgramLog") && library.find(code_size, "nvrtcGetCUBINSize") &&
        library.find(code, "nvrtcGetCUBIN");
    TH_CHECK(whole, "this NVRTC is too old; install that of CUDA 12 or later");
  }

  void check(nvrtcResult result, const char* call) const {
    TH_CHECK(result == NVRTC_SUCCESS, call, ": ", text(result));
  }
};

const Nvrtc& nvrtc() {
  static const Nvrtc library;
  return library;
}

/// The driver's functions, for which the runtime is asked: nothing links the driver.
struct Driver {
  decltype(&cuModuleLoadData) load = nullptr;
  decltype(&cuModuleGetFunction) function = nullptr;
  decltype(&cuLaunchKernel) launch = nullptr;

  Driver() {
    find(load, "cuModuleLoadData");
    find(function, "cuModuleGetFunction");
    find(launch, "cuLaunchKernel");
  }

 private:
  template <class F>
  static void find(F*& f, const char* name) {
    constexpr unsigned kVersion = 12000;
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result;
    THC_CHECK(cudaGetDriverEntryPointByVersion(name, &found, kVersion, cudaEnableDefault, &result));
    TH_CHECK(result == cudaDriverEntryPointSuccess && found != nullptr, "the driver has no ", name,
             "; update it");
    f = reinterpret_cast<F*>(found);
  }
};

const Driver& driver() {
  static const Driver functions;
  return functions;
}

void check(CUresult result, const char* call) {
  if (result != CUDA_SUCCESS) {
    cuda_failed(static_cast<cudaError_t>(result), call);  // their numbers are the runtime's
  }
}

std::string architecture(int device) {
  const cudaDeviceProp& p = device_properties(device);
  return str("sm_", p.major, p.minor);
}

class Program {
 public:
  explicit Program(const std::string& source) {
    const std::string whole = kTypes + source;
    nvrtc().check(nvrtc().create(&program_, whole.c_str(), "kernel.cu", 0, nullptr, nullptr),
                  "nvrtcCreateProgram");
  }
  ~Program() { nvrtc().destroy(&program_); }
  Program(const Program&) = delete;
  operator nvrtcProgram() const { return program_; }

  std::string log() const {
    size_t size = 0;
    nvrtc().log_size(program_, &size);
    std::string text(size, '\0');
    nvrtc().log(program_, text.data());
    return text.c_str();  // without the zero at its end
  }

 private:
  nvrtcProgram program_ = nullptr;
};

class DriverKernel : public ScriptKernel {
 public:
  /// code: the name that it has there, a zero, the machine code.
  DriverKernel(const std::string& code, int device) {
    activate(device);
    const std::string name = code.c_str();
    CUmodule module = nullptr;
    check(driver().load(&module, code.data() + name.size() + 1), "cuModuleLoadData");
    check(driver().function(&function_, module, name.c_str()), "cuModuleGetFunction");
  }

  void launch(cudaStream_t stream, const KernelLaunch& launch) override {
    std::vector<void*> arguments;
    for (const uint64_t& argument : launch.arguments) {
      arguments.push_back(const_cast<uint64_t*>(&argument));
    }
    const auto enqueue = [&] {
      return driver().launch(function_, launch.grid[0], launch.grid[1], launch.grid[2],
                             launch.block[0], launch.block[1], launch.block[2],
                             static_cast<unsigned>(launch.shared_bytes), stream, arguments.data(),
                             nullptr);
    };
    CUresult result = enqueue();
    if (result == CUDA_ERROR_OUT_OF_MEMORY) {
      empty_cache();
      result = enqueue();
    }
    check(result, "cuLaunchKernel");
  }

 private:
  CUfunction function_ = nullptr;
};

}  // namespace

std::string kernel_target(int device) {
  int major = 0;
  int minor = 0;
  nvrtc().check(nvrtc().version(&major, &minor), "nvrtcVersion");
  return str("NVRTC ", major, ".", minor, " ", architecture(device));
}

std::string compile_kernel(const std::string& source, const std::string& name, int device) {
  const Nvrtc& n = nvrtc();
  const Program program(source);
  n.check(n.add_name(program, name.c_str()), "nvrtcAddNameExpression");
  const std::string target = "--gpu-architecture=" + architecture(device);
  const char* const options[] = {target.c_str(), "--std=c++17"};
  const nvrtcResult result = n.compile(program, 2, options);
  if (result == NVRTC_ERROR_COMPILATION) {
    throw Error(program.log());
  }
  n.check(result, "nvrtcCompileProgram");
  const char* lowered = nullptr;
  n.check(n.lowered_name(program, name.c_str(), &lowered), "nvrtcGetLoweredName");
  size_t size = 0;
  n.check(n.code_size(program, &size), "nvrtcGetCUBINSize");
  std::string code = lowered;
  const size_t begin = code.size() + 1;
  code.resize(begin + size);
  n.check(n.code(program, code.data() + begin), "nvrtcGetCUBIN");
  return code;
}

ScriptKernel* open_kernel(const std::string& code, const std::string&, int device) {
  return new DriverKernel(code, device);
}

}  // namespace thc
