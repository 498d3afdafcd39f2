// What vendor libraries do better than kernels of ours: products of matrices, convolutions. The
// CUDA build calls cuBLAS and cuDNN, found at run time; the simulated one TH's own CPU kernels, as
// tasks of the stream.
//
// A function returns false when nobody here can do the job (integers, no cuDNN): the caller then
// runs a kernel of its own. Everything is enqueued on the device's current stream. Arguments are
// checked and results have their memory.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "TH_core.h"
#include "functors/image_shapes.h"

namespace thc {

/// C = alpha op(A) op(B) + beta C on column-major matrices, `batch` times with the given strides in
/// elements. op(A) is m x k, op(B) k x n; a leading dimension is the step from column to column.
struct Gemm {
  int dtype;
  bool transpose_a;
  bool transpose_b;
  int64_t m;
  int64_t n;
  int64_t k;
  double alpha;
  const void* a;
  int64_t lda;
  const void* b;
  int64_t ldb;
  double beta;
  void* c;
  int64_t ldc;
  int64_t batch = 1;
  int64_t stride_a = 0;
  int64_t stride_b = 0;
  int64_t stride_c = 0;
};

/// Floating types; half and bfloat16 accumulate in float. With beta 0, C is not read.
bool vendor_gemm(int device, const Gemm& gemm);

/// What cuBLAS would refuse about a product, or have undefined results with; nullptr: nothing. For
/// those who stand in for it.
const char* mistake_in(const Gemm& gemm);

using th::ConvShape;

/// The steps of a convolution in lists: of images, as which signals come, or of volumes.
struct ConvLists {
  int dims;
  std::array<int64_t, 3> stride, padding, dilation;

  explicit ConvLists(const ConvShape& s)
      : dims(s.dims == 3 ? 3 : 2),
        stride(last(s.dD, s.dH, s.dW)),
        padding(last(s.padD, s.padH, s.padW)),
        dilation(last(s.dilD, s.dilH, s.dilW)) {}

 private:
  std::array<int64_t, 3> last(int64_t d, int64_t h, int64_t w) const {
    return dims == 3 ? std::array{d, h, w} : std::array{h, w, int64_t{0}};
  }
};

// Tensors are compact: N x C x H x W, or N x C x D x H x W of volumes, weights likewise. Biases are
// added by kernels of ours. What the library refuses, it cannot do: false, and nothing is written
// then.
bool vendor_conv(TH_Tensor& r, const TH_Tensor& x, const TH_Tensor& weight, const ConvShape& s);
bool vendor_conv_backward_input(TH_Tensor& r, const TH_Tensor& g, const TH_Tensor& weight,
                                const ConvShape& s);
/// grad_weight += scale * dL/dweight
bool vendor_conv_backward_weight(TH_Tensor& grad_weight, const TH_Tensor& g, const TH_Tensor& x,
                                 const ConvShape& s, double scale);

/// How vendor libraries are used; for the whole process.
struct VendorOptions {
  bool tf32 = false;           ///< float products with 10-bit mantissas: faster, less exact
  bool cudnn = true;           ///< false: kernels of ours instead
  bool benchmark = false;      ///< measure cuDNN's algorithms for each new shape, keep the fastest
  bool deterministic = false;  ///< only algorithms that give the same bits every time
  int64_t workspace = int64_t{256} << 20;  ///< bytes an algorithm of cuDNN may take
  int64_t generation = 0;                  ///< another number: forget which algorithms were chosen
};
VendorOptions& vendor_options();

/// What became of convolutions that cuDNN was asked for, in the whole process.
struct VendorCounts {
  std::atomic<int64_t> ran{0};       ///< by an algorithm of its own
  std::atomic<int64_t> declined{0};  ///< left to kernels of ours
  std::atomic<int64_t> troubles{0};  ///< calls that were no success
  std::atomic<int> last_trouble{0};  ///< the last one's status, a cudnnStatus_t
};
VendorCounts& vendor_counts();
/// Count a convolution; returns `ran`.
bool count_convolution(bool ran);
void note_vendor_trouble(int status);

/// 90000 is cuDNN 9.0.0. Throws with cause and remedy when it is missing or of another major
/// version.
int cudnn_version();

}  // namespace thc
