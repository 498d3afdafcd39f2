// Dropout: zero elements at random and scale up the others (Srivastava et al., JMLR 15, 2014).
#include "core/checks/nn.h"
#include "core/random/generator_api.h"
#include "core/tables/nn.h"
#include "cpu/operands.h"
#include "cpu/parallel.h"
#include "cpu/register.h"

namespace th::cpu {
namespace {

void dropout(TH_Tensor* r, TH_Tensor* noise, const TH_Tensor* x, double p,
             TH_Generator* generator) {
  check_dropout(r, noise, x, p);
  check_noise_apart(r, noise, x, shares_memory);
  Generator& g = th::generator(generator);
  const int64_t n = numel(*x);
  // Element by element: r may be x, but not lie over it in another order.
  const Tensor in = compact(same_elements(*r, *x) ? Tensor(*x) : unaliased(*x, *r));
  Output mask(noise, sizes_of(in), {});
  Output out(r, sizes_of(in), {});
  RealTypes::dispatch(in.dtype, [&]<class T>() {
    T* m = mask.data<T>();
    T* y = out.data<T>();
    const T* from = data<T>(in);
    const T scale = static_cast<T>(1 / (1 - p));
    g.fill_bernoulli(m, n, 1 - p);
    parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
#pragma GCC ivdep
      for (int64_t i = begin; i < end; ++i) {
        m[i] *= scale;
        y[i] = from[i] * m[i];
      }
    });
  });
  mask.finish();
  out.finish();
}

}  // namespace

void register_dropout(NnTable& b) { b.dropout = dropout; }

}  // namespace th::cpu
