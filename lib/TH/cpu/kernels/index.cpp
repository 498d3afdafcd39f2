#include "cpu/kernels/index.h"

#include <cstring>

#include "core/tensor/dtype.h"
#include "cpu/kernels/prefetch.h"

namespace th::cpu::TH_ISA {
namespace {

bool in_range(const int64_t* positions, int64_t n, int64_t size) {
  const auto limit = static_cast<uint64_t>(size);
  uint64_t outside = 0;
  // Position 0 and the negative ones wrap to huge numbers.
  const auto look = [&](int64_t i) { outside |= static_cast<uint64_t>(positions[i]) - 1 >= limit; };
  int64_t i = 0;
  for (; i + 64 <= n; i += 64) {
    for (int64_t j = 0; j < 64; j += 8) {
      prefetch_ahead(positions + i + j);
    }
    for (int64_t j = 0; j < 64; ++j) {
      look(i + j);
    }
  }
  for (; i < n; ++i) {
    look(i);
  }
  return outside == 0;
}

int64_t count_ones(const uint8_t* mask, int64_t n) {
  constexpr int64_t block = 1 << 20;  // sums of so many bytes fit into 32 bits
  int64_t count = 0;
  uint8_t seen = 0;
  for (int64_t i = 0; i < n; i += block) {
    const int64_t end = i + block < n ? i + block : n;
    uint32_t ones = 0;
    for (int64_t j = i; j < end; ++j) {
      ones += mask[j];
      seen |= mask[j];
    }
    count += ones;
  }
  return seen > 1 ? -1 : count;
}

template <class T>
void masked_fill(void* const* p, int64_t n, const double* scalars) {
  T* r = static_cast<T*>(p[0]);
  const T* x = static_cast<const T*>(p[1]);
  const uint8_t* mask = static_cast<const uint8_t*>(p[2]);
  T value;
  std::memcpy(&value, scalars, sizeof(T));
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    r[i] = mask[i] != 0 ? value : x[i];
  }
}

}  // namespace

void set_kernels(IndexKernels& table) {
  table.in_range = in_range;
  table.count_ones = count_ones;
  table.masked_fill[0] = masked_fill<uint8_t>;
  table.masked_fill[1] = masked_fill<uint16_t>;
  table.masked_fill[2] = masked_fill<uint32_t>;
  table.masked_fill[3] = masked_fill<uint64_t>;
}

}  // namespace th::cpu::TH_ISA
