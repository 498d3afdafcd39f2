// Affine maps of vectors: y = x W' + b.
#include "core/checks/nn.h"
#include "cpu/nn/operands.h"
#include "cpu/register.h"

namespace th::cpu {
namespace {

void linear(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight, const TH_Tensor* bias) {
  check_linear(r, x, weight, bias);
  const int64_t outputs = weight->sizes[0];
  // The product starts from the bias; without one its result is never read.
  const Backend& b = backend(TH_CPU);
  const bool batch = x->ndim == 2;
  const int64_t sizes[] = {batch ? x->sizes[0] : outputs, outputs};
  const std::span<const int64_t> shape(sizes, batch ? 2 : 1);
  const Tensor in(*x);  // r may be one of them
  const Tensor w(*weight);
  Tensor start;
  if (bias != nullptr) {
    const Tensor compact_bias = contiguous(*bias);
    const int64_t strides[] = {batch ? 0 : 1, 1};
    init(start, x->dtype, TH_CPU, 0);
    set_storage(start, compact_bias.store, compact_bias.offset, shape, {strides, shape.size()});
  } else {
    start = Tensor::like(*x, x->dtype, shape);
  }
  if (!batch) {
    b.addmv(r, bias != nullptr, &start, 1, &w, &in);
    return;
  }
  Tensor turned;
  transpose(turned, w, 0, 1);
  b.addmm(r, bias != nullptr, &start, 1, &in, &turned);
}

}  // namespace

void register_linear(Backend& b) { b.linear = linear; }

}  // namespace th::cpu
