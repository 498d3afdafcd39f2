#include "core/vendor/handles.h"

#include <map>
#include <tuple>

#include "core/memory/allocator.h"
#include "core/vendor/library.h"
#include "core/vendor/vendor.h"
#include "core/vendor/vendor_plans.h"

namespace thc {
namespace {

using Key = std::pair<int, cudaStream_t>;

/// What cuBLAS may use while it computes; its documents name 32 MiB for Hopper, 4 MiB elsewhere.
int64_t blas_workspace(int device) {
  return int64_t{device_properties(device).major >= 9 ? 32 : 4} << 20;
}

struct CuDnnLibrary {
  Library library{"libcudnn.so.9", "libcudnn.so"};
  CuDnn functions{};
  int version = 0;

  CuDnnLibrary() {
    if (!library.is_open()) {
      return;
    }
    library.find(functions.version, "cudnnGetVersion");
    version = static_cast<int>(functions.version());
    if (version / 10000 != 9) {
      return;
    }
    library.find(functions.error_string, "cudnnGetErrorString");
    library.find(functions.create, "cudnnCreate");
    library.find(functions.destroy, "cudnnDestroy");
    library.find(functions.set_stream, "cudnnSetStream");
    library.find(functions.create_tensor, "cudnnCreateTensorDescriptor");
    library.find(functions.destroy_tensor, "cudnnDestroyTensorDescriptor");
    library.find(functions.set_tensor, "cudnnSetTensorNdDescriptor");
    library.find(functions.create_filter, "cudnnCreateFilterDescriptor");
    library.find(functions.destroy_filter, "cudnnDestroyFilterDescriptor");
    library.find(functions.set_filter, "cudnnSetFilterNdDescriptor");
    library.find(functions.create_convolution, "cudnnCreateConvolutionDescriptor");
    library.find(functions.destroy_convolution, "cudnnDestroyConvolutionDescriptor");
    library.find(functions.set_convolution, "cudnnSetConvolutionNdDescriptor");
    library.find(functions.set_groups, "cudnnSetConvolutionGroupCount");
    library.find(functions.set_math, "cudnnSetConvolutionMathType");
    library.find(functions.forward_algorithms, "cudnnGetConvolutionForwardAlgorithm_v7");
    library.find(functions.find_forward, "cudnnFindConvolutionForwardAlgorithmEx");
    library.find(functions.forward, "cudnnConvolutionForward");
    library.find(functions.backward_data_algorithms, "cudnnGetConvolutionBackwardDataAlgorithm_v7");
    library.find(functions.find_backward_data, "cudnnFindConvolutionBackwardDataAlgorithmEx");
    library.find(functions.backward_data, "cudnnConvolutionBackwardData");
    library.find(functions.backward_filter_algorithms,
                 "cudnnGetConvolutionBackwardFilterAlgorithm_v7");
    library.find(functions.find_backward_filter, "cudnnFindConvolutionBackwardFilterAlgorithmEx");
    library.find(functions.backward_filter, "cudnnConvolutionBackwardFilter");
  }
};

const CuDnnLibrary& cudnn_library() {
  static const CuDnnLibrary& library = *new CuDnnLibrary;
  return library;
}

}  // namespace

const CuBlas& cublas() {
  static const CuBlas functions = [] {
    const Library library{"libcublas.so.13", "libcublas.so.12", "libcublas.so"};
    TH_CHECK(library.is_open(), "cuBLAS could not be opened: ", library.error(),
             "; install it with the CUDA toolkit, or put its folder on LD_LIBRARY_PATH");
    CuBlas f{};
    library.find(f.create, "cublasCreate_v2");
    library.find(f.destroy, "cublasDestroy_v2");
    library.find(f.set_stream, "cublasSetStream_v2");
    library.find(f.set_workspace, "cublasSetWorkspace_v2");
    library.find(f.status_string, "cublasGetStatusString");
    library.find(f.gemm, "cublasGemmStridedBatchedEx_64");
    return f;
  }();
  return functions;
}

cublasHandle_t cublas_handle(int device, cudaStream_t stream) {
  thread_local std::map<Key, cublasHandle_t> handles;
  cublasHandle_t& handle = handles[{device, stream}];
  if (handle == nullptr) {
    const CuBlas& f = cublas();
    // From the pool, so that it is counted; it stays with the handle for good.
    const int64_t bytes = blas_workspace(device);
    Block* block = allocate_block(device, bytes, stream);
    cublasHandle_t made = nullptr;
    try {
      const cublasStatus_t status = f.create(&made);
      // That is what it says on a device without free memory.
      check_cublas(status == CUBLAS_STATUS_NOT_INITIALIZED ? CUBLAS_STATUS_ALLOC_FAILED : status,
                   "cublasCreate");
      check_cublas(f.set_stream(made, stream), "cublasSetStream");
      check_cublas(f.set_workspace(made, block->ptr, static_cast<size_t>(bytes)),
                   "cublasSetWorkspace");
    } catch (...) {
      if (made != nullptr) {
        f.destroy(made);
      }
      device_pool(device).free(block);
      throw;
    }
    handle = made;
  }
  return handle;
}

void check_cublas(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) [[likely]] {
    return;
  }
  throw_device_fault(call);
  if (lacks_memory(status)) {
    throw OutOfMemory(str("cuBLAS found no memory (", call, "); free some, or empty the cache"));
  }
  fail("cuBLAS: ", cublas().status_string(status), " (", call, ")");
}

const CuDnn* cudnn() {
  const CuDnnLibrary& library = cudnn_library();
  return library.version / 10000 == 9 ? &library.functions : nullptr;
}

int cudnn_version() {
  const CuDnnLibrary& library = cudnn_library();
  TH_CHECK(library.version != 0,
           "cuDNN 9 was not found; install libcudnn9 for your CUDA, or use nn's own layers instead "
           "of cudnn's (",
           library.library.error(), ")");
  TH_CHECK(library.version / 10000 == 9, "cuDNN ", library.version / 10000,
           " was found, this library needs cuDNN 9; install libcudnn9 for your CUDA");
  return library.version;
}

cudnnHandle_t cudnn_handle(int device, cudaStream_t stream) {
  thread_local std::map<Key, cudnnHandle_t> handles;
  cudnnHandle_t& handle = handles[{device, stream}];
  if (handle == nullptr) {
    cudnnHandle_t made = nullptr;
    check_cudnn(cudnn()->create(&made), "cudnnCreate");
    try {
      check_cudnn(cudnn()->set_stream(made, stream), "cudnnSetStream");
    } catch (...) {
      cudnn()->destroy(made);
      throw;
    }
    handle = made;
  }
  return handle;
}

void check_cudnn(cudnnStatus_t status, const char* call) {
  if (status == CUDNN_STATUS_SUCCESS) [[likely]] {
    return;
  }
  throw_device_fault(call);
  if (lacks_memory(status)) {
    throw OutOfMemory(str("cuDNN found no memory (", call, "); free some, or empty the cache"));
  }
  throw Refused(str("cuDNN: ", cudnn()->error_string(status), " (", call, ")"));
}

}  // namespace thc
