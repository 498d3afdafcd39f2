// Kernels of the script's own by NVRTC and the driver.
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <vector>

#include <cuda.h>
#include <dlfcn.h>
#include <nvrtc.h>

#include "core/device.h"
#include "core/memory/allocator.h"
#include "core/script/kernel.h"
#include "core/vendor/library.h"

namespace thc {
namespace {

/// Names of <cstdint> and <cmath>, which nvcc's sources have and NVRTC does not bring along. 64
/// bits are a long long: so they are in the headers of CUDA's libraries, and for atomic functions.
constexpr const char* kBefore =
    "typedef signed char int8_t; typedef unsigned char uint8_t; typedef short int16_t; "
    "typedef unsigned short uint16_t; typedef int int32_t; typedef unsigned uint32_t; "
    "typedef long long int64_t; typedef unsigned long long uint64_t;\n"
    "#define INFINITY __int_as_float(0x7f800000)\n"
    "#define NAN __int_as_float(0x7fffffff)\n"
    "#define M_PI 3.14159265358979323846\n"
    "#line 1 \"kernel.cu\"\n";
/// Headers that a source may include where there is nothing more in them than that.
constexpr const char* kHeaders[] = {"cstdint", "stdint.h", "cmath", "math.h"};
constexpr const char* kContents[std::size(kHeaders)] = {"", "", "", ""};

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

/// A call of the driver, which may load code: where the device has no memory for it, once more with
/// the cache given back.
template <class Call>
void check_with_room(const Call& call, const char* name) {
  CUresult result = call();
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    empty_cache();
    result = call();
  }
  if (result != CUDA_SUCCESS) {
    cuda_failed(static_cast<cudaError_t>(result), name);  // their numbers are the runtime's
  }
}

std::string architecture(int device) {
  const cudaDeviceProp& p = device_properties(device);
  return str("sm_", p.major, p.minor);
}

/// Options that name the folders of the toolkit's headers, as of cuda_fp16.h: where the environment
/// says that it is, beside NVRTC, at its usual place.
std::vector<std::string> header_options() {
  namespace fs = std::filesystem;
  std::vector<fs::path> toolkits;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* value = std::getenv(name)) {
      toolkits.emplace_back(value);
    }
  }
  Dl_info library;
  if (dladdr(reinterpret_cast<const void*>(nvrtc().version), &library) != 0) {
    toolkits.push_back(fs::path(library.dli_fname).parent_path().parent_path());
  }
  toolkits.emplace_back("/usr/local/cuda");
  for (const fs::path& toolkit : toolkits) {
    const fs::path folder = toolkit / "include";
    std::error_code ignored;
    if (fs::exists(folder / "cuda_fp16.h", ignored)) {
      return {"--include-path=" + folder.string(), "--include-path=" + (folder / "cccl").string()};
    }
  }
  return {};
}

class Program {
 public:
  explicit Program(const std::string& source) {
    const std::string whole = kBefore + source;
    nvrtc().check(nvrtc().create(&program_, whole.c_str(), "kernel.cu", std::size(kHeaders),
                                 kContents, kHeaders),
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
    check_with_room([&] { return driver().load(&module, code.data() + name.size() + 1); },
                    "cuModuleLoadData");
    check_with_room([&] { return driver().function(&function_, module, name.c_str()); },
                    "cuModuleGetFunction");
  }

  void launch(cudaStream_t stream, const KernelLaunch& launch) override {
    std::vector<void*> arguments;
    for (const uint64_t& argument : launch.arguments) {
      arguments.push_back(const_cast<uint64_t*>(&argument));
    }
    check_with_room(
        [&] {
          return driver().launch(function_, launch.grid[0], launch.grid[1], launch.grid[2],
                                 launch.block[0], launch.block[1], launch.block[2],
                                 static_cast<unsigned>(launch.shared_bytes), stream,
                                 arguments.data(), nullptr);
        },
        "cuLaunchKernel");
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

std::string compile_kernel(const std::string& source, const std::string& address, int device) {
  const Nvrtc& n = nvrtc();
  const Program program(source);
  n.check(n.add_name(program, address.c_str()), "nvrtcAddNameExpression");
  std::vector<std::string> options = header_options();
  options.push_back("--gpu-architecture=" + architecture(device));
  options.push_back("--std=c++17");
  options.push_back("--device-as-default-execution-space");  // there is no host in a source
  std::vector<const char*> texts;
  for (const std::string& option : options) {
    texts.push_back(option.c_str());
  }
  const nvrtcResult result = n.compile(program, static_cast<int>(texts.size()), texts.data());
  if (result == NVRTC_ERROR_COMPILATION) {
    throw Error(program.log());
  }
  TH_CHECK(result != NVRTC_ERROR_INVALID_OPTION, kernel_target(device),
           ": this NVRTC does not know the device; install a later one: ", program.log());
  n.check(result, "nvrtcCompileProgram");
  const char* lowered = nullptr;
  n.check(n.lowered_name(program, address.c_str(), &lowered), "nvrtcGetLoweredName");
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
