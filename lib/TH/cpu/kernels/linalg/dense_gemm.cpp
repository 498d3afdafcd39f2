#include "cpu/kernels/linalg/dense_gemm.h"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "cpu/kernels/pairs.h"
#include "cpu/kernels/turn.h"

namespace th::cpu::TH_ISA {
namespace {

// Sums are held in registers, 24 of 32 with AVX-512, 12 of 16 otherwise: fewer rows of more vectors
// or more rows of fewer.
constexpr bool kMasks = kVectorBytes >= 32;
constexpr int kVectors = kVectorBytes == 64 ? 4 : 2;
constexpr int kTileRows = 6;
constexpr int most_rows(int vectors) { return vectors == kVectors ? kTileRows : 8; }
/// Of the next tile when so many are left. The last two share what is left: a low tile does not
/// keep the multipliers busy.
constexpr int64_t tile_rows(int64_t left, int64_t most) {
  return left >= 2 * most || left == most ? most : left > most ? (left + 1) / 2 : left;
}
/// Sums at least this long take longer than C's lines need to come; B's are asked for so many rows
/// before they are needed: where rows are far apart the processor does not guess them. A row takes
/// some 12 cycles, a line from memory or a third-level cache 200 to 300.
constexpr int64_t kFarAhead = 64;
constexpr int64_t kRowsAhead = 24;

/// `count` of the lanes, where the instruction set can leave out the others.
template <class V, class T>
[[gnu::always_inline]] inline V load_first(const T* p, [[maybe_unused]] int64_t count) {
  if constexpr (kMasks && sizeof(V) == kVectorBytes) {
    return load_part<T>(p, count);
  } else {
    return load<V>(p);
  }
}

template <class V, class T>
[[gnu::always_inline]] inline void store_first(T* p, [[maybe_unused]] int64_t count, V v) {
  if constexpr (kMasks && sizeof(V) == kVectorBytes) {
    store_part<T>(p, count, v);
  } else {
    std::memcpy(p, &v, sizeof(V));
  }
}

/// Fused in every tile, or in none: left to itself, gcc multiplies several single elements at once
/// and adds them one by one, in some tiles.
template <class V, class T>
[[gnu::always_inline]] inline void add_product(V& sum, V x, T y) {
#ifdef __FMA__
  if constexpr (std::is_same_v<V, float>) {
    sum = __builtin_fmaf(x, y, sum);
    return;
  } else if constexpr (std::is_same_v<V, double>) {
    sum = __builtin_fma(x, y, sum);
    return;
  }
#endif
  sum += x * y;
}

/// The two of bfloat16 that an element of 32 bits is made of.
struct Pair {};

/// What sums of products of such elements are.
template <class E>
using Number = std::conditional_t<std::is_same_v<E, Pair>, float, E>;

/// Keeps a product from being fused with what is added to it, in some tiles and not in others.
template <class V>
[[gnu::always_inline]] inline void round_off([[maybe_unused]] V& v) {
#if defined(__clang__)
  // It fuses within an expression only, and has no registers for vectors that are emulated.
#elif defined(__x86_64__)
  asm("" : "+v"(v));
#elif defined(__aarch64__)
  asm("" : "+w"(v));
#endif
}

/// Rows x (Count * Lanes) elements of C, the last vector only `rest` lanes wide where it is not
/// Whole: leaving lanes out keeps a multiplier from multiplying.
template <class E, int Lanes, int Count, bool Transposed, bool Whole, int Rows>
void tile(const Gemm<Number<E>>& g, int64_t i0, int64_t j0, int64_t rest) {
  using T = Number<E>;
  using V = Vector<T, Lanes>;
  V sums[Rows][Count] = {};
  // A single pointer for neighbours: an addition for each takes turns of the multipliers.
  const T* a[Transposed ? 1 : Rows];
  if constexpr (Transposed) {
    a[0] = g.a + (g.tiled ? i0 * g.k : i0);
  } else {
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
      a[i] = g.a + (i0 + i) * g.lda;
    }
  }
  const int64_t a_step = !Transposed ? 1 : g.tiled ? Rows : g.lda;
  if (g.k >= kFarAhead) {
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
      const T* c = g.c + (i0 + i) * g.ldc + j0;
#pragma GCC unroll 8
      for (int j = 0; j < Count; ++j) {
        __builtin_prefetch(c + j * Lanes, 1);
      }
    }
  }
  const T* b = g.b + j0;
  int64_t step = 0;
  const auto advance = [&](int64_t ahead) __attribute__((always_inline)) {
    V columns[Count];
#pragma GCC unroll 8
    for (int j = 0; j < Count; ++j) {
      if (ahead != 0) {
        __builtin_prefetch(b + ahead + j * Lanes);
      }
      columns[j] =
          Whole || j + 1 < Count ? load<V>(b + j * Lanes) : load_first<V>(b + j * Lanes, rest);
    }
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
      const T factor = Transposed ? a[0][step + i] : a[i][step];
#pragma GCC unroll 8
      for (int j = 0; j < Count; ++j) {
        if constexpr (std::is_same_v<E, Pair>) {
          add_pair(sums[i][j], columns[j], factor);
        } else {
          add_product(sums[i][j], columns[j], factor);
        }
      }
    }
    step += a_step;
    b += g.ldb;
  };
  int64_t p = 0;
  if (i0 == 0 && g.k >= kFarAhead) {  // the first of the strip brings it for the others
    for (const int64_t ahead = kRowsAhead * g.ldb; p + kRowsAhead < g.k; ++p) {
      advance(ahead);
    }
  }
  for (; p < g.k; ++p) {
    advance(0);
  }
  // One question for all elements: asked of each, it would take as long as some products.
  const auto finish = [&](auto adds) __attribute__((always_inline)) {
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
      T* c = g.c + (i0 + i) * g.ldc + j0;
      const T* before = g.before(i0 + i, j0);
#pragma GCC unroll 8
      for (int j = 0; j < Count; ++j) {
        const int64_t lanes = Whole || j + 1 < Count ? Lanes : rest;
        V value = sums[i][j] * g.alpha;
        if constexpr (adds) {
          round_off(value);
          value += load_first<V>(before + j * Lanes, lanes) * g.beta;
        }
        store_first(c + j * Lanes, lanes, value);
      }
    }
  };
  g.beta != 0 ? finish(std::true_type{}) : finish(std::false_type{});
}

template <class T>
using Tile = void (*)(const Gemm<T>&, int64_t, int64_t, int64_t);

/// All rows of one strip of columns.
template <class E, int Lanes, int Count, bool Transposed, bool Whole, int... Less>
void strip_of(const Gemm<Number<E>>& g, int64_t j0, int64_t rest,
              std::integer_sequence<int, Less...>) {
  static constexpr Tile<Number<E>> tiles[] = {
      tile<E, Lanes, Count, Transposed, Whole, Less + 1>...};
  const int64_t most = g.tiled ? kTileRows : sizeof...(Less);
  for (int64_t i = 0; i < g.m;) {
    const int64_t rows = tile_rows(g.m - i, most);
    tiles[rows - 1](g, i, j0, rest);
    i += rows;
  }
}

template <class E, int Lanes, int Count, bool Whole>
void strip_of(const Gemm<Number<E>>& g, int64_t j0, int64_t rest) {
  constexpr std::make_integer_sequence<int, most_rows(Count)> rows;
  if (g.transpose_a) {
    strip_of<E, Lanes, Count, true, Whole>(g, j0, rest, rows);
  } else {
    strip_of<E, Lanes, Count, false, Whole>(g, j0, rest, rows);
  }
}

template <class E, int Lanes, int Count>
void strip(const Gemm<Number<E>>& g, int64_t j0, int64_t rest) {
  if (!kMasks || rest == Lanes) {
    strip_of<E, Lanes, Count, true>(g, j0, rest);
  } else {
    strip_of<E, Lanes, Count, !kMasks>(g, j0, rest);
  }
}

/// Columns that do not fill a vector: halves, quarters, ... down to one.
template <class T, int Lanes>
void narrow_strips(const Gemm<T>& g, int64_t j) {
  if constexpr (Lanes >= 1) {
    if (g.n - j >= Lanes) {
      strip<T, Lanes, 1>(g, j, Lanes);
      j += Lanes;
    }
    narrow_strips<T, Lanes / 2>(g, j);
  }
}

template <class E>
void product_of(const Gemm<Number<E>>& g) {
  using T = Number<E>;
  constexpr int lanes = kLanes<T>;
  const int64_t end = kMasks ? g.n : g.n / lanes * lanes;
  int64_t j = 0;
  for (int64_t width; j < end; j += width) {
    width = strip_columns(end - j, lanes, kVectors * lanes);
    const int64_t count = (width + lanes - 1) / lanes;
    const int64_t rest = width - (count - 1) * lanes;
    if constexpr (kVectors > 2) {
      if (count == 4) {
        strip<E, lanes, 4>(g, j, rest);
      } else if (count == 3) {
        strip<E, lanes, 3>(g, j, rest);
      }
    }
    if (count == 2) {
      strip<E, lanes, 2>(g, j, rest);
    } else if (count == 1) {
      strip<E, lanes, 1>(g, j, rest);
    }
  }
  if constexpr (!kMasks) {
    narrow_strips<T, lanes / 2>(g, j);
  }
}

template <class T>
void product(const Gemm<T>& g) {
  if constexpr (kHasPairs && std::is_same_v<T, float>) {
    if (g.pairs) {
      product_of<Pair>(g);
      return;
    }
  }
  product_of<T>(g);
}

/// Elements of bfloat16 of two lines, the first one's in the lower halves.
void pair_up(int64_t n, const uint16_t* first, const uint16_t* second, float* to) {
  if (second == nullptr) {
    for (int64_t i = 0; i < n; ++i) {
      to[i] = std::bit_cast<float>(uint32_t{first[i]});
    }
    return;
  }
  for (int64_t i = 0; i < n; ++i) {
    to[i] = std::bit_cast<float>(first[i] | uint32_t{second[i]} << 16);
  }
}

template <class T>
void pack_square(const T* b, int64_t step, int64_t depth, int64_t columns, T* to, int64_t width) {
  constexpr int lanes = kLanes<T>;
  Vector<T> lines[lanes] = {};
  if (depth == lanes && columns == lanes) {
#pragma GCC unroll 16
    for (int j = 0; j < lanes; ++j) {
      lines[j] = load<Vector<T>>(b + j * step);
    }
  } else {
    for (int j = 0; j < columns; ++j) {
      lines[j] = load_part<T>(b + j * step, depth);
    }
  }
  turn<T>(lines);
  if (depth == lanes) {
#pragma GCC unroll 16
    for (int p = 0; p < lanes; ++p) {
      std::memcpy(to + p * width, &lines[p], sizeof(lines[p]));
    }
  } else {
    for (int p = 0; p < depth; ++p) {
      std::memcpy(to + p * width, &lines[p], sizeof(lines[p]));
    }
  }
}

template <class T>
void pack(bool transposed, const T* b, int64_t step, int64_t depth, int64_t columns, T* to,
          int64_t width) {
  constexpr int64_t lanes = kLanes<T>;
  if (transposed) {
    for (int64_t j = 0; j < columns; j += lanes) {
      for (int64_t p = 0; p < depth; p += lanes) {
        pack_square(b + j * step + p, step, std::min(lanes, depth - p),
                    std::min(lanes, columns - j), to + p * width + j, width);
      }
    }
    return;
  }
  const int64_t whole = columns / lanes * lanes;
  for (int64_t p = 0; p < depth; ++p, b += step, to += width) {
    for (int64_t j = 0; j < whole; j += lanes) {
      std::memcpy(to + j, b + j, sizeof(Vector<T>));
    }
    if (whole < columns) {
      const Vector<T> last = load_part<T>(b + whole, columns - whole);
      std::memcpy(to + whole, &last, sizeof(last));
    }
  }
}

/// Some lines at a time, which a first-level cache has until all tiles have their part.
template <class T>
void pack_tiles(const T* a, int64_t step, int64_t rows, int64_t depth, T* to) {
  constexpr int64_t lines = 16;
  for (int64_t p = 0; p < depth; p += lines) {
    const int64_t end = std::min(depth, p + lines);
    for (int64_t i = 0, height; i < rows; i += height) {
      height = tile_rows(rows - i, kTileRows);
      T* tile = to + i * depth;
      if (height == kTileRows) {
        for (int64_t q = p; q < end; ++q) {
          std::memcpy(tile + q * kTileRows, a + q * step + i, kTileRows * sizeof(T));
        }
      } else {
        for (int64_t q = p; q < end; ++q) {
          std::copy_n(a + q * step + i, height, tile + q * height);
        }
      }
    }
  }
}

template <class T>
DenseGemmRow<T> row() {
  return {product<T>, pack<T>, pack_tiles<T>, kLanes<T>, kVectors * kLanes<T>};
}

}  // namespace

void set_kernels(DenseGemmKernels& table) {
  table.of_float = row<float>();
  table.of_double = row<double>();
  table.pair_up = pair_up;
}

}  // namespace th::cpu::TH_ISA
