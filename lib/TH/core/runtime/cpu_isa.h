// Which of the compiled instruction sets this CPU runs.
#pragma once

#pragma GCC visibility push(default)  // for the kernels of packages
namespace th {

enum class Isa { Generic, V2, V3, V4 };  // x86-64-v2 (SSE4.2), -v3 (AVX2, FMA), -v4 (AVX-512)

/// The best one, or the one that TH_INSTRUCTION_SET (v2, v3, v4) asks for if the CPU has it.
Isa isa();
const char* instruction_set_name();
/// Whether products of pairs of bfloat16 (avx512_bf16) are there and twice as many a second as
/// those of floats. AMD's are (measured on Zen 4: 58 and 116 thousand million multiplications); a
/// Sapphire Rapids makes half as many. By name, so that results do not depend on how busy a machine
/// is.
bool has_fast_pairs();

}  // namespace th

#pragma GCC visibility pop
