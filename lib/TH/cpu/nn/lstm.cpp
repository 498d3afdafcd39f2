// LSTMs over whole sequences, some sequences at a time through all steps: none needs another, so
// threads meet at the end only, a step's gates stay in a first-level cache, and gradients of sums
// of products are gone before they leave a second-level one.
#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "core/checks/recurrent.h"
#include "core/composite/recurrent.h"
#include "core/composite/staged.h"
#include "core/composite/views.h"
#include "core/operations.h"
#include "core/tables/recurrent.h"
#include "cpu/kernels/nn/recurrent_cells.h"
#include "cpu/linalg/gemm.h"
#include "cpu/linalg/packed_columns.h"
#include "cpu/parts.h"
#include "cpu/register.h"

namespace th::cpu {
namespace {

using composite::part;
using composite::Staged;
using composite::transposed;
using composite::viewed;

/// Sequences of a product's tile, and the fewest on average for which another group pays. Groups at
/// most: each has sums of its own for the gradients of parameters.
constexpr int64_t kTile = 6;
constexpr int64_t kGroup = 9;
constexpr int64_t kGroups = 16;
/// Rows from which those sums grow at a time: a second-level cache has them beside the sums.
constexpr int64_t kRows = 192;
/// Elements by which rows are longer than they need be: at a power of two they would share a few
/// sets of a cache.
constexpr int64_t kApart = 16;
/// Sequences, too few to fill a product's tiles; states that pay for laying out the weights; and
/// weights that a second-level cache has.
constexpr int64_t kFew = 4;
constexpr int64_t kStates = 32;
constexpr int64_t kWeights = 1 << 19;
/// Multiplications of a step that one thread had better make alone.
constexpr int64_t kAlone = 1 << 19;

/// Groups of sequences. Where sums depend on them they are cut by shape alone, so that results do
/// not depend on the number of threads. There is a power of two of those, which two or four threads
/// share evenly.
struct Groups {
  int64_t sequences, count, multiple = kTile;

  explicit Groups(int64_t N)
      : sequences(N),
        count(std::bit_floor(std::clamp<uint64_t>((N + kTile / 2) / kGroup, 1, kGroups))) {}
  /// So many, if that leaves half a tile of sequences to each.
  Groups(int64_t N, int64_t wanted)
      : sequences(N),
        count(std::clamp<int64_t>(wanted, 1, std::max<int64_t>(N / (kTile / 2), 1))),
        multiple(count * kTile > N ? kTile / 2 : kTile) {}
  /// For what is each sequence's own: one for each thread, where those by shape are fewer.
  static Groups for_threads(int64_t N, int64_t threads) {
    const Groups by_shape(N);
    return by_shape.count < threads ? Groups(N, threads) : by_shape;
  }

  int64_t begin(int64_t group) const {
    return group == count ? sequences
                          : (sequences * group / count + multiple / 2) / multiple * multiple;
  }
  int64_t most() const {
    int64_t most = 0;
    for (int64_t g = 0; g < count; ++g) {
      most = std::max(most, begin(g + 1) - begin(g));
    }
    return most;
  }
};

/// Multiplications of a step of one sequence.
int64_t products(const SequenceShape& s) { return 4 * s.H * (s.F + s.H); }

/// How many threads so many multiplications keep busy, as each_part() takes them.
int64_t threads_for(int64_t multiplications) {
  return std::clamp<int64_t>(multiplications / 8 / kGrain, 1, threads::share());
}

/// Whether sequences are worth taking by groups: large weights are better read once for all, and
/// threads better share a single group's products where these are worth it.
bool by_groups(const TH_Tensor& x, const SequenceShape& s) {
  const int64_t weights = products(s);
  return !is_half(x.dtype) && s.T > 1 && s.N >= kFew && s.T * s.N >= kStates &&
         weights <= kWeights && (Groups(s.N).count > 1 || s.N * weights <= kAlone);
}

/// Whether a forward pass is too short for anything to be prepared: what matters are the calls.
bool is_short(const TH_Tensor& x, const SequenceShape& s) {
  return !is_half(x.dtype) && (s.T == 1 || s.T * s.N < kStates);
}

/// T x N x features, whose rows may lie anywhere.
template <class T>
struct Steps {
  T* data;
  int64_t step, row;

  explicit Steps(const TH_Tensor& t)
      : data(th::data<T>(t)), step(t.strides[0]), row(t.strides[1]) {}
  T* operator()(int64_t t, int64_t n) const { return data + t * step + n * row; }
};

/// t, or a copy of it where the features of a row are not neighbours.
Tensor with_rows(const TH_Tensor& t) {
  return t.sizes[2] == 1 || t.strides[2] == 1 ? Tensor(t) : contiguous(t);
}
Tensor rows_or_none(const TH_Tensor* t) { return t == nullptr ? Tensor() : contiguous(*t); }

/// What both passes go through. i counts the steps in their order, t is a step's place.
template <class T>
struct Sequences {
  SequenceShape s;
  Steps<const T> x;
  Steps<T> y, c, gates;
  const T *h0, *c0;
  const int64_t* lengths;
  bool reverse;

  int64_t place(int64_t i) const { return reverse ? s.T - 1 - i : i; }
  bool live(int64_t t, int64_t n) const { return lengths == nullptr || t < lengths[n]; }
  const T* state_before(int64_t i, int64_t n) const { return before(y, h0, i, n); }
  const T* memory_before(int64_t i, int64_t n) const { return before(c, c0, i, n); }

 private:
  const T* before(const Steps<T>& all, const T* first, int64_t i, int64_t n) const {
    return i > 0 ? all(place(i - 1), n) : first == nullptr ? nullptr : first + n * s.H;
  }
};

/// f(begin, end, group, working memory) for all groups, on several threads; f says whether all was
/// done.
template <class T, class F>
void each_group(const SequenceShape& s, const Groups& groups, int64_t memory, const F& f) {
  const int64_t cost = s.T * s.N / groups.count * products(s);
  each_part<T>(groups.count, cost, memory, [&](int64_t first, int64_t last, T* own) {
    for (int64_t g = first; g < last; ++g) {
      if (!f(groups.begin(g), groups.begin(g + 1), g, own)) {
        return false;
      }
    }
    return true;
  });
}

// --- forward ------------------------------------------------------------------------------------

/// Sequences through all steps.
template <class T>
class Forward {
 public:
  /// packs: lays out the weights for all steps; else they are multiplied as they lie, those of
  /// the inputs once for all steps of all sequences. x is compact then.
  Forward(const Sequences<T>& q, const TH_Tensor& weight, const TH_Tensor& recurrent, const T* bias,
          bool packs)
      : q_(q),
        bias_(bias),
        weight_(data<T>(weight)),
        recurrent_(data<T>(recurrent)),
        packs_(packs),
        memory_(1, packs ? size(q.s.F) + size(q.s.H) : 0),
        packed_weight_(memory_[0]),
        packed_recurrent_(memory_[0] + size(q.s.F)) {
    if (packs) {
      packed_weight_.pack(true, weight_, q.s.F, q.s.F, 4 * q.s.H);
      packed_recurrent_.pack(true, recurrent_, q.s.H, q.s.H, 4 * q.s.H);
    }
  }

  /// Elements of working memory, where weights are multiplied as they lie.
  int64_t memory() const {
    return std::max(gemm_workspace(of_inputs()), gemm_workspace(of_state(nullptr, 0, 0, q_.s.N)));
  }

  bool run(int64_t begin, int64_t end, T* own) const {
    if (!packs_) {
      gemm(of_inputs(), own);
    }
    for (int64_t i = 0; i < q_.s.T; ++i) {
      if (interrupt::asked()) [[unlikely]] {
        return false;
      }
      const int64_t t = q_.place(i);
      if (packs_) {
        packed_weight_.multiply(of_input(t, begin, end - begin, q_.x.row));
      }
      if (const T* h = q_.state_before(i, begin)) {
        const Gemm<T> g = of_state(h, t, begin, end);
        packs_ ? packed_recurrent_.multiply(g) : gemm(g, own);
      }
      // On several threads where those do not have a group each.
      parallel_items(end - begin, q_.s.H * kCellCost,
                     [&](int64_t first, int64_t last) { cells(i, begin + first, begin + last); });
    }
    return true;
  }

 private:
  int64_t size(int64_t k) const { return PackedColumns<T>::size(k, 4 * q_.s.H); }

  /// gates = x weight' + bias, for `rows` of x from a step's sequence on.
  Gemm<T> of_input(int64_t t, int64_t begin, int64_t rows, int64_t row) const {
    const SequenceShape& s = q_.s;
    return {false,
            true,
            rows,
            4 * s.H,
            s.F,
            1,
            q_.x(t, begin),
            row,
            weight_,
            s.F,
            T(bias_ != nullptr),
            q_.gates(t, begin),
            q_.gates.row,
            bias_};
  }
  Gemm<T> of_inputs() const { return of_input(0, 0, q_.s.T * q_.s.N, q_.s.F); }
  /// gates += h recurrent'
  Gemm<T> of_state(const T* h, int64_t t, int64_t begin, int64_t end) const {
    const SequenceShape& s = q_.s;
    return {false, true, end - begin,        4 * s.H,     s.H, 1, h, s.H, recurrent_,
            s.H,   1,    q_.gates(t, begin), q_.gates.row};
  }

  void cells(int64_t i, int64_t begin, int64_t end) const {
    const SequenceShape& s = q_.s;
    const auto cell = recurrent_cells_kernels().row<T>().lstm;
    const int64_t t = q_.place(i);
    for (int64_t n = begin; n < end; ++n) {
      if (q_.live(t, n)) {
        cell(s.H, q_.gates(t, n), q_.memory_before(i, n), q_.c(t, n), q_.y(t, n));
      } else {
        std::fill_n(q_.c(t, n), s.H, T(0));
        std::fill_n(q_.y(t, n), s.H, T(0));
      }
    }
  }

  const Sequences<T>& q_;
  const T *bias_, *weight_, *recurrent_;
  bool packs_;
  Buffers<T> memory_;
  PackedColumns<T> packed_weight_, packed_recurrent_;
};

void lstm(TH_Tensor* y, TH_Tensor* c, TH_Tensor* gates, const TH_Tensor* x, const TH_Tensor* h0,
          const TH_Tensor* c0, const TH_Tensor* weight, const TH_Tensor* recurrent,
          const TH_Tensor* bias, const TH_Tensor* recurrent_bias, const TH_Tensor* lengths,
          bool reverse) {
  const SequenceShape s = check_sequence(x, 4, weight, recurrent, bias, recurrent_bias, lengths);
  const bool grouped = by_groups(*x, s);
  if (!grouped && !is_short(*x, s)) {
    composite::lstm(y, c, gates, x, h0, c0, weight, recurrent, bias, recurrent_bias, lengths,
                    reverse);
    return;
  }
  check_states(*x, s, h0, c0);
  const Tensor in = grouped ? with_rows(*x) : contiguous(*x), W = contiguous(*weight),
               U = contiguous(*recurrent), both = composite::sum_of(bias, recurrent_bias),
               h = rows_or_none(h0), m = rows_or_none(c0), ends = rows_or_none(lengths);
  Staged states(y, in, {s.T, s.N, s.H}), memories(c, in, {s.T, s.N, s.H}),
      activations(gates, in, {s.T, s.N, 4 * s.H});
  RealTypes::dispatch(x->dtype, [&]<class T>() {
    const Sequences<T> q{s,
                         Steps<const T>(in),
                         Steps<T>(states.tensor()),
                         Steps<T>(memories.tensor()),
                         Steps<T>(activations.tensor()),
                         data<T>(h),
                         data<T>(m),
                         data<int64_t>(ends),
                         reverse};
    const Forward<T> pass(q, W, U, data<T>(both), grouped);
    if (grouped) {
      const Groups groups = Groups::for_threads(s.N, threads_for(s.T * s.N * products(s)));
      each_group<T>(s, groups, 0, [&](int64_t begin, int64_t end, int64_t, T*) {
        return pass.run(begin, end, nullptr);
      });
    } else {
      const Buffers<T> own(1, pass.memory());
      if (!pass.run(0, s.N, own[0])) {
        interrupt::left_undone();
      }
    }
  });
  for (Staged* r : {&states, &memories, &activations}) {
    r->finish();
  }
}

// --- backward -----------------------------------------------------------------------------------

/// The gradients of a group of sequences, from the last step to the first.
template <class T>
class Backward {
 public:
  struct Gradients {
    Steps<const T> gy;
    T *h, *c;       // of the states before: N x H
    T* x;           // T x N x F; null: not wanted
    T* parameters;  // of each group (F + H + 1) x 4H, by row of inputs; null: not wanted
  };

  Backward(const Sequences<T>& q, const TH_Tensor& weight, const TH_Tensor& recurrent,
           const Gradients& to, const Groups& groups)
      : q_(q),
        to_(to),
        inputs_(q.s.F + q.s.H + 1),
        width_(round_up(inputs_, kVector) + kApart),
        r_width_(4 * q.s.H + kApart),
        together_(std::clamp<int64_t>(kRows / groups.most(), 1, q.s.T)),
        rows_(together_ * groups.most()),
        memory_(1, size(q.s.F, q.s) + size(q.s.H, q.s)),
        weight_(memory_[0]),
        recurrent_(memory_[0] + size(q.s.F, q.s)) {
    weight_.pack(false, data<T>(weight), q.s.F, 4 * q.s.H, q.s.F);
    recurrent_.pack(false, data<T>(recurrent), q.s.H, 4 * q.s.H, q.s.H);
  }

  /// All sequences, by groups: whole ones where there are enough for all threads, else each by
  /// several threads, which meet when its sums grow.
  void run(const Groups& groups) const {
    const int64_t threads = threads_for(rows_ * groups.count * products(q_.s));
    const int64_t parts = std::min((threads + groups.count - 1) / groups.count,
                                   std::max<int64_t>(groups.most() / (kTile / 2), 1));
    if (parts > 1) {
      run_together(groups, parts);
      return;
    }
    each_group<T>(q_.s, groups, memory(), [&](int64_t begin, int64_t end, int64_t group, T* own) {
      for (Chunk c = first_chunk(begin, end, group, own); c.steps() > 0; c = next(c)) {
        if (!go_back(c, begin, end)) {
          return false;
        }
        grow(c, 0, 4 * q_.s.H);
      }
      return true;
    });
  }

 private:
  /// Steps last - 1 to first of a group's sequences, of whose rows the sums grow at once.
  struct Chunk {
    int64_t begin, end, group;
    T *inputs, *sums;
    int64_t last, first;

    int64_t steps() const { return last - first; }
    int64_t rows() const { return steps() * (end - begin); }
  };

  /// Elements of working memory.
  int64_t memory() const { return rows_ * (width_ + r_width_); }

  Chunk from_step(Chunk c, int64_t last) const {
    const int64_t steps = to_.parameters == nullptr ? q_.s.T : rows_ / (c.end - c.begin);
    c.last = last;
    c.first = std::max<int64_t>(last - steps, 0);
    return c;
  }
  Chunk first_chunk(int64_t begin, int64_t end, int64_t group, T* own) const {
    return from_step({begin, end, group, own, own + rows_ * width_, 0, 0}, q_.s.T);
  }
  Chunk next(const Chunk& c) const { return from_step(c, c.first); }

  void run_together(const Groups& groups, int64_t parts) const {
    const SequenceShape& s = q_.s;
    const Buffers<T> own(groups.count, memory());
    std::vector<Chunk> chunks;
    for (int64_t g = 0; g < groups.count; ++g) {
      chunks.push_back(first_chunk(groups.begin(g), groups.begin(g + 1), g, own[g]));
    }
    const auto each = [&](const auto& f) {
      const int64_t cost = rows_ / parts * products(s);
      each_part<T>(groups.count * parts, cost, 0, [&](int64_t first, int64_t last, T*) {
        bool done = true;
        for (int64_t i = first; i < last; ++i) {
          done = f(chunks[static_cast<size_t>(i / parts)], i % parts) && done;
        }
        return done;
      });
    };
    const auto left = [](const Chunk& c) { return c.steps() > 0; };
    while (std::any_of(chunks.begin(), chunks.end(), left)) {
      each([&](const Chunk& c, int64_t part) {
        const Groups inside(c.end - c.begin, parts);
        return part >= inside.count ||
               go_back(c, c.begin + inside.begin(part), c.begin + inside.begin(part + 1));
      });
      each([&](const Chunk& c, int64_t part) {
        const auto cut = [&](int64_t i) { return round_up(4 * s.H * i / parts, kVector); };
        grow(c, cut(part), std::min(cut(part + 1), 4 * s.H));
        return true;
      });
      for (Chunk& c : chunks) {
        c = next(c);
      }
    }
  }

  /// Sequences begin to end of a chunk's.
  bool go_back(const Chunk& c, int64_t begin, int64_t end) const {
    const SequenceShape& s = q_.s;
    const int64_t count = end - begin;
    int64_t row = begin - c.begin;
    for (int64_t i = c.last - 1; i >= c.first; --i) {
      if (interrupt::asked()) [[unlikely]] {
        return false;
      }
      T* const r = c.sums + row * r_width_;
      step_back(i, begin, end, r);
      fetch_step_before(i, begin, end);
      multiply(recurrent_, count, r, s.H, to_.h + begin * s.H);
      if (to_.x != nullptr) {
        multiply(weight_, count, r, s.F, to_.x + (q_.place(i) * s.N + begin) * s.F);
      }
      if (to_.parameters == nullptr) {
        continue;
      }
      for (int64_t n = begin; n < end; ++n) {
        input(i, n, c.inputs + (row + n - begin) * width_);
      }
      row += c.end - c.begin;
    }
    return true;
  }

  /// A chunk's share of some columns of its group's sums.
  void grow(const Chunk& c, int64_t column, int64_t end) const {
    if (to_.parameters == nullptr || c.steps() == 0 || column >= end) {
      return;
    }
    const int64_t all = 4 * q_.s.H;
    dense_gemm_kernels().row<T>().product(
        {true, false, inputs_, end - column, c.rows(), 1, c.inputs, width_, c.sums + column,
         r_width_, T(c.last < q_.s.T), to_.parameters + c.group * inputs_ * all + column, all});
  }

  static int64_t size(int64_t n, const SequenceShape& s) {
    return PackedColumns<T>::size(4 * s.H, n);
  }

  /// r: the gradients of the sums of products of step i.
  void step_back(int64_t i, int64_t begin, int64_t end, T* r) const {
    const SequenceShape& s = q_.s;
    const auto cell = recurrent_cells_kernels().row<T>().lstm_backward;
    const int64_t t = q_.place(i);
    for (int64_t n = begin; n < end; ++n, r += r_width_) {
      if (q_.live(t, n)) {
        cell(s.H, q_.gates(t, n), q_.memory_before(i, n), q_.c(t, n), to_.gy(t, n),
             i + 1 < s.T ? to_.h + n * s.H : nullptr, to_.c + n * s.H, r);
      } else {
        std::fill_n(r, 4 * s.H, T(0));
      }
    }
  }

  /// Asks for what the next call of step_back reads, which the forward pass wrote long ago: it
  /// comes while products are made.
  void fetch_step_before(int64_t i, int64_t begin, int64_t end) const {
    if (i == 0) {
      return;
    }
    const int64_t t = q_.place(i - 1);
    for (int64_t n = begin; n < end; ++n) {
      fetch(q_.gates(t, n), 4 * q_.s.H);
      fetch(to_.gy(t, n), q_.s.H);
      if (const T* memory = q_.memory_before(i - 1, n)) {
        fetch(memory, q_.s.H);
      }
    }
  }
  static void fetch(const T* p, int64_t count) {
    for (int64_t j = 0; j < count; j += 64 / int64_t{sizeof(T)}) {
      __builtin_prefetch(p + j, 0, 2);
    }
  }

  /// to = r times the factor.
  void multiply(const PackedColumns<T>& factor, int64_t rows, const T* r, int64_t columns,
                T* to) const {
    factor.multiply(
        {false, false, rows, columns, 4 * q_.s.H, 1, r, r_width_, nullptr, 0, 0, to, columns});
  }

  /// What the parameters were multiplied by: x, the state before, and 1. Zeros where the sequence
  /// is over: whatever lies there, times a gradient of 0 it is 0 then.
  void input(int64_t i, int64_t n, T* to) const {
    const SequenceShape& s = q_.s;
    if (!q_.live(q_.place(i), n)) {
      std::fill_n(to, inputs_, T(0));
      return;
    }
    std::copy_n(q_.x(q_.place(i), n), s.F, to);
    if (const T* h = q_.state_before(i, n)) {
      std::copy_n(h, s.H, to + s.F);
    } else {
      std::fill_n(to + s.F, s.H, T(0));
    }
    to[s.F + s.H] = 1;
  }

  const Sequences<T>& q_;
  Gradients to_;
  int64_t inputs_, width_, r_width_, together_, rows_;
  Buffers<T> memory_;
  PackedColumns<T> weight_, recurrent_;
};

void lstm_backward(TH_Tensor* gx, TH_Tensor* gh0, TH_Tensor* gc0, TH_Tensor* grad_weight,
                   TH_Tensor* grad_recurrent, TH_Tensor* grad_bias, TH_Tensor* grad_recurrent_bias,
                   const TH_Tensor* gy, const TH_Tensor* gc, const TH_Tensor* x,
                   const TH_Tensor* h0, const TH_Tensor* c0, const TH_Tensor* weight,
                   const TH_Tensor* recurrent, const TH_Tensor* y, const TH_Tensor* c,
                   const TH_Tensor* gates, const TH_Tensor* lengths, bool reverse, double scale) {
  const RecurrentGradients to{grad_weight, grad_recurrent, grad_bias, grad_recurrent_bias};
  const SequenceShape s =
      check_lstm_backward(x, h0, c0, weight, recurrent, lengths, gy, gc, y, c, gates, to);
  if (!by_groups(*x, s)) {
    composite::lstm_backward(gx, gh0, gc0, grad_weight, grad_recurrent, grad_bias,
                             grad_recurrent_bias, gy, gc, x, h0, c0, weight, recurrent, y, c, gates,
                             lengths, reverse, scale);
    return;
  }
  const Tensor in = with_rows(*x), from = with_rows(*gy), states = with_rows(*y),
               memories = with_rows(*c), activations = with_rows(*gates), W = contiguous(*weight),
               U = contiguous(*recurrent), h = rows_or_none(h0), m = rows_or_none(c0),
               ends = rows_or_none(lengths);
  Staged of_state(gh0, in, {s.N, s.H}), of_memory(gc0, in, {s.N, s.H});
  std::optional<Staged> of_input;
  if (gx != nullptr) {
    of_input.emplace(gx, in, sizes_of(in));
  }
  composite::begin_memory_gradient(of_memory.tensor(), gc);
  const Groups groups(s.N);
  const int64_t inputs = s.F + s.H + 1;
  const int64_t sizes[] = {groups.count, inputs, 4 * s.H};
  const bool grows = to.weight || to.recurrent || to.bias || to.recurrent_bias;
  const Tensor sums = grows ? Tensor::like(in, in.dtype, sizes) : Tensor();
  RealTypes::dispatch(x->dtype, [&]<class T>() {
    const Sequences<T> q{s,
                         Steps<const T>(in),
                         Steps<T>(states),
                         Steps<T>(memories),
                         Steps<T>(activations),
                         data<T>(h),
                         data<T>(m),
                         data<int64_t>(ends),
                         reverse};
    const Backward<T> pass(
        q, W, U,
        {Steps<const T>(from), data<T>(of_state.tensor()), data<T>(of_memory.tensor()),
         of_input ? data<T>(of_input->tensor()) : nullptr, data<T>(sums)},
        groups);
    pass.run(groups);
  });
  composite::forget_over(of_memory.tensor(), lengths, s, reverse);
  Tensor of_weight, of_recurrent, of_bias;
  if (grows) {
    Tensor total;
    init(total, in.dtype, in.device_type, in.device);
    ops::sum(&total, &sums, 0);
    total = viewed(total, {inputs, 4 * s.H});
    of_weight = contiguous(transposed(part(total, 0, 0, s.F)));
    of_recurrent = contiguous(transposed(part(total, 0, s.F, s.H)));
    of_bias = viewed(part(total, 0, s.F + s.H, 1), {4 * s.H});
  }
  // Nothing fails from here on.
  if (of_input) {
    of_input->finish();
  }
  of_state.finish();
  of_memory.finish();
  const auto grow = [scale](TH_Tensor* parameter, const Tensor& by) {
    if (parameter != nullptr) {
      ops::add_scaled(parameter, parameter, scale, &by);
    }
  };
  grow(to.weight, of_weight);
  grow(to.recurrent, of_recurrent);
  grow(to.bias, of_bias);
  grow(to.recurrent_bias, of_bias);
}

}  // namespace

void register_lstm(RecurrentTable& b) {
  b.lstm = lstm;
  b.lstm_backward = lstm_backward;
}

}  // namespace th::cpu
