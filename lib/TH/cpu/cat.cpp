// Joining tensors along a dimension.
#include <algorithm>
#include <cstring>

#include "core/composite/joining.h"
#include "core/tables/fill.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "cpu/parallel.h"
#include "cpu/register.h"

namespace th::cpu {
namespace {

/// Whole rows of every input in turn: r and the inputs are contiguous.
void join_rows(TH_Tensor& r, const TH_Tensor* const* xs, int count, int64_t outer) {
  const int64_t size = element_size(r.dtype);
  const int64_t row = numel(r) / outer * size;
  int64_t start = 0;
  for (int i = 0; i < count; ++i) {
    const int64_t length = numel(*xs[i]) / outer * size;
    if (length == 0) {
      continue;
    }
    char* to = bytes(r) + start;
    const char* from = bytes(*xs[i]);
    parallel_items(outer, length / size, [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k) {
        switch (length) {  // a call for a few bytes takes longer than the move itself
          case 4:
            std::memcpy(to + k * row, from + k * 4, 4);
            break;
          case 8:
            std::memcpy(to + k * row, from + k * 8, 8);
            break;
          default:
            std::memcpy(to + k * row, from + k * length, static_cast<size_t>(length));
        }
      }
    });
    start += length;
  }
}

void join(TH_Tensor& r, const TH_Tensor* const* xs, int count, int dim) {
  int64_t outer = 1;
  for (int d = 0; d < dim; ++d) {
    outer *= r.sizes[d];
  }
  const bool plain =
      std::all_of(xs, xs + count, [](const TH_Tensor* t) { return is_contiguous(*t); });
  if (plain && outer > 1 && is_contiguous(r)) {
    join_rows(r, xs, count, outer);
    return;
  }
  composite::join_by_copies(r, xs, count, dim);
}

void cat(TH_Tensor* r, const TH_Tensor* const* xs, int count, int dim) {
  composite::cat(join, r, xs, count, dim);
}

}  // namespace

void register_cat(FillTable& b) { b.cat = cat; }

}  // namespace th::cpu
