#include "core/backend.h"

#include <algorithm>
#include <atomic>

#include "core/composite/register.h"
#include "core/tensor/tensor.h"

namespace th {
namespace {

/// Filled while other threads may be looking.
std::atomic<const Backend*> backends[TH_NUM_DEVICE_TYPES];

}  // namespace

void register_backend(int device_type, const Backend& backend) {
  auto* const completed = new Backend(backend);  // for good: calls may hold on to it
  composite::complete(*completed);
  backends[device_type] = completed;
}

const Backend& backend(int device_type) {
  const Backend* b = backends[device_type].load(std::memory_order_acquire);
  TH_CHECK(b != nullptr, device_type == TH_CUDA ? "CUDA is not loaded; call require 'cutorch' first"
                                                : "no such device type");
  return *b;
}

const DeviceFunctions& device_functions(int device_type) { return backend(device_type); }

bool backend_loaded(int device_type) { return backends[device_type].load() != nullptr; }

void copy(TH_Tensor& r, const TH_Tensor& x) {
  TH_CHECK(numel(r) == numel(x), "sizes do not match: a tensor of size ", shape(r), " has ",
           numel(r), " elements and one of size ", shape(x), " has ", numel(x));
  if (numel(r) > 0) {
    backend(std::max(r.device_type, x.device_type)).copy(&r, &x);
  }
}

const char* missing_operation(const Backend& backend) {
#define TH_OP(NAME, PARAMS, ARGS) \
  if (backend.NAME == nullptr) {  \
    return #NAME;                 \
  }
#include "ops/all.def"
#undef TH_OP
  return nullptr;
}

void missing(const char* operation, const Backend& backend) {
  fail("there is no ", backend.name, " function for ", operation,
       ", only one for the CPU; convert the tensors first, as in x:double()");
}

namespace detail {

void refuse_place(const Place& place, const TH_Tensor& t) {
  if (place.device_type != t.device_type) {
    fail(
        "tensors are on different kinds of device (CPU and CUDA); move one with :cuda() or "
        ":float()");
  }
  fail("tensors are on devices ", place.device + 1, " and ", t.device + 1,
       "; copy one of them to the other's device first");
}

}  // namespace detail
}  // namespace th
