// oneDNN's convolutions, ready to run: the one place that knows how oneDNN 2.6 is asked for them.
#pragma once

#include <climits>
#include <memory>
#include <new>

#include <oneapi/dnnl/dnnl.hpp>

#include "core/runtime/error.h"
#include "cpu/nn/conv/onednn.h"
#include "functors/image_shapes.h"

namespace th::cpu::onednn {

dnnl::engine& engine();

/// A convolution ready to run, and the layouts it chose for its operands.
struct Plan {
  dnnl::primitive primitive;        // none: oneDNN has no kernels for it that may be used
  dnnl::memory::desc x, weight, y;  // chosen
  dnnl::memory::desc plain_x, plain_weight, plain_y, bias;
  dnnl::memory::desc scratch;  // what it works in
};

/// What follows a forward convolution: what is in the result is added, max(0, .) is taken.
struct PostOperations {
  bool sum = false, relu = false;
};

/// The calling thread's plan, for its share of the threads, at most so many.
std::shared_ptr<Plan> plan_for(Direction direction, const ConvShape& s, PostOperations after = {},
                               int threads = INT_MAX);

/// What is in one layout in another: in `to`, or where it is if that is the same.
float* reordered(dnnl::stream& stream, const dnnl::memory::desc& from, float* data,
                 const dnnl::memory::desc& chosen, float* to);

/// The same number for the same layout, another for each other.
int64_t layout_number(const dnnl::memory::desc& layout);

/// Floats that a layout takes.
inline int64_t elements(const dnnl::memory::desc& d) {
  return static_cast<int64_t>((d.get_size() + sizeof(float) - 1) / sizeof(float));
}

/// oneDNN's exceptions as the core's.
template <class F>
auto translated(F&& f) -> decltype(f()) {
  try {
    return f();
  } catch (const dnnl::error& e) {
    if (e.status == dnnl_out_of_memory) {
      throw std::bad_alloc();
    }
    fail("oneDNN: ", e.what(), " (status ", static_cast<int>(e.status), ")");
  }
}

}  // namespace th::cpu::onednn
