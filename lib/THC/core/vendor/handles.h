// Handles of cuBLAS and cuDNN: one per thread, device and stream, so that nobody has to lock.
#pragma once

#include <string>

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cudnn.h>

namespace thc {

/// The functions of cuBLAS that are used here, found at run time.
struct CuBlas {
  decltype(cublasCreate_v2)* create;
  decltype(cublasDestroy_v2)* destroy;
  decltype(cublasSetStream_v2)* set_stream;
  decltype(cublasSetWorkspace_v2)* set_workspace;
  decltype(cublasSetMathMode)* set_math;
  decltype(cublasGetStatusString)* status_string;
  decltype(cublasGemmStridedBatchedEx_64)* gemm;
};
/// Throws with cause and remedy where it cannot be opened.
const CuBlas& cublas();
cublasHandle_t cublas_handle(int device, cudaStream_t stream);
/// Throws when a call of cuBLAS failed: OutOfMemory, or the fault of the device that it met.
void check_cublas(cublasStatus_t status, const char* call);

/// The functions of cuDNN that are used here.
struct CuDnn {
  decltype(cudnnGetVersion)* version;
  decltype(cudnnGetErrorString)* error_string;
  decltype(cudnnCreate)* create;
  decltype(cudnnDestroy)* destroy;
  decltype(cudnnSetStream)* set_stream;
  decltype(cudnnCreateTensorDescriptor)* create_tensor;
  decltype(cudnnDestroyTensorDescriptor)* destroy_tensor;
  decltype(cudnnSetTensorNdDescriptor)* set_tensor;
  decltype(cudnnCreateFilterDescriptor)* create_filter;
  decltype(cudnnDestroyFilterDescriptor)* destroy_filter;
  decltype(cudnnSetFilterNdDescriptor)* set_filter;
  decltype(cudnnCreateConvolutionDescriptor)* create_convolution;
  decltype(cudnnDestroyConvolutionDescriptor)* destroy_convolution;
  decltype(cudnnSetConvolutionNdDescriptor)* set_convolution;
  decltype(cudnnSetConvolutionGroupCount)* set_groups;
  decltype(cudnnSetConvolutionMathType)* set_math;
  decltype(cudnnGetConvolutionForwardAlgorithm_v7)* forward_algorithms;
  decltype(cudnnFindConvolutionForwardAlgorithmEx)* find_forward;
  decltype(cudnnConvolutionForward)* forward;
  decltype(cudnnGetConvolutionBackwardDataAlgorithm_v7)* backward_data_algorithms;
  decltype(cudnnFindConvolutionBackwardDataAlgorithmEx)* find_backward_data;
  decltype(cudnnConvolutionBackwardData)* backward_data;
  decltype(cudnnGetConvolutionBackwardFilterAlgorithm_v7)* backward_filter_algorithms;
  decltype(cudnnFindConvolutionBackwardFilterAlgorithmEx)* find_backward_filter;
  decltype(cudnnConvolutionBackwardFilter)* backward_filter;
};
/// nullptr where cuDNN 9 cannot be used; cudnn_version() says why.
const CuDnn* cudnn();
/// From now on cudnn() is nullptr; `why` is said once. For a library that turns out to be unusable:
/// every convolution would find that out again.
void give_up_cudnn(const std::string& why);
cudnnHandle_t cudnn_handle(int device, cudaStream_t stream);
/// Throws when a call of cuDNN failed: OutOfMemory, the fault of the device that it met, or what
/// throw_cudnn() makes of it.
void check_cudnn(cudnnStatus_t status, const char* call);

}  // namespace thc
