// Loops over elements whose results depend neither on an element's place nor on how threads share
// the work.
#pragma once

#include <cstdint>
#include <cstring>

#include "cpu/kernels/vectors.h"

namespace th::cpu::TH_ISA {
namespace {

/// The pointers first to last of a loop, as bits.
constexpr unsigned pointers(int first, int last) { return (2u << last) - (1u << first); }
constexpr unsigned pointer(int k) { return pointers(k, k); }

/// loop(p, n) over Count pointers to n elements each, some of which may be null. What libm or the
/// compiler's fusing of operations make of a number and of a vector differs in the last bits: the
/// elements beyond the last whole vector are computed as one as well, filled up with the first of
/// them. Read and Written say which pointers the loop reads and writes.
template <class T, int Count, unsigned Read, unsigned Written, class Loop>
[[gnu::always_inline]] inline void by_whole_vectors(void* const* p, int64_t n, const Loop& loop) {
  const int64_t rest = n % kLanes<T>;
  const int64_t whole = n - rest;
  if (whole > 0) {
    loop(p, whole);
  }
  if (rest == 0) {
    return;
  }
  alignas(Vector<T>) T blocks[Count][kLanes<T>];
  void* parts[Count];
  for (int k = 0; k < Count; ++k) {
    parts[k] = p[k] == nullptr ? nullptr : blocks[k];
    if ((Read & pointer(k)) != 0 && p[k] != nullptr) {
      const T* x = static_cast<const T*>(p[k]) + whole;
      const Vector<T> part = load_part<T>(x, rest, Vector<T>{} + x[0]);
      std::memcpy(blocks[k], &part, sizeof(part));
    }
  }
  loop(parts, kLanes<T>);
  for (int k = 0; k < Count; ++k) {
    if ((Written & pointer(k)) != 0) {
      store_part<T>(static_cast<T*>(p[k]) + whole, rest, load<Vector<T>>(blocks[k]));
    }
  }
}

}  // namespace
}  // namespace th::cpu::TH_ISA
