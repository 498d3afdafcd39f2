// Elements at positions along a dimension: read (index, gather), or all set to one value.
#include "core/tables/index.h"
#include "core/tensor/element_size.h"
#include "core/tensor/sizes_with.h"
#include "cuda/element_bits.h"
#include "cuda/index/index_place.h"
#include "cuda/register.h"

namespace thc {
namespace {

template <class U>
struct GatherKernel {
  Place<U> place;
  U* other;
  OffsetCalculator layout;
  TH_HD void operator()(int64_t i) const { other[layout.offset(i)] = place(i); }
};

template <class U>
struct FillKernel {
  Place<U> place;
  U value;
  TH_HD void operator()(int64_t i) const { place(i) = value; }
};

void gather_into(TH_Tensor* r, const Tensor& x, int dim, std::span<const int64_t> shape,
                 const Tensor& p, const int64_t* position_strides) {
  check_same_dtype(*r, x);
  Result result(r, shape, Result::Any, {&x, &p});
  TH_Tensor& to = result.tensor();
  with_size(element_size(to.dtype), [&]<class U>() {
    launch(stream_for(to), numel(to),
           GatherKernel<U>{place_in<U>(x, dim, shape, p, position_strides), data<U>(to),
                           OffsetCalculator(to)});
  });
  result.finish();
}

void index(TH_Tensor* r, const TH_Tensor* x, int dim, const TH_Tensor* positions) {
  TH_CHECK(r != nullptr, "the result is missing");
  check_defined(x, "the tensor");
  check_dim(*x, dim);
  const Tensor p = checked_vector(positions);
  check_range(p, *x, dim);
  const Tensor source(*x);  // r may be x
  gather_into(r, source, dim, SizesWith(source, dim, p.sizes[0]), p, VectorStrides(dim).values);
}

void gather(TH_Tensor* r, const TH_Tensor* x, int dim, const TH_Tensor* positions) {
  TH_CHECK(r != nullptr, "the result is missing");
  check_defined(x, "the tensor");
  check_dim(*x, dim);
  const Tensor p = checked_positions(positions);
  check_same_but(*x, p, dim, "the tensor", "the tensor of positions");
  check_range(p, *x, dim);
  gather_into(r, Tensor(*x), dim, sizes_of(p), p, p.strides);
}

void fill_at(TH_Tensor& r, int dim, std::span<const int64_t> shape, const Tensor& p,
             const int64_t* position_strides, double value) {
  const uint64_t bits = element_bits(r.dtype, value);
  with_size(element_size(r.dtype), [&]<class U>() {
    launch(stream_for(r), count(shape),
           FillKernel<U>{place_in<U>(r, dim, shape, p, position_strides), static_cast<U>(bits)});
  });
}

void index_fill(TH_Tensor* r, int dim, const TH_Tensor* positions, double value) {
  const Tensor p = positions_into(r, dim, positions);
  fill_at(*r, dim, SizesWith(*r, dim, p.sizes[0]), p, VectorStrides(dim).values, value);
}

void scatter_value(TH_Tensor* r, int dim, const TH_Tensor* positions, double value) {
  const Tensor p = scatter_positions(r, dim, positions);
  fill_at(*r, dim, sizes_of(p), p, p.strides, value);
}

}  // namespace

void register_index(th::IndexTable& b) {
  b.index = index;
  b.index_fill = index_fill;
  b.gather = gather;
  b.scatter_value = scatter_value;
}

}  // namespace thc
