#include "cpu/linalg/blas_library.h"

#include <cstdlib>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <unistd.h>

#include "core/runtime/cpu_isa.h"
#include "core/runtime/error.h"

#ifndef TH_OPENBLAS_PATH
#define TH_OPENBLAS_PATH "libopenblas.so.0"
#endif

namespace th {
namespace {

/// Names the kernels for the library's constructor, and leaves no trace for child processes. Other
/// threads may be reading the environment, which setenv would move: they get to see another list
/// for a while, of the same strings and one more.
class CoreType {
 public:
  CoreType() {
    if (isa() != Isa::V4 || std::getenv("OPENBLAS_CORETYPE") != nullptr) {
      return;
    }
    static char core_type[] = "OPENBLAS_CORETYPE=SkylakeX";
    before_ = environ;
    list().clear();  // of an attempt that failed
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
      list().push_back(*entry);
    }
    list().push_back(core_type);
    list().push_back(nullptr);
    environ = list().data();
  }
  ~CoreType() {
    if (before_ == nullptr) {
      return;
    }
    if (environ == list().data()) {
      environ = before_;
    } else {  // somebody has set a variable meanwhile
      unsetenv("OPENBLAS_CORETYPE");
    }
  }

 private:
  /// Never freed: somebody may still be reading it.
  static std::vector<char*>& list() {
    static auto& entries = *new std::vector<char*>;
    return entries;
  }

  char** before_ = nullptr;
};

void* open_library() {
  const CoreType core_type;
  std::string reasons;
  const char* chosen = std::getenv("TH_OPENBLAS");  // a bundle brings its own
  for (const char* path :
       {chosen != nullptr ? chosen : TH_OPENBLAS_PATH, "libopenblas.so.0", "libopenblas.so"}) {
    // RTLD_LOCAL: its BLAS must not replace another one in the process.
    if (void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
      return handle;
    }
    reasons += std::string(reasons.empty() ? "" : "; ") + dlerror();
  }
  fail("cannot open OpenBLAS (", reasons,
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
  TH_CHECK(address != nullptr, "OpenBLAS has no function ", name,
           "; install a complete build of it");
  return address;
}

}  // namespace th
