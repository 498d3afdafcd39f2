// What cuDNN wants to know of tensors and convolutions, each for the length of a scope.
#pragma once

#include <array>
#include <span>

#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "core/vendor/handles.h"
#include "core/vendor/vendor_plans.h"

namespace thc {

/// By type, so that a new one does not compile before it has an entry.
template <class T>
constexpr cudnnDataType_t cudnn_type_of() = delete;
template <>
constexpr cudnnDataType_t cudnn_type_of<th::Half>() {
  return CUDNN_DATA_HALF;
}
template <>
constexpr cudnnDataType_t cudnn_type_of<th::BFloat16>() {
  return CUDNN_DATA_BFLOAT16;
}
template <>
constexpr cudnnDataType_t cudnn_type_of<float>() {
  return CUDNN_DATA_FLOAT;
}
template <>
constexpr cudnnDataType_t cudnn_type_of<double>() {
  return CUDNN_DATA_DOUBLE;
}

inline cudnnDataType_t cudnn_type(int dtype) {
  cudnnDataType_t type{};
  th::Floating::dispatch(dtype, [&]<class T>() { type = cudnn_type_of<T>(); });
  return type;
}

/// Elements that a tensor of cuDNN's classic interface may have; fewer in tests.
inline int64_t cudnn_most_elements = 0x7fffffff;

inline int cudnn_size(int64_t size) {
  if (size > 0x7fffffff) {
    throw Refused(str("cuDNN takes sizes below 2^31, got ", size));
  }
  return static_cast<int>(size);
}

// A constructor of its own makes each, so that it is given back when the next call is refused.

/// Numbers as cuDNN takes them.
class CudnnList {
 public:
  explicit CudnnList(std::span<const int64_t> numbers) {
    for (size_t i = 0; i < numbers.size(); ++i) {
      numbers_[i] = cudnn_size(numbers[i]);
    }
  }
  const int* data() const { return numbers_.data(); }

 private:
  std::array<int, TH_MAX_DIMS> numbers_{};
};

class TensorDescriptor {
 public:
  explicit TensorDescriptor(const TH_Tensor& t) : TensorDescriptor() {
    const CudnnList sizes(sizes_of(t));
    const CudnnList strides({t.strides, static_cast<size_t>(t.ndim)});
    check_cudnn(
        cudnn()->set_tensor(descriptor_, cudnn_type(t.dtype), t.ndim, sizes.data(), strides.data()),
        "cudnnSetTensorNdDescriptor");
  }
  TensorDescriptor(const TensorDescriptor&) = delete;
  ~TensorDescriptor() { cudnn()->destroy_tensor(descriptor_); }
  operator cudnnTensorDescriptor_t() const { return descriptor_; }

 private:
  TensorDescriptor() {
    check_cudnn(cudnn()->create_tensor(&descriptor_), "cudnnCreateTensorDescriptor");
  }

  cudnnTensorDescriptor_t descriptor_;
};

class FilterDescriptor {
 public:
  explicit FilterDescriptor(const TH_Tensor& w) : FilterDescriptor() {
    check_cudnn(cudnn()->set_filter(descriptor_, cudnn_type(w.dtype), CUDNN_TENSOR_NCHW, w.ndim,
                                    CudnnList(sizes_of(w)).data()),
                "cudnnSetFilterNdDescriptor");
  }
  FilterDescriptor(const FilterDescriptor&) = delete;
  ~FilterDescriptor() { cudnn()->destroy_filter(descriptor_); }
  operator cudnnFilterDescriptor_t() const { return descriptor_; }

 private:
  FilterDescriptor() {
    check_cudnn(cudnn()->create_filter(&descriptor_), "cudnnCreateFilterDescriptor");
  }

  cudnnFilterDescriptor_t descriptor_;
};

/// Which arithmetic may be proposed: tensor cores for 16-bit types, which accumulate in float; for
/// float only where TF32 is allowed.
inline cudnnMathType_t allowed_math(int dtype) {
  if (is_half(dtype)) {
    return CUDNN_TENSOR_OP_MATH;
  }
  return vendor_options().tf32 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH;
}

class ConvolutionDescriptor {
 public:
  ConvolutionDescriptor(int dtype, const ConvShape& s) : ConvolutionDescriptor() {
    const ConvLists p(s);
    check_cudnn(cudnn()->set_convolution(descriptor_, p.dims, CudnnList(p.padding).data(),
                                         CudnnList(p.stride).data(), CudnnList(p.dilation).data(),
                                         CUDNN_CROSS_CORRELATION,
                                         dtype == TH_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT),
                "cudnnSetConvolutionNdDescriptor");
    check_cudnn(cudnn()->set_groups(descriptor_, cudnn_size(s.groups)),
                "cudnnSetConvolutionGroupCount");
    set_math(allowed_math(dtype));
  }
  ConvolutionDescriptor(const ConvolutionDescriptor&) = delete;
  ~ConvolutionDescriptor() { cudnn()->destroy_convolution(descriptor_); }
  operator cudnnConvolutionDescriptor_t() const { return descriptor_; }

  void set_math(cudnnMathType_t math) const {
    check_cudnn(cudnn()->set_math(descriptor_, math), "cudnnSetConvolutionMathType");
  }

 private:
  ConvolutionDescriptor() {
    check_cudnn(cudnn()->create_convolution(&descriptor_), "cudnnCreateConvolutionDescriptor");
  }

  cudnnConvolutionDescriptor_t descriptor_;
};

/// The factors of a call, alpha for the product and beta for what is there, in the type that cuDNN
/// wants them in.
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

}  // namespace thc
