#include "cpu/kernels/linalg/packed_rows.h"

#include "cpu/kernels/vectors.h"

namespace th::cpu::TH_ISA {
namespace {

constexpr int kL = kLanes<float>;
using F = Vector<float>;
using I = Vector<uint32_t>;

template <int Bits>
constexpr int kShifts = 32 / Bits;
template <int Bits>
constexpr int64_t kBlock = kL* kShifts<Bits>;

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

/// Codes of one row's block times x.
template <int Bits>
[[gnu::always_inline]] inline F block_product(I codes, const F* x) {
  constexpr uint32_t kMask = (1u << Bits) - 1;
  F sums[2] = {};
#pragma GCC unroll 8
  for (int s = 0; s < kShifts<Bits>; ++s) {
    // Below 2^8, so signed: that conversion is one instruction everywhere.
    const auto numbers = (Vector<int32_t>)((codes >> (s * Bits)) & kMask);
    sums[s & 1] += __builtin_convertvector(numbers, F) * x[s];
  }
  return sums[0] + sums[1];
}

/// A scale for each lane: `Same` neighbours have one; all of a vector where that is as long.
template <int Same>
[[gnu::always_inline]] inline F lane_scales(const float* scale) {
  if constexpr (Same >= kL) {
    return F{} + *scale;
  } else {
    F spread{};
#pragma GCC unroll 16
    for (int lane = 0; lane < kL; ++lane) {
      spread[lane] = scale[lane / Same];
    }
    return spread;
  }
}

/// Sum over the groups of scale zero sum of x.
[[gnu::always_inline]] inline float zero_part(const PackedOperand& w, int64_t row,
                                              const float* sums) {
  const int64_t groups = w.groups();
  const float* scale = w.scale + row * groups;
  const uint8_t* zero = w.zero + row * groups;
  F lanes{};
  int64_t g = 0;
  for (; g + kL <= groups; g += kL) {
    F zeros;
#pragma GCC unroll 16
    for (int i = 0; i < kL; ++i) {
      zeros[i] = static_cast<float>(zero[g + i]);
    }
    lanes += load<F>(scale + g) * zeros * load<F>(sums + g);
  }
  float total = sum_of<float>(lanes);
  for (; g < groups; ++g) {
    total += scale[g] * static_cast<float>(zero[g]) * sums[g];
  }
  return total;
}

/// A block of one row, or what is left of it, with a scale looked up for each lane.
template <int Bits>
[[gnu::always_inline]] inline F by_lanes(const PackedOperand& w, int64_t row, int64_t at,
                                         const float* x) {
  const int64_t left = w.row_bytes() - at < kVectorBytes ? w.row_bytes() - at : kVectorBytes;
  uint8_t codes[kVectorBytes] = {};
  std::memcpy(codes, w.codes + row * w.row_bytes() + at, static_cast<size_t>(left));
  F arranged[kShifts<Bits>];
  std::memcpy(arranged, x, sizeof(arranged));
  F scales{};
  for (int64_t lane = 0; 4 * lane < left; ++lane) {
    scales[lane] = w.scale[row * w.groups() + (at + 4 * lane) * 8 / Bits / w.group];
  }
  return scales * block_product<Bits>(load<I>(codes), arranged);
}

/// Neighbouring rows. Same: lanes that a group spans; 0 where they do not divide a block.
template <int Bits, int Same, int Rows>
[[gnu::always_inline]] inline void multiply_rows(const PackedOperand& w, int64_t row,
                                                 const float* x, F* totals) {
  const int64_t bytes = w.row_bytes();
  const uint8_t* codes = w.codes + row * bytes;
  int64_t at = 0;
  for (; Same > 0 && at + kVectorBytes <= bytes; at += kVectorBytes, x += kBlock<Bits>) {
    F arranged[kShifts<Bits>];
#pragma GCC unroll 8
    for (int s = 0; s < kShifts<Bits>; ++s) {
      arranged[s] = load<F>(x + s * kL);
    }
    const int64_t group = at * 8 / Bits / w.group;
#pragma GCC unroll 4
    for (int r = 0; r < Rows; ++r) {
      const F sum = block_product<Bits>(load<I>(codes + r * bytes + at), arranged);
      totals[r] += lane_scales<Same>(w.scale + (row + r) * w.groups() + group) * sum;
    }
  }
  for (; at < bytes; at += kVectorBytes, x += kBlock<Bits>) {
    for (int r = 0; r < Rows; ++r) {
      totals[r] += by_lanes<Bits>(w, row + r, at, x);
    }
  }
}

template <int Bits, int Same>
void multiply_by(const PackedOperand& w, int64_t first, int64_t last, const float* arranged,
                 const float* sums, const float* bias, float* y) {
  const auto finish = [&](int64_t row, F total) {
    y[row] = sum_of<float>(total) - zero_part(w, row, sums) + (bias == nullptr ? 0.f : bias[row]);
  };
  int64_t row = first;
  for (; row + 4 <= last; row += 4) {
    F totals[4] = {};
    multiply_rows<Bits, Same, 4>(w, row, arranged, totals);
    for (int r = 0; r < 4; ++r) {
      finish(row + r, totals[r]);
    }
  }
  for (; row < last; ++row) {
    F total{};
    multiply_rows<Bits, Same, 1>(w, row, arranged, &total);
    finish(row, total);
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
  return lanes == kL / 2   ? multiply_by<Bits, kL / 2>
         : lanes == kL / 4 ? multiply_by<Bits, kL / 4>
                           : multiply_by<Bits, 0>;
}

void multiply(const PackedOperand& w, int64_t first, int64_t last, const float* arranged,
              const float* sums, const float* bias, float* y) {
  (w.bits == 4 ? multiply_for<4>(w) : multiply_for<8>(w))(w, first, last, arranged, sums, bias, y);
}

void unpack(const PackedOperand& w, int64_t i, float* to) {
  const uint8_t* codes = w.codes + i * w.row_bytes();
  for (int64_t g = 0; g < w.groups(); ++g) {
    const float scale = w.scale[i * w.groups() + g];
    const int zero = w.zero[i * w.groups() + g];
    if (w.bits == 8) {
#pragma GCC ivdep
      for (int64_t j = 0; j < w.group; ++j) {
        to[j] = scale * static_cast<float>(codes[j] - zero);
      }
      codes += w.group;
    } else {
#pragma GCC ivdep
      for (int64_t j = 0; j < w.group / 2; ++j) {
        to[2 * j] = scale * static_cast<float>((codes[j] & 15) - zero);
        to[2 * j + 1] = scale * static_cast<float>((codes[j] >> 4) - zero);
      }
      codes += w.group / 2;
    }
    to += w.group;
  }
}

}  // namespace

void set_kernels(PackedRowKernels& table) { table = {block, arrange, multiply, unpack}; }

}  // namespace th::cpu::TH_ISA
