#include "cpu/nn/conv/direct_conv.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/runtime/interrupt.h"
#include "cpu/kernels/linalg/gemm.h"
#include "cpu/kernels/nn/conv.h"
#include "cpu/nn/conv/padded_rows.h"
#include "cpu/select.h"
#include "cpu/work_buffers.h"

namespace th::cpu {

const ConvKernels& conv_kernels() {
  static const ConvKernels table = select_kernels<ConvKernels>();
  return table;
}

namespace {

/// Correlation of volumes with kernels, the heart of both the forward and the backward pass:
///   out[m][z][y][x] = bias[m] + sum over c, kd, kh, kw of A(m; c, kd, kh, kw) *
///       in[c][z * dD + front + kd * dilD][y * dH + top + kh * dilH][x * dW + left + kw * dilW]
/// where `in` is zero outside of its D x H x W elements.
template <class T>
struct Correlation {
  int64_t channels, D, H, W;
  int64_t kD, kH, kW, dD, dH, dW, dilD, dilH, dilW;
  int64_t front, top, left;
  int64_t outputs, outD, outH, outW;
  /// A(m; c, kd, kh, kw) = a[a_m[m] + a_k[((c * kD + kd) * kH + kh) * kW + kw]]
  std::vector<int64_t> a_m, a_k;

  /// What one plane of the output depends on: (c, kd).
  int64_t planes() const { return channels * kD; }
  int64_t reachH() const { return (kH - 1) * dilH + 1; }
  int64_t reachW() const { return (kW - 1) * dilW + 1; }
};

/// How a Correlation is cut into stripes of rows of an output plane.
template <class T>
class Striped {
 public:
  Striped(const Correlation<T>& c, int64_t images) : c_(c) {
    const int64_t row_bytes = c.kW * c.planes() * c.dH * c.outW * static_cast<int64_t>(sizeof(T));
    // As many rows as the working set has room for, beside those that neighbours share.
    rows_ = std::clamp<int64_t>(kWorkingSet / row_bytes - c.reachH() / c.dH, 1, c.outH);
    // Enough stripes for all threads, and of even height.
    const int64_t team = threads::share();
    if (images * c.outD * ((c.outH + rows_ - 1) / rows_) < team) {
      rows_ = std::max<int64_t>(1, c.outH * c.outD * images / team);
    }
    count_ = (c.outH + rows_ - 1) / rows_;
    rows_ = (c.outH + count_ - 1) / count_;
    input_rows_ = (rows_ - 1) * c.dH + c.reachH();
    width_ = (c.outW - 1) * c.dW + c.reachW();
    Expansion<T> e = expansion(rows_);
    lies_ready_ = c.dH == 1 && c.dW == 1 && c.D == 1 && c.kD == 1 && c.front == 0;
    padded_ = lies_ready_ ? 0 : round_up(c.planes() * input_rows_ * width_ + kSlack, 64);
    expanded_ = round_up(e.size() + kSlack, 64);
    result_ = c.outputs * kStrip;
    full_offsets_ = offsets(rows_);
    if (c.outH % rows_ != 0) {
      last_offsets_ = offsets(c.outH % rows_);
    }
  }

  /// Stripes of all planes of one image's output.
  int64_t count() const { return c_.outD * count_; }
  int64_t buffer_size() const { return padded_ + expanded_ + result_; }

  /// Stripe `index` of one image.
  void run(int64_t index, const T* in, const T* a, const T* bias, T* out, T* buffer) const {
    const int64_t plane = index / count_;
    const int64_t stripe = index % count_;
    const int64_t first = stripe * rows_;
    const int64_t rows = std::min(rows_, c_.outH - first);
    T* expanded = buffer + padded_;
    T* result = expanded + expanded_;
    if (lies_ready_) {
      conv_kernels().row<T>().expand_planes({c_.channels, rows - 1 + c_.reachH(), c_.outW, c_.H,
                                             c_.W, first + c_.top, c_.left, c_.kW, c_.dilW, in,
                                             expanded});
    } else {
      pad(plane, first, rows, in, buffer);
      Expansion<T> e = expansion(rows);
      e.from = buffer;
      e.to = expanded;
      conv_kernels().row<T>().expand(e);
    }
    const int64_t n = rows * c_.outW;
    TableGemm<T> g{c_.outputs,
                   n,
                   static_cast<int64_t>(c_.a_k.size()),
                   a,
                   c_.a_m.data(),
                   c_.a_k.data(),
                   expanded,
                   (rows < rows_ ? last_offsets_ : full_offsets_).data(),
                   out + (plane * c_.outH + first) * c_.outW,
                   c_.outD * c_.outH * c_.outW,
                   T(1),
                   T(0),
                   bias};
    const auto gemm = gemm_kernels().row<T>().table_gemm;
    g.n = n / kStrip * kStrip;
    const int64_t rest = n - g.n;
    if (rest % kVector == 0) {
      g.n = n;
      gemm(g);
      return;
    }
    gemm(g);
    // Whole vectors for the tail, of which the rest of the row is taken.
    T* to = g.c + g.n;
    g.b += g.n;
    g.n = round_up(rest, kVector);
    g.c = result;
    g.c_row = g.n;
    gemm(g);
    for (int64_t m = 0; m < c_.outputs; ++m) {
      std::memcpy(to + m * c_.outD * c_.outH * c_.outW, result + m * g.n,
                  static_cast<size_t>(rest) * sizeof(T));
    }
  }

  /// Stripe `index` of one image, whose outputs begin at element `first`.
  void finish(int64_t index, const Epilogue<T>& epilogue, T* out, int64_t first) const {
    const int64_t top = index % count_ * rows_;
    const int64_t rows = std::min(rows_, c_.outH - top);
    for (int64_t m = 0; m < c_.outputs; ++m) {
      const int64_t row = (m * c_.outD + index / count_) * c_.outH + top;
      epilogue.finish(out, first + row * c_.outW, rows * c_.outW);
    }
  }

 private:
  Expansion<T> expansion(int64_t rows) const {
    const int64_t input_rows = (rows - 1) * c_.dH + c_.reachH();
    return {c_.planes(), input_rows, c_.outW, input_rows * width_, width_, c_.kW, c_.dH, c_.dW,
            c_.dilW,     nullptr,    nullptr};
  }

  std::vector<int64_t> offsets(int64_t rows) const {
    const Expansion<T> e = expansion(rows);
    std::vector<int64_t> table;
    table.reserve(c_.a_k.size());
    for (int64_t c = 0; c < c_.planes(); ++c) {
      for (int64_t kh = 0; kh < c_.kH; ++kh) {
        for (int64_t kw = 0; kw < c_.kW; ++kw) {
          table.push_back(e.offset(c, kh * c_.dilH, kw));
        }
      }
    }
    return table;
  }

  /// The input rows of a stripe, zeros where they reach beyond the input.
  void pad(int64_t plane, int64_t first, int64_t rows, const T* in, T* to) const {
    const PaddedRows<T> r{(rows - 1) * c_.dH + c_.reachH(), width_, c_.H, c_.W,
                          first * c_.dH + c_.top,           c_.left};
    for (int64_t c = 0; c < c_.channels; ++c, in += c_.D * c_.H * c_.W) {
      for (int64_t kd = 0; kd < c_.kD; ++kd, to += r.rows * r.width) {
        const int64_t d = plane * c_.dD + c_.front + kd * c_.dilD;
        r.copy(d >= 0 && d < c_.D ? in + d * c_.H * c_.W : nullptr, to);
      }
    }
  }

  const Correlation<T>& c_;
  int64_t rows_, count_, input_rows_, width_;
  bool lies_ready_;  ///< planes are read where they lie, without a copy that has their padding
  int64_t padded_, expanded_, result_;
  std::vector<int64_t> full_offsets_, last_offsets_;
};

/// The correlation for each image and group.
template <class T>
void correlate(const Correlation<T>& c, const ConvShape& s, const T* in, int64_t in_image,
               const T* weight, const T* bias, T* out, int64_t out_image,
               const Epilogue<T>& epilogue = {}) {
  const Striped<T> stripes(c, s.N * s.groups);
  const int64_t items = s.N * s.groups * stripes.count();
  const int64_t cost = s.cost() / s.groups / stripes.count();
  const int64_t slices = slices_for(items, cost);
  const Buffers<T> buffers(slices, stripes.buffer_size());
  const int64_t group_weights = s.group_outputs() * s.taps();
  parallel_items(slices, kGrain, [&](int64_t first, int64_t last) {
    for (int64_t slice = first; slice < last; ++slice) {
      const Share share(items, slice, slices);
      for (int64_t item = share.begin; item < share.end; ++item) {
        if (interrupt::asked()) [[unlikely]] {
          interrupt::left_undone();
          return;
        }
        const int64_t group = item / stripes.count() % s.groups;
        const int64_t image = item / stripes.count() / s.groups;
        const int64_t first = image * out_image + group * c.outputs * c.outD * c.outH * c.outW;
        stripes.run(
            item % stripes.count(), in + image * in_image + group * c.channels * c.D * c.H * c.W,
            weight + group * group_weights, bias == nullptr ? nullptr : bias + group * c.outputs,
            out + first, buffers[slice]);
        if (epilogue.any()) {
          stripes.finish(item % stripes.count(), epilogue, out, first);
        }
      }
    }
  });
}

}  // namespace

template <class T>
void direct_conv(const ConvShape& s, const T* x, const T* weight, const T* bias, T* r,
                 const Epilogue<T>& epilogue) {
  Correlation<T> c{s.group_inputs(),
                   s.D,
                   s.H,
                   s.W,
                   s.kD,
                   s.kH,
                   s.kW,
                   s.dD,
                   s.dH,
                   s.dW,
                   s.dilD,
                   s.dilH,
                   s.dilW,
                   -s.padD,
                   -s.padH,
                   -s.padW,
                   s.group_outputs(),
                   s.outD,
                   s.outH,
                   s.outW,
                   {},
                   {}};
  for (int64_t m = 0; m < c.outputs; ++m) {
    c.a_m.push_back(m * s.taps());
  }
  for (int64_t k = 0; k < s.taps(); ++k) {
    c.a_k.push_back(k);
  }
  correlate(c, s, x, s.C * s.plane(), weight, bias, r, s.K * s.outputs(), epilogue);
}

namespace {

/// Every element of dL/dx is a sum over the whole kernel: a correlation of dL/dy, with zeros around
/// it, with the kernels turned round. For steps of 1.
template <class T>
void backward_input_by_correlation(const ConvShape& s, const T* g, const T* weight, T* r) {
  Correlation<T> c{s.group_outputs(),
                   s.outD,
                   s.outH,
                   s.outW,
                   s.kD,
                   s.kH,
                   s.kW,
                   1,
                   1,
                   1,
                   s.dilD,
                   s.dilH,
                   s.dilW,
                   s.padD - (s.reachD() - 1),
                   s.padH - (s.reachH() - 1),
                   s.padW - (s.reachW() - 1),
                   s.group_inputs(),
                   s.D,
                   s.H,
                   s.W,
                   {},
                   {}};
  const int64_t kernel = s.kernel();
  for (int64_t m = 0; m < c.outputs; ++m) {
    c.a_m.push_back(m * kernel);
  }
  for (int64_t k = 0; k < c.channels; ++k) {
    for (int64_t i = kernel - 1; i >= 0; --i) {
      c.a_k.push_back(k * s.taps() + i);
    }
  }
  correlate<T>(c, s, g, s.K * s.outputs(), weight, nullptr, r, s.C * s.plane());
}

}  // namespace

template <class T>
void direct_conv_backward_input(const ConvShape& s, const T* g, const T* weight, T* r) {
  const bool mostly_zeros = 4 * s.plane() > 5 * s.outputs();
  if (s.dD > 1 || s.dH > 1 || s.dW > 1 || mostly_zeros) {
    backward_input_by_accumulation(s, g, weight, r);
  } else {
    backward_input_by_correlation(s, g, weight, r);
  }
}

#define TH_INSTANTIATE(T)                                                          \
  template void direct_conv<T>(const ConvShape&, const T*, const T*, const T*, T*, \
                               const Epilogue<T>&);                                \
  template void direct_conv_backward_input<T>(const ConvShape&, const T*, const T*, T*);
TH_INSTANTIATE(float)
TH_INSTANTIATE(double)
#undef TH_INSTANTIATE

}  // namespace th::cpu
