#include "core/composite/joining.h"

#include <algorithm>
#include <span>

#include "core/backend.h"
#include "core/checks/construct.h"
#include "core/composite/register.h"
#include "core/device_functions.h"
#include "core/tables/fill.h"
#include "core/tensor/aliasing.h"
#include "core/tensor/tensor.h"

namespace th::composite {

void join_by_copies(TH_Tensor& r, const TH_Tensor* const* parts, int count, int dim) {
  TH_Tensor place = r;  // borrows r's reference
  for (int i = 0; i < count; ++i) {
    if (parts[i]->ndim > 0) {
      place.sizes[dim] = size_at(*parts[i], dim);
      copy(place, *parts[i]);
      place.offset += place.sizes[dim] * place.strides[dim];
    }
  }
}

void cat(Join join, TH_Tensor* r, const TH_Tensor* const* parts, int count, int dim) {
  dim = checked_cat_dim(r, parts, count, dim);
  int64_t sizes[TH_MAX_DIMS];
  const auto ndim = static_cast<size_t>(joined_sizes(sizes, parts, count, dim));
  const std::span<const int64_t> wanted(sizes, ndim);
  // Parts are in a list, where nobody has looked for operands' devices.
  detail::Adopted adopted;
  adopted.gather_list(r, {parts, static_cast<size_t>(count)});
  // Parts are read when r has its sizes: one that is r itself, and empty, would have them too.
  const bool shares = std::any_of(
      parts, parts + count, [r](const TH_Tensor* x) { return x == r || shares_memory(*r, *x); });
  if (wanted.empty() || !shares) {
    resize(*r, wanted);
    if (!wanted.empty()) {
      join(*r, parts, count, dim);
    }
    return;
  }
  Tensor own = Tensor::like(*r, r->dtype, wanted);
  join(own, parts, count, dim);
  resize(*r, wanted);
  copy(*r, own);
}

void register_joining(FillTable& b) {
  offer(
      b.cat, +[](TH_Tensor* r, const TH_Tensor* const* parts, int count, int dim) {
        cat(join_by_copies, r, parts, count, dim);
      });
}

}  // namespace th::composite
