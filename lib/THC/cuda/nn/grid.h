// Positions counted through planes of an image, row by row.
#pragma once

#include <cstdint>

#include "cuda/offsets.h"

namespace thc {

/// Below 2^31 positions without 64-bit divisions.
struct Grid {
  struct Place {
    int64_t plane, row, column;
  };

  int64_t rows, columns;
  bool wide;
  Divisor by_rows, by_columns;

  Grid(int64_t planes, int64_t the_rows, int64_t the_columns)
      : rows(the_rows), columns(the_columns), wide(planes * rows * columns > 0x7fffffff) {
    if (!wide) {
      by_rows = Divisor(static_cast<uint32_t>(rows));
      by_columns = Divisor(static_cast<uint32_t>(columns));
    }
  }

  TH_HD Place operator()(int64_t position) const {
    if (wide) {
      const int64_t line = position / columns;
      return {line / rows, line % rows, position % columns};
    }
    const auto n = static_cast<uint32_t>(position);
    const uint32_t line = by_columns.divide(n);
    const uint32_t plane = by_rows.divide(line);
    return {plane, line - plane * by_rows.value, n - line * by_columns.value};
  }
};

/// The same for volumes.
struct VolumeGrid {
  struct Place {
    int64_t plane, t, h, w;
  };

  int64_t depth;
  Grid images;  // a volume's images one below the other
  Divisor by_depth;

  VolumeGrid(int64_t planes, int64_t the_depth, int64_t rows, int64_t columns)
      : depth(the_depth), images(planes * depth, rows, columns) {
    if (!images.wide) {
      by_depth = Divisor(static_cast<uint32_t>(depth));
    }
  }

  TH_HD Place operator()(int64_t position) const {
    const Grid::Place at = images(position);
    const int64_t plane =
        images.wide ? at.plane / depth : by_depth.divide(static_cast<uint32_t>(at.plane));
    return {plane, at.plane - plane * depth, at.row, at.column};
  }
};

}  // namespace thc
