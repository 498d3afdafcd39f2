// Between planes and the pixels of files, channel beside channel; and pictures mirrored.
#include <cmath>
#include <cstring>

#include "cpu/parallel.h"
#include "picture.h"

namespace th::image {
namespace {

int64_t sample(const uint8_t* pixels, int64_t i, bool wide, bool swapped) {
  if (!wide) {
    return pixels[i];
  }
  uint16_t v;
  std::memcpy(&v, pixels + 2 * i, 2);
  return swapped ? static_cast<uint16_t>(v << 8 | v >> 8) : v;
}

/// v of 0..maximum as an element. Of 16 bits a byte keeps the upper ones.
template <class T>
T element(int64_t v, double maximum) {
  const auto x = static_cast<double>(v);
  if constexpr (std::is_integral_v<T>) {
    return maximum == 65535 ? static_cast<T>(v >> 8)
                            : static_cast<T>(std::floor(std::min(x, maximum) * 255 / maximum));
  } else {
    return static_cast<T>(std::min(x, maximum) / maximum);
  }
}

template <class T>
void unpack_as(T* r, const uint8_t* pixels, int64_t plane, int64_t channels, bool wide,
               bool swapped, double maximum) {
  T of_byte[256];
  for (int v = 0; v < 256; ++v) {
    of_byte[v] = element<T>(v, maximum);
  }
  cpu::parallel_for(plane, cpu::kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t c = 0; c < channels; ++c) {
      T* const to = r + c * plane;
      for (int64_t i = begin; i < end; ++i) {
        const int64_t v = sample(pixels, i * channels + c, wide, swapped);
        to[i] = wide ? element<T>(v, maximum) : of_byte[v];
      }
    }
  });
}

void unpack(TH_Tensor* r, const uint8_t* pixels, int64_t size, int64_t height, int64_t width,
            int64_t channels, int bits, bool swapped, double maximum) {
  TH_CHECK(r != nullptr && r->device_type == TH_CPU, "the result is no tensor of the CPU");
  TH_CHECK(height > 0 && width > 0 && channels > 0, "there are no pixels");
  const int64_t sizes[] = {channels, height, width};
  const int64_t count = checked_count(sizes);
  const int64_t needed = count * (bits / 8);
  TH_CHECK(size >= needed, "the pixels end early: there are ", size, " bytes, wanted ", needed);
  TypeSet<uint8_t, float, double>::dispatch(r->dtype, [&]<class T>() {
    Result result(r, sizes, Result::Compact, {});
    T* const to = result.data<T>();
    const int64_t plane = height * width;
    if (std::is_same_v<T, uint8_t> && bits == 8 && maximum == 255 && channels == 3) {
      cpu::parallel_for(plane, cpu::kGrain, [&](int64_t begin, int64_t end) {
        kernels().split3(reinterpret_cast<uint8_t*>(to), plane, pixels, begin, end);
      });
    } else {
      unpack_as<T>(to, pixels, plane, channels, bits == 16, swapped, maximum);
    }
    result.finish();
  });
}

/// Bytes as they are.
void pack_bytes(uint8_t* r, const uint8_t* x, int64_t plane, int64_t channels) {
  cpu::parallel_for(plane, cpu::kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t c = 0; c < channels; ++c) {
      const uint8_t* const from = x + c * plane;
      for (int64_t i = begin; i < end; ++i) {
        r[i * channels + c] = from[i];
      }
    }
  });
}

template <class T>
void pack_as(uint8_t* r, const T* x, int64_t plane, int64_t channels, bool wide) {
  if constexpr (std::is_same_v<T, uint8_t>) {
    if (!wide) {
      return pack_bytes(r, x, plane, channels);
    }
  }
  constexpr bool whole = std::is_integral_v<T>;
  const double one = whole ? 255 : 1;
  const double most = wide ? 65535 : 255;
  cpu::parallel_for(plane, cpu::kGrain / 4, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      for (int64_t c = 0; c < channels; ++c) {
        const double v = static_cast<double>(x[c * plane + i]);
        const double limited = v > 0 ? (v < one ? v : one) : 0;  // NaN is black
        const auto n = static_cast<unsigned>(limited * (most / one) + 0.5);
        uint8_t* const to = r + (i * channels + c) * (wide ? 2 : 1);
        if (wide) {
          to[0] = static_cast<uint8_t>(n >> 8);
          to[1] = static_cast<uint8_t>(n);
        } else {
          to[0] = static_cast<uint8_t>(n);
        }
      }
    }
  });
}

void pack(TH_Tensor* r, const TH_Tensor* t, int bits) {
  const Picture x(t);
  TH_CHECK(r != nullptr && r->device_type == TH_CPU, "the result is no tensor of the CPU");
  check_dtype(*r, TH_BYTE, "the result");
  TH_CHECK(x.tensor.ndim <= 3, "a picture is C x H x W or H x W, got ", shape(x.tensor));
  const int64_t sizes[] = {x.height, x.width, x.planes * (bits / 8)};
  ComputeTypes::dispatch(x.tensor.dtype, [&]<class T>() {
    Result result(r, sizes, Result::Compact, {&x.tensor});
    pack_as<T>(result.data<uint8_t>(), data<T>(x.tensor), x.height * x.width, x.planes, bits == 16);
    result.finish();
  });
}

/// Elements of some size, backwards.
template <class Element>
void reverse(void* r, const void* x, int64_t n) {
  auto* const to = static_cast<Element*>(r);
  const auto* const from = static_cast<const Element*>(x);
  for (int64_t i = 0; i < n; ++i) {
    to[i] = from[n - 1 - i];
  }
}

void flip(TH_Tensor* r, const TH_Tensor* t, int dim) {
  check_defined(t, "the picture");
  check_result(r, *t);
  TH_CHECK(t->device_type == TH_CPU, "a picture is a tensor of the CPU, got a ", type_name(*t),
           "; copy it, as in x:float()");
  check_dim(*t, dim);
  const Tensor x = contiguous(*t);
  int64_t inner = element_size(x.dtype);  // bytes that stay together
  for (int d = dim + 1; d < x.ndim; ++d) {
    inner *= x.sizes[d];
  }
  const bool last = inner == element_size(x.dtype);
  const int64_t length = x.sizes[dim];
  const int64_t run = inner * length;
  Result result(r, sizes_of(x), Result::Compact, {&x});
  char* const to = result.data<char>();
  const char* const from = bytes(x);
  cpu::parallel_items(numel(x) * element_size(x.dtype) / run, run, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      char* const a = to + i * run;
      const char* const b = from + i * run;
      if (last && inner == 1) {
        reverse<uint8_t>(a, b, length);
      } else if (last && inner == 2) {
        reverse<uint16_t>(a, b, length);
      } else if (last && inner == 4) {
        reverse<uint32_t>(a, b, length);
      } else if (last) {
        reverse<uint64_t>(a, b, length);
      } else {
        for (int64_t k = 0; k < length; ++k) {
          std::memcpy(a + k * inner, b + (length - 1 - k) * inner, static_cast<size_t>(inner));
        }
      }
    }
  });
  result.finish();
}

}  // namespace
}  // namespace th::image

int THImage_unpack(TH_Tensor* r, const void* pixels, int64_t bytes, int64_t height, int64_t width,
                   int64_t channels, int bits, bool swapped, double maximum) {
  return th::guarded("image.load", [&] {
    th::image::unpack(r, static_cast<const uint8_t*>(pixels), bytes, height, width, channels, bits,
                      swapped, maximum);
  });
}

int THImage_pack(TH_Tensor* r, const TH_Tensor* x, int bits) {
  return th::guarded("image.save", [&] { th::image::pack(r, x, bits); });
}

int THImage_flip(TH_Tensor* r, const TH_Tensor* x, int dim) {
  return th::guarded("image.flip", [&] { th::image::flip(r, x, dim); });
}
