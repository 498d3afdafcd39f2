#include "core/parcel.h"

#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/runtime/error.h"
#include "threads.h"

namespace threads {
namespace {

struct Item {
  std::string kind;
  void* object;
  void (*release)(void*);
};

struct Parcel {
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

}  // namespace

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
  Parcel parcel;
  {
    const std::lock_guard lock(all.mutex);
    const auto found = all.parcels.find(id);
    if (found == all.parcels.end()) {
      return;
    }
    parcel = std::move(found->second);
    all.parcels.erase(found);
  }
  for (const Item& item : parcel.items) {
    item.release(item.object);
  }
}

}  // namespace threads

using threads::registry;

extern "C" {

double threads_parcel_new() {
  double made = 0;
  th::guarded("parcel", [&] {
    auto& all = registry();
    const std::lock_guard lock(all.mutex);
    if (threads::watch.on) {
      threads::watch.made.push_back(all.last + 1);
    }
    all.last += 1;
    all.parcels.try_emplace(all.last);
    made = all.last;
  });
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
  th::guarded("parcel", [&] {
    auto& all = registry();
    const std::lock_guard lock(all.mutex);
    if (const auto found = all.parcels.find(parcel); found != all.parcels.end()) {
      auto& items = found->second.items;
      items.push_back({kind, object, release});
      place = static_cast<int>(items.size()) - 1;
    }
  });
  return place;
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
