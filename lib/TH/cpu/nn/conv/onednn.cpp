#include "cpu/nn/conv/onednn.h"

#include <unordered_map>

#include "core/tensor/tensor.h"
#include "cpu/nn/conv/onednn_plans.h"
#include "cpu/work_buffers.h"

namespace th::cpu::onednn {
namespace {

using dnnl::memory;

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
  /// Elements from elsewhere, in the plain layout.
  void read(dnnl::stream& stream, const float* data) {
    memory from(outside_.get_desc(), engine(), const_cast<float*>(data));
    dnnl::reorder(from, inside_).execute(stream, from, inside_);
  }
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

/// What a primitive works in.
class Scratch {
 public:
  explicit Scratch(const memory::desc& wanted) : buffer_(1, elements(wanted)) {
    memory_ = memory(wanted, engine(), buffer_[0]);
  }
  operator const memory&() const { return memory_; }

 private:
  Buffers<float> buffer_;
  memory memory_;
};

/// The weights in the layout of a plan; nullptr where that is not kept.
std::shared_ptr<const float> kept_weights(const Plan& plan, const ConvShape& s,
                                          const Weights& weight) {
  if (plan.weight == plan.plain_weight) {
    return nullptr;
  }
  return weight.kept(s, {layout_number(plan.weight)}, elements(plan.weight), [&](float* to) {
    dnnl::stream stream(engine());
    reordered(stream, plan.plain_weight, const_cast<float*>(weight.data), plan.weight, to);
    stream.wait();
  });
}

}  // namespace

bool conv(const ConvShape& s, const float* x, const Weights& weight, const float* bias, float* r,
          const Epilogue<float>& epilogue) {
  return translated([&] {
    const auto kept = plan_for(bias == nullptr ? Direction::Forward : Direction::ForwardWithBias, s,
                               {.sum = epilogue.addend != nullptr, .relu = epilogue.relu});
    const Plan& plan = *kept;
    if (!plan.primitive) {
      return false;
    }
    dnnl::stream stream(engine());
    Argument in(plan.plain_x, plan.x, x);
    const auto laid_out = kept_weights(plan, s, weight);
    Argument w(laid_out ? plan.weight : plan.plain_weight, plan.weight,
               laid_out ? laid_out.get() : weight.data);
    Argument out(plan.plain_y, plan.y, r);
    const Scratch scratch(plan.scratch);
    in.read(stream);
    w.read(stream);
    if (epilogue.addend != nullptr) {
      out.read(stream, epilogue.addend);
    }
    std::unordered_map<int, memory> arguments{{DNNL_ARG_SRC, in.inside()},
                                              {DNNL_ARG_WEIGHTS, w.inside()},
                                              {DNNL_ARG_DST, out.inside()},
                                              {DNNL_ARG_SCRATCHPAD, scratch}};
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
    const auto kept = plan_for(Direction::BackwardInput, s);
    const Plan& plan = *kept;
    if (!plan.primitive) {
      return false;
    }
    dnnl::stream stream(engine());
    Argument grad(plan.plain_y, plan.y, g);
    Argument w(plan.plain_weight, plan.weight, weight);
    Argument out(plan.plain_x, plan.x, r);
    const Scratch scratch(plan.scratch);
    grad.read(stream);
    w.read(stream);
    plan.primitive.execute(stream, {{DNNL_ARG_DIFF_DST, grad.inside()},
                                    {DNNL_ARG_WEIGHTS, w.inside()},
                                    {DNNL_ARG_DIFF_SRC, out.inside()},
                                    {DNNL_ARG_SCRATCHPAD, scratch}});
    out.write(stream);
    stream.wait();
    return true;
  });
}

}  // namespace th::cpu::onednn
