#include "cpu/kernels/order.h"

#include <bit>

#include "core/tensor/dtype.h"
#include "functors/order.h"

namespace th::cpu::TH_ISA {
namespace {

using functors::bits_of;
using functors::key_of;
using functors::Unsigned;

template <class P, class T>
void pack(P* to, const void* x, int64_t first, int64_t n, typename P::Key flip) {
  const auto* bits = static_cast<const Unsigned<T>*>(x) + first;
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    to[i] = P::make(key_of<T>(bits[i]) ^ flip, first + i);
  }
}

template <class P, class T>
void unpack(void* values, int64_t* positions, const P* from, int64_t n, typename P::Key flip) {
  auto* bits = static_cast<Unsigned<T>*>(values);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    bits[i] = bits_of<T>(static_cast<Unsigned<T>>(from[i].key() ^ flip));
    positions[i] = from[i].position() + 1;
  }
}

template <class P, class T>
int64_t scan(P* to, int64_t room, const void* x, int64_t* first, int64_t end, typename P::Key limit,
             typename P::Key flip) {
  const auto* bits = static_cast<const Unsigned<T>*>(x);
  int64_t found = 0;
  int64_t i = *first;
  for (; i + kScanBlock <= end && room - found >= kScanBlock; i += kScanBlock) {
    uint8_t below[kScanBlock];
    for (int64_t j = 0; j < kScanBlock; ++j) {
      below[j] = (key_of<T>(bits[i + j]) ^ flip) < limit;
    }
    for (int64_t j = 0; j < kScanBlock; j += 8) {
      uint64_t eight;
      __builtin_memcpy(&eight, below + j, 8);
      for (; eight != 0; eight &= eight - 1) {  // most are 0
        const int64_t at = i + j + std::countr_zero(eight) / 8;
        to[found++] = P::make(key_of<T>(bits[at]) ^ flip, at);
      }
    }
  }
  for (; i < end && end - i < kScanBlock && found < room; ++i) {
    const typename P::Key key = key_of<T>(bits[i]) ^ flip;
    if (key < limit) {
      to[found++] = P::make(key, i);
    }
  }
  *first = i;
  return found;
}

template <class P, class... Ts>
void fill_types(OrderKernels<P>& table, TypeSet<Ts...>) {
  ((table.pack[dtype_of<Ts>] = pack<P, Ts>, table.unpack[dtype_of<Ts>] = unpack<P, Ts>,
    table.scan[dtype_of<Ts>] = scan<P, Ts>),
   ...);
}

}  // namespace

void set_kernels(OrderKernels<Narrow>& table) { fill_types(table, NarrowTypes{}); }

void set_kernels(OrderKernels<Wide>& table) { fill_types(table, AllTypes{}); }

}  // namespace th::cpu::TH_ISA
