#include "kernels/kernels.h"

#include "cpu/select.h"

namespace th::image {

const Kernels& kernels() {
  static const Kernels table = cpu::select_kernels<Kernels>();
  return table;
}

}  // namespace th::image
