#include "cpu/nn/conv/point_conv.h"

#include <algorithm>
#include <span>

#include "cpu/linalg/gemm.h"
#include "cpu/linalg/many_products.h"
#include "cpu/nn/conv/direct_conv.h"
#include "cpu/work_buffers.h"

namespace th::cpu {
namespace {

/// Columns that keep a product busy. Smaller images are put side by side.
constexpr int64_t kColumns = 192;
/// Gradients of fewer weights are summed up in several parts, work for several threads.
constexpr int64_t kWeights = 64 * 1024;
/// Weights of a group that make a product worth its call.
constexpr int64_t kLeast = 16;

/// Planes of some images as rows, with a column for each position of an output plane.
template <class T>
struct Matrix {
  T* first;
  int64_t row;
};

/// A convolution's images in blocks, each a product for every group. Planes are multiplied where
/// they lie, or copied to where they lie side by side.
template <class T>
class Points {
 public:
  explicit Points(const ConvShape& s)
      : s_(s),
        moves_(s.kernel() > 1 || s.dD > 1 || s.dH > 1 || s.dW > 1),
        covers_(s.kernel() * s.outputs() == s.plane()),
        images_(std::clamp<int64_t>(
            (kColumns + s.outputs() - 1) / std::max<int64_t>(s.outputs(), 1), 1, s.N)),
        blocks_((s.N + images_ - 1) / images_),
        inputs_(moves_ || images_ > 1 ? s.taps() * columns(images_) : 0),
        outputs_(images_ > 1 ? s.group_outputs() * columns(images_) : 0) {}

  int64_t blocks() const { return blocks_; }
  /// Elements of memory to copy planes to.
  int64_t room() const { return round_up(inputs_ + kSlack, 64) + round_up(outputs_ + kSlack, 64); }

  /// Block `item` of images of one group, and what its products are made of.
  struct Block {
    int64_t group, image, images;
  };
  Block operator[](int64_t item) const {
    const int64_t image = item / s_.groups * images_;
    return {item % s_.groups, image, std::min(images_, s_.N - image)};
  }
  int64_t columns(int64_t images) const { return images * s_.outputs(); }

  /// Inputs of a block to be read, or room for them.
  Matrix<T> inputs(const Block& b, const T* x, T* room) const {
    if (inputs_ == 0) {
      return {const_cast<T*>(x) + plane(b, 0, s_.C, s_.group_inputs(), s_.plane()), s_.plane()};
    }
    return {room, columns(b.images)};
  }
  Matrix<T> outputs(const Block& b, const T* y, T* room) const {
    if (outputs_ == 0) {
      return {const_cast<T*>(y) + plane(b, 0, s_.K, s_.group_outputs(), s_.outputs()),
              s_.outputs()};
    }
    return {room + round_up(inputs_ + kSlack, 64), columns(b.images)};
  }

  void read_inputs(const Block& b, const T* x, const Matrix<T>& to) const {
    if (inputs_ > 0) {
      each_plane(b, s_.C, s_.group_inputs(), s_.plane(), s_.kernel(), to,
                 [&](int64_t from, T* row) { positions(x + from, row, to.row, Take{}); });
    }
  }
  /// r is all of them: what no output sees is 0.
  void write_inputs(const Block& b, const Matrix<T>& from, T* r) const {
    if (inputs_ > 0) {
      each_plane(b, s_.C, s_.group_inputs(), s_.plane(), s_.kernel(), from,
                 [&](int64_t to, T* row) {
                   if (!covers_) {
                     std::fill_n(r + to, s_.plane(), T(0));
                   }
                   positions(r + to, row, from.row, Put{});
                 });
    }
  }
  void read_outputs(const Block& b, const T* y, const Matrix<T>& to) const {
    if (outputs_ > 0) {
      each_plane(b, s_.K, s_.group_outputs(), s_.outputs(), 1, to,
                 [&](int64_t from, T* row) { std::copy_n(y + from, s_.outputs(), row); });
    }
  }
  void write_outputs(const Block& b, const Matrix<T>& from, T* y,
                     const Epilogue<T>& epilogue) const {
    if (outputs_ > 0) {
      each_plane(b, s_.K, s_.group_outputs(), s_.outputs(), 1, from, [&](int64_t to, T* row) {
        std::copy_n(row, s_.outputs(), y + to);
        if (epilogue.any()) {
          epilogue.finish(y, to, s_.outputs());
        }
      });
    }
  }
  /// Whether products write the planes of the result themselves.
  bool in_place() const { return outputs_ == 0; }

 private:
  struct Take {
    void operator()(const T& plane, T& column) const { column = plane; }
  };
  struct Put {
    void operator()(T& plane, const T& column) const { plane = column; }
  };

  /// Where plane `i` of the group lies in image `n` of the block.
  int64_t plane(const Block& b, int64_t n, int64_t all, int64_t of_group, int64_t size,
                int64_t i = 0) const {
    return ((b.image + n) * all + b.group * of_group + i) * size;
  }

  template <class F>
  void each_plane(const Block& b, int64_t all, int64_t of_group, int64_t size, int64_t taps,
                  const Matrix<T>& matrix, const F& f) const {
    parallel_items(of_group, columns(b.images), [&](int64_t first, int64_t last) {
      for (int64_t n = 0; n < b.images; ++n) {
        for (int64_t i = first; i < last; ++i) {
          f(plane(b, n, all, of_group, size, i), matrix.first + i * taps * matrix.row + columns(n));
        }
      }
    });
  }

  /// move(element of the plane, column) for each tap, which has a row of its own, and position of
  /// an output.
  template <class Element, class Move>
  void positions(Element* plane, T* row, int64_t step, const Move& move) const {
    for (int64_t tap = 0; tap < s_.kernel(); ++tap, row += step) {
      const int64_t front = tap / s_.kW / s_.kH;
      const int64_t top = tap / s_.kW % s_.kH;
      const int64_t width = moves_ ? s_.outW : s_.outputs();
      for (int64_t i = 0; i < s_.outputs(); i += width) {
        const int64_t z = i / s_.outW / s_.outH * s_.dD + front;
        const int64_t y = i / s_.outW % s_.outH * s_.dH + top;
        Element* line = plane + (z * s_.H + y) * s_.W + tap % s_.kW;
        const auto each = [&](int64_t apart) __attribute__((always_inline)) {
          for (int64_t j = 0; j < width; ++j) {
            move(line[j * apart], row[i + j]);
          }
        };
        s_.dW == 1 ? each(1) : s_.dW == 2 ? each(2) : each(s_.dW);
      }
    }
  }

  const ConvShape& s_;
  bool moves_,
      covers_;  ///< whether inputs are moved to their columns, whether windows see them all
  int64_t images_, blocks_;
  int64_t inputs_, outputs_;
};

/// Memory for products and what they are made of, for one thread or for each of several.
template <class T>
struct Memory {
  int64_t room, each;
  Buffers<T> buffers;

  Memory(int64_t count, const Points<T>& points, int64_t workspace)
      : room(points.room()), each(workspace), buffers(count, room + workspace) {}
  T* planes(int64_t i) const { return buffers[i]; }
  std::span<T> workspace(int64_t i) const { return {buffers[i] + room, static_cast<size_t>(each)}; }
};

/// A bias is added to some columns of a product at a time, while a cache has them.
template <class T>
int64_t columns_at_once(const Gemm<T>& g) {
  const int64_t fit = kWorkingSet / static_cast<int64_t>(sizeof(T)) / std::max<int64_t>(g.m, 1);
  return std::clamp<int64_t>(std::max(kColumns, fit / kStrip * kStrip), 1,
                             std::max<int64_t>(g.n, 1));
}

/// The most that a product needs for a whole block and for the last one, of columns at once and of
/// those that are left.
template <class T, class Make>
int64_t most_workspace(const Points<T>& points, int64_t items, const Make& make, int64_t team) {
  int64_t most = 0;
  for (const int64_t item : {int64_t{0}, items - 1}) {
    Gemm<T> g = make(points[item]);
    most = std::max(most, gemm_workspace(g, team));
    const int64_t step = columns_at_once(g);
    const int64_t rest = g.n % step;
    for (const int64_t n : {step, rest}) {
      g.n = n;
      most = n > 0 ? std::max(most, gemm_workspace(g, team)) : most;
    }
  }
  return most;
}

/// f(block, memory) for all of them, whose products are made `by_columns`: some at once.
template <class T, class Make, class F>
void each_block(const ConvShape& s, const Points<T>& points, bool by_columns, const Make& make,
                const F& f) {
  const int64_t items = points.blocks() * s.groups;
  const Gemm<T> g = make(points[0]);
  const int64_t columns = by_columns ? std::min(columns_at_once(g), g.n) : g.n;
  const ManyProducts products(items, g.m * columns * g.k, s.N * s.cost() / items / 8);
  const Memory<T> memory(products.workers(), points,
                         most_workspace(points, items, make, products.team()));
  products.run([&](int64_t first, int64_t last, int64_t own) {
    for (int64_t item = first; item < last; ++item) {
      f(points[item], memory.planes(own), memory.workspace(own));
    }
  });
}

/// A product whose rows have a number added each, if there is a bias; and in place the epilogue.
template <class T>
void with_bias(Gemm<T> g, const T* bias, const Epilogue<T>& epilogue, T* r,
               std::span<T> workspace) {
  const int64_t step = columns_at_once(g);
  for (int64_t left = g.n; left > 0; left -= g.n) {
    g.n = std::min(step, left);
    gemm(g, workspace);
    parallel_items(g.m, g.n, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t at = g.c - r + i * g.ldc;
        epilogue.finish(r, at, g.n, bias == nullptr ? T(0) : bias[i]);
      }
    });
    g.b += g.n;
    g.c += g.n;
  }
}

}  // namespace

bool of_points(const ConvShape& s) {
  return s.kD <= s.dD && s.kH <= s.dH && s.kW <= s.dW && s.dilD == 1 && s.dilH == 1 &&
         s.dilW == 1 && s.padD == 0 && s.padH == 0 && s.padW == 0 && s.N * s.outputs() > 0 &&
         s.taps() * s.group_outputs() >= kLeast;
}

template <class T>
void point_conv(const ConvShape& s, const T* x, const T* weight, const T* bias, T* r,
                const Epilogue<T>& epilogue) {
  const Points<T> points(s);
  using Block = typename Points<T>::Block;
  const auto product = [&](const Block& b, const Matrix<T>& in, const Matrix<T>& out) {
    return Gemm<T>{false,
                   false,
                   s.group_outputs(),
                   points.columns(b.images),
                   s.taps(),
                   T(1),
                   weight + b.group * s.group_outputs() * s.taps(),
                   s.taps(),
                   in.first,
                   in.row,
                   T(0),
                   out.first,
                   out.row};
  };
  const auto make = [&](const Block& b) {
    return product(b, points.inputs(b, x, nullptr), points.outputs(b, r, nullptr));
  };
  const bool finishes = bias != nullptr || (points.in_place() && epilogue.any());
  each_block(s, points, finishes, make, [&](const Block& b, T* room, std::span<T> workspace) {
    const Matrix<T> in = points.inputs(b, x, room);
    const Matrix<T> out = points.outputs(b, r, room);
    points.read_inputs(b, x, in);
    const T* own = bias == nullptr ? nullptr : bias + b.group * s.group_outputs();
    if (!finishes) {
      gemm(product(b, in, out), workspace);
    } else if (points.in_place()) {
      with_bias(product(b, in, out), own, epilogue, r, workspace);
    } else {
      with_bias(product(b, in, out), own, {}, out.first, workspace);
    }
    points.write_outputs(b, out, r, epilogue);
  });
}

template <class T>
void point_conv_backward_input(const ConvShape& s, const T* g, const T* weight, T* r) {
  const Points<T> points(s);
  using Block = typename Points<T>::Block;
  const auto product = [&](const Block& b, const Matrix<T>& out, const Matrix<T>& in) {
    return Gemm<T>{true,
                   false,
                   s.taps(),
                   points.columns(b.images),
                   s.group_outputs(),
                   T(1),
                   weight + b.group * s.group_outputs() * s.taps(),
                   s.taps(),
                   out.first,
                   out.row,
                   T(0),
                   in.first,
                   in.row};
  };
  const auto make = [&](const Block& b) {
    return product(b, points.outputs(b, g, nullptr), points.inputs(b, r, nullptr));
  };
  each_block(s, points, false, make, [&](const Block& b, T* room, std::span<T> workspace) {
    const Matrix<T> out = points.outputs(b, g, room);
    const Matrix<T> in = points.inputs(b, r, room);
    points.read_outputs(b, g, out);
    gemm(product(b, out, in), workspace);
    points.write_inputs(b, in, r);
  });
}

template <class T>
void point_conv_backward_weight(const ConvShape& s, const T* g, const T* x, T scale, T* grad_weight,
                                T* grad_bias) {
  const Points<T> points(s);
  using Block = typename Points<T>::Block;
  const int64_t weights = s.K * s.taps();
  const auto product = [&](const Block& b, const Matrix<T>& out, const Matrix<T>& in, T beta,
                           T* sums) {
    return Gemm<T>{false,
                   true,
                   s.group_outputs(),
                   s.taps(),
                   points.columns(b.images),
                   scale,
                   out.first,
                   out.row,
                   in.first,
                   in.row,
                   beta,
                   sums + b.group * s.group_outputs() * s.taps(),
                   s.taps()};
  };
  const auto make = [&](const Block& b) {
    return product(b, points.outputs(b, g, nullptr), points.inputs(b, x, nullptr), T(1), nullptr);
  };
  // By shape alone, so that the sums are the same for any number of threads.
  const int64_t blocks = points.blocks();
  const int64_t parts = std::clamp<int64_t>(kWeights / weights, 1, blocks);
  const int64_t items = parts * s.groups;
  const Gemm<T> one = make(points[0]);
  const ManyProducts products(items, one.m * one.n * one.k, s.N * s.cost() / items / 8);
  const Memory<T> memory(products.workers(), points,
                         most_workspace(points, blocks * s.groups, make, products.team()));
  const Buffers<T> others(parts - 1, weights);  // the first part is added to the gradient itself
  products.run([&](int64_t first_item, int64_t last_item, int64_t own) {
    for (int64_t item = first_item; item < last_item; ++item) {
      const int64_t part = item / s.groups;
      const Share share(blocks, part, parts);
      T* const sums = part == 0 ? grad_weight : others[part - 1];
      for (int64_t block = share.begin; block < share.end; ++block) {
        const Block b = points[block * s.groups + item % s.groups];
        const Matrix<T> out = points.outputs(b, g, memory.planes(own));
        const Matrix<T> in = points.inputs(b, x, memory.planes(own));
        points.read_outputs(b, g, out);
        points.read_inputs(b, x, in);
        const bool first = part > 0 && block == share.begin;
        gemm(product(b, out, in, first ? T(0) : T(1), sums), memory.workspace(own));
      }
    }
  });
  parallel_for(parts > 1 ? weights : 0, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t part = 1; part < parts; ++part) {
      for (int64_t i = begin; i < end; ++i) {
        grad_weight[i] += others[part - 1][i];
      }
    }
  });
  if (grad_bias != nullptr) {
    conv_backward_bias(s, g, scale, grad_bias);
  }
}

#define TH_INSTANTIATE(T)                                                               \
  template void point_conv<T>(const ConvShape&, const T*, const T*, const T*, T*,       \
                              const Epilogue<T>&);                                      \
  template void point_conv_backward_input<T>(const ConvShape&, const T*, const T*, T*); \
  template void point_conv_backward_weight<T>(const ConvShape&, const T*, const T*, T, T*, T*);
TH_INSTANTIATE(float)
TH_INSTANTIATE(double)
#undef TH_INSTANTIATE

}  // namespace th::cpu
