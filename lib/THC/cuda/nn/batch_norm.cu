// Batch normalisation: see batch_norm_kernels.cuh.
#include <optional>

#include "core/checks/batch_norm.h"
#include "core/tables/normalization.h"
#include "cuda/nn/accumulator.h"
#include "cuda/nn/batch_norm_kernels.cuh"
#include "cuda/register.h"

namespace thc {
namespace {

using namespace batch_norm;

/// Element i belongs to plane grid(i).row.
Grid plane_grid(const BatchNormShape& s) { return Grid(s.N, s.C, s.P); }

void normalise_batch(TH_Tensor* r, TH_Tensor* save_mean, TH_Tensor* save_std, const TH_Tensor* x,
                     const TH_Tensor* weight, const TH_Tensor* bias, TH_Tensor* running_mean,
                     TH_Tensor* running_var, bool train, double momentum, double eps) {
  const BatchNormShape s =
      check_batch_norm(r, save_mean, save_std, x, weight, bias, running_mean, running_var);
  const Tensor in = contiguous(*x);
  const Tensor w = contiguous_or_none(weight);
  const Tensor b = contiguous_or_none(bias);
  const Tensor known_mean = accumulator(running_mean, {&in, &w, &b});
  const Tensor known_var = accumulator(running_var, {&in, &w, &b});
  const std::initializer_list<const TH_Tensor*> operands = {&in, &w, &b, &known_mean, &known_var};
  const Scratch scratch(in, 2 * s.C * element_size(compute_dtype(in.dtype)));
  Result result(r, sizes_of(in), Result::Compact, operands);
  std::optional<Result> out_mean;
  std::optional<Result> out_std;
  if (train) {
    const std::span<const int64_t> one_each(&s.C, 1);
    out_mean.emplace(save_mean, one_each, Result::Compact, operands);
    out_std.emplace(save_std, one_each, Result::Compact, operands);
  }
  const cudaStream_t stream = stream_for(in);
  const BatchPlanes planes(s.N, s.C, s.P);
  Floating::dispatch(in.dtype, [&]<class T>() {
    using C = Compute<T>;
    C* mean = scratch.data<C>();
    C* inverse = mean + s.C;
    if (train) {
      launch_blocks(
          stream, s.C, planes.threads(), 0,
          BatchStatistics<T>{planes, static_cast<C>(momentum), static_cast<C>(eps), data<T>(in),
                             data<T>(out_mean->tensor()), data<T>(out_std->tensor()),
                             data<T>(known_mean), data<T>(known_var), mean, inverse});
    } else {
      launch(stream, s.C,
             KnownStatistics<T>{false, static_cast<C>(eps), data<T>(known_mean), data<T>(known_var),
                                mean, inverse});
    }
    launch(stream, s.N * s.C * s.P,
           Normalise<T>{plane_grid(s), mean, inverse, data<T>(w), data<T>(b), data<T>(in),
                        data<T>(result.tensor())});
  });
  result.finish();
  if (train) {
    out_mean->finish();
    out_std->finish();
    bring_back(running_mean, known_mean);
    bring_back(running_var, known_var);
  }
}

void normalise_batch_backward(TH_Tensor* r, TH_Tensor* grad_weight, TH_Tensor* grad_bias,
                              const TH_Tensor* g, const TH_Tensor* x, const TH_Tensor* weight,
                              const TH_Tensor* running_mean, const TH_Tensor* running_var,
                              const TH_Tensor* save_mean, const TH_Tensor* save_std, bool train,
                              double eps, double scale) {
  const BatchNormShape s =
      check_batch_norm_backward(r, grad_weight, grad_bias, g, x, weight, running_mean, running_var,
                                save_mean, save_std, train);
  const Tensor in = contiguous(*x);
  const Tensor grad = contiguous(*g);
  const Tensor w = contiguous_or_none(weight);
  const Tensor from_mean = contiguous(train ? *save_mean : *running_mean);
  const Tensor from = contiguous(train ? *save_std : *running_var);
  const Tensor gw = accumulator(grad_weight, {&in, &grad, &w, &from_mean, &from});
  const Tensor gb = accumulator(grad_bias, {&in, &grad, &w, &from_mean, &from});
  const Scratch scratch(in, 4 * s.C * element_size(compute_dtype(in.dtype)));
  const cudaStream_t stream = stream_for(in);
  const BatchPlanes planes(s.N, s.C, s.P);
  Floating::dispatch(in.dtype, [&]<class T>() {
    using C = Compute<T>;
    C* mean = scratch.data<C>();
    C* inverse = mean + s.C;
    C* a = inverse + s.C;
    C* b = a + s.C;
    std::optional<Result> result;
    if (r != nullptr) {
      result.emplace(r, sizes_of(in), Result::Compact,
                     std::initializer_list<const TH_Tensor*>{&in, &grad, &w, &from_mean, &from});
    }
    launch(stream, s.C,
           KnownStatistics<T>{train, static_cast<C>(eps), data<T>(from_mean), data<T>(from), mean,
                              inverse});
    launch_blocks(stream, s.C, planes.threads(), 0,
                  GradientSums<T>{planes, train, static_cast<C>(scale), data<T>(grad), data<T>(in),
                                  mean, inverse, a, b, data<T>(gw), data<T>(gb)});
    if (result) {
      launch(stream, s.N * s.C * s.P,
             InputGradient<T>{plane_grid(s), mean, inverse, a, b, data<T>(w), data<T>(grad),
                              data<T>(in), data<T>(result->tensor())});
      result->finish();
    }
  });
  bring_back(grad_weight, gw);
  bring_back(grad_bias, gb);
}

}  // namespace

void register_batch_norm(th::NormalizationTable& b) {
  b.batch_norm = normalise_batch;
  b.batch_norm_backward = normalise_batch_backward;
}

}  // namespace thc
