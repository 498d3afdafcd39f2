// A cuDNN that computes nothing and keeps score, and the little of lib/THC that the calls of cuDNN
// need besides, on host memory. For a program of its own, compiled with the headers of CUDA and
// cuDNN; neither the libraries nor a device are needed.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "core/allocator.h"
#include "core/handles.h"
#include "core/memory/block_pool.h"
#include "core/stream.h"
#include "core/vendor.h"

namespace thc::test {

/// What the library proposes next time it is asked, the fastest first.
struct Offer {
  int algorithm;
  cudnnStatus_t status;
  size_t workspace;
  cudnnDeterminism_t determinism;
  cudnnMathType_t math;
};

struct FakeCudnn {
  std::vector<Offer> offers;
  bool doubles = false;               ///< the factors of a call are doubles
  int64_t memory = int64_t{1} << 40;  ///< what a workspace may take

  // What was seen.
  int asked = 0, measured = 0, ran = 0;
  int alive = 0;         ///< descriptors
  std::string last;      ///< the pass that ran
  int algorithm = -1;    ///< its algorithm
  size_t workspace = 0;  ///< its bytes
  bool has_workspace = false;
  double alpha = 0, beta = 0;
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
  size_t trial = 0;  ///< bytes to measure in
  const void* measured_into = nullptr;

  template <class Perf>
  void propose(int room, int* count, Perf* list) const {
    *count = 0;
    for (const Offer& offer : offers) {
      if (*count < room) {
        Perf& p = list[(*count)++];
        p.algo = static_cast<decltype(p.algo)>(offer.algorithm);
        p.status = offer.status;
        p.memory = offer.workspace;
        p.determinism = offer.determinism;
        p.mathType = offer.math;
      }
    }
  }
};

inline FakeCudnn fake;

namespace detail {

template <class Descriptor>
cudnnStatus_t create(Descriptor* d) {
  ++fake.alive;
  *d = static_cast<Descriptor>(std::malloc(1));
  return CUDNN_STATUS_SUCCESS;
}
template <class Descriptor>
cudnnStatus_t destroy(Descriptor d) {
  --fake.alive;
  std::free(d);
  return CUDNN_STATUS_SUCCESS;
}

/// The three functions of a pass. A, B, C: descriptors of the operands and the result.
template <class A, class B, class C, class Perf, class Algorithm>
struct FakePass {
  static inline const char* name = "";

  static cudnnStatus_t ask(
      cudnnHandle_t, A, B, cudnnConvolutionDescriptor_t, C, int room, int* count, Perf* list) {
    ++fake.asked;
    fake.propose(room, count, list);
    return CUDNN_STATUS_SUCCESS;
  }
  static cudnnStatus_t measure(cudnnHandle_t,
                               A,
                               const void*,
                               B,
                               const void*,
                               cudnnConvolutionDescriptor_t,
                               C,
                               void* result,
                               int room,
                               int* count,
                               Perf* list,
                               void* workspace,
                               size_t bytes) {
    ++fake.measured;
    fake.measured_into = result;
    fake.trial = workspace == nullptr ? 0 : bytes;
    fake.propose(room, count, list);
    return CUDNN_STATUS_SUCCESS;
  }
  static cudnnStatus_t run(cudnnHandle_t,
                           const void* alpha,
                           A,
                           const void*,
                           B,
                           const void*,
                           cudnnConvolutionDescriptor_t,
                           Algorithm algorithm,
                           void* workspace,
                           size_t bytes,
                           const void* beta,
                           C,
                           void*) {
    const auto number = [](const void* p) {
      return fake.doubles ? *static_cast<const double*>(p) : *static_cast<const float*>(p);
    };
    ++fake.ran;
    fake.last = name;
    fake.algorithm = algorithm;
    fake.workspace = bytes;
    fake.has_workspace = workspace != nullptr;
    fake.alpha = number(alpha);
    fake.beta = number(beta);
    return CUDNN_STATUS_SUCCESS;
  }
};

template <class Pass, class Ask, class Measure, class Run>
void set(const char* name, Ask& ask, Measure& measure, Run& run) {
  Pass::name = name;
  ask = Pass::ask;
  measure = Pass::measure;
  run = Pass::run;
}

inline CuDnn functions() {
  using T = cudnnTensorDescriptor_t;
  using F = cudnnFilterDescriptor_t;
  CuDnn f{};
  f.create_tensor = create<T>;
  f.destroy_tensor = destroy<T>;
  f.set_tensor = [](auto...) { return CUDNN_STATUS_SUCCESS; };
  f.create_filter = create<F>;
  f.destroy_filter = destroy<F>;
  f.set_filter = [](auto...) { return CUDNN_STATUS_SUCCESS; };
  f.create_convolution = create<cudnnConvolutionDescriptor_t>;
  f.destroy_convolution = destroy<cudnnConvolutionDescriptor_t>;
  f.set_convolution = [](auto...) { return CUDNN_STATUS_SUCCESS; };
  f.set_groups = [](auto...) { return CUDNN_STATUS_SUCCESS; };
  f.set_math = [](cudnnConvolutionDescriptor_t, cudnnMathType_t math) {
    fake.math = math;
    return CUDNN_STATUS_SUCCESS;
  };
  f.add_tensor = [](auto...) { return CUDNN_STATUS_SUCCESS; };
  f.backward_bias = [](auto...) { return CUDNN_STATUS_SUCCESS; };
  set<FakePass<T, F, T, cudnnConvolutionFwdAlgoPerf_t, cudnnConvolutionFwdAlgo_t>>(
      "forward", f.forward_algorithms, f.find_forward, f.forward);
  set<FakePass<F, T, T, cudnnConvolutionBwdDataAlgoPerf_t, cudnnConvolutionBwdDataAlgo_t>>(
      "backward data", f.backward_data_algorithms, f.find_backward_data, f.backward_data);
  set<FakePass<T, T, F, cudnnConvolutionBwdFilterAlgoPerf_t, cudnnConvolutionBwdFilterAlgo_t>>(
      "backward filter", f.backward_filter_algorithms, f.find_backward_filter, f.backward_filter);
  return f;
}

class HostMemory : public th::PoolBackend {
 public:
  void* allocate(size_t bytes) noexcept override { return std::malloc(bytes); }
  void free(void* p, size_t) noexcept override { std::free(p); }
  th::Event record(th::Stream) noexcept override { return nullptr; }
  void wait(th::Stream, th::Event) noexcept override {}
  void synchronize(th::Event) noexcept override {}
  bool passed(th::Event) noexcept override { return true; }
  void destroy(th::Event) noexcept override {}
};

}  // namespace detail
}  // namespace thc::test

namespace thc {

const CuDnn* cudnn() {
  static const CuDnn functions = test::detail::functions();
  return &functions;
}
void check_cudnn(cudnnStatus_t status, const char* call) {
  TH_CHECK(status == CUDNN_STATUS_SUCCESS, call);
}
cudnnHandle_t cudnn_handle(int, cudaStream_t) { return nullptr; }
VendorOptions& vendor_options() {
  static VendorOptions options;
  return options;
}
BlockPool& device_pool(int) {
  static test::detail::HostMemory memory;
  static BlockPool pool(memory);
  return pool;
}
Block* allocate_block(int device, int64_t bytes, cudaStream_t stream) {
  if (bytes > test::fake.memory) {
    throw OutOfMemory("there is none");
  }
  return device_pool(device).allocate(static_cast<size_t>(bytes), stream);
}
cudaStream_t current_stream(int) { return nullptr; }
void activate(int) {}
const cudaDeviceProp& device_properties(int) {
  static const cudaDeviceProp properties = [] {
    cudaDeviceProp p{};
    p.totalGlobalMem = size_t{1} << 30;
    return p;
  }();
  return properties;
}

}  // namespace thc
