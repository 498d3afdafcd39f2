// Elements as integers that sort as the elements do, compiled once per instruction set.
//
// An element and its position become one integer, the key in its upper bits: a sort of plain
// integers then carries the positions along, and orders equal elements by position. Keys order as
// numbers do, -0 before +0, all NaNs alike and last; xor with `flip` (all ones in the key's width)
// reverses the order of the elements but not of the positions of equal ones.
#pragma once

#include "cpu/kernels/kernels.h"

namespace th::cpu {

/// For elements of up to 4 bytes, in lines of up to 2^32 - 1 elements.
struct Narrow {
  using Key = uint32_t;
  uint64_t bits;
  static Narrow make(Key key, int64_t position) {
    return {static_cast<uint64_t>(key) << 32 | static_cast<uint64_t>(position)};
  }
  Key key() const { return static_cast<Key>(bits >> 32); }
  int64_t position() const { return static_cast<uint32_t>(bits); }
  friend bool operator<(Narrow a, Narrow b) { return a.bits < b.bits; }
};

/// For every element and length.
struct alignas(16) Wide {
  using Key = uint64_t;
  uint64_t low;  // the position; lower half of a 128-bit integer
  uint64_t high;
  static Wide make(Key key, int64_t position) { return {static_cast<uint64_t>(position), key}; }
  Key key() const { return high; }
  int64_t position() const { return static_cast<int64_t>(low); }
  friend bool operator<(Wide a, Wide b) {
    return a.high < b.high || (a.high == b.high && a.low < b.low);
  }
};

/// By element type. P is Narrow (null for 8-byte elements) or Wide.
template <class P>
struct OrderKernels {
  /// x[first, first + n) with their positions, counted from 0 at x.
  void (*pack[TH_NUM_DTYPES])(P* to, const void* x, int64_t first, int64_t n,
                              typename P::Key flip) = {};
  /// The elements again, and their positions counted from 1.
  void (*unpack[TH_NUM_DTYPES])(void* values, int64_t* positions, const P* from, int64_t n,
                                typename P::Key flip) = {};
  /// Pack those of x[*first, end) whose key is below `limit`, block by block while there is room
  /// for a block of them. Returns how many; *first becomes the first element not looked at.
  int64_t (*scan[TH_NUM_DTYPES])(P* to, int64_t room, const void* x, int64_t* first, int64_t end,
                                 typename P::Key limit, typename P::Key flip) = {};
};

inline constexpr int64_t kScanBlock = 64;

#define TH_ORDER_TABLES(ISA)               \
  namespace ISA {                          \
  void set_kernels(OrderKernels<Narrow>&); \
  void set_kernels(OrderKernels<Wide>&);   \
  }
#ifdef __x86_64__
TH_ORDER_TABLES(v2)
TH_ORDER_TABLES(v3)
TH_ORDER_TABLES(v4)
#else
TH_ORDER_TABLES(generic)
#endif
#undef TH_ORDER_TABLES

template <class P>
const OrderKernels<P>& order_kernels();

}  // namespace th::cpu
