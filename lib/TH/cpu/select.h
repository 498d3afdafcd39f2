// Picks, once, the kernels of the best instruction set this CPU has.
#pragma once

#include "core/runtime/cpu_isa.h"
#include "cpu/kernels/kernels.h"

namespace th::cpu {

/// Set by the functions `set_kernels(Table&)` that every instruction set's namespace declares.
template <class Table>
Table select_kernels() {
  Table table{};
#ifdef __x86_64__
  switch (isa()) {
    case Isa::V4:
      v4::set_kernels(table);
      break;
    case Isa::V3:
      v3::set_kernels(table);
      break;
    default:
      v2::set_kernels(table);
      break;
  }
#else
  generic::set_kernels(table);
#endif
  return table;
}

}  // namespace th::cpu
