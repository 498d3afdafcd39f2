#include "cpu/nn/direct_conv.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "cpu/kernels/conv.h"
#include "cpu/kernels/gemm.h"
#include "cpu/kernels/kernels.h"
#include "cpu/parallel.h"
#include "cpu/select.h"

namespace th::cpu {

const ConvKernels& conv_kernels() {
  static const ConvKernels table = select_kernels<ConvKernels>();
  return table;
}

namespace {

/// Bytes of expanded input that a thread works on at a time: half of a second-level cache.
constexpr int64_t kWorkingSet = 256 * 1024;
/// Columns of the widest tile of table_gemm; the tail of a row of outputs is rounded up to vectors.
constexpr int64_t kStrip = 64;
constexpr int64_t kVector = 16;

int64_t round_up(int64_t n, int64_t multiple) { return (n + multiple - 1) / multiple * multiple; }

/// A buffer for each of several threads, cache lines apart.
template <class T>
class Buffers {
 public:
  Buffers(int64_t count, int64_t each)
      : each_(round_up(each + kSlack, 64)),
        memory_(static_cast<T*>(
            std::aligned_alloc(64, static_cast<size_t>(count * each_) * sizeof(T)))) {
    if (memory_ == nullptr) {
      throw std::bad_alloc();
    }
  }
  T* operator[](int64_t i) const { return memory_.get() + i * each_; }

 private:
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  int64_t each_;
  std::unique_ptr<T, Free> memory_;
};

/// One thread's share of n items.
struct Share {
  int64_t begin, end;
  Share(int64_t n, int64_t slice, int64_t slices)
      : begin(n * slice / slices), end(n * (slice + 1) / slices) {}
};

int64_t slices_for(int64_t items, int64_t cost_per_item) {
  if (omp_in_parallel()) {
    return 1;
  }
  return std::clamp<int64_t>(items * std::max<int64_t>(cost_per_item / 8, 1) / kGrain,
                             1,
                             std::min<int64_t>(omp_get_max_threads(), items));
}

/// Correlation of planes with kernels, the heart of both the forward and the backward pass:
///   out[m][y][x] = bias[m] + sum over c, kh, kw of
///       A(m; c, kh, kw) * in[c][y * dH + top + kh][x * dW + left + kw]
/// where `in` is zero outside of its H x W elements.
template <class T>
struct Correlation {
  int64_t planes, H, W;
  int64_t kH, kW, dH, dW, top, left;
  int64_t outputs, outH, outW;
  /// A(m; c, kh, kw) = a[a_m[m] + a_k[(c * kH + kh) * kW + kw]]
  std::vector<int64_t> a_m, a_k;
};

/// How a Correlation is cut into stripes of output rows.
template <class T>
class Striped {
 public:
  Striped(const Correlation<T>& c, int64_t images) : c_(c) {
    const int64_t row_bytes = c.kW * c.planes * c.dH * c.outW * static_cast<int64_t>(sizeof(T));
    // As many rows as the working set has room for, beside those that neighbours share.
    rows_ = std::clamp<int64_t>(kWorkingSet / row_bytes - c.kH / c.dH, 1, c.outH);
    // Enough stripes for all threads, and of even height.
    const int64_t threads = omp_get_max_threads();
    if (images * ((c.outH + rows_ - 1) / rows_) < threads) {
      rows_ = std::max<int64_t>(1, c.outH * images / threads);
    }
    count_ = (c.outH + rows_ - 1) / rows_;
    rows_ = (c.outH + count_ - 1) / count_;
    input_rows_ = (rows_ - 1) * c.dH + c.kH;
    width_ = (c.outW - 1) * c.dW + c.kW;
    Expansion<T> e = expansion(rows_);
    padded_ = round_up(c.planes * input_rows_ * width_ + kSlack, 64);
    expanded_ = round_up(e.size() + kSlack, 64);
    result_ = c.outputs * kStrip;
    full_offsets_ = offsets(rows_);
    last_offsets_ = offsets(c.outH - (count_ - 1) * rows_);
  }

  int64_t count() const { return count_; }
  int64_t buffer_size() const { return padded_ + expanded_ + result_; }

  /// Stripe `index` of one image.
  void run(int64_t index, const T* in, const T* a, const T* bias, T* out, T* buffer) const {
    const int64_t first = index * rows_;
    const int64_t rows = std::min(rows_, c_.outH - first);
    T* expanded = buffer + padded_;
    T* result = expanded + expanded_;
    pad(first, rows, in, buffer);
    Expansion<T> e = expansion(rows);
    e.from = buffer;
    e.to = expanded;
    conv_kernels().row<T>().expand(e);
    const int64_t n = rows * c_.outW;
    TableGemm<T> g{c_.outputs,
                   n,
                   static_cast<int64_t>(c_.a_k.size()),
                   a,
                   c_.a_m.data(),
                   c_.a_k.data(),
                   expanded,
                   (index + 1 == count_ ? last_offsets_ : full_offsets_).data(),
                   out + first * c_.outW,
                   c_.outH * c_.outW,
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
      std::memcpy(
          to + m * c_.outH * c_.outW, result + m * g.n, static_cast<size_t>(rest) * sizeof(T));
    }
  }

 private:
  Expansion<T> expansion(int64_t rows) const {
    const int64_t input_rows = (rows - 1) * c_.dH + c_.kH;
    return {c_.planes,
            input_rows,
            c_.outW,
            input_rows * width_,
            width_,
            c_.kW,
            c_.dH,
            c_.dW,
            nullptr,
            nullptr};
  }

  std::vector<int64_t> offsets(int64_t rows) const {
    const Expansion<T> e = expansion(rows);
    std::vector<int64_t> table;
    table.reserve(c_.a_k.size());
    for (int64_t c = 0; c < c_.planes; ++c) {
      for (int64_t kh = 0; kh < c_.kH; ++kh) {
        for (int64_t kw = 0; kw < c_.kW; ++kw) {
          table.push_back(e.offset(c, kh, kw));
        }
      }
    }
    return table;
  }

  /// The input rows of a stripe, zeros where they reach beyond the planes.
  void pad(int64_t first, int64_t rows, const T* in, T* to) const {
    const int64_t input_rows = (rows - 1) * c_.dH + c_.kH;
    const int64_t row0 = first * c_.dH + c_.top;
    if (c_.left == 0 && width_ == c_.W && row0 >= 0 && row0 + input_rows <= c_.H) {
      for (int64_t c = 0; c < c_.planes; ++c) {
        std::memcpy(to + c * input_rows * width_,
                    in + (c * c_.H + row0) * c_.W,
                    static_cast<size_t>(input_rows * width_) * sizeof(T));
      }
      return;
    }
    const int64_t before = std::clamp<int64_t>(-c_.left, 0, width_);
    const int64_t inside =
        std::clamp<int64_t>(c_.W - std::max<int64_t>(c_.left, 0), 0, width_ - before);
    const int64_t from = std::max<int64_t>(c_.left, 0);
    for (int64_t c = 0; c < c_.planes; ++c) {
      for (int64_t i = 0; i < input_rows; ++i, to += width_) {
        const int64_t row = row0 + i;
        if (row < 0 || row >= c_.H) {
          std::fill_n(to, width_, T(0));
          continue;
        }
        std::fill_n(to, before, T(0));
        std::copy_n(in + (c * c_.H + row) * c_.W + from, inside, to + before);
        std::fill_n(to + before + inside, width_ - before - inside, T(0));
      }
    }
  }

  const Correlation<T>& c_;
  int64_t rows_, count_, input_rows_, width_;
  int64_t padded_, expanded_, result_;
  std::vector<int64_t> full_offsets_, last_offsets_;
};

/// The correlation for each image and group.
template <class T>
void correlate(const Correlation<T>& c,
               const ConvShape& s,
               const T* in,
               int64_t in_image,
               const T* weight,
               const T* bias,
               T* out,
               int64_t out_image) {
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
        const int64_t group = item / stripes.count() % s.groups;
        const int64_t image = item / stripes.count() / s.groups;
        stripes.run(item % stripes.count(),
                    in + image * in_image + group * c.planes * c.H * c.W,
                    weight + group * group_weights,
                    bias == nullptr ? nullptr : bias + group * c.outputs,
                    out + image * out_image + group * c.outputs * c.outH * c.outW,
                    buffers[slice]);
      }
    }
  });
}

}  // namespace

template <class T>
void direct_conv(const ConvShape& s, const T* x, const T* weight, const T* bias, T* r) {
  Correlation<T> c{};
  c.planes = s.group_inputs();
  c.H = s.H;
  c.W = s.W;
  c.kH = s.kH;
  c.kW = s.kW;
  c.dH = s.dH;
  c.dW = s.dW;
  c.top = -s.padH;
  c.left = -s.padW;
  c.outputs = s.group_outputs();
  c.outH = s.outH;
  c.outW = s.outW;
  for (int64_t m = 0; m < c.outputs; ++m) {
    c.a_m.push_back(m * s.taps());
  }
  for (int64_t k = 0; k < s.taps(); ++k) {
    c.a_k.push_back(k);
  }
  correlate(c, s, x, s.C * s.H * s.W, weight, bias, r, s.K * s.outH * s.outW);
}

namespace {

/// Every element of dL/dx is a sum over the whole kernel: a correlation of dL/dy, with zeros around
/// it, with the kernels turned round. For steps of 1.
template <class T>
void backward_input_by_correlation(const ConvShape& s, const T* g, const T* weight, T* r) {
  Correlation<T> c{};
  c.planes = s.group_outputs();
  c.H = s.outH;
  c.W = s.outW;
  c.kH = s.kH;
  c.kW = s.kW;
  c.dH = c.dW = 1;
  c.top = s.padH - (s.kH - 1);
  c.left = s.padW - (s.kW - 1);
  c.outputs = s.group_inputs();
  c.outH = s.H;
  c.outW = s.W;
  const int64_t kernel = s.kH * s.kW;
  for (int64_t m = 0; m < c.outputs; ++m) {
    c.a_m.push_back(m * kernel);
  }
  for (int64_t k = 0; k < c.planes; ++k) {
    for (int64_t i = kernel - 1; i >= 0; --i) {
      c.a_k.push_back(k * s.taps() + i);
    }
  }
  correlate<T>(c, s, g, s.K * s.outH * s.outW, weight, nullptr, r, s.C * s.H * s.W);
}

/// The products of dL/dy with every kernel element first, then their sums at each input element:
/// for steps above 1, and where the zeros around dL/dy would be most of it.
template <class T>
void backward_input_by_accumulation(const ConvShape& s, const T* g, const T* weight, T* r) {
  const int64_t inputs = s.group_inputs();
  const int64_t outputs = s.group_outputs();
  const int64_t kernel = s.kH * s.kW;
  // Some input planes at a time, and stripes of output rows.
  const int64_t budget = kWorkingSet / 2 / static_cast<int64_t>(sizeof(T));
  const int64_t all_products = kernel * s.outH * s.outW;
  int64_t planes = std::clamp<int64_t>(budget / all_products, 1, inputs);
  const int64_t threads = omp_get_max_threads();
  if (s.N * s.groups < threads) {
    planes = std::min(planes, std::max<int64_t>(1, inputs * s.N * s.groups / threads));
  }
  const int64_t blocks = (inputs + planes - 1) / planes;
  const int64_t rows = std::clamp<int64_t>(budget / (planes * kernel * s.outW), 1, s.outH);
  const int64_t height = std::max((s.outH - 1) * s.dH + s.kH, s.H + s.padH);
  const int64_t width = std::max((s.outW - 1) * s.dW + s.kW, s.W + s.padW);
  const int64_t products = round_up(planes * kernel * round_up(rows * s.outW, kVector), 64);
  const int64_t grad_size = round_up(outputs * round_up(rows * s.outW, kVector), 64);
  const int64_t items = s.N * s.groups * blocks;
  const int64_t slices = slices_for(items, s.cost() / s.groups / blocks);
  const Buffers<T> buffers(slices, products + grad_size + planes * height * width);
  std::vector<int64_t> a_i, a_k, b_k;
  for (int64_t i = 0; i < planes * kernel; ++i) {
    a_i.push_back(i);
  }
  for (int64_t k = 0; k < outputs; ++k) {
    a_k.push_back(k * s.taps());
    b_k.push_back(k * round_up(rows * s.outW, kVector));
  }
  const auto gemm = gemm_kernels().row<T>().table_gemm;
  const auto accumulate = conv_kernels().row<T>().accumulate;
  parallel_items(slices, kGrain, [&](int64_t first_slice, int64_t last_slice) {
    for (int64_t slice = first_slice; slice < last_slice; ++slice) {
      T* product = buffers[slice];
      T* grad = product + products;
      T* sums = grad + grad_size;
      std::fill_n(grad, grad_size, T(0));
      const Share share(items, slice, slices);
      for (int64_t item = share.begin; item < share.end; ++item) {
        const int64_t first = item % blocks * planes;
        const int64_t count = std::min(planes, inputs - first);
        const int64_t group = item / blocks % s.groups;
        const int64_t image = item / blocks / s.groups;
        const T* from = g + (image * s.K + group * outputs) * s.outH * s.outW;
        std::fill_n(sums, count * height * width, T(0));
        for (int64_t y = 0; y < s.outH; y += rows) {
          const int64_t n = std::min(rows, s.outH - y) * s.outW;
          const int64_t whole = round_up(n, kVector);
          for (int64_t k = 0; k < outputs; ++k) {
            std::memcpy(grad + b_k[static_cast<size_t>(k)],
                        from + (k * s.outH + y) * s.outW,
                        static_cast<size_t>(n) * sizeof(T));
          }
          gemm({count * kernel,
                whole,
                outputs,
                weight + (group * outputs * inputs + first) * kernel,
                a_i.data(),
                a_k.data(),
                grad,
                b_k.data(),
                product,
                whole,
                T(1),
                T(0),
                nullptr});
          accumulate({count,
                      n / s.outW,
                      s.outW,
                      height * width,
                      width,
                      s.kH,
                      s.kW,
                      s.dH,
                      s.dW,
                      product,
                      whole,
                      sums + y * s.dH * width});
        }
        T* to = r + ((image * s.groups + group) * inputs + first) * s.H * s.W;
        for (int64_t c = 0; c < count; ++c) {
          const T* plane = sums + c * height * width + s.padH * width + s.padW;
          for (int64_t i = 0; i < s.H; ++i, to += s.W) {
            std::memcpy(to, plane + i * width, static_cast<size_t>(s.W) * sizeof(T));
          }
        }
      }
    }
  });
}

}  // namespace

template <class T>
void direct_conv_backward_input(const ConvShape& s, const T* g, const T* weight, T* r) {
  const bool mostly_zeros = 4 * s.H * s.W > 5 * s.outH * s.outW;
  if (s.dH > 1 || s.dW > 1 || mostly_zeros) {
    backward_input_by_accumulation(s, g, weight, r);
  } else {
    backward_input_by_correlation(s, g, weight, r);
  }
}

namespace {

/// What a thread adds up for its images: [group][output][tap] by dots, [group][tap][output] by
/// rows.
template <class T>
class WeightGradient {
 public:
  WeightGradient(const ConvShape& s, bool by_dots)
      : s_(s),
        by_dots_(by_dots),
        inputs_(s.group_inputs()),
        outputs_(s.group_outputs()),
        lanes_(round_up(outputs_,
                        outputs_ > 8   ? kVector
                        : outputs_ > 4 ? 8
                                       : 4)),
        width_((s.outW - 1) * s.dW + s.kW) {
    const int64_t row =
        (by_dots ? s.kW * inputs_ * s.dH : lanes_) * s.outW * static_cast<int64_t>(sizeof(T));
    rows_ = std::clamp<int64_t>(kWorkingSet / 2 / row, 1, s.outH);
    input_rows_ = (rows_ - 1) * s.dH + s.kH;
    padded_ = round_up(inputs_ * input_rows_ * width_ + kSlack, 64);
    second_ = round_up(
        by_dots ? expansion(nullptr, nullptr).size() + kSlack : rows_ * s.outW * lanes_, 64);
    sums_ = s.groups * s.taps() * (by_dots ? outputs_ : lanes_);
    for (int64_t c = 0; c < inputs_; ++c) {
      for (int64_t kh = 0; kh < s.kH; ++kh) {
        for (int64_t kw = 0; kw < s.kW; ++kw) {
          tap_.push_back(by_dots ? expansion(nullptr, nullptr).offset(c, kh, kw)
                                 : (c * input_rows_ + kh) * width_ + kw);
        }
      }
    }
    for (int64_t k = 0; k < outputs_; ++k) {
      output_.push_back(k * s.outH * s.outW);
    }
    for (int64_t y = 0; y < rows_ && !by_dots; ++y) {
      for (int64_t x = 0; x < s.outW; ++x) {
        input_position_.push_back(y * s.dH * width_ + x * s.dW);
        grad_position_.push_back(static_cast<int64_t>(grad_position_.size()) * lanes_);
      }
    }
  }

  int64_t buffer_size() const { return padded_ + second_ + sums_; }

  void start(T* buffer) const { std::fill_n(buffer, buffer_size(), T(0)); }

  /// Add the gradient of one image and group: its planes of dL/dy and of the input.
  void add(int64_t group, const T* g, const T* x, T* buffer) const {
    T* second = buffer + padded_;
    T* sums = second + second_;
    for (int64_t y = 0; y < s_.outH; y += rows_) {
      const int64_t n = std::min(rows_, s_.outH - y) * s_.outW;
      pad(y, x, buffer);
      if (by_dots_) {
        conv_kernels().row<T>().expand(expansion(buffer, second));
        gemm_kernels().row<T>().table_dots({outputs_,
                                            s_.taps(),
                                            n,
                                            g + y * s_.outW,
                                            output_.data(),
                                            second,
                                            tap_.data(),
                                            sums + group * outputs_ * s_.taps(),
                                            s_.taps()});
      } else {
        convert_kernels().transpose[sizeof(T) == 4 ? 2 : 3](
            second, lanes_, g + y * s_.outW, s_.outH * s_.outW, outputs_, n);
        gemm_kernels().row<T>().table_gemm({s_.taps(),
                                            lanes_,
                                            n,
                                            buffer,
                                            tap_.data(),
                                            input_position_.data(),
                                            second,
                                            grad_position_.data(),
                                            sums + group * s_.taps() * lanes_,
                                            lanes_,
                                            T(1),
                                            T(1),
                                            nullptr});
      }
    }
  }

  /// to += scale times what was added up.
  void finish(const T* buffer, T scale, T* to) const {
    const T* sums = buffer + padded_ + second_;
    for (int64_t k = 0; k < s_.K; ++k) {
      const int64_t group = k / outputs_;
      const T* from =
          by_dots_ ? sums + k * s_.taps() : sums + group * s_.taps() * lanes_ + k % outputs_;
      const int64_t step = by_dots_ ? 1 : lanes_;
      for (int64_t i = 0; i < s_.taps(); ++i) {
        *to++ += scale * from[i * step];
      }
    }
  }

 private:
  Expansion<T> expansion(const T* from, T* to) const {
    return {
        inputs_, input_rows_, s_.outW, input_rows_ * width_, width_, s_.kW, s_.dH, s_.dW, from, to};
  }

  /// The input rows of a stripe, zeros where they reach beyond the planes.
  void pad(int64_t first, const T* x, T* to) const {
    const int64_t before = std::min(s_.padW, width_);
    const int64_t inside = std::clamp<int64_t>(width_ - before, 0, s_.W);
    for (int64_t c = 0; c < inputs_; ++c) {
      for (int64_t i = 0; i < input_rows_; ++i, to += width_) {
        const int64_t row = first * s_.dH - s_.padH + i;
        if (row < 0 || row >= s_.H) {
          std::fill_n(to, width_, T(0));
          continue;
        }
        std::fill_n(to, before, T(0));
        std::copy_n(x + (c * s_.H + row) * s_.W, inside, to + before);
        std::fill_n(to + before + inside, width_ - before - inside, T(0));
      }
    }
  }

  const ConvShape& s_;
  bool by_dots_;
  int64_t inputs_, outputs_, lanes_, width_;
  int64_t rows_, input_rows_, padded_, second_, sums_;
  std::vector<int64_t> tap_, output_, input_position_, grad_position_;
};

}  // namespace

template <class T>
void direct_conv_backward_weight(
    const ConvShape& s, const T* g, const T* x, T scale, T* grad_weight, T* grad_bias) {
  const int64_t plane = s.outH * s.outW;
  // Dot products over the positions pay where these are many for the input there is to expand; else
  // vectors run along the outputs.
  const bool by_dots = plane >= 256 && s.group_inputs() * s.kW * s.dH <= 64;
  const WeightGradient<T> gradient(s, by_dots || s.group_outputs() < 4);
  const int64_t slices = slices_for(s.N, s.cost());
  const Buffers<T> buffers(slices, gradient.buffer_size());
  std::vector<double> bias_sums(static_cast<size_t>(slices * s.K));
  const auto sum = conv_kernels().row<T>().sum;
  parallel_items(slices, kGrain, [&](int64_t first_slice, int64_t last_slice) {
    for (int64_t slice = first_slice; slice < last_slice; ++slice) {
      gradient.start(buffers[slice]);
      const Share share(s.N, slice, slices);
      for (int64_t n = share.begin; n < share.end; ++n) {
        for (int64_t k = 0; grad_bias != nullptr && k < s.K; ++k) {
          bias_sums[static_cast<size_t>(slice * s.K + k)] += sum(plane, g + (n * s.K + k) * plane);
        }
        for (int64_t group = 0; group < s.groups; ++group) {
          gradient.add(group,
                       g + (n * s.K + group * s.group_outputs()) * plane,
                       x + (n * s.C + group * s.group_inputs()) * s.H * s.W,
                       buffers[slice]);
        }
      }
    }
  });
  for (int64_t slice = 0; slice < slices; ++slice) {
    gradient.finish(buffers[slice], scale, grad_weight);
  }
  for (int64_t k = 0; grad_bias != nullptr && k < s.K; ++k) {
    double total = 0;
    for (int64_t slice = 0; slice < slices; ++slice) {
      total += bias_sums[static_cast<size_t>(slice * s.K + k)];
    }
    grad_bias[k] += static_cast<T>(static_cast<double>(scale) * total);
  }
}

#define TH_INSTANTIATE(T)                                                                \
  template void direct_conv<T>(const ConvShape&, const T*, const T*, const T*, T*);      \
  template void direct_conv_backward_input<T>(const ConvShape&, const T*, const T*, T*); \
  template void direct_conv_backward_weight<T>(const ConvShape&, const T*, const T*, T, T*, T*);
TH_INSTANTIATE(float)
TH_INSTANTIATE(double)
#undef TH_INSTANTIATE

}  // namespace th::cpu
