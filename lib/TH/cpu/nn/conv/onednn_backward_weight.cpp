#include <algorithm>
#include <exception>
#include <mutex>
#include <utility>

#include "cpu/nn/conv/onednn.h"
#include "cpu/nn/conv/onednn_plans.h"
#include "cpu/work_buffers.h"

namespace th::cpu::onednn {
namespace {

using dnnl::memory;
using Dims = memory::dims;

/// A gradient of weights is a sum over images and positions. oneDNN cuts it by the number of
/// threads, so its sums would depend on that: here the work is cut by shape alone, into pieces that
/// each run on one thread. They are ranges of the outputs of a group, or of the groups where these
/// are single planes, and, where that makes few of them, ranges of the images, whose sums are added
/// up in order.
class Pieces {
 public:
  explicit Pieces(const ConvShape& s)
      : s_(s),
        groups_(s.group_outputs() == 1 && s.group_inputs() == 1 ? std::min(s.groups, kOutputs) : 1),
        group_pieces_((s.groups + groups_ - 1) / groups_),
        outputs_(std::min(s.group_outputs(), kOutputs)),
        output_pieces_((s.group_outputs() + outputs_ - 1) / outputs_),
        image_pieces_(std::clamp<int64_t>(kEnough / (group_pieces_ * output_pieces_), 1, s.N)) {}

  int64_t count() const { return image_pieces_ * group_pieces_ * output_pieces_; }
  /// Parts of the input: the pieces [i * per_input(), (i + 1) * per_input()) have part i.
  int64_t inputs() const { return image_pieces_ * group_pieces_; }
  int64_t per_input() const { return output_pieces_; }
  int64_t images() const { return image_pieces_; }

  struct Piece {
    ConvShape shape;
    int64_t x, y, weight;  ///< offsets of its operands
  };

  Piece operator[](int64_t i) const {
    const int64_t k = i % output_pieces_ * outputs_;
    const int64_t group = i / output_pieces_ % group_pieces_ * groups_;
    const int64_t n = i / output_pieces_ / group_pieces_;
    const Share images(s_.N, n, image_pieces_);
    ConvShape part = s_;
    part.groups = std::min(groups_, s_.groups - group);
    part.N = images.end - images.begin;
    part.C = part.groups * s_.group_inputs();
    part.K = part.groups * std::min(outputs_, s_.group_outputs() - k);
    const int64_t first = group * s_.group_outputs() + k;
    return {part, (images.begin * s_.C + group * s_.group_inputs()) * s_.plane(),
            (images.begin * s_.K + first) * s_.outputs(), (n * s_.K + first) * s_.taps()};
  }

 private:
  static constexpr int64_t kOutputs = 64;
  static constexpr int64_t kEnough = 8;

  const ConvShape& s_;
  int64_t groups_, group_pieces_, outputs_, output_pieces_, image_pieces_;
};

/// The same layout, for a part of the planes of images that lie `image` elements apart.
memory::desc part_of(const memory::desc& plain, int64_t image) {
  const Dims dims = plain.dims();
  Dims strides(dims.size(), 1);
  for (size_t d = dims.size() - 1; d-- > 0;) {
    strides[d] = strides[d + 1] * dims[d + 1];
  }
  strides[0] = image;
  return memory::desc(dims, memory::data_type::f32, strides);
}

/// f(i, slice) for all i < count, by `slices` threads that may throw.
template <class F>
void each_of(int64_t count, int64_t slices, F&& f) {
  std::exception_ptr failure;
  std::mutex lock;
  parallel_items(slices, kGrain, [&](int64_t first, int64_t last) {
    try {
      for (int64_t slice = first; slice < last; ++slice) {
        const Share own(count, slice, slices);
        for (int64_t i = own.begin; i < own.end; ++i) {
          f(i, slice);
        }
      }
    } catch (...) {
      const std::lock_guard guard(lock);
      failure = std::current_exception();
    }
  });
  if (failure) {
    std::rethrow_exception(failure);
  }
}

}  // namespace

bool conv_backward_weight(const ConvShape& s, const float* g, const float* x, float scale,
                          float* grad_weight, float* grad_bias) {
  const bool done = translated([&] {
    const Pieces pieces(s);
    const auto plan_of = [](const Pieces::Piece& piece) {
      return plan_for(Direction::BackwardWeight, piece.shape, {}, 1);
    };
    // Pieces of other sizes have plans of their own; those of one input must agree on its layout.
    int64_t x_size = 0, y_size = 0, weight_size = 0, scratch_size = 0;
    bool moves_x = false;
    memory::desc x_layout;
    for (int64_t i = 0; i < pieces.count(); ++i) {
      const auto plan = plan_of(pieces[i]);
      if (!plan->primitive || (i % pieces.per_input() > 0 && plan->x != x_layout)) {
        return false;
      }
      x_layout = plan->x;
      moves_x = moves_x || plan->x != part_of(plan->plain_x, s.C * s.plane());
      x_size = std::max(x_size, elements(plan->x));
      y_size = std::max(y_size, elements(plan->y));
      weight_size = std::max(weight_size, elements(plan->weight));
      scratch_size = std::max(scratch_size, elements(plan->scratch));
    }
    const int64_t slices = std::min<int64_t>(pieces.count(), threads::share());
    const Buffers<float> inputs(moves_x ? pieces.inputs() : 0, x_size);
    const Buffers<float> gradients(slices, y_size);
    const Buffers<float> chosen(slices, weight_size);
    const Buffers<float> scratch(slices, scratch_size);
    const Buffers<float> sums(1, pieces.images() * s.K * s.taps());
    each_of(moves_x ? pieces.inputs() : 0, slices, [&](int64_t i, int64_t) {
      const Pieces::Piece piece = pieces[i * pieces.per_input()];
      const auto plan = plan_of(piece);
      dnnl::stream stream(engine());
      reordered(stream, part_of(plan->plain_x, s.C * s.plane()), const_cast<float*>(x) + piece.x,
                plan->x, inputs[i]);
      stream.wait();
    });
    each_of(pieces.count(), slices, [&](int64_t i, int64_t slice) {
      const Pieces::Piece piece = pieces[i];
      const auto plan = plan_of(piece);
      dnnl::stream stream(engine());
      const int64_t input = i / pieces.per_input();
      float* in = const_cast<float*>(x) + piece.x;
      if (plan->x != part_of(plan->plain_x, s.C * s.plane())) {
        in = inputs[input];
      }
      float* out = sums[0] + piece.weight;
      float* grad = reordered(stream, part_of(plan->plain_y, s.K * s.outputs()),
                              const_cast<float*>(g) + piece.y, plan->y, gradients[slice]);
      float* to = plan->weight == plan->plain_weight ? out : chosen[slice];
      plan->primitive.execute(
          stream, {{DNNL_ARG_DIFF_DST, memory(plan->y, engine(), grad)},
                   {DNNL_ARG_SRC, memory(plan->x, engine(), in)},
                   {DNNL_ARG_DIFF_WEIGHTS, memory(plan->weight, engine(), to)},
                   {DNNL_ARG_SCRATCHPAD, memory(plan->scratch, engine(), scratch[slice])}});
      reordered(stream, plan->weight, to, plan->plain_weight, out);
      stream.wait();
    });
    const int64_t weights = s.K * s.taps();
    parallel_for(weights, kGrain, [&](int64_t begin, int64_t end) {
      const float* from = sums[0];
      for (int64_t i = begin; i < end; ++i) {
        float total = from[i];
        for (int64_t n = 1; n < pieces.images(); ++n) {
          total += from[n * weights + i];
        }
        grad_weight[i] += scale * total;
      }
    });
    return true;
  });
  if (done && grad_bias != nullptr) {
    conv_backward_bias(s, g, scale, grad_bias);
  }
  return done;
}

}  // namespace th::cpu::onednn
