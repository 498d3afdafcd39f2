// A cuDNN that computes nothing, keeps score and looks at its arguments, and the little of lib/THC
// that the calls of cuDNN need besides, on host memory. For a program of its own, compiled with the
// headers of CUDA and cuDNN; neither the libraries nor a device are needed.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "THC/cuda/nn/fake_cudnn_state.h"
#include "core/memory/allocator.h"
#include "core/memory/block_pool/pool.h"
#include "core/stream.h"
#include "core/vendor/handles.h"
#include "core/vendor/trouble.h"
#include "core/vendor/vendor_plans.h"

namespace thc::test {

/// What is behind every descriptor: sizes or steps, and the type.
struct FakeDescriptor {
  std::array<int, 5> n{};
  int dims = 0;  ///< how many of them
  std::array<int, 3> pad{};
  std::array<int, 3> gap{};
  int groups = 1;
  cudnnDataType_t type = CUDNN_DATA_INT8;
};

namespace detail {

template <class Descriptor>
cudnnStatus_t create(Descriptor* d) {
  ++fake.alive;
  *d = reinterpret_cast<Descriptor>(new FakeDescriptor);
  return CUDNN_STATUS_SUCCESS;
}
template <class Descriptor>
cudnnStatus_t destroy(Descriptor d) {
  --fake.alive;
  delete reinterpret_cast<const FakeDescriptor*>(d);
  return CUDNN_STATUS_SUCCESS;
}
template <class Descriptor>
FakeDescriptor& at(Descriptor d) {
  return *const_cast<FakeDescriptor*>(reinterpret_cast<const FakeDescriptor*>(d));
}

inline void expect(bool holds, const char* mistake) {
  if (!holds) {
    fake.mistakes += std::string(mistake) + "; ";
  }
}

/// As kernels of cuDNN's want it that load 16 bytes at a time.
inline void check_alignment(std::initializer_list<const void*> operands) {
  for (const void* p : operands) {
    expect(reinterpret_cast<uintptr_t>(p) % 16 == 0, "an operand is not aligned");
  }
}

/// Sizes and types that fit: image N x C x sizes, filter K x C/groups x kernel, output N x K x
/// sizes.
inline void check_shapes(const FakeDescriptor& image, const FakeDescriptor& filter,
                         const FakeDescriptor& output, const FakeDescriptor& steps) {
  expect(image.type == filter.type && image.type == output.type, "the types differ");
  expect(steps.type == (image.type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT),
         "accumulates in the wrong type");
  expect(output.n[0] == image.n[0] && output.n[1] == filter.n[0], "images or planes differ");
  expect(image.n[1] == filter.n[1] * steps.groups, "the filter has other planes");
  expect(image.dims == filter.dims && image.dims == output.dims && image.dims == steps.dims + 2 &&
             (image.dims == 4 || image.dims == 5),
         "the dimensions differ");
  for (size_t d = 0; d < static_cast<size_t>(steps.dims); ++d) {
    const int reach = (filter.n[2 + d] - 1) * steps.gap[d] + 1;
    const int room = image.n[2 + d] + 2 * steps.pad[d] - reach;
    expect(room >= 0 && output.n[2 + d] == room / steps.n[d] + 1, "the output has another size");
  }
}

/// The three functions of a pass. A, B, C: descriptors of the operands and the result, which are
/// the image, the filter and the output in the order of the pass.
template <class A, class B, class C, class Perf, class Algorithm, int kImage, int kFilter>
struct FakePass {
  static void check(A a, B b, cudnnConvolutionDescriptor_t steps, C c) {
    const FakeDescriptor* const all[] = {&at(a), &at(b), &at(c)};
    check_shapes(*all[kImage], *all[kFilter], *all[3 - kImage - kFilter], at(steps));
  }

  static inline const char* name = "";

  static cudnnStatus_t ask(cudnnHandle_t, A a, B b, cudnnConvolutionDescriptor_t steps, C c,
                           int room, int* count, Perf* list) {
    ++fake.asked;
    check(a, b, steps, c);
    if (fake.refuses_to_propose) {
      return CUDNN_STATUS_NOT_SUPPORTED;
    }
    fake.propose(room, count, list);
    return CUDNN_STATUS_SUCCESS;
  }
  static cudnnStatus_t measure(cudnnHandle_t, A a, const void* a_memory, B b, const void* b_memory,
                               cudnnConvolutionDescriptor_t steps, C c, void* result, int room,
                               int* count, Perf* list, void* workspace, size_t bytes) {
    ++fake.measured;
    check(a, b, steps, c);
    check_alignment({a_memory, b_memory, result});
    fake.measured_into = result;
    fake.trial = workspace == nullptr ? 0 : bytes;
    fake.propose(room, count, list);
    return CUDNN_STATUS_SUCCESS;
  }
  static cudnnStatus_t run(cudnnHandle_t, const void* alpha, A a, const void* a_memory, B b,
                           const void* b_memory, cudnnConvolutionDescriptor_t steps,
                           Algorithm algorithm, void* workspace, size_t bytes, const void* beta,
                           C c, void* c_memory) {
    check(a, b, steps, c);
    expect(a_memory != nullptr && b_memory != nullptr && c_memory != nullptr,
           "an operand is missing");
    check_alignment({a_memory, b_memory, c_memory});
    expect(a_memory != c_memory && b_memory != c_memory, "the result is an operand");
    expect((workspace == nullptr) == (bytes == 0), "a workspace without memory, or the reverse");
    fake.tried.push_back(algorithm);
    if (fake.without_memory > 0) {
      --fake.without_memory;
      return CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED;
    }
    if (!fake.says.empty()) {
      const cudnnStatus_t status = fake.says.front();
      fake.says.erase(fake.says.begin());
      return status;
    }
    if (fake.refused.count(algorithm) != 0) {
      return CUDNN_STATUS_NOT_SUPPORTED;
    }
    const auto number = [](const void* p) {
      return fake.doubles ? *static_cast<const double*>(p) : *static_cast<const float*>(p);
    };
    ++fake.ran;
    if (fake.compute) {
      fake.compute(a_memory, b_memory, c_memory);
    }
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
  f.set_tensor = [](T d, cudnnDataType_t type, int dims, const int* sizes, const int* strides) {
    FakeDescriptor& to = at(d);
    to.dims = dims;
    std::copy_n(sizes, dims, to.n.begin());
    to.type = type;
    int64_t whole = 1;
    for (int i = dims - 1; i >= 0; --i) {
      expect(strides[i] == whole || sizes[i] == 1, "a tensor has gaps");
      whole *= sizes[i];
    }
    return fake.refuses_tensors ? CUDNN_STATUS_NOT_SUPPORTED : CUDNN_STATUS_SUCCESS;
  };
  f.create_filter = create<F>;
  f.destroy_filter = destroy<F>;
  f.set_filter = [](F d, cudnnDataType_t type, cudnnTensorFormat_t, int dims, const int* sizes) {
    at(d).dims = dims;
    std::copy_n(sizes, dims, at(d).n.begin());
    at(d).type = type;
    return CUDNN_STATUS_SUCCESS;
  };
  f.create_convolution = create<cudnnConvolutionDescriptor_t>;
  f.destroy_convolution = destroy<cudnnConvolutionDescriptor_t>;
  f.set_convolution = [](cudnnConvolutionDescriptor_t d, int dims, const int* pad, const int* step,
                         const int* gap, cudnnConvolutionMode_t mode, cudnnDataType_t type) {
    expect(mode == CUDNN_CROSS_CORRELATION, "another convolution");
    FakeDescriptor& to = at(d);
    to.dims = dims;
    std::copy_n(step, dims, to.n.begin());
    std::copy_n(pad, dims, to.pad.begin());
    std::copy_n(gap, dims, to.gap.begin());
    to.type = type;
    return CUDNN_STATUS_SUCCESS;
  };
  f.set_groups = [](cudnnConvolutionDescriptor_t d, int groups) {
    at(d).groups = groups;
    return CUDNN_STATUS_SUCCESS;
  };
  f.set_math = [](cudnnConvolutionDescriptor_t, cudnnMathType_t math) {
    fake.math = math;
    return CUDNN_STATUS_SUCCESS;
  };
  set<FakePass<T, F, T, cudnnConvolutionFwdAlgoPerf_t, cudnnConvolutionFwdAlgo_t, 0, 1>>(
      "forward", f.forward_algorithms, f.find_forward, f.forward);
  set<FakePass<F, T, T, cudnnConvolutionBwdDataAlgoPerf_t, cudnnConvolutionBwdDataAlgo_t, 2, 0>>(
      "backward data", f.backward_data_algorithms, f.find_backward_data, f.backward_data);
  set<FakePass<T, T, F, cudnnConvolutionBwdFilterAlgoPerf_t, cudnnConvolutionBwdFilterAlgo_t, 0,
               2>>("backward filter", f.backward_filter_algorithms, f.find_backward_filter,
                   f.backward_filter);
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
  return test::fake.given_up.empty() ? &functions : nullptr;
}
void give_up_cudnn(const std::string& why) { test::fake.given_up += why; }
void check_cudnn(cudnnStatus_t status, const char* call) {
  if (status != CUDNN_STATUS_SUCCESS) {
    throw_cudnn(trouble_of(status), "it says no", call);
  }
}
void throw_device_fault(const char*) {}
bool make_room() {
  ++test::fake.made_room;
  return test::fake.full;
}
cudnnHandle_t cudnn_handle(int, cudaStream_t) { return nullptr; }
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
/// Devices from 1 on are of a kind that nobody knows.
const cudaDeviceProp& device_properties(int device) {
  const auto with = [](int major, int minor) {
    cudaDeviceProp p{};
    p.totalGlobalMem = size_t{1} << 30;
    p.major = major;
    p.minor = minor;
    return p;
  };
  static const cudaDeviceProp known = with(9, 0);
  static const cudaDeviceProp unknown = with(19, 9);
  return device == 0 ? known : unknown;
}

}  // namespace thc
