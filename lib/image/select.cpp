#include <string_view>

#include "TH_core.h"
#include "kernels/kernels.h"

namespace th::image {

const Kernels& kernels() {
  static const Kernels table = [] {
    Kernels t{};
#ifdef __x86_64__
    if (std::string_view(TH_instructionSet()).find("v2") == std::string_view::npos) {
      v3::fill(t);
    } else {
      v2::fill(t);
    }
#else
    generic::fill(t);
#endif
    return t;
  }();
  return table;
}

}  // namespace th::image
