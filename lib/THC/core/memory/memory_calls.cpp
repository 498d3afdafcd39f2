#include "core/memory/memory_calls.h"

#include <algorithm>
#include <new>
#include <utility>

namespace thc {
namespace {

thread_local Refusal last_refusal;

}  // namespace

bool worked(cudaError_t error, const char* call) {
  ignore(error);
  last_refusal = {error, call};
  return error == cudaSuccess;
}

Refusal take_refusal() { return std::exchange(last_refusal, {}); }

bool passed_event(cudaEvent_t event) {
  if (event == nullptr) {
    return true;
  }
  const cudaError_t state = cudaEventQuery(event);
  if (state != cudaSuccess) {
    cudaGetLastError();
  }
  // After a fault nothing runs any more: waiting would be for ever.
  return state != cudaErrorNotReady;
}

cudaEvent_t EventCache::take() noexcept {
  if (!free_.empty()) {
    const cudaEvent_t event = free_.back();
    free_.pop_back();
    return event;
  }
  if (made_ == free_.capacity()) {
    try {
      free_.reserve(std::max<size_t>(16, 2 * made_));
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
  cudaEvent_t event = nullptr;
  if (cudaEventCreateWithFlags(&event, cudaEventDisableTiming) != cudaSuccess) {
    cudaGetLastError();
    return nullptr;
  }
  ++made_;
  return event;
}

}  // namespace thc
