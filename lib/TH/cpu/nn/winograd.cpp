// A convolution by tiles: for each of the 36 numbers of a tile, the tiles of all input planes are a
// matrix, the weights are one, and their product has the tiles of the output planes. Some tiles of
// all planes are worked on at a time, while a second-level cache has them.
#include "cpu/nn/winograd.h"

#include <algorithm>

#include "core/options.h"
#include "cpu/kernels/nn/winograd.h"
#include "cpu/linalg/packed_columns.h"
#include "cpu/nn/conv_buffers.h"
#include "cpu/nn/direct_conv.h"
#include "cpu/parallel.h"
#include "cpu/select.h"

namespace th::cpu::winograd {
namespace {

const WinogradKernels& kernels() {
  static const WinogradKernels table = select_kernels<WinogradKernels>();
  return table;
}

constexpr int64_t kTile = kWinogradTile;
constexpr int64_t kTaps = 9;
/// Lines of the 36 matrices must not share the sets of a first-level cache.
constexpr int64_t kApart = 16;
/// Output planes whose products are turned back while a cache has them.
constexpr int64_t kPlanes = 64;

int64_t tiles(int64_t n) { return (n + kWinogradOutputs - 1) / kWinogradOutputs; }

/// The tiles of N images of H x W outputs.
struct Grid {
  int64_t down, across, count;
  Grid(int64_t N, int64_t H, int64_t W)
      : down(tiles(H)), across(tiles(W)), count(N * down * across) {}

  /// The next ones of `most`, of no planes yet.
  WinogradTiles some(int64_t first, int64_t most) const {
    return {.down = down, .across = across, .first = first, .count = std::min(most, count - first)};
  }
};

/// What is convolved. Backwards, weights are C x K kernels, turned round.
struct Planes {
  int64_t N, C, K;  // images, planes of them, planes of the result
  int64_t H, W, outH, outW, padH, padW;
  bool backwards;

  int64_t plane() const { return H * W; }
  int64_t outputs() const { return outH * outW; }
};

/// So many tiles at a time that a second-level cache holds those of all planes beside some weights.
int64_t tiles_at_once(const Planes& p) {
  constexpr int64_t cached = 384 * 1024;
  return cached / (kTile * p.C) >= kWinogradTiles ? kWinogradTiles : kWinogradTiles / 2;
}

/// Weights as 36 matrices of K x C.
class Weights {
 public:
  Weights(const Planes& p, const float* weight)
      : row(round_up(p.C, kVector) + kVector), step_(p.K * row), memory_(1, kTile * step_) {
    const int64_t blocks = (p.K + kBlock - 1) / kBlock;
    const int64_t slices = slices_for(blocks, kBlock * p.C * kTile);
    const Buffers<float> turned(slices, p.backwards ? kBlock * p.C * kTaps : 0);
    parallel_items(
        slices, kGrain,
        [&](int64_t begin, int64_t end) {
          for (int64_t slice = begin; slice < end; ++slice) {
            const Share own(blocks, slice, slices);
            for (int64_t k = own.begin * kBlock; k < std::min(own.end * kBlock, p.K); k += kBlock) {
              block(p, weight, k, std::min(kBlock, p.K - k), turned[slice]);
            }
          }
        },
        slices);
  }
  const float* operator[](int64_t e) const { return memory_[0] + e * step_; }
  const int64_t row;

 private:
  static constexpr int64_t kBlock = 16;

  /// Some rows. Backwards their kernels lie rows of weights apart: those of a line of memory are
  /// moved together.
  void block(const Planes& p, const float* weight, int64_t first, int64_t rows, float* turned) {
    const int64_t size = p.C * kTaps;
    for (int64_t c = 0; p.backwards && c < p.C; ++c) {
      for (int64_t i = 0; i < rows; ++i) {
        std::copy_n(weight + (c * p.K + first + i) * kTaps, kTaps, turned + i * size + c * kTaps);
      }
    }
    const float* from = p.backwards ? turned : weight + first * size;
    for (int64_t i = 0; i < rows; ++i) {
      kernels().weights(p.C, p.backwards, from + i * size, memory_[0] + (first + i) * row, step_);
    }
  }

  int64_t step_;
  Buffers<float> memory_;
};

void convolve(const Planes& p, const float* x, const float* weight, const float* bias, float* r) {
  const Grid grid(p.N, p.outH, p.outW);
  const int64_t some = tiles_at_once(p);
  const int64_t blocks = (grid.count + some - 1) / some;
  const int64_t slices = slices_for(blocks, some * p.C * p.K * kTile);
  const int64_t planes = std::min(kPlanes, p.K);
  const int64_t in_step = p.C * some + kApart, out_step = planes * some + kApart;
  const Weights weights(p, weight);
  const Buffers<float> inputs(slices, kTile * in_step), outputs(slices, kTile * out_step);
  const auto run = [&](int64_t first, float* v, float* m) {
    WinogradTiles in = grid.some(first, some);
    in.of(p.H, p.W, p.C, in_step);
    in.top = p.padH;
    in.left = p.padW;
    for (int64_t c = 0; c < p.C; ++c) {
      kernels().inputs(in, x + c * p.plane(), v + c * some);
    }
    WinogradTiles out = grid.some(first, some);
    out.of(p.outH, p.outW, p.K, out_step);
    for (int64_t k = 0; k < p.K; k += planes) {
      const int64_t count = std::min(planes, p.K - k);
      for (int64_t e = 0; e < kTile; ++e) {
        dense_gemm_kernels().of_float.product({false, false, count, in.columns(), p.C, 1.f,
                                               weights[e] + k * weights.row, weights.row,
                                               v + e * in_step, some, 0.f, m + e * out_step, some});
      }
      for (int64_t i = 0; i < count; ++i) {
        kernels().outputs(out, m + i * some, bias == nullptr ? 0.f : bias[k + i],
                          r + (k + i) * p.outputs());
      }
    }
  };
  parallel_items(
      slices, kGrain,
      [&](int64_t begin, int64_t end) {
        for (int64_t slice = begin; slice < end; ++slice) {
          const Share own(blocks, slice, slices);
          for (int64_t block = own.begin; block < own.end; ++block) {
            run(block * some, inputs[slice], outputs[slice]);
          }
        }
      },
      slices);
}

}  // namespace

bool applies(Direction direction, const ConvShape& s) {
  constexpr int64_t planes = 16, most = 48, fewest = 16;
  const int64_t enough = direction == Direction::BackwardWeight ? fewest : most;
  return options::winograd && s.dims == 2 && s.groups == 1 && s.kH == 3 && s.kW == 3 && s.dH == 1 &&
         s.dW == 1 && s.dilH == 1 && s.dilW == 1 && s.padH <= 2 && s.padW <= 2 && s.C >= planes &&
         s.K >= planes && Grid(s.N, s.outH, s.outW).count >= enough;
}

void conv(const ConvShape& s, const float* x, const float* weight, const float* bias, float* r) {
  convolve({s.N, s.C, s.K, s.H, s.W, s.outH, s.outW, s.padH, s.padW, false}, x, weight, bias, r);
}

void conv_backward_input(const ConvShape& s, const float* g, const float* weight, float* r) {
  convolve({s.N, s.K, s.C, s.outH, s.outW, s.H, s.W, 2 - s.padH, 2 - s.padW, true}, g, weight,
           nullptr, r);
}

void conv_backward_weight(const ConvShape& s, const float* g, const float* x, float scale,
                          float* grad_weight, float* grad_bias) {
  constexpr int64_t some = kWinogradTiles;
  const Grid grid(s.N, s.outH, s.outW);
  const int64_t in_step = s.C * some + kApart, out_step = s.K * some + kApart;
  const int64_t row = round_up(s.C, kVector), step = s.K * row + kApart;
  const int64_t slices = std::min<int64_t>(threads::share(), kTile);
  const Buffers<float> inputs(1, kTile * in_step), gradients(1, kTile * out_step);
  const Buffers<float> sums(1, kTile * step);
  const Buffers<float> columns(slices, PackedColumns<float>::size(some, s.C));
  float *v = inputs[0], *q = gradients[0], *u = sums[0];
  for (int64_t first = 0; first < grid.count; first += some) {
    WinogradTiles in = grid.some(first, some), out = in;
    in.of(s.H, s.W, s.C, in_step);
    in.top = s.padH;
    in.left = s.padW;
    out.of(s.outH, s.outW, s.K, out_step);
    parallel_items(s.C + s.K, some * kTile, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        if (i < s.C) {
          kernels().inputs(in, x + i * s.plane(), v + i * some);
        } else {
          kernels().gradients(out, g + (i - s.C) * s.outputs(), q + (i - s.C) * some);
        }
      }
    });
    parallel_items(
        slices, kGrain,
        [&](int64_t begin, int64_t end) {
          for (int64_t slice = begin; slice < end; ++slice) {
            const Share own(kTile, slice, slices);
            PackedColumns<float> packed(columns[slice]);
            for (int64_t e = own.begin; e < own.end; ++e) {
              packed.pack(true, v + e * in_step, some, in.columns(), s.C);
              packed.multiply({false, false, s.K, s.C, in.columns(), 1.f, q + e * out_step, some,
                               nullptr, 0, first == 0 ? 0.f : 1.f, u + e * step, row});
            }
          }
        },
        slices);
  }
  parallel_items(s.K, s.C * kTile, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      kernels().weight_gradients(s.C, u + k * row, step, scale, grad_weight + k * s.C * kTaps);
    }
  });
  if (grad_bias != nullptr) {
    conv_backward_bias(s, g, scale, grad_bias);
  }
}

}  // namespace th::cpu::winograd
