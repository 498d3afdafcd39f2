#include "cpu/nn/onednn.h"

#include <array>
#include <cstring>
#include <list>
#include <map>
#include <new>
#include <unordered_map>

#include <oneapi/dnnl/dnnl.hpp>

#include "core/tensor.h"
#include "core/threads.h"

namespace th::cpu::onednn {
namespace {

using dnnl::memory;
using Dims = memory::dims;

dnnl::engine& engine() {
  static dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

enum class Direction : int64_t {
  Forward,
  ForwardWithBias,
  BackwardInput,
  BackwardWeight,
  BackwardWeightAndBias
};

/// Everything a primitive depends on.
using Key = std::array<int64_t, 14>;

/// A convolution ready to run, and the layouts it chose for its operands.
struct Plan {
  dnnl::primitive primitive;  // none: oneDNN has no kernels for it that may be used
  memory::desc x, weight, y;  // chosen
  memory::desc plain_x, plain_weight, plain_y, bias;
};

memory::desc describe(const Dims& dims, memory::format_tag tag) {
  return memory::desc(dims, memory::data_type::f32, tag);
}

/// oneDNN's products of matrices (2.6, AVX-512) take the stack pointer for a general register: a
/// signal handler that runs then overwrites whatever the register points at. So convolutions that
/// are made of products are not for us.
/// @return false if the description has no other implementation
template <class Description>
bool choose_safe(Description& d) {
  while (std::strstr(d.impl_info_str(), "gemm") != nullptr) {
    if (!d.next_impl()) {
      return false;
    }
  }
  return true;
}

Plan make_plan(Direction direction, const ConvShape& s) {
  using tag = memory::format_tag;
  const Dims x{s.N, s.C, s.H, s.W};
  const Dims y{s.N, s.K, s.outH, s.outW};
  const Dims weight = s.groups == 1
                          ? Dims{s.K, s.C, s.kH, s.kW}
                          : Dims{s.groups, s.group_outputs(), s.group_inputs(), s.kH, s.kW};
  const Dims strides{s.dH, s.dW};
  const Dims padding{s.padH, s.padW};
  // The padding behind that just reaches the last window.
  const Dims padding_behind{(s.outH - 1) * s.dH + s.kH - s.H - s.padH,
                            (s.outW - 1) * s.dW + s.kW - s.W - s.padW};
  Plan p;
  p.plain_x = describe(x, tag::nchw);
  p.plain_y = describe(y, tag::nchw);
  p.plain_weight = describe(weight, s.groups == 1 ? tag::oihw : tag::goihw);
  p.bias = describe({s.K}, tag::x);
  const memory::desc any_x = describe(x, tag::any);
  const memory::desc any_y = describe(y, tag::any);
  const memory::desc any_weight = describe(weight, tag::any);
  constexpr auto algorithm = dnnl::algorithm::convolution_direct;

  using Forward = dnnl::convolution_forward;
  const bool forward = direction == Direction::Forward || direction == Direction::ForwardWithBias;
  const auto kind =
      forward ? dnnl::prop_kind::forward_inference : dnnl::prop_kind::forward_training;
  Forward::primitive_desc forward_desc(
      direction == Direction::ForwardWithBias
          ? Forward::desc(kind, algorithm, any_x, any_weight, p.bias, any_y, strides, padding,
                          padding_behind)
          : Forward::desc(kind, algorithm, any_x, any_weight, any_y, strides, padding,
                          padding_behind),
      engine());
  const auto keep = [&p](const memory::desc& chosen_x, const memory::desc& chosen_weight,
                         const memory::desc& chosen_y) {
    p.x = chosen_x;
    p.weight = chosen_weight;
    p.y = chosen_y;
  };
  if (forward) {
    if (!choose_safe(forward_desc)) {
      return p;
    }
    keep(forward_desc.src_desc(), forward_desc.weights_desc(), forward_desc.dst_desc());
    p.primitive = Forward(forward_desc);
  } else if (direction == Direction::BackwardInput) {
    using Backward = dnnl::convolution_backward_data;
    Backward::primitive_desc desc(
        Backward::desc(algorithm, any_x, any_weight, any_y, strides, padding, padding_behind),
        engine(), forward_desc);
    if (!choose_safe(desc)) {
      return p;
    }
    keep(desc.diff_src_desc(), desc.weights_desc(), desc.diff_dst_desc());
    p.primitive = Backward(desc);
  } else {
    using Backward = dnnl::convolution_backward_weights;
    Backward::primitive_desc desc(
        direction == Direction::BackwardWeightAndBias
            ? Backward::desc(algorithm, any_x, any_weight, p.bias, any_y, strides, padding,
                             padding_behind)
            : Backward::desc(algorithm, any_x, any_weight, any_y, strides, padding, padding_behind),
        engine(), forward_desc);
    if (!choose_safe(desc)) {
      return p;
    }
    keep(desc.src_desc(), desc.diff_weights_desc(), desc.diff_dst_desc());
    p.primitive = Backward(desc);
  }
  return p;
}

/// Plans by shape, the most recently used first.
class Cache {
 public:
  const Plan& find(Direction direction, const ConvShape& s) {
    // A primitive divides its work among the threads there are when it is made.
    const int64_t team = threads::lend();
    const Key key{static_cast<int64_t>(direction),
                  team,
                  s.N,
                  s.C,
                  s.H,
                  s.W,
                  s.K,
                  s.kH,
                  s.kW,
                  s.dH,
                  s.dW,
                  s.padH,
                  s.padW,
                  s.groups};
    const auto found = index_.find(key);
    if (found != index_.end()) {
      plans_.splice(plans_.begin(), plans_, found->second);
      return plans_.front().second;
    }
    plans_.emplace_front(key, make_plan(direction, s));
    index_[key] = plans_.begin();
    if (plans_.size() > kCachedShapes) {
      index_.erase(plans_.back().first);
      plans_.pop_back();
    }
    return plans_.front().second;
  }

  int size() const { return static_cast<int>(plans_.size()); }

 private:
  using Plans = std::list<std::pair<Key, Plan>>;
  Plans plans_;
  std::map<Key, Plans::iterator> index_;
};

/// Of each thread: a primitive keeps its scratch memory, so two threads must not run the same one.
Cache& cache() {
  static thread_local Cache plans;
  return plans;
}

/// One operand: the caller's memory, and a reordered copy where the primitive wants another layout.
class Argument {
 public:
  Argument(const memory::desc& plain, const memory::desc& chosen, const float* data)
      : outside_(plain, engine(), const_cast<float*>(data)), inside_(outside_) {
    if (chosen != plain) {
      init(buffer_, TH_FLOAT, TH_CPU, 0);
      const int64_t size = static_cast<int64_t>(chosen.get_size() / sizeof(float));
      resize(buffer_, {&size, 1});
      inside_ = memory(chosen, engine(), bytes(buffer_));
    }
  }

  const memory& inside() const { return inside_; }
  void read(dnnl::stream& stream) { move(stream, outside_, inside_); }
  void write(dnnl::stream& stream) { move(stream, inside_, outside_); }

 private:
  void move(dnnl::stream& stream, memory& from, memory& to) const {
    if (buffer_.ndim > 0) {
      dnnl::reorder(from, to).execute(stream, from, to);
    }
  }

  Tensor buffer_;
  memory outside_, inside_;
};

/// oneDNN's exceptions as the core's.
template <class F>
bool translated(F&& f) {
  try {
    return f();
  } catch (const dnnl::error& e) {
    if (e.status == dnnl_out_of_memory) {
      throw std::bad_alloc();
    }
    fail("oneDNN: ", e.what(), " (status ", static_cast<int>(e.status), ")");
  }
}

}  // namespace

int cached_shapes() { return cache().size(); }

bool conv(const ConvShape& s, const float* x, const float* weight, const float* bias, float* r) {
  return translated([&] {
    const Plan& plan =
        cache().find(bias == nullptr ? Direction::Forward : Direction::ForwardWithBias, s);
    if (!plan.primitive) {
      return false;
    }
    dnnl::stream stream(engine());
    Argument in(plan.plain_x, plan.x, x);
    Argument w(plan.plain_weight, plan.weight, weight);
    Argument out(plan.plain_y, plan.y, r);
    in.read(stream);
    w.read(stream);
    std::unordered_map<int, memory> arguments{
        {DNNL_ARG_SRC, in.inside()}, {DNNL_ARG_WEIGHTS, w.inside()}, {DNNL_ARG_DST, out.inside()}};
    if (bias != nullptr) {
      arguments[DNNL_ARG_BIAS] = memory(plan.bias, engine(), const_cast<float*>(bias));
    }
    plan.primitive.execute(stream, arguments);
    out.write(stream);
    stream.wait();
    return true;
  });
}

bool conv_backward_input(const ConvShape& s, const float* g, const float* weight, float* r) {
  return translated([&] {
    const Plan& plan = cache().find(Direction::BackwardInput, s);
    if (!plan.primitive) {
      return false;
    }
    dnnl::stream stream(engine());
    Argument grad(plan.plain_y, plan.y, g);
    Argument w(plan.plain_weight, plan.weight, weight);
    Argument out(plan.plain_x, plan.x, r);
    grad.read(stream);
    w.read(stream);
    plan.primitive.execute(stream, {{DNNL_ARG_DIFF_DST, grad.inside()},
                                    {DNNL_ARG_WEIGHTS, w.inside()},
                                    {DNNL_ARG_DIFF_SRC, out.inside()}});
    out.write(stream);
    stream.wait();
    return true;
  });
}

bool conv_backward_weight(const ConvShape& s, const float* g, const float* x, float scale,
                          float* grad_weight, float* grad_bias) {
  const int64_t weights = s.K * s.taps();
  const int64_t size = weights + s.K;
  return translated([&] {
    const Plan& plan = cache().find(
        grad_bias == nullptr ? Direction::BackwardWeight : Direction::BackwardWeightAndBias, s);
    if (!plan.primitive) {
      return false;
    }
    // oneDNN overwrites its results; here they are added to what is there.
    Tensor sums;
    init(sums, TH_FLOAT, TH_CPU, 0);
    resize(sums, {&size, 1});
    float* to = data<float>(sums);
    dnnl::stream stream(engine());
    Argument grad(plan.plain_y, plan.y, g);
    Argument in(plan.plain_x, plan.x, x);
    Argument out(plan.plain_weight, plan.weight, to);
    grad.read(stream);
    in.read(stream);
    std::unordered_map<int, memory> arguments{{DNNL_ARG_DIFF_DST, grad.inside()},
                                              {DNNL_ARG_SRC, in.inside()},
                                              {DNNL_ARG_DIFF_WEIGHTS, out.inside()}};
    if (grad_bias != nullptr) {
      arguments[DNNL_ARG_DIFF_BIAS] = memory(plan.bias, engine(), to + weights);
    }
    plan.primitive.execute(stream, arguments);
    out.write(stream);
    stream.wait();
    for (int64_t i = 0; i < weights; ++i) {
      grad_weight[i] += scale * to[i];
    }
    for (int64_t k = 0; grad_bias != nullptr && k < s.K; ++k) {
      grad_bias[k] += scale * to[weights + k];
    }
    return true;
  });
}

}  // namespace th::cpu::onednn
