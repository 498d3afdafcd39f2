// What vendor libraries would do on a simulated device, done by the host when the stream gets
// there.
#pragma once

#include <memory>

#include "core/backend.h"
#include "core/memory/fault.h"
#include "core/memory/storage.h"
#include "core/stream.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "sim/tasks.h"

namespace thc {

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
void enqueue_on_host(int device, cudaStream_t stream, F f) {
  activate(device);
  THC_CHECK(sim::enqueue(stream, "vendor library", [f]() mutable {
    const Uncounted uncounted;
    f(th::backend(TH_CPU));
  }));
}
template <class F>
void enqueue_on_host(int device, F f) {
  enqueue_on_host(device, current_stream(device), f);
}

}  // namespace thc
