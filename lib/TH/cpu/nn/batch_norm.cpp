// Batch normalisation: for each plane c of N x C x ...
//   y = (x - mean_c) / sqrt(variance_c + eps) * weight_c + bias_c
// Source: Ioffe and Szegedy, "Batch normalization", ICML 2015, algorithms 1 and 2.
#include "cpu/kernels/nn/batch_norm.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numeric>
#include <optional>

#include "core/checks/batch_norm.h"
#include "core/tables/normalization.h"
#include "cpu/nn/numbers.h"
#include "cpu/register.h"
#include "cpu/select.h"
#include "cpu/widened_parts.h"

namespace th::cpu {
namespace {

const BatchNormKernels& kernels() {
  static const BatchNormKernels table = select_kernels<BatchNormKernels>();
  return table;
}

/// Bytes of operands that stay in a second-level cache from one pass over them to the next.
constexpr int64_t kCached = 512 * 1024;
/// Elements of neighbouring planes that are worth fetching together.
constexpr int64_t kTogether = 64;
/// Addresses so far apart share a set of that cache, which has room for some lines of each.
constexpr int64_t kSets = 128 * 1024;
constexpr int64_t kWays = 8;

/// How many planes of all images of `arrays` operands are worked on at a time: as many as a cache
/// keeps until they are used again, or, where they are not widened, all where it does not keep a
/// single one.
int64_t planes_at_once(const BatchNormShape& s, int64_t arrays, int64_t element, bool widened) {
  const int64_t plane = std::max<int64_t>(arrays * s.count() * element, 1);
  const int64_t image = s.C * s.P * element;
  const bool collide = arrays * s.N * std::gcd(image, kSets) > kWays * kSets;
  const int64_t all = std::max<int64_t>(s.C, 1);
  return !widened && (plane > 2 * kCached || collide)
             ? all
             : std::min(all, std::max(kCached / plane,
                                      (kTogether + s.P - 1) / std::max<int64_t>(s.P, 1)));
}

/// Some planes of all images as kernels see them: where they lie, or, of 16 bits, in memory of
/// their own.
struct Part {
  int64_t first, last;  // of all planes
  Lines lines;
  Planes planes;
};

/// f(part, working memory) on several threads, each with some of the planes at a time, so that what
/// has been summed up is there to be used again. Of 16-bit types there is memory for the planes of
/// all `arrays`.
template <class T, class F>
void each_planes(const BatchNormShape& s, int dtype, int64_t arrays, F&& f) {
  const bool widened = is_half(dtype);
  const int64_t planes = planes_at_once(s, arrays, sizeof(T), widened);
  widened_items<T>(dtype, s.C, 4 * s.count(), arrays * planes * s.count())
      .run([&](int64_t first, int64_t last, T* own) {
        for (int64_t c = first; c < last; c += planes) {
          const int64_t end = std::min(last, c + planes);
          f(Part{c, end, Lines{c * s.P, s.N, (end - c) * s.P, s.C * s.P},
                 widened ? Planes{s.N, end - c, s.P, 0, end - c} : Planes{s.N, s.C, s.P, c, end}},
            own);
        }
      });
}

void batch_norm(TH_Tensor* r, TH_Tensor* save_mean, TH_Tensor* save_std, const TH_Tensor* x,
                const TH_Tensor* weight, const TH_Tensor* bias, TH_Tensor* running_mean,
                TH_Tensor* running_var, bool train, double momentum, double eps) {
  const BatchNormShape s =
      check_batch_norm(r, save_mean, save_std, x, weight, bias, running_mean, running_var);
  const Tensor in = contiguous(*x);
  const Numbers shift = read(bias, s.C, 0);
  Numbers scale = read(weight, s.C, 1);
  Numbers mean = read(running_mean, s.C, 0);
  Numbers variance = read(running_var, s.C, 0);
  Numbers running[2] = {mean, variance};
  Numbers inverse(mean.size());
  Result out(r, sizes_of(in), Result::Compact, {&in});
  NumbersResult saved[2] = {{train ? save_mean : nullptr, s.C}, {train ? save_std : nullptr, s.C}};
  NumbersResult kept[2] = {{train ? running_mean : nullptr, s.C},
                           {train ? running_var : nullptr, s.C}};
  if (train) {
    reserve(*save_mean, {&s.C, 1});
    reserve(*save_std, {&s.C, 1});
  }
  const auto count = static_cast<double>(s.count());
  RealTypes::dispatch(compute_dtype(in.dtype), [&]<class T>() {
    const BatchNormRow<T>& k = kernels().row<T>();
    const WidenedParts<T> from(in), to(out, in.dtype);
    each_planes<T>(s, in.dtype, 1, [&](const Part& p, T* own) {
      const T* const some = from.whole(p.lines, own);
      if (train) {
        k.moments(p.planes, some, &mean[p.first], &variance[p.first]);
      }
      for (int64_t c = p.first; c < p.last; ++c) {
        if (train) {
          running[0][c] += momentum * (mean[c] - running[0][c]);
          if (count > 1) {  // one element says nothing of the variance
            running[1][c] += momentum * (variance[c] * count / (count - 1) - running[1][c]);
          }
        }
        inverse[c] = 1 / std::sqrt(variance[c] + eps);
        scale[c] *= inverse[c];
      }
      T* const y = to.place(0, own);
      k.normalise(p.planes, some, &mean[p.first], &scale[p.first], &shift[p.first], y);
      to.commit(p.lines, y);
    });
  });
  out.finish();
  if (train) {
    resize(*save_mean, {&s.C, 1});
    resize(*save_std, {&s.C, 1});
    saved[0].write(mean);
    saved[1].write(inverse);
    kept[0].write(running[0]);
    kept[1].write(running[1]);
  }
}

void batch_norm_backward(TH_Tensor* r, TH_Tensor* grad_weight, TH_Tensor* grad_bias,
                         const TH_Tensor* g, const TH_Tensor* x, const TH_Tensor* weight,
                         const TH_Tensor* running_mean, const TH_Tensor* running_var,
                         const TH_Tensor* save_mean, const TH_Tensor* save_std, bool train,
                         double eps, double scale) {
  const BatchNormShape s =
      check_batch_norm_backward(r, grad_weight, grad_bias, g, x, weight, running_mean, running_var,
                                save_mean, save_std, train);
  const Tensor in = contiguous(*x);
  const Tensor grad = contiguous(*g);
  const Numbers mean = read(train ? save_mean : running_mean, s.C, 0);
  Numbers inverse = read(train ? save_std : running_var, s.C, 0);
  if (!train) {
    for (double& v : inverse) {
      v = 1 / std::sqrt(v + eps);
    }
  }
  Numbers sum(mean.size());
  Numbers product(mean.size());
  Added to_weight(grad_weight, s.C);
  Added to_bias(grad_bias, s.C);
  // In training mean and variance depend on x as well.
  const double share = train ? 1 / static_cast<double>(s.count()) : 0;
  Numbers a(mean.size());
  Numbers b(mean.size());
  Numbers k = read(weight, s.C, 1);
  std::optional<Result> out;
  if (r != nullptr) {
    out.emplace(r, sizes_of(in), Result::Compact,
                std::initializer_list<const TH_Tensor*>{&in, &grad});
  }
  RealTypes::dispatch(compute_dtype(in.dtype), [&]<class T>() {
    const BatchNormRow<T>& kernel = kernels().row<T>();
    const WidenedParts<T> xs(in), gs(grad);
    each_planes<T>(s, in.dtype, 2, [&](const Part& p, T* own) {
      const int64_t first = p.first;
      const T* const some = xs.whole(p.lines, own);
      const T* const of_y = gs.whole(p.lines, own + p.lines.size());
      kernel.gradient_sums(p.planes, of_y, some, &mean[first], &sum[first], &product[first]);
      if (!out) {
        return;
      }
      for (int64_t c = first; c < p.last; ++c) {
        a[c] = sum[c] * share;
        b[c] = product[c] * share * inverse[c] * inverse[c];
        k[c] *= inverse[c];
      }
      const WidenedParts<T> to(*out, in.dtype);
      T* const of_x = to.place(0, own);
      kernel.gradient(p.planes, of_y, some, {&mean[first], &a[first], &b[first], &k[first]}, of_x);
      to.commit(p.lines, of_x);
    });
  });
  if (out) {
    out->finish();
  }
  for (size_t c = 0; c < product.size(); ++c) {
    product[c] *= inverse[c];
  }
  to_weight.add(scale, product);
  to_bias.add(scale, sum);
}

}  // namespace

void register_batch_norm(NormalizationTable& b) {
  b.batch_norm = batch_norm;
  b.batch_norm_backward = batch_norm_backward;
}

}  // namespace th::cpu
