// Padding by what is at the border, and enlarging.

#include "core/resample.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "cpu/operands.h"
#include "cpu/parallel.h"
#include "cpu/register.h"
#include "functors/resample.h"

namespace th::cpu {
namespace {

using functors::Linear;
using functors::Nearest;
using functors::Reflect;
using functors::Replicate;
using functors::Source;

/// The sources of all outputs in each direction, looked up once.
struct Sources {
  PoolShape s;
  std::vector<Source> axes[3];

  template <class Rule>
  static Sources of(const PoolShape& s) {
    Sources all{s, {}};
    for (int d = 0; d < 3; ++d) {
      all.axes[d].reserve(static_cast<size_t>(s.axes[d].out));
      for (int64_t out = 0; out < s.axes[d].out; ++out) {
        all.axes[d].push_back(Rule::source(s.axes[d], out));
      }
    }
    return all;
  }

  /// f(first element of the row, weight) for the rows that a row of outputs is made of.
  template <class F>
  void rows(const Source& t, const Source& h, const F& f) const {
    for (const auto& [depth, t_weight] : {std::pair(t.low, 1 - t.part), {t.high, t.part}}) {
      for (const auto& [height, h_weight] : {std::pair(h.low, 1 - h.part), {h.high, h.part}}) {
        if (t_weight * h_weight != 0) {
          f((depth * s.axes[1].in + height) * s.axes[2].in, t_weight * h_weight);
        }
      }
    }
  }
};

/// One plane.
template <class Rule, class T>
void resample(const Sources& sources, const T* x, T* y) {
  const auto& columns = sources.axes[2];
  for (const Source& t : sources.axes[0]) {
    for (const Source& h : sources.axes[1]) {
      if constexpr (std::is_same_v<Rule, Linear>) {
        std::fill_n(y, columns.size(), T(0));
        sources.rows(t, h, [&](int64_t first, double weight) {
          const T* row = x + first;
          for (size_t w = 0; w < columns.size(); ++w) {
            const Source& c = columns[w];
            const T part = static_cast<T>(c.part);
            y[w] += static_cast<T>(weight) * ((1 - part) * row[c.low] + part * row[c.high]);
          }
        });
      } else {
        const T* row = x + (t.low * sources.s.axes[1].in + h.low) * sources.s.axes[2].in;
        for (size_t w = 0; w < columns.size(); ++w) {
          y[w] = row[columns[w].low];
        }
      }
      y += columns.size();
    }
  }
}

/// The gradient of one plane, all of which is written.
template <class Rule, class T>
void resample_backward(const Sources& sources, const T* g, T* r) {
  const auto& columns = sources.axes[2];
  std::fill_n(r, sources.s.in_elements(), T(0));
  for (const Source& t : sources.axes[0]) {
    for (const Source& h : sources.axes[1]) {
      sources.rows(t, h, [&](int64_t first, double weight) {
        T* row = r + first;
        for (size_t w = 0; w < columns.size(); ++w) {
          const Source& c = columns[w];
          const T value = static_cast<T>(weight) * g[w];
          if constexpr (std::is_same_v<Rule, Linear>) {
            const T part = static_cast<T>(c.part);
            row[c.low] += (1 - part) * value;
            row[c.high] += part * value;
          } else {
            row[c.low] += value;
          }
        }
      });
      g += columns.size();
    }
  }
}

struct Passes {
  template <class Rule>
  static void forward(const Pooling& p, TH_Tensor* r, const TH_Tensor* x) {
    const Tensor in = compact(*x);
    Output out(r, p.out(), {&in});  // asks for memory before there are tables of as many sources
    const Sources sources = Sources::of<Rule>(p.shape);
    RealTypes::dispatch(in.dtype, [&]<class T>() {
      const T* from = data<T>(in);
      T* to = out.data<T>();
      parallel_items(p.planes, p.out_plane(), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          resample<Rule>(sources, from + i * p.in_plane(), to + i * p.out_plane());
        }
      });
    });
    out.finish();
  }

  template <class Rule>
  static void backward(const Pooling& p, TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x) {
    const Tensor grad = compact(*g);
    const Tensor in(*x);  // for its sizes: r may be x
    const Sources sources = Sources::of<Rule>(p.shape);
    Output out(r, sizes_of(in), {&grad});
    RealTypes::dispatch(grad.dtype, [&]<class T>() {
      const T* from = data<T>(grad);
      T* to = out.data<T>();
      parallel_items(p.planes, p.in_plane() + p.out_plane(), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          resample_backward<Rule>(sources, from + i * p.out_plane(), to + i * p.in_plane());
        }
      });
    });
    out.finish();
  }
};

}  // namespace

void register_resample(ResampleTable& b) { th::fill_resample<Passes>(b); }

}  // namespace th::cpu
