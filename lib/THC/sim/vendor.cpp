// The vendor libraries of simulated devices: TH's own CPU kernels, as tasks of the stream.
#include "core/vendor/vendor.h"

#include <memory>

#include "core/backend.h"
#include "core/memory/fault.h"
#include "core/memory/storage.h"
#include "core/stream.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "sim/control.h"
#include "sim/tasks.h"

namespace thc {
namespace {

/// Device memory as the CPU's kernels see it inside a task. Owns nothing.
class View {
 public:
  View(int dtype, void* memory, std::initializer_list<int64_t> sizes,
       std::initializer_list<int64_t> strides)
      : View(dtype, memory, static_cast<int>(sizes.size()), sizes.begin(), strides.begin()) {}
  explicit View(const TH_Tensor& t) : View(t.dtype, bytes(t), t.ndim, t.sizes, t.strides) {}

  TH_Tensor* tensor() { return &tensor_; }

 private:
  View(int dtype, void* memory, int ndim, const int64_t* sizes, const int64_t* strides)
      : storage_(std::make_shared<Storage>()) {
    int64_t last = 0;
    tensor_.ndim = ndim;
    for (int d = 0; d < ndim; ++d) {
      tensor_.sizes[d] = sizes[d];
      tensor_.strides[d] = strides[d];
      last += (sizes[d] - 1) * strides[d];
    }
    tensor_.dtype = storage_->dtype = static_cast<uint8_t>(dtype);
    storage_->references = 1 << 30;  // nobody gives it back
    storage_->data = memory;
    storage_->length = last + 1;
    storage_->capacity = storage_->length * element_size(dtype);
    tensor_.store = storage_.get();
  }

  std::shared_ptr<Storage> storage_;
  TH_Tensor tensor_{};
};

/// While it lives, allocations are not counted for a test's failing one: what a library takes on a
/// device is none of this process's, and the stream may get there in the middle of another call.
class Uncounted {
 public:
  Uncounted() : left_(TH_failAllocation(0)) {}
  Uncounted(const Uncounted&) = delete;
  ~Uncounted() { TH_failAllocation(left_); }

 private:
  int64_t left_;
};

/// Run f with the CPU's operations when the stream gets there.
template <class F>
void enqueue_on_host(int device, F f) {
  activate(device);
  THC_CHECK(sim::enqueue(current_stream(device), "vendor library", [f]() mutable {
    const Uncounted uncounted;
    f(th::backend(TH_CPU));
  }));
}

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
