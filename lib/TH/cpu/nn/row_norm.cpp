// Normalisation of rows: for each row
//   y = (x - mean) / sqrt(variance + eps) * weight + bias
// with mean 0 and the mean square for the variance where it is not to be centred.
// Sources: Ba, Kiros and Hinton, "Layer normalization", 2016 (arXiv:1607.06450); Zhang and
// Sennrich, "Root mean square layer normalization", NeurIPS 2019; Wu and He, "Group normalization",
// ECCV 2018.
#include "cpu/kernels/nn/row_norm.h"

#include <optional>
#include <vector>

#include "core/checks/row_norm.h"
#include "core/tables/normalization.h"
#include "cpu/nn/numbers.h"
#include "cpu/register.h"
#include "cpu/select.h"
#include "cpu/widened_parts.h"

namespace th::cpu {
namespace {

const RowNormKernels& kernels() {
  static const RowNormKernels table = select_kernels<RowNormKernels>();
  return table;
}

/// weight or bias without gaps; where there is none, `otherwise` for each.
Tensor numbers(const TH_Tensor* t, const TH_Tensor& x, int64_t count, double otherwise) {
  if (t != nullptr) {
    return compact(*t);
  }
  Tensor all = Tensor::like(x, compute_dtype(x.dtype), {&count, 1});
  RealTypes::dispatch(
      all.dtype, [&]<class T>() { std::fill_n(data<T>(all), count, static_cast<T>(otherwise)); });
  return all;
}

/// f(first row, last, their elements) for `some` rows of [first, last) at a time.
template <class F>
void each_rows(const RowNormShape& s, int64_t some, int64_t first, int64_t last, const F& f) {
  for (int64_t row = first; row < last; row += some) {
    const int64_t end = std::min(last, row + some);
    f(row, end, Lines::one(row * s.length(), (end - row) * s.length()));
  }
}

/// How many rows are worked on at a time: whole samples.
int64_t rows_at_once(const RowNormShape& s, int dtype) {
  return cpu::rows_at_once(dtype, s.length() * s.groups, s.samples()) * s.groups;
}

void row_norm(TH_Tensor* r, TH_Tensor* save_mean, TH_Tensor* save_std, const TH_Tensor* x,
              const TH_Tensor* weight, const TH_Tensor* bias, bool centred, int64_t length,
              int64_t groups, int64_t inner, double eps) {
  const RowNormShape s =
      check_row_norm(r, save_mean, save_std, x, weight, bias, length, groups, inner);
  const Tensor in = contiguous(*x);
  const Tensor w = numbers(weight, in, s.C(), 1);
  const Tensor b = numbers(bias, in, s.C(), 0);
  const std::initializer_list<const TH_Tensor*> operands = {&in, &w, &b};
  Result out(r, sizes_of(in), Result::Compact, operands);
  Output mean(save_mean, {&s.R, 1}, operands);
  Output inverse(save_std, {&s.R, 1}, operands);
  RealTypes::dispatch(compute_dtype(in.dtype), [&]<class T>() {
    const WidenedParts<T> from(in), to(out, in.dtype);
    const int64_t some = rows_at_once(s, in.dtype);
    const auto rows = widened_items<T>(in.dtype, s.R, 3 * length, some * length);
    rows.run([&](int64_t first, int64_t last, T* own) {
      each_rows(s, some, first, last, [&](int64_t row, int64_t end, const Lines& lines) {
        T* const y = to.place(lines.first, own);
        kernels().row<T>().forward(
            {s.K, s.P, groups, centred, eps, from.read(lines, own), data<T>(w), data<T>(b), y,
             mean.data<T>(), inverse.data<T>(), row},
            row, end);
        to.commit(lines, y);
      });
    });
  });
  out.finish();
  mean.finish();
  inverse.finish();
}

/// Samples whose gradients of weight and bias are added up together: a matter of sizes alone, so
/// that sums do not depend on the number of threads.
int64_t samples_of_part(const RowNormShape& s) {
  const int64_t least =
      s.C() >= 4096 ? 4 : 16;  // few long rows are work enough for several threads
  return s.P > 1 ? 1 : std::clamp<int64_t>((s.samples() + 15) / 16, least, 256);
}

void row_norm_backward(TH_Tensor* r, TH_Tensor* grad_weight, TH_Tensor* grad_bias,
                       const TH_Tensor* g, const TH_Tensor* x, const TH_Tensor* weight,
                       const TH_Tensor* save_mean, const TH_Tensor* save_std, bool centred,
                       int64_t length, int64_t groups, int64_t inner, double scale) {
  const RowNormShape s = check_row_norm_backward(r, grad_weight, grad_bias, g, x, weight, save_mean,
                                                 save_std, length, groups, inner);
  const Tensor in = contiguous(*x);
  const Tensor grad = contiguous(*g);
  const Tensor w = numbers(weight, in, s.C(), 1);
  const Tensor mean = compact(*save_mean);
  const Tensor inverse = compact(*save_std);
  const bool wanted = grad_weight != nullptr || grad_bias != nullptr;
  Added to_weight(grad_weight, s.C());
  Added to_bias(grad_bias, s.C());
  Numbers products(static_cast<size_t>(wanted ? s.C() : 0));
  Numbers sums(products.size());
  const int64_t together = samples_of_part(s);
  const int64_t parts = (s.samples() + together - 1) / together;
  std::optional<Result> out;
  if (r != nullptr) {
    out.emplace(r, sizes_of(in), Result::Compact,
                std::initializer_list<const TH_Tensor*>{&in, &grad, &w, &mean, &inverse});
  }
  RealTypes::dispatch(compute_dtype(in.dtype), [&]<class T>() {
    std::vector<T> partial(static_cast<size_t>(wanted ? 2 * parts * s.C() : 0));
    const WidenedParts<T> xs(in), gs(grad);
    const std::optional<WidenedParts<T>> to =
        out ? std::optional(WidenedParts<T>(*out, in.dtype)) : std::nullopt;
    const auto rows = [&](int64_t first, int64_t last, const Lines& lines, T* own) {
      const int64_t at = first / groups / together * 2 * s.C() + first % groups * s.K;
      T* const p = wanted ? partial.data() + at : nullptr;
      T* const gx = to ? to->place(lines.first, own) : nullptr;
      kernels().row<T>().backward(
          {s.K, s.P, groups, centred, gs.read(lines, own + lines.size()), xs.read(lines, own),
           data<T>(w), data<T>(mean), data<T>(inverse), gx, first},
          first, last, p, wanted ? p + s.C() : nullptr);
      if (to) {
        to->commit(lines, gx);
      }
    };
    if (s.P > 1) {  // a row has sums of its own
      const auto items = widened_items<T>(in.dtype, s.R, 4 * length, 2 * length);
      items.run([&](int64_t first, int64_t last, T* own) {
        each_rows(s, 1, first, last, [&](int64_t row, int64_t end, const Lines& lines) {
          rows(row, end, lines, own);
        });
      });
    } else {
      const int64_t some = rows_at_once(s, in.dtype);
      const auto items =
          widened_items<T>(in.dtype, parts, 4 * together * groups * length, 2 * some * length);
      items.run([&](int64_t first, int64_t last, T* own) {
        for (int64_t part = first; part < last; ++part) {
          each_rows(
              s, some, part * together * groups, std::min(s.R, (part + 1) * together * groups),
              [&](int64_t row, int64_t end, const Lines& lines) { rows(row, end, lines, own); });
        }
      });
    }
    for (int64_t part = 0; wanted && part < parts; ++part) {
      const T* p = partial.data() + part * 2 * s.C();
      for (int64_t c = 0; c < s.C(); ++c) {
        products[static_cast<size_t>(c)] += static_cast<double>(p[c]);
        sums[static_cast<size_t>(c)] += static_cast<double>(p[s.C() + c]);
      }
    }
  });
  if (out) {
    out->finish();
  }
  to_weight.add(scale, products);
  to_bias.add(scale, sums);
}

}  // namespace

void register_row_norm(NormalizationTable& b) {
  b.row_norm = row_norm;
  b.row_norm_backward = row_norm_backward;
}

}  // namespace th::cpu
