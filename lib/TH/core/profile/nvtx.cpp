#include "core/profile/nvtx.h"

#include <dlfcn.h>

namespace th::profile {

const Nvtx& nvtx() {
  static const Nvtx functions = [] {
    Nvtx f{};
    void* library = dlopen("libnvToolsExt.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) {
      f.push = reinterpret_cast<decltype(f.push)>(dlsym(library, "nvtxRangePushA"));
      f.pop = reinterpret_cast<decltype(f.pop)>(dlsym(library, "nvtxRangePop"));
    }
    return f.push != nullptr && f.pop != nullptr ? f : Nvtx{};
  }();
  return functions;
}

}  // namespace th::profile
