// Red, green, blue, red, green, blue, ... to a plane of each and back: 16 pixels are three vectors
// of bytes. And elements in the other order.
#include "kernels/parts.h"

namespace th::image::TH_ISA {
namespace {

using Bytes = uint8_t __attribute__((vector_size(16)));

void split3(uint8_t* r, int64_t plane, const uint8_t* pixels, int64_t begin, int64_t end) {
  int64_t i = begin;
  for (; i + 16 <= end; i += 16) {
    Bytes a;
    Bytes b;
    Bytes c;
    __builtin_memcpy(&a, pixels + 3 * i, 16);
    __builtin_memcpy(&b, pixels + 3 * i + 16, 16);
    __builtin_memcpy(&c, pixels + 3 * i + 32, 16);
    // Of a and b first (what comes from c is filled in then), then of that and c.
    const Bytes r1 =
        __builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0);
    const Bytes g1 =
        __builtin_shufflevector(a, b, 1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0);
    const Bytes b1 =
        __builtin_shufflevector(a, b, 2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0);
    const Bytes red =
        __builtin_shufflevector(r1, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29);
    const Bytes green =
        __builtin_shufflevector(g1, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30);
    const Bytes blue =
        __builtin_shufflevector(b1, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31);
    __builtin_memcpy(r + i, &red, 16);
    __builtin_memcpy(r + plane + i, &green, 16);
    __builtin_memcpy(r + 2 * plane + i, &blue, 16);
  }
  for (; i < end; ++i) {
    for (int64_t p = 0; p < 3; ++p) {
      r[p * plane + i] = pixels[3 * i + p];
    }
  }
}

/// The other way.
void merge3(uint8_t* pixels, const uint8_t* x, int64_t plane, int64_t begin, int64_t end) {
  int64_t i = begin;
  for (; i + 16 <= end; i += 16) {
    Bytes red;
    Bytes green;
    Bytes blue;
    __builtin_memcpy(&red, x + i, 16);
    __builtin_memcpy(&green, x + plane + i, 16);
    __builtin_memcpy(&blue, x + 2 * plane + i, 16);
    const Bytes rg0 =
        __builtin_shufflevector(red, green, 0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5);
    const Bytes out0 =
        __builtin_shufflevector(rg0, blue, 0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15);
    __builtin_memcpy(pixels + 3 * i + 0, &out0, 16);
    const Bytes rg1 =
        __builtin_shufflevector(red, green, 21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26);
    const Bytes out1 =
        __builtin_shufflevector(rg1, blue, 0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15);
    __builtin_memcpy(pixels + 3 * i + 16, &out1, 16);
    const Bytes rg2 = __builtin_shufflevector(red, green, 0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14,
                                              30, 0, 15, 31, 0);
    const Bytes out2 = __builtin_shufflevector(rg2, blue, 26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11,
                                               30, 13, 14, 31);
    __builtin_memcpy(pixels + 3 * i + 32, &out2, 16);
  }
  for (; i < end; ++i) {
    for (int64_t p = 0; p < 3; ++p) {
      pixels[3 * i + p] = x[p * plane + i];
    }
  }
}

template <class Element>
void reverse(void* r, const void* x, int64_t n) {
  auto* const __restrict to = static_cast<Element*>(r);
  const auto* const __restrict from = static_cast<const Element*>(x);
  for (int64_t i = 0; i < n; ++i) {
    to[i] = from[n - 1 - i];
  }
}

}  // namespace

void fill_split(Kernels& table) {
  table.split3 = split3;
  table.merge3 = merge3;
  table.reverse[0] = reverse<uint8_t>;
  table.reverse[1] = reverse<uint16_t>;
  table.reverse[2] = reverse<uint32_t>;
  table.reverse[3] = reverse<uint64_t>;
}

}  // namespace th::image::TH_ISA
