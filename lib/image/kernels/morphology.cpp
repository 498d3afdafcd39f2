#include "kernels/numbers.h"
#include "kernels/parts.h"

namespace th::image::TH_ISA {
namespace {

struct Least {
  template <class T>
  static T of(T a, T b) {
    return a < b ? a : b;
  }
};
struct Most {
  template <class T>
  static T of(T a, T b) {
    return a > b ? a : b;
  }
};

/// Row y: each offset's pixels, a shifted row, are compared with what is there.
template <class T, class Pick>
void row_of(T* r, const T* x, int64_t y, int64_t height, int64_t width, const Offset* offsets,
            int64_t count, T pad) {
  for (int64_t k = 0; k < count; ++k) {
    const int64_t from = y + offsets[k].y;
    const int64_t shift = offsets[k].x;
    const bool on = from >= 0 && from < height;
    const int64_t begin = on ? (shift < 0 ? (-shift < width ? -shift : width) : 0) : width;
    const int64_t end =
        on ? (shift > 0 ? (width - shift > begin ? width - shift : begin) : width) : width;
    const T* at = x + from * width + shift;
    if (k == 0) {
      for (int64_t i = 0; i < begin; ++i) {
        r[i] = pad;
      }
      for (int64_t i = begin; i < end; ++i) {
        r[i] = at[i];
      }
      for (int64_t i = end; i < width; ++i) {
        r[i] = pad;
      }
    } else {
      for (int64_t i = 0; i < begin; ++i) {
        r[i] = Pick::of(r[i], pad);
      }
      for (int64_t i = begin; i < end; ++i) {
        r[i] = Pick::of(r[i], at[i]);
      }
      for (int64_t i = end; i < width; ++i) {
        r[i] = Pick::of(r[i], pad);
      }
    }
  }
}

template <class T>
void morphology(void* r, const void* x, int64_t height, int64_t width, const Offset* offsets,
                int64_t count, int64_t begin, int64_t end, bool erode, double pad) {
  const T outside = to_element<T>(pad);
  const T* from = static_cast<const T*>(x);
  for (int64_t y = begin; y < end; ++y) {
    T* to = static_cast<T*>(r) + y * width;
    if (erode) {
      row_of<T, Least>(to, from, y, height, width, offsets, count, outside);
    } else {
      row_of<T, Most>(to, from, y, height, width, offsets, count, outside);
    }
  }
}

}  // namespace

void fill_morphology(Kernels& table) {
  for_types([&]<class T>() { table.morphology[dtype_of<T>] = morphology<T>; });
}

}  // namespace th::image::TH_ISA
