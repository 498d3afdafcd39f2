// A device type is a filled table: how to get memory, and a function for each operation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <span>
#include <utility>

#include "TH_core.h"
#include "core/device_functions.h"
#include "core/runtime/error.h"
#include "core/tables/attention.h"
#include "core/tables/blas.h"
#include "core/tables/compare.h"
#include "core/tables/conv.h"
#include "core/tables/fill.h"
#include "core/tables/index.h"
#include "core/tables/linalg.h"
#include "core/tables/loss.h"
#include "core/tables/nn.h"
#include "core/tables/normalization.h"
#include "core/tables/optim.h"
#include "core/tables/pointwise.h"
#include "core/tables/pooling.h"
#include "core/tables/quantized.h"
#include "core/tables/random.h"
#include "core/tables/recurrent.h"
#include "core/tables/reduce.h"
#include "core/tables/resample.h"
#include "core/tables/signal.h"
#include "core/tables/sort.h"

#pragma GCC visibility push(default)  // for backends in libraries of their own
namespace th {

struct Backend : DeviceFunctions,
                 PointwiseTable,
                 CompareTable,
                 FillTable,
                 ReduceTable,
                 IndexTable,
                 SortTable,
                 BlasTable,
                 LinalgTable,
                 SignalTable,
                 RandomTable,
                 NnTable,
                 ConvTable,
                 PoolingTable,
                 ResampleTable,
                 NormalizationTable,
                 AttentionTable,
                 RecurrentTable,
                 QuantizedTable,
                 LossTable,
                 OptimTable {};

/// Make a device type usable. Called once per device type, when its library is loaded.
void register_backend(int device_type, const Backend& backend);
/// An error where that type of device is not loaded.
const Backend& backend(int device_type);
bool backend_loaded(int device_type);

/// Whether every row of the list has a function; the name of the first that has none otherwise.
const char* missing_operation(const Backend& backend);

[[noreturn]] void missing(const char* operation, const Backend& backend);

namespace detail {

struct Place {
  int device_type = -1;
  int device = 0;
  bool mixed = false;  // some tensor is of another device
};

template <class T>
void visit(Place&, T) {}  // numbers, generators, pointers to numbers

[[noreturn, gnu::cold]] void refuse_place(const Place& place, const TH_Tensor& t);

inline void visit(Place& place, const TH_Tensor* t) {
  if (t == nullptr) {
    return;
  }
  if (place.device_type < 0) {
    place = {t->device_type, t->device};
  } else if (place.device_type != t->device_type) [[unlikely]] {
    refuse_place(place, *t);
  } else if (place.device != t->device) [[unlikely]] {
    place.mixed = true;
  }
}
inline void visit(Place& place, TH_Tensor* t) { visit(place, static_cast<const TH_Tensor*>(t)); }

/// The same by the tensors that have memory, which has to be of one device.
template <class T>
void settle(Place&, T) {}
inline void settle(Place& place, const TH_Tensor* t) {
  if (t == nullptr || t->store == nullptr) {
    return;
  }
  if (place.device_type < 0) {
    place = {t->device_type, t->device};
  } else if (place.device != t->device) {
    refuse_place(place, *t);
  }
}
inline void settle(Place& place, TH_Tensor* t) { settle(place, static_cast<const TH_Tensor*>(t)); }

/// Results without memory, which get it where the operands are, as in Torch7. Those that have none
/// at the end are again what they were: an operation that fails changes nothing.
class Adopted {
 public:
  Adopted() = default;
  Adopted(const Adopted&) = delete;
  ~Adopted() {
    for (const auto& [t, device] : before_) {
      if (t->store == nullptr) {
        t->device = device;
      }
    }
  }

  template <class... Args>
  [[gnu::cold]] void gather(const Args&... args) {
    Place place;
    (settle(place, args), ...);
    if (place.device_type >= 0) {
      (adopt(place, args), ...);
    }
  }

  /// A result of operands that may be on several devices: it goes to that of the first which has
  /// elements.
  [[gnu::cold]] void gather_list(TH_Tensor* r, std::span<const TH_Tensor* const> operands) {
    for (const TH_Tensor* t : operands) {
      if (t->ndim > 0 && t->device_type == r->device_type) {
        adopt({t->device_type, t->device}, r);
        return;
      }
    }
  }

 private:
  template <class T>
  void adopt(const Place&, T) {}
  void adopt(const Place& place, TH_Tensor* t) {
    if (t != nullptr && t->store == nullptr) {
      before_.emplace_front(t, t->device);
      t->device = static_cast<int16_t>(place.device);
    }
  }

  std::forward_list<std::pair<TH_Tensor*, int16_t>> before_;
};

template <class T>
void enter(const Backend&, T) {}
inline void enter(const Backend& b, const TH_Tensor* t) {
  if (t != nullptr) {
    b.enter(*t);
  }
}
inline void enter(const Backend& b, TH_Tensor* t) { enter(b, static_cast<const TH_Tensor*>(t)); }

}  // namespace detail

/// Announces an operation's tensors to its backend: Announce{backend}(r, x, ...).
struct Announce {
  const Backend& backend;

  template <class... Args>
  void operator()(Args... args) const {
    if (backend.enter != nullptr) {
      (detail::enter(backend, args), ...);
    }
  }
};

/// The device that all of an operation's tensors share, while it runs.
class OneDevice {
 public:
  /// The type of it. Arguments that are NULL have no say: whether they may be is the operation's
  /// business.
  template <class... Args>
  int type_for(Args... args) {
    detail::Place place;
    (detail::visit(place, args), ...);
    TH_CHECK(place.device_type >= 0, "needs a tensor, got none");
    if (place.mixed) [[unlikely]] {
      adopted_.gather(args...);
    }
    return place.device_type;
  }

 private:
  detail::Adopted adopted_;
};

}  // namespace th

#pragma GCC visibility pop
