// Rows of packed numbers: products with few vectors read the codes themselves, an eighth or a
// quarter of the floats' bytes; for many, the rows are made floats first.
#include <algorithm>

#include "core/checks/quantized.h"
#include "core/composite/quantized.h"
#include "core/tables/quantized.h"
#include "core/tensor/aliasing.h"
#include "cuda/launch.h"
#include "cuda/nn/plane_sum.cuh"
#include "cuda/offsets.h"
#include "cuda/register.h"
#include "functors/quantized.h"

namespace thc {
namespace {

/// Vectors from which on a product of matrices is taken to be worth the floats.
constexpr int64_t kManyVectors = 16;
constexpr int kWordBytes = 4;

/// Codes with the scale and the zero of each group of columns, all without gaps.
template <class T>
struct Rows {
  const uint8_t* codes;
  const T* scale;
  const uint8_t* zero;
  int64_t columns, group, groups, row_bytes;
  int bits;

  /// f(column, number) for the codes of `count` neighbouring bytes, which are of one group.
  template <class F>
  TH_HD void each(int64_t row, int64_t first_byte, uint32_t word, int count, const F& f) const {
    const int each = 8 / bits;
    const int64_t column = first_byte * each;
    const int64_t at = row * groups + column / group;
    const Compute<T> factor = widen(scale[at]);
    const int none = zero[at];
    for (int i = 0; i < count * each; ++i) {
      const auto code = static_cast<int>(word >> (i * bits) & ((1u << bits) - 1u));
      f(column + i, th::functors::decoded(code, none, factor));
    }
  }
};

template <class T>
struct UnpackRows {
  Rows<T> w;
  T* to;

  TH_HD void operator()(int64_t i) const {
    const int64_t row = i / w.row_bytes;
    T* const line = to + row * w.columns;
    w.each(row, i - row * w.row_bytes, w.codes[i], 1,
           [&](int64_t column, Compute<T> number) { line[column] = narrow<T>(number); });
  }
};

/// y = x W' + bias, a block for each element.
template <class T>
struct RowProducts {
  Rows<T> w;
  int64_t rows;
  bool words;  // rows begin where a word may be read
  const T* x;
  const T* bias;
  T* y;

  template <class Block>
  TH_D void operator()(Block& block) const {
    const int64_t vector = block.index() / rows;
    const int64_t row = block.index() - vector * rows;
    const uint8_t* const codes = w.codes + row * w.row_bytes;
    const T* const from = x + vector * w.columns;
    const int step = words ? kWordBytes : 1;
    Compute<T> sum = 0;
    for (int64_t at = int64_t{block.thread()} * step; at < w.row_bytes;
         at += int64_t{block.threads()} * step) {
      const uint32_t word = words ? *reinterpret_cast<const uint32_t*>(codes + at) : codes[at];
      w.each(row, at, word, step,
             [&](int64_t column, Compute<T> number) { sum += number * widen(from[column]); });
    }
    sum = block.reduce(sum, Plus{});
    if (block.thread() == 0) {
      y[block.index()] = narrow<T>(bias == nullptr ? sum : sum + widen(bias[row]));
    }
  }
};

/// What kernels read.
struct Operands {
  Tensor codes, scale, zero;

  Operands(const TH_Tensor& c, const TH_Tensor& s, const TH_Tensor& z)
      : codes(contiguous(c)), scale(contiguous(s)), zero(contiguous(z)) {}

  template <class T>
  Rows<T> rows(const th::PackedRows& p) const {
    return {data<uint8_t>(codes),
            data<T>(scale),
            data<uint8_t>(zero),
            p.columns,
            p.group(),
            p.groups,
            p.bytes(),
            p.bits};
  }
};

void unpack_rows(TH_Tensor* r, const TH_Tensor* codes, const TH_Tensor* scale,
                 const TH_Tensor* zero, int bits) {
  const th::PackedRows p = th::check_unpack_rows(r, codes, scale, zero, bits);
  const Operands w(*codes, *scale, *zero);
  const int64_t sizes[] = {p.rows, p.columns};
  Result result(r, sizes, Result::Compact, {&w.codes, &w.scale, &w.zero});
  Floating::dispatch(w.scale.dtype, [&]<class T>() {
    launch(stream_for(w.codes), p.rows * p.bytes(), UnpackRows<T>{w.rows<T>(p), result.data<T>()});
  });
  result.finish();
}

void packed_linear(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* codes, const TH_Tensor* scale,
                   const TH_Tensor* zero, const TH_Tensor* bias, int bits) {
  const th::PackedRows p = th::check_packed_linear(r, x, codes, scale, zero, bias, bits);
  const int64_t count = x->ndim == 2 ? x->sizes[0] : 1;
  if (count >= kManyVectors) {
    th::composite::packed_linear(r, x, codes, scale, zero, bias, bits);
    return;
  }
  const Operands w(*codes, *scale, *zero);
  const Tensor in = contiguous(*x);
  const Tensor b = bias == nullptr ? Tensor() : contiguous(*bias);
  Result result(r, th::ProductSizes(in, p.rows).span(), Result::Compact,
                {&in, &w.codes, &w.scale, &w.zero, &b});
  // A word is of one group: several have a multiple of 8 columns each.
  const bool words = p.bytes() % kWordBytes == 0 &&
                     reinterpret_cast<uintptr_t>(data<uint8_t>(w.codes)) % kWordBytes == 0;
  const int64_t warps = (p.bytes() / kWordBytes + kWarp - 1) / kWarp;
  const int threads = static_cast<int>(std::clamp<int64_t>(warps, 1, kThreads / kWarp)) * kWarp;
  Floating::dispatch(in.dtype, [&]<class T>() {
    launch_blocks(stream_for(in), count * p.rows, threads, 0,
                  RowProducts<T>{w.rows<T>(p), p.rows, words, data<T>(in),
                                 b.ndim == 0 ? nullptr : data<T>(b), result.data<T>()});
  });
  result.finish();
}

}  // namespace

void register_packed_rows(th::QuantizedTable& b) {
  b.unpack_rows = unpack_rows;
  b.packed_linear = packed_linear;
}

}  // namespace thc
