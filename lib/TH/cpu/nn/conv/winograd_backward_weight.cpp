// The gradient of weights is a sum over tiles: for each of their 36 numbers, the product of the
// tiles of gradOutput and those of the input. Threads share parts of the tiles that have sums of
// their own, the 36 sums or the output planes, and add tiles in one order: the gradient is the same
// for any number of them.
#include <algorithm>
#include <bit>
#include <vector>

#include "core/runtime/interrupt.h"
#include "cpu/linalg/packed_columns.h"
#include "cpu/nn/conv/direct_conv.h"
#include "cpu/nn/conv/winograd_tiles.h"

namespace th::cpu::winograd {
namespace {

/// Neighbouring tiles of planes of bfloat16 make pairs.
template <class T>
class WeightGradient {
 public:
  WeightGradient(const ConvShape& s, const T* g, const T* x, float scale, float* to)
      : s_(s),
        g_(g),
        x_(x),
        scale_(scale),
        to_(to),
        grid_(s.N, s.outH, s.outW),
        some_(std::min(kWinogradTiles, round_up(grid_.count, kVector))),
        depth_(some_ / kTogether<T>) {}

  /// With as many tiles as planes, by_planes() takes 1.06 of the time: it reads all of them for
  /// each range of planes.
  void run() const { 2 * grid_.count <= s_.K ? by_planes() : by_tiles(); }

 private:
  static constexpr int64_t kPlanes = 32;

  /// Parts of the tiles at most, and the floats that their sums may take: beside more of them the
  /// additions in the end are no longer nothing.
  static constexpr int64_t kParts = 16;
  static constexpr int64_t kSums = 1 << 20;
  /// Blocks of tiles that are worth sums of their own.
  static constexpr int64_t kBlocks = 4;

  /// Many tiles, in parts that have sums of their own: cut by shape alone. Threads take whole parts
  /// and meet in the end, or, where these do not go round, share the work of each.
  void by_tiles() const {
    const int64_t size = Matrices::size(s_.K, row());
    const int64_t blocks = (grid_.count + some_ - 1) / some_;
    const int64_t parts = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(
        std::clamp<int64_t>(std::min(blocks / kBlocks, kSums / size), 1, kParts))));
    const Buffers<float> sums(parts, size);
    const auto add_part = [&](int64_t part, float* memory, int64_t slices) {
      const Share own(blocks, part, parts);
      add_blocks(own.begin, own.end, memory, slices, Matrices(sums[part], s_.K, row()));
    };
    if (parts % threads::share() == 0) {
      each_slice(parts, grid_.count / parts * s_.C * s_.K * kTile, memory_size(1),
                 [&](int64_t part, float* memory) { add_part(part, memory, 1); });
    } else {
      const int64_t slices = std::min<int64_t>(threads::share(), kTile);
      const Buffers<float> memory(1, memory_size(slices));
      for (int64_t part = 0; part < parts; ++part) {
        add_part(part, memory[0], slices);
      }
    }
    const Matrices u(sums[0], s_.K, row());
    parallel_items(s_.K, s_.C * kTile * parts, [&](int64_t begin, int64_t end) {
      for (int64_t part = 1; part < parts; ++part) {
        add_sums(begin, end, Matrices(sums[part], s_.K, row()), u);
      }
      finish(begin, end, 0, u);
    });
  }

  /// Floats of some tiles of all planes, in whole cache lines, and of a slice's columns.
  int64_t tiles_size() const {
    return round_up(Matrices::size(s_.C, depth_) + Matrices::size(s_.K, depth_), 64);
  }
  int64_t columns_size() const { return round_up(PackedColumns<float>::size(depth_, s_.C), 64); }
  int64_t memory_size(int64_t slices) const { return tiles_size() + slices * columns_size(); }

  /// u = all sums over the blocks [first, last) of tiles, one after the other, the 36 sums shared
  /// out in `slices`. A part may be a thread's own, so that `memory` is all it may have.
  void add_blocks(int64_t first, int64_t last, float* memory, int64_t slices,
                  const Matrices& u) const {
    float* const columns = memory + tiles_size();
    const Matrices v(memory, s_.C, depth_);
    const Matrices q(memory + Matrices::size(s_.C, depth_), s_.K, depth_);
    for (int64_t block = first; block < last; ++block) {
      if (interrupt::asked()) [[unlikely]] {
        interrupt::left_undone();
        return;
      }
      const WinogradTiles tiles = grid_.some(block * some_, some_);
      parallel_items(s_.C + s_.K, some_ * kTile, [&](int64_t begin, int64_t end) {
        turn_inputs(tiles, std::min(begin, s_.C), std::min(end, s_.C), v);
        turn_gradients(tiles, std::max(begin, s_.C) - s_.C, std::max(end, s_.C) - s_.C, 0, q);
      });
      parallel_items(
          slices, kGrain,
          [&](int64_t begin, int64_t end) {
            for (int64_t slice = begin; slice < end; ++slice) {
              const Share own(kTile, slice, slices);
              PackedColumns<float> packed(columns + slice * columns_size());
              for (int64_t e = own.begin; e < own.end; ++e) {
                packed.pack(true, v[e], depth_, depth_of(tiles), s_.C);
                add(packed, e, tiles, block == first, s_.K, q, u);
              }
            }
          },
          slices);
    }
  }

  /// Adds the sums of the output planes [begin, end).
  void add_sums(int64_t begin, int64_t end, const Matrices& more, const Matrices& u) const {
    for (int64_t e = 0; e < kTile; ++e) {
      for (int64_t k = begin; k < end; ++k) {
        const float* from = more[e] + k * u.row;
        float* to = u[e] + k * u.row;
        for (int64_t c = 0; c < s_.C; ++c) {
          to[c] += from[c];
        }
      }
    }
  }

  /// Many planes: the sums of some outputs at a time, while a cache has them, from tiles of the
  /// input that are all there.
  void by_planes() const {
    const int64_t blocks = (grid_.count + some_ - 1) / some_;
    const Buffers<float> columns(blocks * kTile, PackedColumns<float>::size(depth_, s_.C));
    const std::vector<PackedColumns<float>> packed = all_columns(blocks, columns);
    const int64_t each_thread = round_up((s_.K + threads::share() - 1) / threads::share(), 8);
    const int64_t planes = std::min({kPlanes, s_.K, each_thread});
    const int64_t size = Matrices::size(planes, depth_);
    each_slice((s_.K + planes - 1) / planes, planes * s_.C * grid_.count * kTile,
               size + Matrices::size(planes, row()), [&](int64_t chunk, float* buffer) {
                 const Matrices q(buffer, planes, depth_), u(buffer + size, planes, row());
                 const int64_t begin = chunk * planes, end = std::min(begin + planes, s_.K);
                 for (int64_t block = 0; block < blocks; ++block) {
                   const WinogradTiles tiles = grid_.some(block * some_, some_);
                   turn_gradients(tiles, begin, end, begin, q);
                   for (int64_t e = 0; e < kTile; ++e) {
                     add(packed[block * kTile + e], e, tiles, block == 0, end - begin, q, u);
                   }
                 }
                 finish(begin, end, begin, u);
               });
  }

  /// The tiles of the input, some after the other, each of their 36 numbers by itself.
  std::vector<PackedColumns<float>> all_columns(int64_t blocks,
                                                const Buffers<float>& memory) const {
    std::vector<PackedColumns<float>> packed;
    for (int64_t i = 0; i < blocks * kTile; ++i) {
      packed.emplace_back(memory[i]);
    }
    const Buffers<float> inputs(1, Matrices::size(s_.C, depth_));
    const Matrices v(inputs[0], s_.C, depth_);
    for (int64_t block = 0; block < blocks; ++block) {
      const WinogradTiles tiles = grid_.some(block * some_, some_);
      parallel_items(s_.C, tiles.columns() * kTile,
                     [&](int64_t begin, int64_t end) { turn_inputs(tiles, begin, end, v); });
      parallel_items(kTile, tiles.columns() * s_.C, [&](int64_t begin, int64_t end) {
        for (int64_t e = begin; e < end; ++e) {
          packed[block * kTile + e].pack(true, v[e], depth_, depth_of(tiles), s_.C);
        }
      });
    }
    return packed;
  }

  int64_t row() const { return round_up(s_.C, kVector); }
  static int64_t depth_of(const WinogradTiles& tiles) { return tiles.columns() / kTogether<T>; }

  void turn_inputs(WinogradTiles tiles, int64_t begin, int64_t end, const Matrices& v) const {
    tiles.of(s_.H, s_.W, s_.C, kTogether<T> * v.step);
    tiles.top = s_.padH;
    tiles.left = s_.padW;
    for (int64_t c = begin; c < end; ++c) {
      float* const to = v.data + c * v.row;
      if constexpr (kByPairs<T>) {
        pair_kernels().tile_inputs(tiles, x_ + c * s_.plane(), reinterpret_cast<BFloat16*>(to));
      } else {
        kernels().inputs(tiles, x_ + c * s_.plane(), to);
      }
    }
  }

  /// Of the output planes [begin, end), into the rows from begin - first on.
  void turn_gradients(WinogradTiles tiles, int64_t begin, int64_t end, int64_t first,
                      const Matrices& q) const {
    tiles.of(s_.outH, s_.outW, s_.K, kTogether<T> * q.step);
    for (int64_t k = begin; k < end; ++k) {
      plane_kernels<T>().gradients(tiles, g_ + k * s_.outputs(),
                                   reinterpret_cast<T*>(q.data + (k - first) * q.row));
    }
  }

  /// To sum e of `rows` output planes, or to begin it.
  void add(const PackedColumns<float>& columns, int64_t e, const WinogradTiles& tiles, bool begins,
           int64_t rows, const Matrices& q, const Matrices& u) const {
    columns.multiply({.transpose_a = false,
                      .transpose_b = false,
                      .m = rows,
                      .n = s_.C,
                      .k = depth_of(tiles),
                      .alpha = 1,
                      .a = q[e],
                      .lda = q.row,
                      .b = nullptr,
                      .ldb = 0,
                      .beta = begins ? 0.f : 1.f,
                      .c = u[e],
                      .ldc = u.row,
                      .pairs = kByPairs<T>});
  }

  /// The output planes [begin, end), from the rows from begin - first on.
  void finish(int64_t begin, int64_t end, int64_t first, const Matrices& u) const {
    for (int64_t k = begin; k < end; ++k) {
      weight_kernels().weight_gradients(s_.C, u.data + (k - first) * u.row, u.step, scale_,
                                        to_ + k * s_.C * kTaps);
    }
  }

  const ConvShape& s_;
  const T *g_, *x_;
  float scale_;
  float* to_;
  Grid grid_;
  int64_t some_;   // tiles at a time
  int64_t depth_;  // floats that they take
};

}  // namespace

template <class T>
void conv_backward_weight(const ConvShape& s, const T* g, const T* x, float scale,
                          float* grad_weight, float* grad_bias) {
  WeightGradient<T>(s, g, x, scale, grad_weight).run();
  if (grad_bias != nullptr) {
    conv_backward_bias(s, g, scale, grad_bias);
  }
}

template void conv_backward_weight<float>(const ConvShape&, const float*, const float*, float,
                                          float*, float*);
template void conv_backward_weight<BFloat16>(const ConvShape&, const BFloat16*, const BFloat16*,
                                             float, float*, float*);

}  // namespace th::cpu::winograd
