// Red, green, blue, red, green, blue, ... to a plane of each: 16 pixels are three vectors of bytes.
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

}  // namespace

void fill_split(Kernels& table) { table.split3 = split3; }

}  // namespace th::image::TH_ISA
