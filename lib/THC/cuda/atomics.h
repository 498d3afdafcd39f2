// Additions and minima that threads of a kernel make to one place in memory. The simulated build
// runs the threads of a kernel one after the other.
#pragma once

#include <cstdint>

#include "functors/numeric.h"

namespace thc {

#ifdef __CUDA_ARCH__

namespace detail {

/// Replace the T at `address` by f(T): compare-and-swap on the 32-bit word that holds it.
template <class T, class F>
__device__ void atomic_update(T* address, F f) {
  constexpr unsigned kBits = 8 * sizeof(T);
  const auto place = reinterpret_cast<uintptr_t>(address);
  auto* word = reinterpret_cast<unsigned*>(place & ~uintptr_t{3});
  const auto shift = static_cast<unsigned>(8 * (place & 3));
  constexpr unsigned kMask = kBits == 32 ? ~0u : (1u << (kBits & 31)) - 1u;
  using Bits = std::conditional_t<sizeof(T) == 1, uint8_t,
                                  std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>>;
  unsigned seen = *word;
  unsigned expected;
  do {
    expected = seen;
    const auto old = static_cast<Bits>((seen >> shift) & kMask);
    const auto updated = std::bit_cast<Bits>(f(std::bit_cast<T>(old)));
    const unsigned wanted = (seen & ~(kMask << shift)) | (static_cast<unsigned>(updated) << shift);
    seen = atomicCAS(word, expected, wanted);
  } while (seen != expected);
}

}  // namespace detail

#endif

/// *address += value; the 16-bit types round after every addition.
template <class T>
TH_HD inline void atomic_add(T* address, T value) {
#ifdef __CUDA_ARCH__
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    atomicAdd(address, value);
  } else if constexpr (sizeof(T) == 8) {
    atomicAdd(reinterpret_cast<unsigned long long*>(address),
              static_cast<unsigned long long>(value));
  } else if constexpr (std::is_integral_v<T> && sizeof(T) == 4) {
    atomicAdd(reinterpret_cast<unsigned*>(address), static_cast<unsigned>(value));
  } else if constexpr (th::is_half_type<T>) {
    detail::atomic_update(
        address, [=](T old) { return T(static_cast<float>(old) + static_cast<float>(value)); });
  } else {
    detail::atomic_update(
        address, [=](T old) { return static_cast<T>(th::wrapping(old) + th::wrapping(value)); });
  }
#else
  using C = th::Compute<T>;
  *address = static_cast<T>(
      static_cast<C>(th::wrapping(static_cast<C>(*address)) + th::wrapping(static_cast<C>(value))));
#endif
}

/// *address = min(*address, value)
TH_HD inline void atomic_min(int64_t* address, int64_t value) {
#ifdef __CUDA_ARCH__
  atomicMin(reinterpret_cast<long long*>(address), static_cast<long long>(value));
#else
  if (value < *address) {
    *address = value;
  }
#endif
}

}  // namespace thc
