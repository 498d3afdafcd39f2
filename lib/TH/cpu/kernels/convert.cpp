// Moving elements: between types, and between strided and contiguous memory.
#include <cmath>
#include <cstring>

#include "core/tensor/dtype.h"
#include "cpu/kernels/kernels.h"
#include "cpu/kernels/prefetch.h"
#include "cpu/kernels/rounding.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace th::cpu::TH_ISA {
namespace {

/// Elements that 32 bits hold, as nearly all do, are cut off by vectors; no instruction set before
/// AVX-512 has vectors of numbers that become 64-bit integers.
template <class To, class From>
void cut_off(To* r, const From* x, int64_t n) {
  constexpr int64_t kChunk = 256;  // read twice: stays in the first-level cache
  for (int64_t begin = 0; begin < n; begin += kChunk) {
    const int64_t end = begin + kChunk < n ? begin + kChunk : n;
    int wide = 0;
    for (int64_t i = begin; i < end; ++i) {
      wide |= std::fabs(x[i]) < From(0x1p31) ? 0 : 1;
    }
    if (wide == 0) [[likely]] {
#pragma GCC ivdep
      for (int64_t i = begin; i < end; ++i) {
        r[i] = static_cast<To>(static_cast<int32_t>(x[i]));
      }
    } else {
      for (int64_t i = begin; i < end; ++i) {
        r[i] = convert<To>(x[i]);
      }
    }
  }
}

template <class To, class From>
void convert_block(void* to, const void* from, int64_t n);

/// 16-bit floating types by way of float.
template <class To, class From>
void cut_off_halves(To* r, const From* x, int64_t n) {
  constexpr int64_t kBlock = 256;
  float floats[kBlock];
  for (int64_t begin = 0; begin < n; begin += kBlock) {
    const int64_t count = begin + kBlock < n ? kBlock : n - begin;
    convert_block<float, From>(floats, x + begin, count);
    cut_off(r + begin, floats, count);
  }
}

/// What the next block will be converted from and to is asked for meanwhile: blocks of several
/// operands take turns, which keeps a processor from seeing where they go on.
/// @return where whole lines end
template <class To, class From, class Line>
[[gnu::always_inline]] inline int64_t convert_lines(To* r, const From* x, int64_t i, int64_t n,
                                                    const Line& line) {
  constexpr int64_t kLine = 32;     // elements of 16 bits
  constexpr int64_t kAhead = 1024;  // as long as a block
  for (; i + kLine <= n; i += kLine) {
    for (size_t byte = 0; byte < kLine * sizeof(From); byte += 64) {
      __builtin_prefetch(reinterpret_cast<const char*>(x + i + kAhead) + byte);
    }
    for (size_t byte = 0; byte < kLine * sizeof(To); byte += 64) {
      __builtin_prefetch(reinterpret_cast<const char*>(r + i + kAhead) + byte, 1);
    }
    line(r + i, x + i, kLine);
  }
  return i;
}

template <class To, class From>
void convert_block(void* to, const void* from, int64_t n) {
  To* r = static_cast<To*>(to);
  const From* x = static_cast<const From*>(from);
  int64_t i = 0;
  if constexpr (std::is_same_v<To, From>) {
    std::memcpy(to, from, static_cast<size_t>(n) * sizeof(To));
    return;
  }
#ifdef __F16C__
  // The compiler does not find these instructions by itself.
  if constexpr (std::is_same_v<From, Half> && std::is_same_v<To, float>) {
    for (; i + 8 <= n; i += 8) {
      const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(x + i));
      _mm256_storeu_ps(r + i, _mm256_cvtph_ps(bits));
    }
  }
  if constexpr (std::is_same_v<From, float> && std::is_same_v<To, Half>) {
    for (; i + 8 <= n; i += 8) {
      const __m128i bits = _mm256_cvtps_ph(_mm256_loadu_ps(x + i), _MM_FROUND_TO_NEAREST_INT);
      _mm_storeu_si128(reinterpret_cast<__m128i*>(r + i), bits);
    }
  }
#endif
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To> && sizeof(To) < 8) {
    cut_off(r, x, n);
    return;
  }
  if constexpr (is_half_type<From> && std::is_integral_v<To> && sizeof(To) < 8) {
    cut_off_halves(r, x, n);
    return;
  }
  if constexpr (is_half_type<From> || is_half_type<To>) {
    i = convert_lines(r, x, i, n, convert_each<To, From>);
  }
  convert_each(r + i, x + i, n - i);
}

#ifdef TH_ROUNDS_BY_PAIRS
void round_block(void* to, const void* from, int64_t n) {
  auto* r = static_cast<BFloat16*>(to);
  const auto* x = static_cast<const float*>(from);
  const int64_t i = convert_lines(r, x, 0, n, round_by_pairs);
  convert_each(r + i, x + i, n - i);
}
#endif

template <class T>
void gather(void* to, const void* from, int64_t stride, int64_t n) {
  T* r = static_cast<T*>(to);
  const T* x = static_cast<const T*>(from);
  if (stride == 1) {
    std::memcpy(to, from, static_cast<size_t>(n) * sizeof(T));
    return;
  }
  if (stride ==
      2) {  // real parts, every second column: shuffles, when the compiler knows the stride
    for (int64_t i = 0; i < n; ++i) {
      r[i] = x[i * 2];
    }
    return;
  }
  for (int64_t i = 0; i < n; ++i) {
    r[i] = x[i * stride];
  }
}

template <class T>
void scatter(void* to, int64_t stride, const void* from, int64_t n) {
  T* r = static_cast<T*>(to);
  const T* x = static_cast<const T*>(from);
  if (stride == 1) {
    std::memcpy(to, from, static_cast<size_t>(n) * sizeof(T));
    return;
  }
  for (int64_t i = 0; i < n; ++i) {
    r[i * stride] = x[i];
  }
}

/// Square tiles of one or two cache lines a side, so that both sides stay in the first-level cache.
template <class T>
void transpose(void* to, int64_t to_stride, const void* from, int64_t from_stride, int64_t rows,
               int64_t columns) {
  constexpr int64_t tile = sizeof(T) >= 8 ? 8 : 16;
  T* r = static_cast<T*>(to);
  const T* x = static_cast<const T*>(from);
  for (int64_t i0 = 0; i0 < rows; i0 += tile) {
    for (int64_t j0 = 0; j0 < columns; j0 += tile) {
      if (i0 + tile <= rows && j0 + tile <= columns) {
        T block[tile][tile];
        for (int64_t i = 0; i < tile; ++i) {
          std::memcpy(block[i], x + (i0 + i) * from_stride + j0, sizeof(block[i]));
        }
        for (int64_t j = 0; j < tile; ++j) {
          T* out = r + (j0 + j) * to_stride + i0;
          for (int64_t i = 0; i < tile; ++i) {
            out[i] = block[i][j];
          }
        }
      } else {
        const int64_t i1 = i0 + tile < rows ? i0 + tile : rows;
        const int64_t j1 = j0 + tile < columns ? j0 + tile : columns;
        for (int64_t j = j0; j < j1; ++j) {
          for (int64_t i = i0; i < i1; ++i) {
            r[j * to_stride + i] = x[i * from_stride + j];
          }
        }
      }
    }
  }
}

template <bool Far>
void past_caches(void* to, const void* from, int64_t bytes) {
#if defined(__AVX512F__)
  for (int64_t i = 0; i < bytes; i += 64) {
    if constexpr (Far) {
      prefetch_ahead(static_cast<const char*>(from) + i);
    }
    _mm512_stream_si512(reinterpret_cast<__m512i*>(static_cast<char*>(to) + i),
                        _mm512_loadu_si512(static_cast<const char*>(from) + i));
  }
#elif defined(__SSE2__)
  const char* x = static_cast<const char*>(from);
  char* r = static_cast<char*>(to);
  for (const char* end = x + bytes; x < end; x += 64, r += 64) {
    if constexpr (Far) {
      prefetch_ahead(x);
    }
    for (int i = 0; i < 64; i += 16) {
      _mm_stream_si128(reinterpret_cast<__m128i*>(r + i),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(x + i)));
    }
  }
#else
  std::memcpy(to, from, static_cast<size_t>(bytes));
#endif
}

void finish_past_caches() {
#ifdef __SSE2__
  _mm_sfence();  // streamed stores are not ordered with those that follow
#endif
}

template <class T>
void fill_block(void* to, const void* element, int64_t n) {
  T value;
  std::memcpy(&value, element, sizeof(T));
  T* r = static_cast<T*>(to);
  for (int64_t i = 0; i < n; ++i) {
    r[i] = value;
  }
}

template <class From>
void fill_conversions(ConvertKernels& table) {
  [&]<class... To>(TypeSet<To...>) {
    ((table.convert[dtype_of<From>][dtype_of<To>] = convert_block<To, From>), ...);
  }(AllTypes{});
}

}  // namespace

void set_kernels(ConvertKernels& table) {
  [&]<class... From>(TypeSet<From...>) { (fill_conversions<From>(table), ...); }(AllTypes{});
#ifdef TH_ROUNDS_BY_PAIRS
  if (has_fast_pairs()) {
    table.convert[TH_FLOAT][TH_BFLOAT16] = round_block;
  }
#endif
  table.past_caches = past_caches<false>;
  table.past_caches_from_memory = past_caches<true>;
  table.finish_past_caches = finish_past_caches;
  [&]<class... T>(TypeSet<T...>) {
    int size = 0;
    ((table.gather[size] = gather<T>, table.scatter[size] = scatter<T>,
      table.transpose[size] = transpose<T>, table.repeat[size] = fill_block<T>, ++size),
     ...);
  }(TypeSet<uint8_t, int16_t, int32_t, int64_t>{});
}

}  // namespace th::cpu::TH_ISA
