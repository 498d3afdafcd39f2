// A convolution by tiles: for each of the 36 numbers of a tile, the tiles of all input planes are a
// matrix, the weights are one, and their product has the tiles of the output planes. Some tiles of
// all planes are worked on at a time, while a second-level cache has them.
#include "cpu/nn/conv/winograd.h"

#include <algorithm>

#include "core/options.h"
#include "core/runtime/cpu_isa.h"
#include "cpu/kernels/linalg/dense_gemm.h"
#include "cpu/nn/conv/winograd_tiles.h"

namespace th::cpu::winograd {
namespace {

/// What is convolved. Backwards, weights are C x K kernels, turned round. Neighbouring planes of
/// bfloat16 make pairs.
template <class T>
class Convolution {
 public:
  int64_t N, C, K;  // images, planes of them, planes of the result
  int64_t H, W, outH, outW, padH, padW;
  bool backwards;
  const T* x;
  const float *weight, *bias;
  T* r;
  Epilogue<T> epilogue;
  const float* kept = nullptr;  // the weights' tiles, of all planes, if they are there

  void run() const {
    const Grid grid(N, outH, outW);
    grid.count < K ? by_planes(grid) : by_tiles(grid);
  }

  /// Floats of the weights' tiles.
  int64_t weights_size() const { return Matrices::size(K, weights_row()); }
  void turn_all_weights(float* to) const {
    const Matrices u(to, K, weights_row());
    each_slice((K + kNeighbours - 1) / kNeighbours, kNeighbours * C * kTile, turned_size(),
               [&](int64_t block, float* turned) {
                 const int64_t k = block * kNeighbours;
                 turn_weights(k, std::min(kNeighbours, K - k), turned, u, k);
               });
  }

 private:
  /// Elements of tiles of some planes that a second-level cache holds beside others.
  static constexpr int64_t kCached = 384 * 1024;
  static constexpr int64_t kPlanes = 64;
  /// Backwards, kernels that lie in one line of memory are for so many planes of the result.
  static constexpr int64_t kNeighbours = 16;

  /// Many tiles: some of all planes at a time, by weights that are all there.
  void by_tiles(const Grid& grid) const {
    const int64_t some = tiles_at_once(grid);
    const int64_t planes = std::min(kPlanes, K), row = weights_row();
    const int64_t blocks = (grid.count + some - 1) / some;
    const Buffers<float> weights(1, kept == nullptr ? weights_size() : 0);
    const Matrices u(kept == nullptr ? weights[0] : const_cast<float*>(kept), K, row);
    if (kept == nullptr) {
      turn_all_weights(u.data);
    }
    const int64_t size = Matrices::size(depth(), some);
    each_slice(blocks, some * C * K * kTile, size + Matrices::size(planes, some),
               [&](int64_t block, float* buffer) {
                 const Matrices v(buffer, depth(), some), m(buffer + size, planes, some);
                 turn_inputs(grid.some(block * some, some), 0, depth(), v);
                 for (int64_t k = 0; k < K; k += planes) {
                   multiply(grid.some(block * some, some), k, std::min(planes, K - k), u, k, v, m);
                 }
               });
  }

  /// Many planes: some of the result at a time, from tiles that are all there.
  void by_planes(const Grid& grid) const {
    constexpr int64_t some = kWinogradTiles;
    const int64_t each_thread = round_up((K + threads::share() - 1) / threads::share(), 8);
    const int64_t planes = std::min({kPlanes * 3 / 4, K, each_thread}), row = weights_row();
    const int64_t blocks = (grid.count + some - 1) / some;
    const int64_t each = Matrices::size(depth(), some);
    const Buffers<float> inputs(blocks, each);
    parallel_items(depth(), kTogether<T> * grid.count * kTile, [&](int64_t begin, int64_t end) {
      for (int64_t block = 0; block < blocks; ++block) {
        turn_inputs(grid.some(block * some, some), begin, end, {inputs[block], depth(), some});
      }
    });
    const int64_t size = kept == nullptr ? Matrices::size(planes, row) : 0;
    const int64_t own = Matrices::size(planes, some);
    each_slice((K + planes - 1) / planes, planes * C * grid.count * kTile,
               size + own + turned_size(), [&](int64_t chunk, float* buffer) {
                 const Matrices m(buffer + size, planes, some);
                 const int64_t first = chunk * planes, count = std::min(planes, K - first);
                 const Matrices u = kept == nullptr ? Matrices(buffer, planes, row)
                                                    : Matrices(const_cast<float*>(kept), K, row);
                 for (int64_t k = 0; kept == nullptr && k < count; k += kNeighbours) {
                   turn_weights(first + k, std::min(kNeighbours, count - k), m.data + own, u, k);
                 }
                 for (int64_t block = 0; block < blocks; ++block) {
                   multiply(grid.some(block * some, some), first, count, u,
                            kept == nullptr ? 0 : first, {inputs[block], depth(), some}, m);
                 }
               });
  }

  /// As many as the cache has room for, and no fewer parts than threads.
  int64_t tiles_at_once(const Grid& grid) const {
    int64_t some =
        kCached / (kTile * depth()) >= kWinogradTiles ? kWinogradTiles : kWinogradTiles / 2;
    while (some > kVector && some * (threads::share() - 1) >= grid.count) {
      some /= 2;
    }
    return some;
  }

  /// Floats of a sum's numbers.
  int64_t depth() const { return C / kTogether<T>; }
  int64_t weights_row() const { return round_up(depth(), kVector) + kVector; }
  int64_t turned_row() const { return round_up(C * kTaps, kVector) + kVector; }
  int64_t turned_size() const { return backwards ? kNeighbours * turned_row() : 0; }

  /// The weights for `rows` planes of the result from the k-th on, into the rows from `to` on.
  void turn_weights(int64_t k, int64_t rows, float* turned, const Matrices& u, int64_t to) const {
    for (int64_t c = 0; backwards && c < C; ++c) {
      for (int64_t i = 0; i < rows; ++i) {
        std::copy_n(weight + (c * K + k + i) * kTaps, kTaps, turned + i * turned_row() + c * kTaps);
      }
    }
    for (int64_t i = 0; i < rows; ++i) {
      const float* from = backwards ? turned + i * turned_row() : weight + (k + i) * C * kTaps;
      float* const row = u.data + (to + i) * u.row;
      if constexpr (kByPairs<T>) {
        pair_kernels().weights(C, backwards, from, reinterpret_cast<BFloat16*>(row), 2 * u.step);
      } else {
        weight_kernels().weights(C, backwards, from, row, u.step);
      }
    }
  }

  /// Into the rows [begin, end).
  void turn_inputs(WinogradTiles tiles, int64_t begin, int64_t end, const Matrices& v) const {
    tiles.of(H, W, C, v.step);
    tiles.top = padH;
    tiles.left = padW;
    for (int64_t i = begin; i < end; ++i) {
      plane_kernels<T>().inputs(tiles, x + i * kTogether<T> * H * W, v.data + i * v.row);
    }
  }

  /// `count` planes of the result from the k-th on, by the weights' rows from `from` on.
  void multiply(WinogradTiles tiles, int64_t k, int64_t count, const Matrices& u, int64_t from,
                const Matrices& v, const Matrices& m) const {
    for (int64_t e = 0; e < kTile; ++e) {
      dense_gemm_kernels().of_float.product({.transpose_a = false,
                                             .transpose_b = false,
                                             .m = count,
                                             .n = tiles.columns(),
                                             .k = depth(),
                                             .alpha = 1,
                                             .a = u[e] + from * u.row,
                                             .lda = u.row,
                                             .b = v[e],
                                             .ldb = v.row,
                                             .beta = 0,
                                             .c = m[e],
                                             .ldc = m.row,
                                             .pairs = kByPairs<T>});
    }
    tiles.of(outH, outW, K, m.step);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t plane = (k + i) * outH * outW;
      const T* addend = epilogue.addend == nullptr ? nullptr : epilogue.addend + plane;
      plane_kernels<T>().outputs(tiles, m.data + i * m.row,
                                 {bias == nullptr ? 0.f : bias[k + i], addend, epilogue.relu},
                                 r + plane);
    }
  }
};

}  // namespace

bool applies(Direction direction, const ConvShape& s) {
  constexpr int64_t planes = 16, most = 32, fewest = 16;
  const int64_t enough = direction == Direction::BackwardWeight ? fewest : most;
  // A tile is sixteen results, whether the plane has so many or not.
  const int64_t tiles = Grid(s.N, s.outH, s.outW).count;
  const int64_t filled = direction == Direction::BackwardInput ? 8 : 4;
  return options::winograd && s.dims == 2 && s.groups == 1 && s.kH == 3 && s.kW == 3 && s.dH == 1 &&
         s.dW == 1 && s.dilH == 1 && s.dilW == 1 && s.padH <= 2 && s.padW <= 2 && s.C >= planes &&
         s.K >= planes && tiles >= enough && s.N * s.outH * s.outW >= filled * tiles;
}

bool by_pairs(Direction direction, const ConvShape& s) {
  const int64_t planes = direction == Direction::Forward         ? s.C
                         : direction == Direction::BackwardInput ? s.K
                                                                 : 0;
  return has_fast_pairs() && planes % 2 == 0 && applies(direction, s);
}

template <class T>
void conv(const ConvShape& s, const T* x, const Weights& weight, const float* bias, T* r,
          const Epilogue<T>& epilogue) {
  Convolution<T> c{s.N,    s.C,   s.K, s.H,         s.W,  s.outH, s.outW,  s.padH,
                   s.padW, false, x,   weight.data, bias, r,      epilogue};
  constexpr int64_t kForm = -1;  // oneDNN's have numbers from 0
  const auto kept = weight.kept(s, {kForm, s.C, s.K}, c.weights_size(),
                                [&](float* to) { c.turn_all_weights(to); });
  c.kept = kept.get();
  c.run();
}

template <class T>
void conv_backward_input(const ConvShape& s, const T* g, const float* weight, T* r) {
  Convolution<T>{s.N,        s.K,  s.C, s.outH, s.outW,  s.H, s.W, 2 - s.padH,
                 2 - s.padW, true, g,   weight, nullptr, r,   {},  nullptr}
      .run();
}

#define TH_INSTANTIATE(T)                                                             \
  template void conv<T>(const ConvShape&, const T*, const Weights&, const float*, T*, \
                        const Epilogue<T>&);                                          \
  template void conv_backward_input<T>(const ConvShape&, const T*, const float*, T*);
TH_INSTANTIATE(float)
TH_INSTANTIATE(BFloat16)
#undef TH_INSTANTIATE

}  // namespace th::cpu::winograd
