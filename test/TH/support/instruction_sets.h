// Tables of kernels of every instruction set that this CPU has, whichever one the library picked.
// Tables whose headers are named here: functions that are declared later are not found.
#pragma once

#include "cpu/kernels/kernels.h"
#include "cpu/kernels/linalg/dense_gemm.h"
#include "cpu/kernels/linalg/gemm.h"
#include "cpu/kernels/linalg/gemv.h"
#include "cpu/kernels/nn/loss.h"
#include "cpu/kernels/nn/quantized.h"
#include "cpu/kernels/nn/recurrent_cells.h"
#include "cpu/kernels/optim.h"

namespace th::test {

/// f(name, fill) for each; fill(table) sets a table's kernels.
template <class F>
void each_instruction_set(const F& f) {
#ifdef __x86_64__
  f("v2", [](auto& table) { cpu::v2::set_kernels(table); });
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    f("v3", [](auto& table) { cpu::v3::set_kernels(table); });
  }
  if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd")) {
    f("v4", [](auto& table) { cpu::v4::set_kernels(table); });
  }
#else
  f("generic", [](auto& table) { cpu::generic::set_kernels(table); });
#endif
}

}  // namespace th::test
