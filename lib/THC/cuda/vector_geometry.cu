// Cross products, distances between sets of vectors, and limits on the length of slices.
#include <cmath>

#include "core/checks/geometry.h"
#include "core/tables/linalg.h"
#include "core/tensor/aliasing.h"
#include "cuda/launch.h"
#include "cuda/linalg/tile_product.cuh"
#include "cuda/lines.h"
#include "cuda/offsets.h"
#include "cuda/register.h"
#include "cuda/wide_elements.h"
#include "functors/math.h"

namespace thc {
namespace {

// --- cross products -----------------------------------------------------------------------------

/// A thread for each pair of vectors.
template <class C>
struct Cross {
  Elements<C> x, y, r;  // their layouts leave out the vectors' dimension
  int64_t x_step, y_step, r_step;

  TH_HD void operator()(int64_t i) const {
    const int64_t x0 = x.layout.offset(i);
    const int64_t y0 = y.layout.offset(i);
    const int64_t r0 = r.layout.offset(i);
    C a[3];
    C b[3];
    for (int d = 0; d < 3; ++d) {
      a[d] = x.load_at(x0 + d * x_step);
      b[d] = y.load_at(y0 + d * y_step);
    }
    for (int d = 0; d < 3; ++d) {
      const int j = (d + 1) % 3;
      const int k = (d + 2) % 3;
      r.store_at(r0 + d * r_step,
                 static_cast<C>(wrapping(a[j]) * wrapping(b[k]) - wrapping(a[k]) * wrapping(b[j])));
    }
  }
};

void cross(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* y, int dim) {
  check_cross(r, x, y, dim);
  const Tensor a(*x);  // r may be one of them
  const Tensor b(*y);
  Result result(r, sizes_of(a), Result::Any, {&a, &b});
  TH_Tensor& to = result.tensor();
  ComputeTypes::dispatch(compute_dtype(a.dtype), [&]<class C>() {
    Cross<C> kernel{Elements<C>(a), Elements<C>(b), Elements<C>(to),
                    a.strides[dim], b.strides[dim], to.strides[dim]};
    kernel.x.layout = lines_along(a, dim);
    kernel.y.layout = lines_along(b, dim);
    kernel.r.layout = lines_along(to, dim);
    launch(stream_for(to), numel(a) / 3, kernel);
  });
  result.finish();
}

// --- distances ----------------------------------------------------------------------------------

void match(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* y, double gain) {
  const int64_t length = check_match(r, x, y);
  const Tensor a = contiguous(*x);
  const Tensor b = contiguous(*y);
  const int64_t rows = a.sizes[0];
  const int64_t columns = b.sizes[0];
  const int64_t sizes[] = {rows, columns};
  Result result(r, sizes, Result::Any, {&a, &b});
  TH_Tensor& to = result.tensor();
  ComputeTypes::dispatch(compute_dtype(a.dtype), [&]<class C>() {
    tile_product<C, AddSquaredDifference>(
        stream_for(to), {&a, 1, rows, length, 0, length, 1},
        {&b, 1, length, columns, 0, 1, length},  // its vectors are columns
        {&to, 1, rows, columns, 0, to.strides[0], to.strides[1]}, gain, 0);
  });
  result.finish();
}

// --- slices of limited length -------------------------------------------------------------------

struct Add {
  TH_HD double operator()(double a, double b) const { return a + b; }
};

/// A block for each slice: its norm, then its elements times the factor that norm gives.
template <class C>
struct Renorm {
  Elements<C> x, r;  // their layouts leave out the slices' dimension
  int64_t x_step, r_step;
  int64_t n;  // elements of a slice
  double p, max_norm;

  template <class Block>
  TH_D void operator()(Block& block) const {
    const int64_t x0 = block.index() * x_step;
    const int64_t r0 = block.index() * r_step;
    double sum = 0;
    for (int64_t i = block.thread(); i < n; i += block.threads()) {
      const auto e = static_cast<double>(x.load_at(x0 + x.layout.offset(i)));
      const double magnitude = e < 0 ? -e : e;
      sum += p == 1 ? magnitude : p == 2 ? e * e : th::math::pow(magnitude, p);
    }
    sum = block.reduce(sum, Add{});
    const double norm = p == 1 ? sum : th::math::pow(sum, 1 / p);
    // With Torch7's term against a division by zero.
    const C scale = norm > max_norm ? static_cast<C>(max_norm / (norm + 1e-7)) : C{1};
    for (int64_t i = block.thread(); i < n; i += block.threads()) {
      r.store_at(r0 + r.layout.offset(i), x.load_at(x0 + x.layout.offset(i)) * scale);
    }
  }
};

void renorm(TH_Tensor* r, const TH_Tensor* x, double p, int dim, double max_norm) {
  check_renorm(r, x, p, dim, max_norm);
  const Tensor source(*x);
  const auto run_on = [&](TH_Tensor& to) {
    th::RealTypes::dispatch(compute_dtype(source.dtype), [&]<class C>() {
      const int64_t slices = source.sizes[dim];
      Renorm<C> kernel{Elements<C>(source),
                       Elements<C>(to),
                       source.strides[dim],
                       to.strides[dim],
                       numel(source) / slices,
                       p,
                       max_norm};
      kernel.x.layout = lines_along(source, dim);
      kernel.r.layout = lines_along(to, dim);
      launch_blocks(stream_for(to), slices, kThreads, 0, kernel);
    });
  };
  if (same_elements(*r, source)) {  // a thread writes what it alone has read
    run_on(*r);
    return;
  }
  Result result(r, sizes_of(source), Result::Any, {&source});
  run_on(result.tensor());
  result.finish();
}

}  // namespace

void register_vector_geometry(th::LinalgTable& b) {
  b.cross = cross;
  b.match = match;
  b.renorm = renorm;
}

}  // namespace thc
