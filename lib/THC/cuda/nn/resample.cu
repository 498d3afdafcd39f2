// Padding by what is at the border, and enlarging.
#include <type_traits>

#include "core/resample.h"
#include "core/tensor/aliasing.h"
#include "cuda/launch.h"
#include "cuda/nn/pooling.h"
#include "cuda/register.h"
#include "functors/resample.h"

namespace thc {
namespace {

using th::functors::Linear;
using th::functors::Nearest;
using th::functors::Reflect;
using th::functors::Replicate;
using th::functors::Source;

template <class T, class Rule>
struct Resample {
  th::PoolShape s;
  VolumeGrid grid;
  const T* x;
  T* y;

  TH_HD void operator()(int64_t i) const {
    using C = Compute<T>;
    const VolumeGrid::Place at = grid(i);
    const Source t = Rule::source(s.axes[0], at.t);
    const Source h = Rule::source(s.axes[1], at.h);
    const Source w = Rule::source(s.axes[2], at.w);
    const T* plane = x + at.plane * s.in_elements();
    if constexpr (std::is_same_v<Rule, Linear>) {
      const C part = static_cast<C>(w.part);
      C sum = 0;
      for (int corner = 0; corner < 4; ++corner) {
        const bool back = (corner & 2) != 0;
        const bool below = (corner & 1) != 0;
        const C weight =
            static_cast<C>((back ? t.part : 1 - t.part) * (below ? h.part : 1 - h.part));
        if (weight != 0) {
          const int64_t depth = back ? t.high : t.low;
          const T* row = plane + (depth * s.axes[1].in + (below ? h.high : h.low)) * s.axes[2].in;
          sum += weight * ((1 - part) * widen(row[w.low]) + part * widen(row[w.high]));
        }
      }
      y[i] = narrow<T>(sum);
    } else {
      y[i] = plane[(t.low * s.axes[1].in + h.low) * s.axes[2].in + w.low];
    }
  }
};

/// A thread for each element of the input, which adds up what it went into in a fixed order.
template <class T, class Rule>
struct ResampleBackward {
  th::PoolShape s;
  VolumeGrid grid;
  const T* g;
  T* r;

  TH_HD void operator()(int64_t i) const {
    using C = Compute<T>;
    const VolumeGrid::Place at = grid(i);
    const T* plane = g + at.plane * s.out_elements();
    C sum = 0;
    Rule::for_readers(s.axes[0], at.t, [&](int64_t t, double t_weight) {
      Rule::for_readers(s.axes[1], at.h, [&](int64_t h, double h_weight) {
        const T* row = plane + (t * s.axes[1].out + h) * s.axes[2].out;
        const double weight = t_weight * h_weight;
        Rule::for_readers(s.axes[2], at.w, [&](int64_t w, double w_weight) {
          sum += static_cast<C>(weight * w_weight) * widen(row[w]);
        });
      });
    });
    r[i] = narrow<T>(sum);
  }
};

struct Passes {
  template <class Rule>
  static void forward(const Pooling& p, TH_Tensor* r, const TH_Tensor* x) {
    const Tensor in = contiguous(*x);
    Result result(r, p.out(), Result::Compact, {&in});
    Floating::dispatch(in.dtype, [&]<class T>() {
      launch(stream_for(in), p.planes * p.out_plane(),
             Resample<T, Rule>{p.shape, outputs_of(p), data<T>(in), data<T>(result.tensor())});
    });
    result.finish();
  }

  template <class Rule>
  static void backward(const Pooling& p, TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x) {
    const Tensor grad = contiguous(*g);
    const Tensor in(*x);  // for its sizes: r may be x
    Result result(r, sizes_of(in), Result::Compact, {&grad});
    Floating::dispatch(grad.dtype, [&]<class T>() {
      launch(stream_for(grad), p.planes * p.in_plane(),
             ResampleBackward<T, Rule>{p.shape, inputs_of(p), data<T>(grad),
                                       data<T>(result.tensor())});
    });
    result.finish();
  }
};

}  // namespace

void register_resample(th::ResampleTable& b) { th::fill_resample<Passes>(b); }

}  // namespace thc
