// Normalisation of rows: see row_norm_kernels.cuh.
#include <algorithm>
#include <optional>

#include "core/checks/row_norm.h"
#include "core/tables/normalization.h"
#include "cuda/nn/accumulator.h"
#include "cuda/nn/row_norm_kernels.cuh"
#include "cuda/register.h"

namespace thc {
namespace {

using namespace row_norm;

void normalise_rows(TH_Tensor* r, TH_Tensor* save_mean, TH_Tensor* save_std, const TH_Tensor* x,
                    const TH_Tensor* weight, const TH_Tensor* bias, bool centred, int64_t length,
                    int64_t groups, int64_t inner, double eps) {
  const RowNormShape s =
      check_row_norm(r, save_mean, save_std, x, weight, bias, length, groups, inner);
  const Tensor in = contiguous(*x);
  const Tensor w = contiguous_or_none(weight);
  const Tensor b = contiguous_or_none(bias);
  const std::initializer_list<const TH_Tensor*> operands = {&in, &w, &b};
  Result out(r, sizes_of(in), Result::Compact, operands);
  Result mean(save_mean, {&s.R, 1}, Result::Compact, operands);
  Result inverse(save_std, {&s.R, 1}, Result::Compact, operands);
  const cudaStream_t stream = stream_for(in);
  Floating::dispatch(in.dtype, [&]<class T>() {
    using C = Compute<T>;
    each_row(stream, Forward<T>{s, PlaneOf(s), centred, static_cast<C>(eps), data<T>(in),
                                data<T>(w), data<T>(b), data<T>(out.tensor()),
                                data<C>(mean.tensor()), data<C>(inverse.tensor())});
  });
  out.finish();
  mean.finish();
  inverse.finish();
}

void normalise_rows_backward(TH_Tensor* r, TH_Tensor* grad_weight, TH_Tensor* grad_bias,
                             const TH_Tensor* g, const TH_Tensor* x, const TH_Tensor* weight,
                             const TH_Tensor* save_mean, const TH_Tensor* save_std, bool centred,
                             int64_t length, int64_t groups, int64_t inner, double scale) {
  const RowNormShape s = check_row_norm_backward(r, grad_weight, grad_bias, g, x, weight, save_mean,
                                                 save_std, length, groups, inner);
  const Tensor in = contiguous(*x);
  const Tensor grad = contiguous(*g);
  const Tensor w = contiguous_or_none(weight);
  const Tensor mean = contiguous(*save_mean);
  const Tensor inverse = contiguous(*save_std);
  const std::initializer_list<const TH_Tensor*> operands = {&in, &grad, &w, &mean, &inverse};
  const Tensor gw = accumulator(grad_weight, operands);
  const Tensor gb = accumulator(grad_bias, operands);
  const bool wanted = grad_weight != nullptr || grad_bias != nullptr;
  const int64_t together = std::clamp<int64_t>((s.samples() + 63) / 64, 8, 256);
  const int64_t parts = s.P > 1 || !wanted ? 0 : (s.samples() + together - 1) / together;
  const int64_t numbers = parts * s.C();
  const Scratch scratch(in, std::max<int64_t>(2 * numbers, 1) * element_size(mean.dtype));
  std::optional<Result> out;
  if (r != nullptr) {
    out.emplace(r, sizes_of(in), Result::Compact, operands);
  }
  const cudaStream_t stream = stream_for(in);
  Floating::dispatch(in.dtype, [&]<class T>() {
    using C = Compute<T>;
    if (out) {
      each_row(stream,
               InputGradient<T>{s, PlaneOf(s), centred, data<T>(grad), data<T>(in), data<T>(w),
                                data<C>(mean), data<C>(inverse), out->data<T>()});
    }
    if (!wanted) {
      return;
    }
    if (s.P > 1) {
      const BatchPlanes planes(s.samples(), s.C(), s.P);
      launch_blocks(
          stream, s.C(), planes.threads(), 0,
          PlaneSums<T>{planes, s, static_cast<C>(scale), data<T>(grad), data<T>(in), data<C>(mean),
                       data<C>(inverse), data<T>(gw), data<T>(gb), Grid(1, s.R, s.length())});
      return;
    }
    C* products = scratch.data<C>();
    C* sums = products + numbers;
    launch(stream, numbers,
           PartialSums<T>{s, together, data<T>(grad), data<T>(in), data<C>(mean), data<C>(inverse),
                          products, sums});
    launch(
        stream, s.C(),
        JoinSums<T>{parts, s.C(), static_cast<C>(scale), products, sums, data<T>(gw), data<T>(gb)});
  });
  if (out) {  // not before the sums, which read operands that r may be
    out->finish();
  }
  bring_back(grad_weight, gw);
  bring_back(grad_bias, gb);
}

}  // namespace

void register_row_norm(th::NormalizationTable& b) {
  b.row_norm = normalise_rows;
  b.row_norm_backward = normalise_rows_backward;
}

}  // namespace thc
