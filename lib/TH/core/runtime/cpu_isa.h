// Which of the compiled instruction sets this CPU runs.
#pragma once

#pragma GCC visibility push(default)  // for the kernels of packages
namespace th {

enum class Isa { Generic, V2, V3, V4 };  // x86-64-v2 (SSE4.2), -v3 (AVX2, FMA), -v4 (AVX-512)

/// The best one, or the one that TH_INSTRUCTION_SET (v2, v3, v4) asks for if the CPU has it.
Isa isa();
const char* instruction_set_name();

}  // namespace th

#pragma GCC visibility pop
