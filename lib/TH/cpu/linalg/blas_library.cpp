#include "cpu/linalg/blas_library.h"

#include <cstdlib>
#include <string>

#include <dlfcn.h>

#include "core/cpu_isa.h"
#include "core/error.h"

#ifndef TH_OPENBLAS_PATH
#define TH_OPENBLAS_PATH "libopenblas.so.0"
#endif

namespace th {
namespace {

constexpr const char* kCoreType = "OPENBLAS_CORETYPE";

/// Names the kernels for the library's constructor, and leaves no trace for child processes.
class CoreType {
 public:
  CoreType() : set_(isa() == Isa::V4 && std::getenv(kCoreType) == nullptr) {
    if (set_) {
      setenv(kCoreType, "SkylakeX", 0);
    }
  }
  ~CoreType() {
    if (set_) {
      unsetenv(kCoreType);
    }
  }

 private:
  bool set_;
};

void* open_library() {
  const CoreType core_type;
  std::string reasons;
  for (const char* path : {TH_OPENBLAS_PATH, "libopenblas.so.0", "libopenblas.so"}) {
    // RTLD_LOCAL: its BLAS must not replace another one in the process.
    if (void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
      return handle;
    }
    reasons += std::string(reasons.empty() ? "" : "; ") + dlerror();
  }
  fail("cannot open OpenBLAS (",
       reasons,
       "); install it, as in: apt install libopenblas0-openmp, or name its folder in "
       "LD_LIBRARY_PATH");
}

void* library() {
  static void* const handle = open_library();  // tried again if it threw
  return handle;
}

}  // namespace

void* blas_symbol(const char* name) {
  void* address = dlsym(library(), name);
  TH_CHECK(
      address != nullptr, "OpenBLAS has no function ", name, "; install a complete build of it");
  return address;
}

const BlasLibrary& blas_library() {
  static const BlasLibrary functions = [] {
    BlasLibrary f{};
    f.dgemm = reinterpret_cast<decltype(f.dgemm)>(blas_symbol("cblas_dgemm"));
    return f;
  }();
  return functions;
}

}  // namespace th
