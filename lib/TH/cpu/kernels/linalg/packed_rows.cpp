#include "cpu/kernels/linalg/packed_rows.h"

#include "cpu/kernels/vectors.h"
#include "functors/quantized.h"

namespace th::cpu::TH_ISA {
namespace {

constexpr int kL = kLanes<float>;
using F = Vector<float>;
using I = Vector<uint32_t>;

template <int Bits>
constexpr int kShifts = 32 / Bits;
template <int Bits>
constexpr int64_t kBlock = kL* kShifts<Bits>;

template <int... Lane>
[[gnu::always_inline]] inline F halves(const F& low, const F& high,
                                       std::integer_sequence<int, Lane...>) {
  return __builtin_shufflevector(low, high, (Lane < kL / 2 ? Lane : kL + Lane)...);
}
/// Each of four numbers for a quarter of the lanes.
template <int... Lane>
[[gnu::always_inline]] inline F quarters(const float* p, std::integer_sequence<int, Lane...>) {
#ifdef __AVX512F__  // gcc 12 goes through memory for what is written below
  const Vector<int32_t> places = {(Lane * 4 / kL)...};
  const __m512 all = _mm512_maskz_broadcast_f32x4(0xffff, _mm_loadu_ps(p));
  return (F)_mm512_maskz_permutexvar_ps(0xffff, (__m512i)places, all);
#else
  const auto v = load<Vector<float, 4>>(p);
  return __builtin_shufflevector(v, v, (Lane * 4 / kL)...);
#endif
}

int64_t block(int bits) { return bits == 4 ? kBlock<4> : kBlock<8>; }

void arrange(const PackedOperand& w, const float* x, float* arranged, float* sums) {
  const int64_t shifts = 32 / w.bits;
  const int64_t whole = block(w.bits);
  for (int64_t first = 0; first < w.columns; first += whole) {
    for (int64_t s = 0; s < shifts; ++s) {
      for (int64_t lane = 0; lane < kL; ++lane) {
        const int64_t column = first + lane * shifts + s;
        *arranged++ = column < w.columns ? x[column] : 0.f;
      }
    }
  }
  for (int64_t g = 0; g < w.groups(); ++g) {
    float sum = 0;
    for (int64_t j = 0; j < w.group; ++j) {
      sum += x[g * w.group + j];
    }
    sums[g] = sum;
  }
}

/// 1 + c / 2^Bits for the s-th code c of each lane.
template <int Bits>
[[gnu::always_inline]] inline F spread_codes(I codes, int s) {
  constexpr uint32_t kOne = 0x3f800000;
  constexpr int kTop = 23 - Bits;  // where a code is the first bits behind the point
  constexpr uint32_t kMask = ((1u << Bits) - 1) << kTop;
  const int left = kTop - s * Bits;
  const I moved = left >= 0 ? codes << left : codes >> -left;
#ifdef __AVX512F__
  return (F)_mm512_ternarylogic_epi32((__m512i)moved, _mm512_set1_epi32(kMask),
                                      _mm512_set1_epi32(kOne), 0xea);  // (a & b) | c
#else
  return (F)((moved & kMask) | kOne);
#endif
}

/// A scale for each lane: `Same` neighbours have one; all of a vector where that is as long.
template <int Same>
[[gnu::always_inline]] inline F lane_scales(const float* scale) {
  if constexpr (Same >= kL) {
    return F{} + *scale;
  } else if constexpr (Same == kL / 2) {
    return halves(F{} + scale[0], F{} + scale[1], std::make_integer_sequence<int, kL>{});
  } else {
    static_assert(Same == kL / 4);
    return quarters(scale, std::make_integer_sequence<int, kL>{});
  }
}

/// Sum over a row's groups of scale times (zero + 2^Bits) times the vector's sum: what codes that
/// are one too large, and their zeros, add to a product.
template <int Bits>
[[gnu::always_inline]] inline float excess(const PackedOperand& w, int64_t row, const float* sums) {
  constexpr float kShift = 1 << Bits;
  const int64_t groups = w.groups();
  const float* scale = w.scale + row * groups;
  const uint8_t* zero = w.zero + row * groups;
  float total = 0;
  int64_t g = 0;
  F lanes{};
  for (; g + kL <= groups; g += kL) {
    const auto bytes = load<Vector<uint8_t, kL>>(zero + g);
    const F zeros = __builtin_convertvector(__builtin_convertvector(bytes, Vector<int32_t>), F);
    lanes += load<F>(scale + g) * (zeros + kShift) * load<F>(sums + g);
  }
  for (; g < groups; ++g) {
    total += scale[g] * (static_cast<float>(zero[g]) + kShift) * sums[g];
  }
  return total + sum_of<float>(lanes);
}

/// A block of one row, or what is left of it, with a scale looked up for each lane.
template <int Bits>
[[gnu::always_inline]] inline F by_lanes(const PackedOperand& w, int64_t row, int64_t at,
                                         const float* x) {
  const int64_t left = w.row_bytes() - at < kVectorBytes ? w.row_bytes() - at : kVectorBytes;
  uint8_t bytes[kVectorBytes] = {};
  std::memcpy(bytes, w.codes + row * w.row_bytes() + at, static_cast<size_t>(left));
  const I codes = load<I>(bytes);
  F scales{}, sum{};
  for (int64_t lane = 0; 4 * lane < left; ++lane) {
    scales[lane] = w.scale[row * w.groups() + (at + 4 * lane) * 8 / Bits / w.group];
  }
#pragma GCC unroll 8
  for (int s = 0; s < kShifts<Bits>; ++s) {
    sum += spread_codes<Bits>(codes, s) * load<F>(x + s * kL);
  }
  return scales * sum;
}

/// Rows times vectors, a tile of either. Same: lanes that a group spans; 0 where they do not divide
/// a block.
template <int Bits, int Same, int Rows, int Vectors>
[[gnu::always_inline]] inline void multiply_tile(const PackedOperand& w, int64_t row,
                                                 const ArrangedVectors& x, int64_t vector,
                                                 const float* bias, float* y, int64_t y_step) {
  constexpr float kUnit = 1 << Bits;
  const int64_t bytes = w.row_bytes();
  const uint8_t* codes = w.codes + row * bytes;
  const float* from = x.x + vector * x.length;
  F totals[Rows][Vectors] = {};
  int64_t at = 0;
  if constexpr (Same > 0) {
    for (; at + kVectorBytes <= bytes; at += kVectorBytes, from += kBlock<Bits>) {
      const int64_t group = at * 8 / Bits / w.group;
#pragma GCC unroll 4
      for (int r = 0; r < Rows; ++r) {
        __builtin_prefetch(codes + (r + Rows) * bytes + at);  // rows are short: the next ones
        const I packed = load<I>(codes + r * bytes + at);
        F sums[Vectors][2] = {};
#pragma GCC unroll 8
        for (int s = 0; s < kShifts<Bits>; ++s) {
          const F numbers = spread_codes<Bits>(packed, s);
#pragma GCC unroll 4
          for (int v = 0; v < Vectors; ++v) {
            sums[v][s & 1] += numbers * load<F>(from + v * x.length + s * kL);
          }
        }
        const F scales = lane_scales<Same>(w.scale + (row + r) * w.groups() + group);
#pragma GCC unroll 4
        for (int v = 0; v < Vectors; ++v) {
          totals[r][v] += scales * (sums[v][0] + sums[v][1]);
        }
      }
    }
  }
  for (; at < bytes; at += kVectorBytes, from += kBlock<Bits>) {
    for (int r = 0; r < Rows; ++r) {
      for (int v = 0; v < Vectors; ++v) {
        totals[r][v] += by_lanes<Bits>(w, row + r, at, from + v * x.length);
      }
    }
  }
  for (int r = 0; r < Rows; ++r) {
    for (int v = 0; v < Vectors; ++v) {
      const float* sums = x.sums + (vector + v) * w.groups();
      const float product = kUnit * sum_of<float>(totals[r][v]) - excess<Bits>(w, row + r, sums);
      y[(vector + v) * y_step + row + r] = product + (bias == nullptr ? 0.f : bias[row + r]);
    }
  }
}

template <int Bits, int Same>
void multiply_by(const PackedOperand& w, int64_t first, int64_t last, const ArrangedVectors& x,
                 const float* bias, float* y, int64_t y_step) {
  int64_t vector = 0;
  for (; vector + 4 <= x.count; vector += 4) {
    for (int64_t row = first; row < last; ++row) {
      multiply_tile<Bits, Same, 1, 4>(w, row, x, vector, bias, y, y_step);
    }
  }
  for (; vector < x.count; ++vector) {
    int64_t row = first;
    for (; row + 4 <= last; row += 4) {
      multiply_tile<Bits, Same, 4, 1>(w, row, x, vector, bias, y, y_step);
    }
    for (; row < last; ++row) {
      multiply_tile<Bits, Same, 1, 1>(w, row, x, vector, bias, y, y_step);
    }
  }
}

template <int Bits>
auto multiply_for(const PackedOperand& w) {
  const int64_t lanes = w.group / kShifts<Bits>;
  if (w.group % kBlock<Bits> == 0) {
    return multiply_by<Bits, kL>;
  }
  if (w.group % kShifts<Bits> != 0) {
    return multiply_by<Bits, 0>;
  }
  if constexpr (kL > 4) {
    if (lanes == kL / 4) {
      return multiply_by<Bits, kL / 4>;
    }
  }
  return lanes == kL / 2 ? multiply_by<Bits, kL / 2> : multiply_by<Bits, 0>;
}

void multiply(const PackedOperand& w, int64_t first, int64_t last, const ArrangedVectors& x,
              const float* bias, float* y, int64_t y_step) {
  (w.bits == 4 ? multiply_for<4>(w) : multiply_for<8>(w))(w, first, last, x, bias, y, y_step);
}

void unpack(const PackedOperand& w, int64_t i, float* to) {
  const uint8_t* codes = w.codes + i * w.row_bytes();
  for (int64_t g = 0; g < w.groups(); ++g) {
    const float scale = w.scale[i * w.groups() + g];
    const int zero = w.zero[i * w.groups() + g];
    if (w.bits == 8) {
#pragma GCC ivdep
      for (int64_t j = 0; j < w.group; ++j) {
        to[j] = functors::decoded(codes[j], zero, scale);
      }
      codes += w.group;
    } else {
#pragma GCC ivdep
      for (int64_t j = 0; j < w.group / 2; ++j) {
        to[2 * j] = functors::decoded(codes[j] & 15, zero, scale);
        to[2 * j + 1] = functors::decoded(codes[j] >> 4, zero, scale);
      }
      codes += w.group / 2;
    }
    to += w.group;
  }
}

}  // namespace

void set_kernels(PackedRowKernels& table) { table = {block, arrange, multiply, unpack}; }

}  // namespace th::cpu::TH_ISA
