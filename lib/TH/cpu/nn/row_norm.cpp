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
#include "cpu/parallel.h"
#include "cpu/register.h"
#include "cpu/select.h"

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
  Tensor all = Tensor::like(x, x.dtype, {&count, 1});
  RealTypes::dispatch(
      x.dtype, [&]<class T>() { std::fill_n(data<T>(all), count, static_cast<T>(otherwise)); });
  return all;
}

void row_norm(TH_Tensor* r, TH_Tensor* save_mean, TH_Tensor* save_std, const TH_Tensor* x,
              const TH_Tensor* weight, const TH_Tensor* bias, bool centred, int64_t length,
              int64_t groups, int64_t inner, double eps) {
  const RowNormShape s =
      check_row_norm(r, save_mean, save_std, x, weight, bias, length, groups, inner);
  const Tensor in = compact(*x);
  const Tensor w = numbers(weight, in, s.C(), 1);
  const Tensor b = numbers(bias, in, s.C(), 0);
  const std::initializer_list<const TH_Tensor*> operands = {&in, &w, &b};
  Output out(r, sizes_of(in), operands);
  Output mean(save_mean, {&s.R, 1}, operands);
  Output inverse(save_std, {&s.R, 1}, operands);
  RealTypes::dispatch(in.dtype, [&]<class T>() {
    const RowNormForward<T> a{
        s.K,        s.P,           groups,         centred,          eps, data<T>(in), data<T>(w),
        data<T>(b), out.data<T>(), mean.data<T>(), inverse.data<T>()};
    parallel_items(s.R, 3 * length, [&](int64_t first, int64_t last) {
      kernels().row<T>().forward(a, first, last);
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
  const Tensor in = compact(*x);
  const Tensor grad = compact(*g);
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
  std::optional<Output> out;
  if (r != nullptr) {
    out.emplace(r, sizes_of(in),
                std::initializer_list<const TH_Tensor*>{&in, &grad, &w, &mean, &inverse});
  }
  RealTypes::dispatch(in.dtype, [&]<class T>() {
    std::vector<T> partial(static_cast<size_t>(wanted ? 2 * parts * s.C() : 0));
    const RowNormBackward<T> a{
        s.K,         s.P,        groups,        centred,          data<T>(grad),
        data<T>(in), data<T>(w), data<T>(mean), data<T>(inverse), out ? out->data<T>() : nullptr};
    const auto rows = [&](int64_t first, int64_t last) {
      const int64_t at = first / groups / together * 2 * s.C() + first % groups * s.K;
      T* const p = wanted ? partial.data() + at : nullptr;
      kernels().row<T>().backward(a, first, last, p, wanted ? p + s.C() : nullptr);
    };
    if (s.P > 1) {  // a row has sums of its own
      parallel_items(s.R, 4 * length, [&](int64_t first, int64_t last) {
        for (int64_t row = first; row < last; ++row) {
          rows(row, row + 1);
        }
      });
    } else {
      parallel_items(parts, 4 * together * groups * length, [&](int64_t first, int64_t last) {
        for (int64_t part = first; part < last; ++part) {
          rows(part * together * groups, std::min(s.R, (part + 1) * together * groups));
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
