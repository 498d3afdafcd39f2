#include "core/vendor/handles.h"

#include <atomic>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>

#include "core/memory/allocator.h"
#include "core/vendor/library.h"
#include "core/vendor/trouble.h"
#include "core/vendor/vendor.h"
#include "core/vendor/vendor_plans.h"

namespace thc {
namespace {

using Key = std::pair<int, cudaStream_t>;

/// What cuBLAS may use while it computes; its documents name 32 MiB for Hopper, 4 MiB elsewhere.
int64_t blas_workspace(int device) {
  return int64_t{device_properties(device).major >= 9 ? 32 : 4} << 20;
}

/// Sums of 16-bit products in float, to the end.
constexpr auto kBlasMath = static_cast<cublasMath_t>(
    CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);

struct CuDnnLibrary {
  Library library{"libcudnn.so.9", "libcudnn.so"};
  CuDnn functions{};
  int version = 0;
  std::string missing;  ///< a function that it does not have
  std::atomic<bool> usable{false};

  CuDnnLibrary() {
    if (!library.is_open() || !need(functions.version, "cudnnGetVersion")) {
      return;
    }
    version = static_cast<int>(functions.version());
    if (version / 10000 != 9) {
      return;
    }
    need(functions.error_string, "cudnnGetErrorString");
    need(functions.create, "cudnnCreate");
    need(functions.destroy, "cudnnDestroy");
    need(functions.set_stream, "cudnnSetStream");
    need(functions.create_tensor, "cudnnCreateTensorDescriptor");
    need(functions.destroy_tensor, "cudnnDestroyTensorDescriptor");
    need(functions.set_tensor, "cudnnSetTensorNdDescriptor");
    need(functions.create_filter, "cudnnCreateFilterDescriptor");
    need(functions.destroy_filter, "cudnnDestroyFilterDescriptor");
    need(functions.set_filter, "cudnnSetFilterNdDescriptor");
    need(functions.create_convolution, "cudnnCreateConvolutionDescriptor");
    need(functions.destroy_convolution, "cudnnDestroyConvolutionDescriptor");
    need(functions.set_convolution, "cudnnSetConvolutionNdDescriptor");
    need(functions.set_groups, "cudnnSetConvolutionGroupCount");
    need(functions.set_math, "cudnnSetConvolutionMathType");
    need(functions.forward_algorithms, "cudnnGetConvolutionForwardAlgorithm_v7");
    need(functions.find_forward, "cudnnFindConvolutionForwardAlgorithmEx");
    need(functions.forward, "cudnnConvolutionForward");
    need(functions.backward_data_algorithms, "cudnnGetConvolutionBackwardDataAlgorithm_v7");
    need(functions.find_backward_data, "cudnnFindConvolutionBackwardDataAlgorithmEx");
    need(functions.backward_data, "cudnnConvolutionBackwardData");
    need(functions.backward_filter_algorithms, "cudnnGetConvolutionBackwardFilterAlgorithm_v7");
    need(functions.find_backward_filter, "cudnnFindConvolutionBackwardFilterAlgorithmEx");
    need(functions.backward_filter, "cudnnConvolutionBackwardFilter");
    usable = missing.empty();
    if (!usable) {
      warn(str("cuDNN ", version, " has no function ", missing));
    }
  }

  void give_up(const std::string& why) {
    if (usable.exchange(false)) {
      warn(why);
    }
  }

 private:
  template <class F>
  bool need(F*& function, const char* name) {
    if (!library.find(function, name)) {
      missing = name;
    }
    return function != nullptr;
  }

  static void warn(const std::string& why) {
    std::fprintf(stderr, "cutorch: cuDNN cannot be used, kernels of our own convolve instead: %s\n",
                 why.c_str());
  }
};

CuDnnLibrary& cudnn_library() {
  static CuDnnLibrary& library = *new CuDnnLibrary;
  return library;
}

}  // namespace

const CuBlas& cublas() {
  static const CuBlas functions = [] {
    const Library library{"libcublas.so.13", "libcublas.so.12", "libcublas.so"};
    TH_CHECK(library.is_open(), "cuBLAS could not be opened: ", library.error(),
             "; install it with the CUDA toolkit, or put its folder on LD_LIBRARY_PATH");
    const auto need = [&library](auto& function, const char* name) {
      TH_CHECK(library.find(function, name), "the installed cuBLAS has no function ", name,
               "; install the version that belongs to CUDA ", CUDART_VERSION / 1000);
    };
    CuBlas f{};
    need(f.create, "cublasCreate_v2");
    need(f.destroy, "cublasDestroy_v2");
    need(f.set_stream, "cublasSetStream_v2");
    need(f.set_workspace, "cublasSetWorkspace_v2");
    need(f.set_math, "cublasSetMathMode");
    need(f.status_string, "cublasGetStatusString");
    need(f.gemm, "cublasGemmStridedBatchedEx_64");
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
      // Otherwise the parts of a long sum may be put together in the result's 16 bits. Whether a
      // product of floats is rounded to TF32 each call says itself.
      check_cublas(f.set_math(made, kBlasMath), "cublasSetMathMode");
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
  if (trouble_of(status) == Trouble::Memory) {
    throw OutOfMemory(str("cuBLAS found no memory (", call, "); free some, or empty the cache"));
  }
  const bool half_done = trouble_of(status) == Trouble::Failed;
  const bool full = half_done && make_room();
  fail("cuBLAS: ", cublas().status_string(status), " (", call, ")",
       full ? "; the device has no memory left to load a kernel, free some" : "",
       half_done ? ". What the operation writes may be half done" : "");
}

const CuDnn* cudnn() {
  const CuDnnLibrary& library = cudnn_library();
  return library.usable.load(std::memory_order_relaxed) ? &library.functions : nullptr;
}

void give_up_cudnn(const std::string& why) { cudnn_library().give_up(why); }

int cudnn_version() {
  const CuDnnLibrary& library = cudnn_library();
  TH_CHECK(library.library.is_open(),
           "cuDNN 9 was not found; install libcudnn9 for your CUDA, or use nn's own layers instead "
           "of cudnn's (",
           library.library.error(), ")");
  TH_CHECK(library.version == 0 || library.version / 10000 == 9, "cuDNN ", library.version / 10000,
           " was found, this library needs cuDNN 9; install libcudnn9 for your CUDA");
  TH_CHECK(library.missing.empty(), "the installed cuDNN has no function ", library.missing,
           "; install a libcudnn9 that has the classic interface");
  return library.version;
}

cudnnHandle_t cudnn_handle(int device, cudaStream_t stream) {
  thread_local std::map<Key, cudnnHandle_t> handles;
  cudnnHandle_t& handle = handles[{device, stream}];
  if (handle == nullptr) {
    const CuDnn& f = *cudnn();
    cudnnHandle_t made = nullptr;
    const cudnnStatus_t status = with_room("cudnnCreate", [&] { return f.create(&made); });
    if (trouble_of(status) == Trouble::Failed) {  // nothing is half done yet
      throw Unusable(str("cuDNN: ", f.error_string(status), " (cudnnCreate)"));
    }
    check_cudnn(status, "cudnnCreate");
    try {
      check_cudnn(f.set_stream(made, stream), "cudnnSetStream");
    } catch (...) {
      f.destroy(made);
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
  note_vendor_trouble(static_cast<int>(status));
  throw_cudnn(trouble_of(status), cudnn_library().functions.error_string(status), call);
}

}  // namespace thc
