// The gradient of weights is a sum over tiles: for each of their 36 numbers, the product of the
// tiles of gradOutput and those of the input. Threads share the 36 sums, so the order in which
// tiles are added is the same for any number of them.
#include "core/runtime/interrupt.h"
#include "cpu/linalg/packed_columns.h"
#include "cpu/nn/conv/direct_conv.h"
#include "cpu/nn/conv/winograd_tiles.h"

namespace th::cpu::winograd {

void conv_backward_weight(const ConvShape& s, const float* g, const float* x, float scale,
                          float* grad_weight, float* grad_bias) {
  constexpr int64_t some = kWinogradTiles;
  const Grid grid(s.N, s.outH, s.outW);
  const int64_t row = round_up(s.C, kVector);
  const int64_t slices = std::min<int64_t>(threads::share(), kTile);
  const Buffers<float> inputs(1, Matrices::size(s.C, some));
  const Buffers<float> gradients(1, Matrices::size(s.K, some));
  const Buffers<float> sums(1, Matrices::size(s.K, row));
  const Buffers<float> columns(slices, PackedColumns<float>::size(some, s.C));
  const Matrices v(inputs[0], s.C, some), q(gradients[0], s.K, some), u(sums[0], s.K, row);
  for (int64_t first = 0; first < grid.count; first += some) {
    if (interrupt::asked()) [[unlikely]] {
      interrupt::left_undone();
      return;
    }
    WinogradTiles in = grid.some(first, some), out = in;
    in.of(s.H, s.W, s.C, v.step);
    in.top = s.padH;
    in.left = s.padW;
    out.of(s.outH, s.outW, s.K, q.step);
    parallel_items(s.C + s.K, some * kTile, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        if (i < s.C) {
          kernels().inputs(in, x + i * s.plane(), v.data + i * some);
        } else {
          kernels().gradients(out, g + (i - s.C) * s.outputs(), q.data + (i - s.C) * some);
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
              packed.pack(true, v[e], some, in.columns(), s.C);
              packed.multiply({false, false, s.K, s.C, in.columns(), 1.f, q[e], some, nullptr, 0,
                               first == 0 ? 0.f : 1.f, u[e], row});
            }
          }
        },
        slices);
  }
  parallel_items(s.K, s.C * kTile, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      weight_kernels().weight_gradients(s.C, u.data + k * row, u.step, scale,
                                        grad_weight + k * s.C * kTaps);
    }
  });
  if (grad_bias != nullptr) {
    conv_backward_bias(s, g, scale, grad_bias);
  }
}

}  // namespace th::cpu::winograd
