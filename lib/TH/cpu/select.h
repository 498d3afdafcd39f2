// Picks, once, the kernels of the best instruction set this CPU has.
#pragma once

#include "core/cpu_isa.h"
#include "cpu/kernels/kernels.h"

namespace th::cpu {

/// Filled by the functions `fill(Table&)` that every instruction set's namespace declares.
template <class Table>
Table select_kernels() {
  Table table{};
#ifdef __x86_64__
  switch (isa()) {
    case Isa::V4:
      v4::fill(table);
      break;
    case Isa::V3:
      v3::fill(table);
      break;
    default:
      v2::fill(table);
      break;
  }
#else
  generic::fill(table);
#endif
  return table;
}

}  // namespace th::cpu
