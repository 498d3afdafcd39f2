// The vendor libraries of simulated devices: TH's own CPU kernels, as tasks of the stream.
#include "core/vendor/vendor.h"

#include "sim/control.h"
#include "sim/on_host.h"

namespace thc {
namespace {

bool has_cudnn() { return vendor_options().cudnn && sim::machine().cudnn / 10000 == 9; }

}  // namespace

bool vendor_gemm(int device, const Gemm& gemm) {
  if (!is_floating(gemm.dtype)) {
    return false;
  }
  if (const char* mistake = mistake_in(gemm)) {
    fail("cuBLAS would refuse this product: ", mistake);
  }
  enqueue_on_host(device, [g = gemm](const Backend& cpu) {
    const int64_t element = element_size(g.dtype);
    const auto matrix = [&](const void* first, int64_t index, int64_t rows, int64_t columns,
                            int64_t step, bool transposed) {
      auto* memory = static_cast<char*>(const_cast<void*>(first)) + index * element;
      return transposed ? View(g.dtype, memory, {rows, columns}, {step, 1})
                        : View(g.dtype, memory, {rows, columns}, {1, step});
    };
    for (int64_t i = 0; i < g.batch; ++i) {
      View a = matrix(g.a, i * g.stride_a, g.m, g.k, g.lda, g.transpose_a);
      View b = matrix(g.b, i * g.stride_b, g.k, g.n, g.ldb, g.transpose_b);
      View c = matrix(g.c, i * g.stride_c, g.m, g.n, g.ldc, false);
      cpu.addmm(c.tensor(), g.beta, c.tensor(), g.alpha, a.tensor(), b.tensor());
    }
  });
  return true;
}

bool vendor_conv(TH_Tensor& r, const TH_Tensor& x, const TH_Tensor& weight, const ConvShape& s) {
  if (!has_cudnn() || !is_floating(r.dtype)) {
    return false;
  }
  enqueue_on_host(r.device, [p = ConvLists(s), groups = static_cast<int>(s.groups), y = View(r),
                             in = View(x), w = View(weight)](const Backend& cpu) mutable {
    cpu.conv(y.tensor(), in.tensor(), w.tensor(), nullptr, p.dims, p.stride.data(),
             p.padding.data(), p.dilation.data(), groups);
  });
  return count_convolution(true);
}

bool vendor_conv_backward_input(TH_Tensor& r, const TH_Tensor& g, const TH_Tensor& weight,
                                const ConvShape& s) {
  if (!has_cudnn() || !is_floating(r.dtype)) {
    return false;
  }
  // Of the input only the shape counts: r's own will do.
  enqueue_on_host(r.device, [p = ConvLists(s), groups = static_cast<int>(s.groups), dx = View(r),
                             dy = View(g), w = View(weight)](const Backend& cpu) mutable {
    cpu.conv_backward_input(dx.tensor(), dy.tensor(), dx.tensor(), w.tensor(), p.dims,
                            p.stride.data(), p.padding.data(), p.dilation.data(), groups);
  });
  return count_convolution(true);
}

bool vendor_conv_backward_weight(TH_Tensor& grad_weight, const TH_Tensor& g, const TH_Tensor& x,
                                 const ConvShape& s, double scale) {
  if (!has_cudnn() || !is_floating(g.dtype)) {
    return false;
  }
  enqueue_on_host(g.device, [p = ConvLists(s), groups = static_cast<int>(s.groups), scale,
                             dw = View(grad_weight), dy = View(g),
                             in = View(x)](const Backend& cpu) mutable {
    cpu.conv_backward_weight(dw.tensor(), nullptr, dy.tensor(), in.tensor(), p.dims,
                             p.stride.data(), p.padding.data(), p.dilation.data(), groups, scale);
  });
  return count_convolution(true);
}

int cudnn_version() {
  const int version = sim::machine().cudnn;
  TH_CHECK(version != 0,
           "cuDNN 9 was not found; install libcudnn9 for your CUDA, or use nn's own layers instead "
           "of cudnn's");
  TH_CHECK(version / 10000 == 9, "cuDNN ", version / 10000,
           " was found, this library needs cuDNN 9; install libcudnn9 for your CUDA");
  return version;
}

}  // namespace thc
