#include "core/parcel.h"

#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/memory/storage.h"
#include "core/runtime/error.h"
#include "core/tensor/tensor.h"
#include "threads.h"

namespace threads {
namespace {

constexpr const char* kTensor = "tensor";

struct Item {
  std::string kind;
  void* object;
  void (*release)(void*);
};

Item item_of(const TH_Tensor& tensor) {
  if (tensor.store != nullptr) {
    th::share_storage(tensor.store);
  }
  return {kTensor, new th::Tensor(tensor),
          [](void* object) { delete static_cast<th::Tensor*>(object); }};
}

struct Parcel {
  Parcel() = default;
  Parcel(Parcel&&) = default;
  Parcel& operator=(Parcel&&) = default;
  ~Parcel() {
    for (const Item& item : items) {
      item.release(item.object);
    }
  }
  std::vector<Item> items;
  bool claimed = false;
};

struct Registry {
  std::mutex mutex;
  double last = 0;
  std::unordered_map<double, Parcel> parcels;
};

/// Never destroyed: threads may outlive the end of main.
Registry& registry() {
  static auto* instance = new Registry;
  return *instance;
}

/// Parcels that the thread has made for a message that is on no way yet. They go with a thread that
/// ends there: one that is stopped in compiled code comes to no other end of them.
struct Watch {
  ~Watch() { end_watch(false); }
  bool on = false;
  std::vector<double> made;
};
thread_local Watch watch;

double enter(Parcel parcel) {
  auto& all = registry();
  const std::lock_guard lock(all.mutex);
  if (watch.on) {
    watch.made.push_back(all.last + 1);
  }
  all.last += 1;
  all.parcels.emplace(all.last, std::move(parcel));
  return all.last;
}

int add(double id, const Item& item) {
  auto& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.parcels.find(id);
  if (found == all.parcels.end()) {
    return -1;
  }
  found->second.items.push_back(item);
  return static_cast<int>(found->second.items.size()) - 1;
}

}  // namespace

double make_parcel(const std::vector<const TH_Tensor*>& tensors) {
  if (tensors.empty()) {
    return 0;
  }
  Parcel parcel;
  parcel.items.reserve(tensors.size());
  for (const TH_Tensor* tensor : tensors) {
    parcel.items.push_back(item_of(*tensor));
  }
  return enter(std::move(parcel));
}

void end_watch(bool sent) {
  watch.on = false;
  for (const double id : watch.made) {
    if (!sent && threads_parcel_claim(id)) {
      drop_parcel(id);
    }
  }
  watch.made.clear();
}

void drop_parcel(double id) {
  if (id == 0) {
    return;
  }
  Registry& all = registry();
  Parcel parcel;  // its references go when others may have the lock
  {
    const std::lock_guard lock(all.mutex);
    const auto found = all.parcels.find(id);
    if (found == all.parcels.end()) {
      return;
    }
    std::swap(parcel, found->second);
    all.parcels.erase(found);
  }
}

}  // namespace threads

using threads::kTensor;
using threads::registry;

extern "C" {

double threads_parcel_new() {
  double made = 0;
  th::guarded("parcel", [&] { made = threads::enter({}); });
  return made;
}

void threads_parcel_watch() {
  threads::end_watch(true);
  threads::watch.on = true;
}

bool threads_parcel_claim(double parcel) {
  auto& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.parcels.find(parcel);
  return found != all.parcels.end() && !std::exchange(found->second.claimed, true);
}

void threads_parcel_drop(double parcel) { threads::drop_parcel(parcel); }

int threads_parcel_add(double parcel, const char* kind, void* object, void (*release)(void*)) {
  int place = -1;
  th::guarded("parcel", [&] { place = threads::add(parcel, {kind, object, release}); });
  return place;
}

int threads_parcel_addTensor(double parcel, const TH_Tensor* tensor) {
  int place = -1;
  th::guarded("parcel", [&] {
    threads::Item item = threads::item_of(*tensor);
    place = threads::add(parcel, item);
    if (place < 0) {
      item.release(item.object);
    }
  });
  return place;
}

bool threads_parcel_tensor(double parcel, int place, TH_Tensor* to) {
  const auto* from = static_cast<th::Tensor*>(threads_parcel_get(parcel, place, kTensor));
  if (from == nullptr) {
    return false;
  }
  TH_Tensor_release(to);
  th::copy_handle(*to, *from);
  to->flags = 0;
  if (to->store != nullptr) {
    th::retain(to->store);
  }
  return true;
}

void* threads_parcel_get(double parcel, int place, const char* kind) {
  auto& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.parcels.find(parcel);
  if (found == all.parcels.end() || place < 0 ||
      place >= static_cast<int>(found->second.items.size())) {
    return nullptr;
  }
  const auto& item = found->second.items[static_cast<size_t>(place)];
  return item.kind == kind ? item.object : nullptr;
}

int threads_parcel_count() {
  auto& all = registry();
  const std::lock_guard lock(all.mutex);
  return static_cast<int>(all.parcels.size());
}

}  // extern "C"
