// A convolution, a sum and max(0, .), one after the other.
#include "core/checks/conv.h"

#include "core/composite/register.h"
#include "core/composite/staged.h"
#include "core/operations.h"
#include "core/tables/conv.h"

namespace th::composite {
namespace {

void conv_add_relu(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight, const TH_Tensor* bias,
                   const TH_Tensor* addend, bool relu, int dims, const int64_t* stride,
                   const int64_t* padding, const int64_t* dilation, int groups) {
  const ConvShape s = check_conv(r, x, weight, bias, {dims, stride, padding, dilation, groups});
  check_conv_addend(addend, s, *x);
  Staged result(r, *x, output_sizes(s, *x).span());
  Tensor& y = result.tensor();
  ops::conv(&y, x, weight, bias, dims, stride, padding, dilation, groups);
  if (addend != nullptr) {
    ops::add_scaled(&y, &y, 1, addend);
  }
  if (relu) {
    ops::threshold(&y, &y, 0, 0);
  }
  result.finish();
}

}  // namespace

void register_conv(ConvTable& b) { offer(b.conv_add_relu, conv_add_relu); }

}  // namespace th::composite
