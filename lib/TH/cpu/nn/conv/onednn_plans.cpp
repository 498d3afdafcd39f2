#include "cpu/nn/conv/onednn_plans.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

#include <pthread.h>

#include "core/plan_cache.h"
#include "core/runtime/threads.h"

namespace th::cpu::onednn {

using dnnl::memory;
using Dims = memory::dims;

dnnl::engine& engine() {
  static dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

namespace {

memory::desc describe(const Dims& dims, memory::format_tag tag) {
  return memory::desc(dims, memory::data_type::f32, tag);
}

/// oneDNN's products of matrices (2.6, AVX-512) take the stack pointer for a general register: a
/// signal handler that runs then overwrites whatever the register points at. So convolutions that
/// are made of products are not for us. Nor are its references, loops over single elements, which
/// come last: direct_conv is up to a hundred times faster.
bool worth_using(const char* implementation) {
  return std::strstr(implementation, "gemm") == nullptr &&
         std::strncmp(implementation, "ref", 3) != 0;
}

/// The first implementation that is worth it.
/// @return false if the description has none
template <class Description>
bool choose(Description& d) {
  while (!worth_using(d.impl_info_str())) {
    if (!d.next_impl()) {
      return false;
    }
  }
  return true;
}

Plan make_plan(Direction direction, const ConvShape& s, PostOperations after) {
  using tag = memory::format_tag;
  const bool volumes = s.dims == 3;
  // Of the last two or three dimensions.
  const auto last = [&](int64_t d, int64_t h, int64_t w) {
    return volumes ? Dims{d, h, w} : Dims{h, w};
  };
  const auto behind = [](Dims first, const Dims& rest) {
    first.insert(first.end(), rest.begin(), rest.end());
    return first;
  };
  const Dims x = behind({s.N, s.C}, last(s.D, s.H, s.W));
  const Dims y = behind({s.N, s.K}, last(s.outD, s.outH, s.outW));
  const Dims kernel = last(s.kD, s.kH, s.kW);
  const Dims weight = s.groups == 1
                          ? behind({s.K, s.C}, kernel)
                          : behind({s.groups, s.group_outputs(), s.group_inputs()}, kernel);
  const Dims strides = last(s.dD, s.dH, s.dW);
  const Dims gaps = last(s.dilD - 1, s.dilH - 1, s.dilW - 1);
  const Dims padding = last(s.padD, s.padH, s.padW);
  // The padding behind that just reaches the last window.
  const Dims padding_behind = last((s.outD - 1) * s.dD + s.reachD() - s.D - s.padD,
                                   (s.outH - 1) * s.dH + s.reachH() - s.H - s.padH,
                                   (s.outW - 1) * s.dW + s.reachW() - s.W - s.padW);
  Plan p;
  const tag images = volumes ? tag::ncdhw : tag::nchw;
  p.plain_x = describe(x, images);
  p.plain_y = describe(y, images);
  p.plain_weight = describe(weight, volumes ? (s.groups == 1 ? tag::oidhw : tag::goidhw)
                                            : (s.groups == 1 ? tag::oihw : tag::goihw));
  p.bias = describe({s.K}, tag::x);
  const memory::desc any_x = describe(x, tag::any);
  const memory::desc any_y = describe(y, tag::any);
  const memory::desc any_weight = describe(weight, tag::any);
  // Scratch memory comes from our pool, for as long as the call takes.
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);

  dnnl::post_ops operations;
  if (after.sum) {
    operations.append_sum(1.f);
  }
  if (after.relu) {
    operations.append_eltwise(1.f, dnnl::algorithm::eltwise_relu, 0.f, 0.f);
  }
  attributes.set_post_ops(operations);

  using Forward = dnnl::convolution_forward;
  const bool forward = direction == Direction::Forward || direction == Direction::ForwardWithBias;
  const auto keep = [&p](const auto& chosen, const memory::desc& chosen_x,
                         const memory::desc& chosen_weight, const memory::desc& chosen_y) {
    p.x = chosen_x;
    p.weight = chosen_weight;
    p.y = chosen_y;
    p.scratch = chosen.scratchpad_desc();
  };
  constexpr bool kAllowNone = true;
  constexpr auto direct = dnnl::algorithm::convolution_direct;
  const auto kind =
      forward ? dnnl::prop_kind::forward_inference : dnnl::prop_kind::forward_training;
  Forward::primitive_desc forward_desc(
      direction == Direction::ForwardWithBias
          ? Forward::desc(kind, direct, any_x, any_weight, p.bias, any_y, strides, gaps, padding,
                          padding_behind)
          : Forward::desc(kind, direct, any_x, any_weight, any_y, strides, gaps, padding,
                          padding_behind),
      attributes, engine(), kAllowNone);
  if (!forward_desc) {
    return p;
  }
  if (forward) {
    if (choose(forward_desc)) {
      keep(forward_desc, forward_desc.src_desc(), forward_desc.weights_desc(),
           forward_desc.dst_desc());
      p.primitive = Forward(forward_desc);
    }
  } else if (direction == Direction::BackwardInput) {
    using Backward = dnnl::convolution_backward_data;
    Backward::primitive_desc desc(
        Backward::desc(direct, any_x, any_weight, any_y, strides, gaps, padding, padding_behind),
        attributes, engine(), forward_desc, kAllowNone);
    if (desc && choose(desc)) {
      keep(desc, desc.diff_src_desc(), desc.weights_desc(), desc.diff_dst_desc());
      p.primitive = Backward(desc);
    }
  } else {
    using Backward = dnnl::convolution_backward_weights;
    Backward::primitive_desc desc(
        Backward::desc(direct, any_x, any_weight, any_y, strides, gaps, padding, padding_behind),
        attributes, engine(), forward_desc, kAllowNone);
    if (desc && choose(desc)) {
      keep(desc, desc.src_desc(), desc.diff_weights_desc(), desc.diff_dst_desc());
      p.primitive = Backward(desc);
    }
  }
  return p;
}

}  // namespace

std::shared_ptr<Plan> plan_for(Direction direction, const ConvShape& s, PostOperations after,
                               int threads) {
  // A primitive divides its work among the threads there are when it is made.
  const int64_t team = threads::lend(threads);
  const PlanKey key{static_cast<int64_t>(direction),
                    after.sum,
                    after.relu,
                    TH_FLOAT,
                    team,
                    s.dims,
                    s.groups,
                    s.N,
                    s.C,
                    s.K,
                    s.D,
                    s.H,
                    s.W,
                    s.kD,
                    s.kH,
                    s.kW,
                    s.dD,
                    s.dH,
                    s.dW,
                    s.padD,
                    s.padH,
                    s.padW,
                    s.dilD,
                    s.dilH,
                    s.dilW};
  return plan_cache().find<Plan>(key, [&] { return make_plan(direction, s, after); });
}

namespace {

/// Never destroyed: a thread may be at work when the process ends. Its lock is taken before a fork
/// and given back after.
struct Layouts {
  std::mutex mutex;
  std::vector<memory::desc> known;
};

Layouts& layouts() {
  static Layouts& all = *[] {
    pthread_atfork([] { layouts().mutex.lock(); }, [] { layouts().mutex.unlock(); },
                   [] { layouts().mutex.unlock(); });
    return new Layouts;
  }();
  return all;
}

}  // namespace

int64_t layout_number(const memory::desc& layout) {
  auto& [mutex, known] = layouts();
  const std::lock_guard lock(mutex);
  const auto found = std::ranges::find(known, layout);
  const int64_t number = found - known.begin();
  if (found == known.end()) {
    known.push_back(layout);
  }
  return number;
}

float* reordered(dnnl::stream& stream, const memory::desc& from, float* data,
                 const memory::desc& chosen, float* to) {
  if (from == chosen) {
    return data;
  }
  memory outside(from, engine(), data);
  memory inside(chosen, engine(), to);
  dnnl::reorder(outside, inside).execute(stream, outside, inside);
  return to;
}

}  // namespace th::cpu::onednn
