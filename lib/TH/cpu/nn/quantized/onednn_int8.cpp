#include "cpu/nn/quantized/onednn_int8.h"

#include <bit>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>

#include "core/memory/kept_forms.h"
#include "core/plan_cache.h"
#include "core/runtime/threads.h"
#include "cpu/nn/conv/onednn_plans.h"
#include "cpu/operands.h"
#include "cpu/work_buffers.h"

namespace th::cpu::int8 {
namespace {

using dnnl::memory;
using onednn::engine;
using tag = memory::format_tag;
using type = memory::data_type;

/// A primitive and the layouts of its operands. Scales are an operand, too: they come after the sum
/// by a product with a vector, so that one primitive serves all layers of its shape.
struct Plan {
  dnnl::primitive primitive;  // none: oneDNN has no kernels for it that may be used
  memory::desc x, plain_weight, weight, bias, scale, y, scratch;
};

/// Without VNNI oneDNN adds up pairs of products in 16 bits, which overflow.
bool has_vnni() {
  switch (dnnl::get_effective_cpu_isa()) {
    case dnnl::cpu_isa::avx512_core_vnni:
    case dnnl::cpu_isa::avx512_core_bf16:
    case dnnl::cpu_isa::avx512_core_amx:
    case dnnl::cpu_isa::all:
      return true;
    default:
      return false;
  }
}

/// Its plain products of matrices are not to be used (see onednn_plans.cpp), and its references are
/// loops over single elements. What it calls brgemm is another kernel.
template <class Description>
bool choose(Description& d) {
  const auto is = [&](const char* name) {
    return std::strncmp(d.impl_info_str(), name, std::strlen(name)) == 0;
  };
  while (is("gemm") || is("x64:gemm") || is("ref") || is("simple")) {
    if (!d.next_impl()) {
      return false;
    }
  }
  return true;
}

type type_of(int dtype) { return dtype == TH_BYTE ? type::u8 : type::f32; }

/// Times the scales; then, with a sum, plus what is in the result times that number.
dnnl::primitive_attr attributes(const memory::desc& scale, const float* addend_scale) {
  dnnl::post_ops after;
  after.append_binary(dnnl::algorithm::binary_mul, scale);
  if (addend_scale != nullptr) {
    after.append_sum(*addend_scale, type::u8);
  }
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  attributes.set_post_ops(after);
  return attributes;
}

template <class Primitive, class Description>
void take(Plan& p, Description& d) {
  if (d && choose(d)) {
    p.weight = d.weights_desc();
    p.scratch = d.scratchpad_desc();
    p.primitive = Primitive(d);
  }
}

Plan plan_linear(const Product& s) {
  Plan p;
  p.x = memory::desc({s.samples, s.inputs}, type::u8, tag::nc);
  p.y = memory::desc({s.samples, s.outputs}, type_of(s.result), tag::nc);
  p.plain_weight = memory::desc({s.outputs, s.inputs}, type::s8, tag::oi);
  p.bias = memory::desc({s.outputs}, type::f32, tag::x);
  p.scale = memory::desc({1, s.outputs}, type::f32, tag::nc);
  using Forward = dnnl::inner_product_forward;
  Forward::primitive_desc d(
      Forward::desc(dnnl::prop_kind::forward_inference, p.x,
                    memory::desc({s.outputs, s.inputs}, type::s8, tag::any), p.bias, p.y),
      attributes(p.scale, nullptr), engine(), true);
  take<Forward>(p, d);
  return p;
}

Plan plan_conv(const ConvShape& s, int result, const float* addend_scale) {
  Plan p;
  const memory::dims weight =
      s.groups == 1 ? memory::dims{s.K, s.C, s.kH, s.kW}
                    : memory::dims{s.groups, s.group_outputs(), s.group_inputs(), s.kH, s.kW};
  p.x = memory::desc({s.N, s.C, s.H, s.W}, type::u8, tag::nhwc);
  p.y = memory::desc({s.N, s.K, s.outH, s.outW}, type_of(result), tag::nhwc);
  p.plain_weight = memory::desc(weight, type::s8, s.groups == 1 ? tag::oihw : tag::goihw);
  p.bias = memory::desc({s.K}, type::f32, tag::x);
  p.scale = memory::desc({1, s.K, 1, 1}, type::f32, tag::nchw);
  using Forward = dnnl::convolution_forward;
  const memory::dims behind{(s.outH - 1) * s.dH + s.reachH() - s.H - s.padH,
                            (s.outW - 1) * s.dW + s.reachW() - s.W - s.padW};
  Forward::primitive_desc d(
      Forward::desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, p.x,
                    memory::desc(weight, type::s8, tag::any), p.bias, p.y, {s.dH, s.dW},
                    {s.dilH - 1, s.dilW - 1}, {s.padH, s.padW}, behind),
      attributes(p.scale, addend_scale), engine(), true);
  take<Forward>(p, d);
  return p;
}

bool fits(std::initializer_list<int64_t> sizes) {
  for (const int64_t n : sizes) {
    if (n > std::numeric_limits<int32_t>::max()) {
      return false;
    }
  }
  return true;
}

/// The weights as the primitive wants them: kept from the second call on, or made for this one.
class LaidOut {
 public:
  LaidOut(const Plan& plan, const TH_Tensor& weight, dnnl::stream& stream)
      : plain_(compact(weight)) {
    const auto reorder = [&](void* to) {
      memory from(plan.plain_weight, engine(), bytes(plain_));
      memory chosen(plan.weight, engine(), to);
      dnnl::reorder(from, chosen).execute(stream, from, chosen);
      stream.wait();
    };
    if (plan.weight == plan.plain_weight) {
      memory_ = memory(plan.weight, engine(), bytes(plain_));
      return;
    }
    if (plain_.store == weight.store) {
      kept_ = kept_form(weight, {onednn::layout_number(plan.weight)}, onednn::elements(plan.weight),
                        reorder);
    }
    if (kept_ == nullptr) {
      made_.emplace(1, onednn::elements(plan.weight));
      reorder((*made_)[0]);
    }
    void* data = kept_ != nullptr ? const_cast<float*>(kept_.get()) : (*made_)[0];
    memory_ = memory(plan.weight, engine(), data);
  }
  operator const memory&() const { return memory_; }

 private:
  Tensor plain_;
  std::shared_ptr<const float> kept_;
  std::optional<Buffers<float>> made_;
  memory memory_;
};

/// addend: `sum_size` bytes that go into the result before it is added to; or null. Nothing is
/// written before all memory is there.
bool run(const Plan& plan, const uint8_t* x, const TH_Tensor& weight, const float* bias,
         const float* scale, void* y, const uint8_t* addend = nullptr, int64_t sum_size = 0) {
  if (!plan.primitive) {
    return false;
  }
  dnnl::stream stream(engine());
  const LaidOut w(plan, weight, stream);
  const Buffers<float> scratch(1, onednn::elements(plan.scratch));
  const auto at = [](const memory::desc& layout, const void* data) {
    return memory(layout, engine(), const_cast<void*>(data));
  };
  if (addend != nullptr) {
    std::memcpy(y, addend, static_cast<size_t>(sum_size));
  }
  plan.primitive.execute(
      stream, {{DNNL_ARG_SRC, at(plan.x, x)},
               {DNNL_ARG_WEIGHTS, w},
               {DNNL_ARG_BIAS, at(plan.bias, bias)},
               {DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, at(plan.scale, scale)},
               {DNNL_ARG_DST, at(plan.y, y)},
               {DNNL_ARG_SCRATCHPAD, at(plan.scratch, scratch[0])}});
  stream.wait();
  return true;
}

enum Kind : int64_t { Linear, Conv };

}  // namespace

bool linear(const Product& p, const uint8_t* x, const TH_Tensor& weight, const float* bias,
            const float* scale, void* y) {
  if (!has_vnni() || !fits({p.samples, p.inputs, p.outputs})) {
    return false;
  }
  return onednn::translated([&] {
    const int64_t team = threads::lend();
    const PlanKey key{Linear, team, p.samples, p.inputs, p.outputs, p.result};
    const auto plan = plan_cache().find<Plan>(key, [&] { return plan_linear(p); });
    return run(*plan, x, weight, bias, scale, y);
  });
}

bool conv(const ConvShape& s, const uint8_t* x, const TH_Tensor& weight, const float* bias,
          const float* scale, const Addend& addend, int result, void* y) {
  const bool sums = addend.data != nullptr;
  if (!has_vnni() || !fits({s.N, s.C, s.K, s.H + 2 * s.padH, s.W + 2 * s.padW}) ||
      (sums && result != TH_BYTE)) {
    return false;
  }
  return onednn::translated([&] {
    const int64_t team = threads::lend();
    const PlanKey key{
        Conv,    team,   result, sums,   sums ? std::bit_cast<int32_t>(addend.scale) : 0,
        s.N,     s.C,    s.K,    s.H,    s.W,
        s.kH,    s.kW,   s.dH,   s.dW,   s.padH,
        s.padW,  s.dilH, s.dilW, s.outH, s.outW,
        s.groups};
    const auto plan = plan_cache().find<Plan>(
        key, [&] { return plan_conv(s, result, sums ? &addend.scale : nullptr); });
    return run(*plan, x, weight, bias, scale, y, addend.data, s.N * s.K * s.outputs());
  });
}

}  // namespace th::cpu::int8
