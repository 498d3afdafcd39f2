// The C ABI: each function checks, calls the core or a backend's table, and returns a status.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "TH_account.h"
#include "core/backend.h"
#include "core/call/call.h"
#include "core/gradient/graph.h"
#include "core/memory/account.h"
#include "core/memory/kept_forms.h"
#include "core/memory/small_blocks.h"
#include "core/memory/storage.h"
#include "core/operations.h"
#include "core/options.h"
#include "core/plan_cache.h"
#include "core/runtime/cpu_isa.h"
#include "core/runtime/error.h"
#include "core/runtime/threads.h"
#include "core/tensor/tensor.h"
#include "core/tensor/views.h"

using th::guarded;

namespace {

std::span<const int64_t> list(const int64_t* values, int count) {
  return values == nullptr
             ? std::span<const int64_t>{}
             : std::span<const int64_t>{values, static_cast<size_t>(std::max(count, 0))};
}

// A view is of one tensor, and goes into another: none of them may be missing.
template <class T>
void require_tensor(T) {}  // numbers, lists
void require_tensor(const TH_Tensor* t) { TH_CHECK(t != nullptr, "needs a tensor, got none"); }
void require_tensor(TH_Tensor* t) { require_tensor(static_cast<const TH_Tensor*>(t)); }
template <class... Args>
void require_tensors(Args... args) {
  (require_tensor(args), ...);
}

/// The element's number, whatever the type and the device.
double read_element(const TH_Tensor& t, int64_t offset) {
  const int64_t size = th::element_size(t.dtype);
  const char* address = static_cast<char*>(t.store->data) + (t.offset + offset) * size;
  char buffer[8];
  th::backend(t.device_type).read(buffer, address, size, t.device);
  double value = 0;
  th::AllTypes::dispatch(t.dtype, [&]<class T>() {
    T element;
    std::memcpy(&element, buffer, sizeof(T));
    value = th::convert<double>(element);
  });
  return value;
}

void write_element(const TH_Tensor& t, int64_t offset, double value) {
  const int64_t size = th::element_size(t.dtype);
  char* address = static_cast<char*>(t.store->data) + (t.offset + offset) * size;
  char buffer[8];
  th::AllTypes::dispatch(t.dtype, [&]<class T>() {
    const T element = th::from_number<T>(value);
    std::memcpy(buffer, &element, sizeof(T));
  });
  th::backend(t.device_type).write(address, buffer, size, t.device);
  th::count_write(t.store);
}

int64_t element_offset(const TH_Tensor& t, const int64_t* indices) {
  TH_CHECK(t.ndim > 0, "the tensor is empty");
  int64_t offset = 0;
  for (int d = 0; d < t.ndim; ++d) {
    TH_CHECK(indices[d] >= 0 && indices[d] < t.sizes[d], "index ", indices[d] + 1,
             " out of range: dimension ", d + 1, " has size ", t.sizes[d]);
    offset += indices[d] * t.strides[d];
  }
  return offset;
}

/// LuaJIT takes a NaN's bits for a type and an address: those that operations pass on from their
/// operands, or found in uninitialised memory, must not reach it.
double plain(double x) { return x == x ? x : std::numeric_limits<double>::quiet_NaN(); }

template <class T>
void make_nan_plain(T) {}
void make_nan_plain(double* value) { *value = plain(*value); }

template <class... Args>
void make_nans_plain(Args... args) {
  (make_nan_plain(args), ...);
}

/// A tensor over the whole storage, for element-wise work on storages.
th::Tensor whole(const TH_StorageRef* s) {
  th::Tensor t;
  th::init(t, s->store->dtype, s->store->device_type, s->store->device);
  if (s->store->length > 0) {
    th::set_storage(t, s->store, 0, std::span(&s->store->length, 1), {});
  }
  return t;
}

}  // namespace

extern "C" {

// --- process ------------------------------------------------------------------------------------

const char* TH_instructionSet() { return th::instruction_set_name(); }
const int64_t* TH_liveBytes(int device_type) {
  return th::backend_loaded(device_type) ? th::backend(device_type).live_bytes : nullptr;
}

TH_Account* TH_account() { return th::account(); }
void TH_lastResort() { th::expect_last_resort(); }

void TH_emptyCache() {
  guarded(nullptr, [] {
    th::drop_plans();
    th::drop_blocks();
    th::drop_forms();
    for (int type = 0; type < TH_NUM_DEVICE_TYPES; ++type) {
      if (th::backend_loaded(type)) {
        th::backend(type).empty_cache();
      }
    }
  });
}

int TH_setNumThreads(int count) {
  return guarded("setnumthreads", [&] {
    TH_CHECK(count >= 1, "wanted a number of threads of at least 1, got ", count);
    th::threads::set_share(count);
  });
}
int TH_getNumThreads() { return th::threads::share(); }
int TH_getNumCores() { return th::threads::cores(); }

void TH_setWinograd(bool on) { th::options::winograd = on; }
bool TH_getWinograd() { return th::options::winograd; }

const char* TH_missingOperation(int device_type) {
  const char* missing = nullptr;
  const int status =
      guarded(nullptr, [&] { missing = th::missing_operation(th::backend(device_type)); });
  return status == TH_OK ? missing : TH_lastError();
}

// --- storages -----------------------------------------------------------------------------------

int TH_Storage_new(TH_StorageRef* ref, int dtype, int device_type, int device, int64_t length) {
  return guarded("Storage", [&] {
    TH_Storage* s = th::new_storage(dtype, device_type, device, length);
    th::release(ref->store);
    ref->store = s;
  });
}

int TH_Storage_view(TH_StorageRef* ref, const TH_StorageRef* base, int64_t offset, int64_t length) {
  return guarded("Storage", [&] {
    TH_Storage* s = th::new_view(static_cast<th::Storage*>(base->store), offset, length);
    th::release(ref->store);
    ref->store = s;
  });
}

int TH_Storage_viewAs(TH_StorageRef* ref, int dtype, const TH_StorageRef* base, int64_t byte,
                      int64_t length) {
  return guarded("Storage", [&] {
    TH_Storage* s = th::new_view_as(dtype, static_cast<th::Storage*>(base->store), byte, length);
    th::release(ref->store);
    ref->store = s;
  });
}

int TH_Storage_in(TH_StorageRef* ref, int dtype, void* memory, int64_t length) {
  return guarded("Storage", [&] {
    TH_Storage* s = th::new_storage_in(dtype, memory, length);
    th::release(ref->store);
    ref->store = s;
  });
}

int TH_Storage_map(TH_StorageRef* ref, int dtype, const char* path, bool shared, bool temporary,
                   int64_t length) {
  return guarded("Storage", [&] {
    TH_Storage* s = th::map_file(dtype, path, shared, temporary, length);
    th::release(ref->store);
    ref->store = s;
  });
}

void TH_Storage_expose(TH_Storage* store) { th::expose_storage(store); }
bool TH_Storage_isOwn(const TH_Storage* store) { return store == nullptr || th::is_own(*store); }
void TH_Storage_share(TH_StorageRef* ref) { th::share_storage(ref->store); }
void TH_Storage_retain(TH_Storage* store) {
  th::count_by_all(store);
  th::retain(store);
}
void TH_Storage_give(TH_Storage* store) {
  th::share_storage(store);
  th::retain(store);
}
void TH_Storage_release(void* store) { th::release(static_cast<TH_Storage*>(store)); }

void TH_StorageRef_release(TH_StorageRef* ref) {
  th::release(ref->store);
  ref->store = nullptr;
}

void TH_StorageRef_set(TH_StorageRef* ref, TH_Storage* store) {
  if (store != nullptr) {
    th::retain(store);
  }
  th::release(ref->store);
  ref->store = store;
}

int TH_Storage_resize(TH_StorageRef* ref, int64_t length) {
  return guarded("resize", [&] { th::resize_storage(ref->store, length); });
}

int TH_Storage_fill(TH_StorageRef* ref, double value) {
  return guarded("fill", [&] {
    th::Tensor t = whole(ref);
    if (t.ndim > 0) {
      th::backend(t.device_type).fill(&t, value);
      th::count_write(ref->store);
    }
  });
}

int TH_Storage_copy(TH_StorageRef* ref, const TH_StorageRef* source) {
  return guarded("copy", [&] {
    TH_CHECK(ref->store->length == source->store->length, "storages of ", ref->store->length,
             " and ", source->store->length, " elements; lengths must agree");
    th::Tensor to = whole(ref);
    th::Tensor from = whole(source);
    th::copy(to, from);
    th::count_write(ref->store);
  });
}

// --- tensors ------------------------------------------------------------------------------------

void TH_Tensor_release(TH_Tensor* t) {
  if (t->gradient != nullptr) [[unlikely]] {
    __builtin_prefetch(t->store);  // garbage lies in far caches: both come at once
    th::gradient::drop(*t);
  }
  th::release(t->store);
  t->store = nullptr;
}
void TH_Tensor_retain(TH_Tensor* t) {
  if (t->store != nullptr) {
    TH_Storage_retain(t->store);
  }
}
void TH_Tensor_init(TH_Tensor* t, int dtype, int device_type, int device) {
  guarded(nullptr, [&] {
    th::gradient::drop(*t);
    th::init(*t, dtype, device_type, device);
  });
}

int TH_new(TH_Tensor* r, int dtype, int device_type, int device, int ndim, const int64_t* sizes) {
  return guarded("Tensor", [&] {
    th::init(*r, dtype, device_type, device);
    th::resize(*r, list(sizes, ndim));
  });
}

int TH_new1d(TH_Tensor* r, int dtype, int device_type, int device, int64_t n) {
  return TH_new(r, dtype, device_type, device, 1, &n);
}

int TH_new2d(TH_Tensor* r, int dtype, int device_type, int device, int64_t rows, int64_t columns) {
  const int64_t sizes[] = {rows, columns};
  return TH_new(r, dtype, device_type, device, 2, sizes);
}

int TH_setStorage(TH_Tensor* r, const TH_StorageRef* s, int64_t offset, int ndim,
                  const int64_t* sizes, const int64_t* strides) {
  return guarded("set", [&] {
    if (!th::gradient::stays_leaf(*r, list(sizes, ndim))) {
      th::gradient::drop(*r);
    }
    const bool is_own = s != nullptr && s->store == r->store;
    const bool is_view = is_own ? r->is_view != 0 : s != nullptr && s->store->references > 1;
    th::set_storage(*r, s == nullptr ? nullptr : s->store, offset, list(sizes, ndim),
                    list(strides, ndim));
    r->is_view = is_view;
  });
}

#define TH_VIEW(NAME, USER, PARAMS, ARGS, CALL) \
  int TH_##NAME PARAMS {                        \
    return guarded(USER, [&] {                  \
      require_tensors ARGS;                     \
      th::views::NAME ARGS;                     \
    });                                         \
  }
#include "ops/views.def"
#undef TH_VIEW

int64_t TH_nElement(const TH_Tensor* t) { return th::numel(*t); }
bool TH_isContiguous(const TH_Tensor* t) { return th::is_contiguous(*t); }
bool TH_isSameSize(const TH_Tensor* a, const TH_Tensor* b) { return th::same_sizes(*a, *b); }
bool TH_isSetTo(const TH_Tensor* a, const TH_Tensor* b) {
  return a->store != nullptr && a->store == b->store && a->offset == b->offset &&
         a->dtype == b->dtype && th::same_sizes(*a, *b) &&
         std::equal(a->strides, a->strides + a->ndim, b->strides);
}
int TH_get(double* value, const TH_Tensor* t, const int64_t* indices) {
  return guarded("index", [&] { *value = plain(read_element(*t, element_offset(*t, indices))); });
}
int TH_put(TH_Tensor* t, const int64_t* indices, double value) {
  return guarded("index", [&] { write_element(*t, element_offset(*t, indices), value); });
}
double TH_halfToDouble(uint16_t bits) { return plain(th::Half::to_float(bits)); }
uint16_t TH_doubleToHalf(double value) { return th::Half::from_float(static_cast<float>(value)); }
double TH_bfloat16ToDouble(uint16_t bits) { return plain(th::BFloat16::to_float(bits)); }
uint16_t TH_doubleToBFloat16(double value) {
  return th::BFloat16::from_float(static_cast<float>(value));
}

int TH_copy(TH_Tensor* r, const TH_Tensor* x) {
  return guarded("copy", [&] { th::ops::copy(r, x); });
}

// --- operations ---------------------------------------------------------------------------------

#define TH_OP(NAME, PARAMS, ARGS) \
  int TH_##NAME PARAMS {          \
    return guarded(#NAME, [&] {   \
      th::ops::NAME ARGS;         \
      make_nans_plain ARGS;       \
    });                           \
  }
#include "ops/all.def"
#undef TH_OP

}  // extern "C"
