#include "core/runtime/cpu_isa.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace th {
namespace {

#ifdef __x86_64__
#if defined(__clang__) && __clang_major__ < 17  // knows no levels by their names
bool has_v3() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
}
bool has_v4() {
  return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}
#else
bool has_v3() { return __builtin_cpu_supports("x86-64-v3"); }
bool has_v4() { return __builtin_cpu_supports("x86-64-v4"); }
#endif
#endif

Isa detect() {
#ifdef __x86_64__
  __builtin_cpu_init();
  Isa best = Isa::V2;
  if (has_v4()) {
    best = Isa::V4;
  } else if (has_v3()) {
    best = Isa::V3;
  }
  if (const char* wanted = std::getenv("TH_INSTRUCTION_SET")) {
    const std::string_view name = wanted;
    const Isa limit = name == "v2" ? Isa::V2 : name == "v3" ? Isa::V3 : Isa::V4;
    best = std::min(best, limit);
  }
  return best;
#else
  return Isa::Generic;
#endif
}

}  // namespace

Isa isa() {
  static const Isa detected = detect();
  return detected;
}

bool has_fast_pairs() {
#ifdef __x86_64__
  return isa() == Isa::V4 && __builtin_cpu_is("amd") && __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

const char* instruction_set_name() {
  constexpr const char* names[] = {"generic", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  return names[static_cast<int>(isa())];
}

}  // namespace th
