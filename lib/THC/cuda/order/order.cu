// Elements become integers that sort as they do, with the number of their line above them where
// both fit into 64 bits. Otherwise two sorts, by element and then by line, which keep the order of
// equals, do the same.
#include "cuda/launch.h"
#include "cuda/lines.h"
#include "cuda/order/order.h"
#include "cuda/order/order_keys.h"
#include "cuda/order/sort_pairs.h"

namespace thc {
namespace {

struct ElementKeys {
  const char* base;
  int32_t dtype;
  OffsetCalculator lines;
  int64_t stride;
  int64_t n;
  uint64_t flip;
  TH_HD uint64_t operator()(int64_t i) const {
    return order_key(base, dtype, lines.offset(i / n) + i % n * stride) ^ flip;
  }
};

/// Keys with their lines above them, and positions.
struct NarrowKeys {
  ElementKeys key;
  uint64_t* keys;
  int64_t* positions;
  TH_HD void operator()(int64_t i) const {
    keys[i] = static_cast<uint64_t>(i / key.n) << 32 | key(i);
    positions[i] = i % key.n;
  }
};

struct WideKeys {
  ElementKeys key;
  uint64_t* keys;
  int64_t* places;
  TH_HD void operator()(int64_t i) const {
    keys[i] = key(i);
    places[i] = i;
  }
};

struct LineKeys {
  int64_t n;
  uint64_t* keys;
  const int64_t* places;
  TH_HD void operator()(int64_t i) const { keys[i] = static_cast<uint64_t>(places[i] / n); }
};

/// The keys again, in the order of the places, which become positions.
struct KeysAtPlaces {
  ElementKeys key;
  uint64_t* keys;
  int64_t* places;
  TH_HD void operator()(int64_t i) const {
    const int64_t place = places[i];
    keys[i] = key(place);
    places[i] = place % key.n;
  }
};

}  // namespace

SortedLines::SortedLines(const TH_Tensor& x, int dim, bool descending)
    : stream_(stream_for(x)),
      dtype_(x.dtype),
      n_(x.sizes[dim]),
      count_(numel(x) / n_),
      narrow_(element_size(dtype_) <= 4 && count_ < (int64_t{1} << 32)),
      flip_(descending ? key_mask() : 0),
      scratch_(x, numel(x) * 16),
      keys_(scratch_.data<uint64_t>()),
      positions_(scratch_.data<int64_t>() + numel(x)) {
  const ElementKeys key{bytes(x), x.dtype, lines_along(x, dim), x.strides[dim], n_, flip_};
  const int64_t all = numel(x);
  if (narrow_) {
    launch(stream_, all, NarrowKeys{key, keys_, positions_});
    sort_pairs(stream_, keys_, positions_, all);
    return;
  }
  launch(stream_, all, WideKeys{key, keys_, positions_});
  sort_pairs(stream_, keys_, positions_, all);
  if (count_ > 1) {
    launch(stream_, all, LineKeys{n_, keys_, positions_});
    sort_pairs(stream_, keys_, positions_, all);
    launch(stream_, all, KeysAtPlaces{key, keys_, positions_});
  }
}

}  // namespace thc
