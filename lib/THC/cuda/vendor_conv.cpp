// Convolutions by cuDNN: which algorithm, with how much memory, and the call.
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "core/allocator.h"
#include "core/dtype.h"
#include "core/handles.h"
#include "core/stream.h"
#include "core/tensor.h"
#include "core/vendor.h"

namespace thc {
namespace {

cudnnDataType_t data_type(int dtype) {
  switch (dtype) {
    case TH_HALF:
      return CUDNN_DATA_HALF;
    case TH_BFLOAT16:
      return CUDNN_DATA_BFLOAT16;
    case TH_FLOAT:
      return CUDNN_DATA_FLOAT;
    default:
      return CUDNN_DATA_DOUBLE;
  }
}

int small(int64_t size) {
  TH_CHECK(size <= 0x7fffffff, "cuDNN takes sizes below 2^31, got ", size);
  return static_cast<int>(size);
}

class TensorDescriptor {
 public:
  TensorDescriptor(int dtype, int64_t n, int64_t c, int64_t h, int64_t w) {
    check_cudnn(cudnn()->create_tensor(&descriptor_), "cudnnCreateTensorDescriptor");
    check_cudnn(cudnn()->set_tensor(descriptor_,
                                    CUDNN_TENSOR_NCHW,
                                    data_type(dtype),
                                    small(n),
                                    small(c),
                                    small(h),
                                    small(w)),
                "cudnnSetTensor4dDescriptor");
  }
  explicit TensorDescriptor(const TH_Tensor& t)
      : TensorDescriptor(t.dtype, t.sizes[0], t.sizes[1], t.sizes[2], t.sizes[3]) {}
  TensorDescriptor(const TensorDescriptor&) = delete;
  ~TensorDescriptor() { cudnn()->destroy_tensor(descriptor_); }
  operator cudnnTensorDescriptor_t() const { return descriptor_; }

 private:
  cudnnTensorDescriptor_t descriptor_;
};

class FilterDescriptor {
 public:
  explicit FilterDescriptor(const TH_Tensor& w) {
    check_cudnn(cudnn()->create_filter(&descriptor_), "cudnnCreateFilterDescriptor");
    check_cudnn(cudnn()->set_filter(descriptor_,
                                    data_type(w.dtype),
                                    CUDNN_TENSOR_NCHW,
                                    small(w.sizes[0]),
                                    small(w.sizes[1]),
                                    small(w.sizes[2]),
                                    small(w.sizes[3])),
                "cudnnSetFilter4dDescriptor");
  }
  FilterDescriptor(const FilterDescriptor&) = delete;
  ~FilterDescriptor() { cudnn()->destroy_filter(descriptor_); }
  operator cudnnFilterDescriptor_t() const { return descriptor_; }

 private:
  cudnnFilterDescriptor_t descriptor_;
};

/// Tensor cores for 16-bit types, which accumulate in float; for float only where TF32 is allowed.
cudnnMathType_t math_type(int dtype) {
  if (is_half(dtype)) {
    return CUDNN_TENSOR_OP_MATH;
  }
  return vendor_options().tf32 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH;
}

class ConvolutionDescriptor {
 public:
  ConvolutionDescriptor(int dtype, const Conv2d& p) {
    check_cudnn(cudnn()->create_convolution(&descriptor_), "cudnnCreateConvolutionDescriptor");
    check_cudnn(cudnn()->set_convolution(descriptor_,
                                         p.padH,
                                         p.padW,
                                         p.dH,
                                         p.dW,
                                         1,
                                         1,
                                         CUDNN_CROSS_CORRELATION,
                                         dtype == TH_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT),
                "cudnnSetConvolution2dDescriptor");
    check_cudnn(cudnn()->set_groups(descriptor_, p.groups), "cudnnSetConvolutionGroupCount");
    check_cudnn(cudnn()->set_math(descriptor_, math_type(dtype)), "cudnnSetConvolutionMathType");
  }
  ConvolutionDescriptor(const ConvolutionDescriptor&) = delete;
  ~ConvolutionDescriptor() { cudnn()->destroy_convolution(descriptor_); }
  operator cudnnConvolutionDescriptor_t() const { return descriptor_; }

 private:
  cudnnConvolutionDescriptor_t descriptor_;
};

/// The factors of a call, in the type that cuDNN wants them in.
class Factors {
 public:
  Factors(int dtype, double alpha, double beta)
      : wide_(dtype == TH_DOUBLE),
        numbers_{alpha, beta},
        floats_{static_cast<float>(alpha), static_cast<float>(beta)} {}
  const void* alpha() const { return wide_ ? static_cast<const void*>(&numbers_[0]) : &floats_[0]; }
  const void* beta() const { return wide_ ? static_cast<const void*>(&numbers_[1]) : &floats_[1]; }

 private:
  bool wide_;
  double numbers_[2];
  float floats_[2];
};

enum Pass { kForward, kBackwardData, kBackwardFilter };

/// Everything an algorithm's choice depends on.
using Case = std::vector<int64_t>;

Case case_of(Pass pass, const TH_Tensor& x, const TH_Tensor& w, const Conv2d& p) {
  const VendorOptions& o = vendor_options();
  Case c{pass,
         x.device,
         x.dtype,
         p.dH,
         p.dW,
         p.padH,
         p.padW,
         p.groups,
         o.benchmark,
         o.deterministic,
         o.tf32,
         o.workspace};
  c.insert(c.end(), x.sizes, x.sizes + 4);
  c.insert(c.end(), w.sizes, w.sizes + 4);
  return c;
}

/// An algorithm and the memory it takes.
struct Choice {
  int algorithm;
  int64_t workspace;
  cudnnMathType_t math;
};

/// The first of cuDNN's proposals, the fastest first, that may be used.
template <class Perf>
std::optional<Choice> pick(const Perf* proposals, int count) {
  const VendorOptions& o = vendor_options();
  for (int i = 0; i < count; ++i) {
    const Perf& p = proposals[i];
    if (p.status == CUDNN_STATUS_SUCCESS && static_cast<int64_t>(p.memory) <= o.workspace &&
        (!o.deterministic || p.determinism == CUDNN_DETERMINISTIC)) {
      return Choice{p.algo, static_cast<int64_t>(p.memory), p.mathType};
    }
  }
  return std::nullopt;
}

/// The algorithm for a case: asked, or measured, once per thread. nullopt: none may be used.
template <class Perf, class Ask>
std::optional<Choice> choose(const Case& c, Ask&& ask) {
  thread_local std::map<Case, std::optional<Choice>> known;
  if (const auto found = known.find(c); found != known.end()) {
    return found->second;
  }
  constexpr int kProposals = 16;
  Perf proposals[kProposals];
  int count = 0;
  ask(kProposals, &count, proposals);
  return known[c] = pick(proposals, count);
}

/// Room for measuring: as much as may be used and can be had.
class Trial {
 public:
  Trial(int device, cudaStream_t stream) : device_(device) {
    for (bytes_ = vendor_options().workspace; bytes_ > 0; bytes_ /= 4) {
      block_ = device_pool(device).allocate(static_cast<size_t>(bytes_), stream);
      if (block_ != nullptr) {
        return;
      }
    }
  }
  ~Trial() {
    if (block_ != nullptr) {
      device_pool(device_).free(block_);
    }
  }
  Trial(const Trial&) = delete;
  void* data() const { return block_ == nullptr ? nullptr : block_->ptr; }
  size_t bytes() const { return static_cast<size_t>(bytes_); }

 private:
  int device_;
  int64_t bytes_ = 0;
  Block* block_ = nullptr;
};

bool usable(const TH_Tensor& t) {
  return vendor_options().cudnn && is_floating(t.dtype) && cudnn() != nullptr;
}

/// The workspace of a call; none is asked for where none is needed.
std::unique_ptr<Scratch> workspace_for(const Choice& choice, int device, cudaStream_t stream) {
  return choice.workspace == 0 ? nullptr
                               : std::make_unique<Scratch>(device, stream, choice.workspace);
}

}  // namespace

bool vendor_conv2d(TH_Tensor& r,
                   const TH_Tensor& x,
                   const TH_Tensor& weight,
                   const TH_Tensor* bias,
                   const Conv2d& p) {
  if (!usable(x)) {
    return false;
  }
  const cudaStream_t stream = stream_for(r);
  const cudnnHandle_t handle = cudnn_handle(r.device, stream);
  const TensorDescriptor in(x);
  const TensorDescriptor out(r);
  const FilterDescriptor filter(weight);
  const ConvolutionDescriptor convolution(x.dtype, p);
  using Perf = cudnnConvolutionFwdAlgoPerf_t;
  const auto choice =
      choose<Perf>(case_of(kForward, x, weight, p), [&](int room, int* count, Perf* list) {
        if (vendor_options().benchmark) {
          const Trial trial(r.device, stream);
          check_cudnn(cudnn()->find_forward(handle,
                                            in,
                                            bytes(x),
                                            filter,
                                            bytes(weight),
                                            convolution,
                                            out,
                                            bytes(r),
                                            room,
                                            count,
                                            list,
                                            trial.data(),
                                            trial.bytes()),
                      "cudnnFindConvolutionForwardAlgorithmEx");
        } else {
          check_cudnn(
              cudnn()->forward_algorithms(handle, in, filter, convolution, out, room, count, list),
              "cudnnGetConvolutionForwardAlgorithm_v7");
        }
      });
  if (!choice) {
    return false;
  }
  check_cudnn(cudnn()->set_math(convolution, choice->math), "cudnnSetConvolutionMathType");
  const auto workspace = workspace_for(*choice, r.device, stream);
  const Factors factors(x.dtype, 1, 0);
  check_cudnn(cudnn()->forward(handle,
                               factors.alpha(),
                               in,
                               bytes(x),
                               filter,
                               bytes(weight),
                               convolution,
                               static_cast<cudnnConvolutionFwdAlgo_t>(choice->algorithm),
                               workspace ? workspace->data<void>() : nullptr,
                               static_cast<size_t>(choice->workspace),
                               factors.beta(),
                               out,
                               bytes(r)),
              "cudnnConvolutionForward");
  if (bias != nullptr) {
    const TensorDescriptor row(x.dtype, 1, numel(*bias), 1, 1);
    const Factors add(x.dtype, 1, 1);
    check_cudnn(
        cudnn()->add_tensor(handle, add.alpha(), row, bytes(*bias), add.beta(), out, bytes(r)),
        "cudnnAddTensor");
  }
  return true;
}

bool vendor_conv2d_backward_input(TH_Tensor& r,
                                  const TH_Tensor& g,
                                  const TH_Tensor& weight,
                                  const Conv2d& p) {
  if (!usable(g)) {
    return false;
  }
  const cudaStream_t stream = stream_for(r);
  const cudnnHandle_t handle = cudnn_handle(r.device, stream);
  const TensorDescriptor dx(r);
  const TensorDescriptor dy(g);
  const FilterDescriptor filter(weight);
  const ConvolutionDescriptor convolution(g.dtype, p);
  using Perf = cudnnConvolutionBwdDataAlgoPerf_t;
  const auto choice =
      choose<Perf>(case_of(kBackwardData, r, weight, p), [&](int room, int* count, Perf* list) {
        if (vendor_options().benchmark) {
          const Trial trial(r.device, stream);
          check_cudnn(cudnn()->find_backward_data(handle,
                                                  filter,
                                                  bytes(weight),
                                                  dy,
                                                  bytes(g),
                                                  convolution,
                                                  dx,
                                                  bytes(r),
                                                  room,
                                                  count,
                                                  list,
                                                  trial.data(),
                                                  trial.bytes()),
                      "cudnnFindConvolutionBackwardDataAlgorithmEx");
        } else {
          check_cudnn(cudnn()->backward_data_algorithms(
                          handle, filter, dy, convolution, dx, room, count, list),
                      "cudnnGetConvolutionBackwardDataAlgorithm_v7");
        }
      });
  if (!choice) {
    return false;
  }
  check_cudnn(cudnn()->set_math(convolution, choice->math), "cudnnSetConvolutionMathType");
  const auto workspace = workspace_for(*choice, r.device, stream);
  const Factors factors(g.dtype, 1, 0);
  check_cudnn(cudnn()->backward_data(handle,
                                     factors.alpha(),
                                     filter,
                                     bytes(weight),
                                     dy,
                                     bytes(g),
                                     convolution,
                                     static_cast<cudnnConvolutionBwdDataAlgo_t>(choice->algorithm),
                                     workspace ? workspace->data<void>() : nullptr,
                                     static_cast<size_t>(choice->workspace),
                                     factors.beta(),
                                     dx,
                                     bytes(r)),
              "cudnnConvolutionBackwardData");
  return true;
}

bool vendor_conv2d_backward_weight(TH_Tensor& grad_weight,
                                   TH_Tensor* grad_bias,
                                   const TH_Tensor& g,
                                   const TH_Tensor& x,
                                   const Conv2d& p,
                                   double scale) {
  if (!usable(g)) {
    return false;
  }
  const cudaStream_t stream = stream_for(g);
  const cudnnHandle_t handle = cudnn_handle(g.device, stream);
  const TensorDescriptor in(x);
  const TensorDescriptor dy(g);
  const FilterDescriptor filter(grad_weight);
  const ConvolutionDescriptor convolution(g.dtype, p);
  using Perf = cudnnConvolutionBwdFilterAlgoPerf_t;
  const auto choice = choose<Perf>(
      case_of(kBackwardFilter, x, grad_weight, p), [&](int room, int* count, Perf* list) {
        if (vendor_options().benchmark) {
          // Measuring writes: not into gradients that are being summed up.
          const Tensor apart = Tensor::like(grad_weight, grad_weight.dtype, sizes_of(grad_weight));
          const Trial trial(g.device, stream);
          check_cudnn(cudnn()->find_backward_filter(handle,
                                                    in,
                                                    bytes(x),
                                                    dy,
                                                    bytes(g),
                                                    convolution,
                                                    filter,
                                                    bytes(apart),
                                                    room,
                                                    count,
                                                    list,
                                                    trial.data(),
                                                    trial.bytes()),
                      "cudnnFindConvolutionBackwardFilterAlgorithmEx");
        } else {
          check_cudnn(cudnn()->backward_filter_algorithms(
                          handle, in, dy, convolution, filter, room, count, list),
                      "cudnnGetConvolutionBackwardFilterAlgorithm_v7");
        }
      });
  if (!choice) {
    return false;
  }
  check_cudnn(cudnn()->set_math(convolution, choice->math), "cudnnSetConvolutionMathType");
  const auto workspace = workspace_for(*choice, g.device, stream);
  const Factors factors(g.dtype, scale, 1);
  check_cudnn(
      cudnn()->backward_filter(handle,
                               factors.alpha(),
                               in,
                               bytes(x),
                               dy,
                               bytes(g),
                               convolution,
                               static_cast<cudnnConvolutionBwdFilterAlgo_t>(choice->algorithm),
                               workspace ? workspace->data<void>() : nullptr,
                               static_cast<size_t>(choice->workspace),
                               factors.beta(),
                               filter,
                               bytes(grad_weight)),
      "cudnnConvolutionBackwardFilter");
  if (grad_bias != nullptr) {
    const TensorDescriptor row(g.dtype, 1, numel(*grad_bias), 1, 1);
    check_cudnn(cudnn()->backward_bias(
                    handle, factors.alpha(), dy, bytes(g), factors.beta(), row, bytes(*grad_bias)),
                "cudnnConvolutionBackwardBias");
  }
  return true;
}

}  // namespace thc
