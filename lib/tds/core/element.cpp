#include "core/element.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <new>
#include <string_view>

#include "core/runtime/error.h"

namespace tds {
namespace {

struct Kind {
  std::string name;
  std::atomic<void (*)(void*)> retain = nullptr;
  std::atomic<void (*)(void*)> release = nullptr;
  std::atomic<void (*)(void*)> share = nullptr;
};

/// A kind is entered before its number is known to anybody, and stays: readers need no lock.
struct Kinds {
  std::mutex mutex;
  std::array<Kind, 256> kinds;
  int count = 0;
};
Kinds& kinds() {
  static auto* instance = new Kinds;
  return *instance;
}

uint32_t mix(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93U;
  x ^= x >> 32;
  return static_cast<uint32_t>(x);
}

struct TensorBox {
  TH_Tensor tensor{};
  std::atomic<int> references = 1;
};

const TH_Tensor& tensor_of(const tds_elem& e) { return static_cast<TensorBox*>(e.object)->tensor; }

bool same_view(const TH_Tensor& a, const TH_Tensor& b) {
  return a.dtype == b.dtype && a.store == b.store && a.offset == b.offset && a.ndim == b.ndim &&
         std::memcmp(a.sizes, b.sizes, sizeof(int64_t) * static_cast<size_t>(a.ndim)) == 0 &&
         std::memcmp(a.strides, b.strides, sizeof(int64_t) * static_cast<size_t>(a.ndim)) == 0;
}

int tensor_kind() {
  static const int kind = tds_kind(
      "torch.Tensor",
      [](void* box) {
        static_cast<TensorBox*>(box)->references.fetch_add(1, std::memory_order_relaxed);
      },
      [](void* memory) {
        auto* box = static_cast<TensorBox*>(memory);
        if (box->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
          TH_Tensor_release(&box->tensor);
          delete box;
        }
      },
      [](void* box) {
        TH_StorageRef ref{static_cast<TensorBox*>(box)->tensor.store};
        if (ref.store != nullptr) {
          TH_Storage_share(&ref);
        }
      });
  return kind;
}

int storage_kind() {
  static const int kind = tds_kind(
      "torch.Storage", [](void* store) { TH_Storage_retain(static_cast<TH_Storage*>(store)); },
      TH_Storage_release,
      [](void* store) {
        TH_StorageRef ref{static_cast<TH_Storage*>(store)};
        TH_Storage_share(&ref);
      });
  return kind;
}

}  // namespace

uint32_t hash_of(const tds_elem& e) {
  switch (e.type) {
    case TDS_NUMBER:
    case TDS_BOOLEAN:
      return mix(std::bit_cast<uint64_t>(e.number + 0.0) + e.type);
    case TDS_STRING:
    case TDS_FUNCTION:
      return mix(std::hash<std::string_view>()({e.string, e.size}));
    default:
      if (e.kind == tensor_kind()) {
        const TH_Tensor& t = tensor_of(e);
        return mix(reinterpret_cast<uintptr_t>(t.store) + static_cast<uint64_t>(t.offset));
      }
      return mix(reinterpret_cast<uintptr_t>(e.object));
  }
}

bool equal(const tds_elem& a, const tds_elem& b) {
  if (a.type != b.type) {
    return false;
  }
  switch (a.type) {
    case TDS_NUMBER:
    case TDS_BOOLEAN:
      return a.number == b.number;
    case TDS_STRING:
    case TDS_FUNCTION:
      return a.size == b.size && std::memcmp(a.string, b.string, a.size) == 0;
    default:
      return a.kind == b.kind && (a.object == b.object || (a.kind == tensor_kind() &&
                                                           same_view(tensor_of(a), tensor_of(b))));
  }
}

void release_object(const tds_elem& e) {
  if (const auto release = kinds().kinds[e.kind].release.load()) {
    release(e.object);
  }
}

void share(const tds_elem& e) {
  if (e.type == TDS_OBJECT) {
    if (const auto share_it = kinds().kinds[e.kind].share.load()) {
      share_it(e.object);
    }
  }
}

int lend(const tds_elem& e, tds_elem* to) {
  *to = e;
  if (is_text(e)) {
    auto* copy = static_cast<char*>(std::malloc(std::max<size_t>(e.size, 1)));
    if (copy == nullptr) {
      to->type = TDS_SHORT;
      return TDS_SHORT;
    }
    std::memcpy(copy, e.string, e.size);
    to->string = copy;
  } else if (e.type == TDS_OBJECT) {
    if (const auto retain = kinds().kinds[e.kind].retain.load()) {
      retain(e.object);
    }
  }
  return e.type;
}

}  // namespace tds

using tds::kinds;

extern "C" {

int tds_kind(const char* name, void (*retain)(void*), void (*release)(void*),
             void (*share)(void*)) {
  auto& all = kinds();
  const std::lock_guard lock(all.mutex);
  int i = 0;
  while (i < all.count && all.kinds[static_cast<size_t>(i)].name != name) {
    ++i;
  }
  if (i == static_cast<int>(all.kinds.size())) {
    return -1;
  }
  auto& kind = all.kinds[static_cast<size_t>(i)];
  if (i == all.count) {
    if (th::guarded("tds", [&] { kind.name = name; }) != TH_OK) {
      return -1;
    }
    ++all.count;
  }
  kind.retain = retain;
  kind.release = release;
  kind.share = share;
  return i;
}

const char* tds_kind_name(int kind) {
  return kinds().kinds.at(static_cast<size_t>(kind)).name.c_str();
}

void tds_return(const tds_elem* elem) {
  if (elem->type == TDS_OBJECT) {
    tds_return_object(elem->kind, elem->object);
  } else if (tds::is_text(*elem)) {
    tds_return_text(elem->string);
  }
}

void tds_return_object(int kind, void* object) {
  const auto& known = kinds().kinds[static_cast<size_t>(kind)];
  if (known.retain.load() != nullptr) {
    if (const auto release = known.release.load()) {
      release(object);
    }
  }
}

void tds_return_text(const char* text) { std::free(const_cast<char*>(text)); }

void tds_discard(const tds_elem* elem) {
  if (elem->type == TDS_OBJECT) {
    tds::release_object(*elem);
  }
}

int tds_tensor_kind() { return tds::tensor_kind(); }
int tds_storage_kind() { return tds::storage_kind(); }

void* tds_tensor_new(const TH_Tensor* tensor) {
  auto* box = new (std::nothrow) tds::TensorBox;
  if (box != nullptr) {
    box->tensor = *tensor;
    box->tensor.gradient = nullptr;
    box->tensor.flags = 0;
    TH_Tensor_retain(&box->tensor);
  }
  return box;
}

const TH_Tensor* tds_tensor_get(const void* box) {
  return &static_cast<const tds::TensorBox*>(box)->tensor;
}

}  // extern "C"
