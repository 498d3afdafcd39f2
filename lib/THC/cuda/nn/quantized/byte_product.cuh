// Convolutions and products of bytes: weights times the inputs that meet them, tile by tile, summed
// up in integers of 32 bits and made numbers or bytes as they are written.
//
// A layer is the product of its weights, outputs x taps, and a matrix that is never there: a column
// for each position of the result, in which the taps lie that its window has. A linear layer is a
// convolution of images of one pixel.
#pragma once

#include <cstring>

#include "cuda/launch.h"
#include "cuda/linalg/tile_product.cuh"
#include "cuda/nn/grid.h"
#include "functors/image_shapes.h"
#include "functors/quantized.h"

namespace thc {

using th::ConvShape;

/// Codes of four taps times their weights, added to a sum that wraps.
TH_HD inline int32_t dot_of_four(uint32_t codes, uint32_t weights, int32_t sum) {
#ifdef __CUDA_ARCH__
  int32_t result;
  asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(codes), "r"(weights), "r"(sum));
  return result;
#else
  auto total = static_cast<uint32_t>(sum);
  for (int i = 0; i < 4; ++i) {
    const auto code = static_cast<int32_t>((codes >> (8 * i)) & 255u);
    const auto weight = static_cast<int32_t>(static_cast<int8_t>((weights >> (8 * i)) & 255u));
    total += static_cast<uint32_t>(code * weight);
  }
  return static_cast<int32_t>(total);
#endif
}

/// Operands of a layer, all compact. addend may be NULL.
struct ByteOperands {
  const uint8_t* x;
  const int8_t* weight;
  const float* bias;
  const float* scale;
  const uint8_t* addend;
  float addend_scale;
  uint8_t padding_value;
};

/// R: uint8_t or float. A tile is kTile outputs x kTile positions by kThreads threads, with
/// kTileDepth words of four taps in shared memory at a time.
template <class R>
struct ByteProduct {
  static constexpr int kTaps = 4;   // in a word
  static constexpr int kSide = 16;  // threads along a side of the tile
  static constexpr int kEach = kTile / kSide;
  /// Words of one position that a thread fetches.
  static constexpr int kWords = kTile * kTileDepth / kThreads;

  ConvShape s;
  ByteOperands o;
  R* r;
  Grid pixels;  // of the results of all samples
  Grid taps;    // of a group's kernels
  int64_t positions, depth, group_outputs, group_inputs, plane, outputs;
  int64_t position_tiles, tiles;  // of a group
  bool weight_words;              // can be read as such
  bool x_words;                   // the same: pixels are alone, their taps side by side

  ByteProduct(const ConvShape& shape, const ByteOperands& operands, R* to)
      : s(shape),
        o(operands),
        r(to),
        pixels(s.N, s.outH, s.outW),
        taps(s.group_inputs(), s.kH, s.kW),
        positions(s.N * s.outputs()),
        depth(s.taps()),
        group_outputs(s.group_outputs()),
        group_inputs(s.group_inputs()),
        plane(s.plane()),
        outputs(s.outputs()),
        position_tiles((positions + kTile - 1) / kTile),
        tiles((group_outputs + kTile - 1) / kTile * position_tiles) {
    const auto whole = [this](const void* p) {
      return depth % kTaps == 0 && reinterpret_cast<uintptr_t>(p) % kTaps == 0;
    };
    weight_words = whole(o.weight);
    x_words =
        whole(o.x) && plane == 1 && s.kernel() == 1 && outputs == 1 && s.padH == 0 && s.padW == 0;
  }

  static constexpr size_t shared_bytes() { return 2 * kTileDepth * kTileRow * sizeof(uint32_t); }
  int64_t blocks() const { return s.groups * tiles; }

  /// Taps t ... t + 3 of an output's weights, zeros beyond them.
  TH_HD uint32_t weights_at(int64_t output, int64_t t) const {
    const int8_t* from = o.weight + output * depth + t;
    uint32_t word = 0;
    if (weight_words && t < depth) {
      return *reinterpret_cast<const uint32_t*>(from);
    }
    for (int i = 0; i < kTaps && t + i < depth; ++i) {
      word |= static_cast<uint32_t>(static_cast<uint8_t>(from[i])) << (8 * i);
    }
    return word;
  }

  template <class Block>
  TH_D void fetch_weights(const Block& block, int64_t first, int64_t last, int64_t t,
                          uint32_t* tile) const {
    for (int e = block.thread(); e < kTile * kTileDepth; e += kThreads) {
      const int word = e % kTileDepth;
      const int64_t output = first + e / kTileDepth;
      tile[word * kTileRow + e / kTileDepth] =
          output < last ? weights_at(output, t + kTaps * word) : 0u;
    }
  }

  /// What a window has at a tap; what lies beyond the taps meets weights of zero.
  struct Window {
    const uint8_t* image;  // the group's first plane; NULL: there is no such position
    int64_t top, left;
  };

  TH_HD uint32_t window_words(const Window& w, Grid::Place& tap) const {
    uint32_t word = 0;
    for (int i = 0; i < kTaps; ++i) {
      const int64_t h = w.top + tap.row * s.dilH;
      const int64_t v = w.left + tap.column * s.dilW;
      uint32_t code = o.padding_value;
      if (h >= 0 && h < s.H && v >= 0 && v < s.W && tap.plane < group_inputs) {
        code = w.image[(tap.plane * s.H + h) * s.W + v];
      }
      word |= code << (8 * i);
      if (++tap.column == s.kW) {
        tap.column = 0;
        if (++tap.row == s.kH) {
          tap.row = 0;
          ++tap.plane;
        }
      }
    }
    return word;
  }

  /// A thread has neighbouring words of one position: their taps follow each other.
  TH_HD void fetch_windows(const Window& w, int thread, int64_t t, uint32_t* tile) const {
    const int first = thread / kTile * kWords;
    uint32_t* to = tile + first * kTileRow + thread % kTile;
    t += kTaps * first;
    if (w.image == nullptr || t >= depth) {
      for (int i = 0; i < kWords; ++i) {
        to[i * kTileRow] = 0;
      }
      return;
    }
    if (x_words) {
      for (int i = 0; i < kWords; ++i) {
        const int64_t at = t + kTaps * i;
        to[i * kTileRow] = at < depth ? *reinterpret_cast<const uint32_t*>(w.image + at) : 0u;
      }
      return;
    }
    Grid::Place tap = taps(t);
    for (int i = 0; i < kWords; ++i) {
      to[i * kTileRow] = window_words(w, tap);
    }
  }

  template <class Block>
  TH_D void operator()(Block& block) const {
    uint32_t* const weight_tile = block.template shared<uint32_t>();
    uint32_t* const window_tile = weight_tile + kTileDepth * kTileRow;
    const int64_t group = block.index() / tiles;
    const int64_t tile = block.index() % tiles;
    const int64_t output0 = group * group_outputs + tile / position_tiles * kTile;
    const int64_t output_end = (group + 1) * group_outputs;
    const int64_t position0 = tile % position_tiles * kTile;
    const int thread = block.thread();
    Window window{nullptr, 0, 0};
    if (position0 + thread % kTile < positions) {
      const Grid::Place at = pixels(position0 + thread % kTile);
      window = {o.x + (at.plane * s.C + group * group_inputs) * plane, at.row * s.dH - s.padH,
                at.column * s.dW - s.padW};
    }
    const int y = thread / kSide;
    const int x = thread % kSide;
    int32_t sums[kEach][kEach] = {};
    for (int64_t t = 0; t < depth; t += kTaps * kTileDepth) {
      fetch_weights(block, output0, output_end, t, weight_tile);
      fetch_windows(window, thread, t, window_tile);
      block.sync();
      for (int q = 0; q < kTileDepth; ++q) {
        const uint32_t* const weights = weight_tile + q * kTileRow + y;
        const uint32_t* const codes = window_tile + q * kTileRow + x;
        for (int i = 0; i < kEach; ++i) {
          for (int j = 0; j < kEach; ++j) {
            sums[i][j] = dot_of_four(codes[j * kSide], weights[i * kSide], sums[i][j]);
          }
        }
      }
      block.sync();
    }
    for (int j = 0; j < kEach; ++j) {
      const int64_t position = position0 + x + j * kSide;
      if (position >= positions) {
        continue;
      }
      const Grid::Place at = pixels(position);
      const int64_t pixel = at.plane * s.K * outputs + at.row * s.outW + at.column;
      for (int i = 0; i < kEach; ++i) {
        const int64_t output = output0 + y + i * kSide;
        if (output < output_end) {
          put(output, pixel + output * outputs, sums[i][j]);
        }
      }
    }
  }

  TH_HD void put(int64_t output, int64_t at, int32_t sum) const {
    float value = o.scale[output] * (static_cast<float>(sum) + o.bias[output]);
    if (o.addend != nullptr) {
      value += o.addend_scale * static_cast<float>(o.addend[at]);
    }
    if constexpr (std::is_same_v<R, uint8_t>) {
      r[at] = th::functors::code_of(value);
    } else {
      r[at] = value;
    }
  }
};

template <class R>
void byte_product(cudaStream_t stream, const ConvShape& s, const ByteOperands& o, R* r) {
  const ByteProduct<R> kernel(s, o, r);
  launch_blocks(stream, kernel.blocks(), kThreads, kernel.shared_bytes(), kernel);
}

}  // namespace thc
