#include "core/memory/kept_forms.h"

#include <functional>
#include <mutex>
#include <unordered_map>
#include <vector>

#include <pthread.h>

#include "core/memory/host_allocator.h"
#include "core/memory/storage.h"

namespace th {
namespace {

/// Entries beyond which those are let go that keep nothing, or nothing of use: a script may walk
/// through a storage, where each place is one that has been asked for once.
constexpr size_t kMostEntries = 4096;

struct Place {
  const float* first;
  PlanKey form;

  bool operator==(const Place&) const = default;
  struct Hash {
    size_t operator()(const Place& place) const {
      return PlanKey::Hash{}(place.form) ^ std::hash<const float*>{}(place.first);
    }
  };
};

struct Entry {
  int32_t version;
  std::shared_ptr<const float> data;  // none: it has been asked for once
  int64_t bytes = 0;
};

class Forms {
 public:
  std::mutex mutex;  // never while a form is made: a fork waits for it

  /// Where there is none: one whose version is not the storage's, since nobody has asked yet.
  Entry& entry(const TH_Storage* s, const Place& place) {
    Entry* found = find(s, place);
    if (found != nullptr) {
      return *found;
    }
    if (count_ >= kMostEntries) {
      clean();
    }
    ++count_;
    return of_[s].try_emplace(place, Entry{*s->version - 1, nullptr}).first->second;
  }
  Entry* find(const TH_Storage* s, const Place& place) {
    const auto all = of_.find(s);
    if (all == of_.end()) {
      return nullptr;
    }
    const auto found = all->second.find(place);
    return found == all->second.end() ? nullptr : &found->second;
  }

  void put(Entry& e, std::shared_ptr<const float> data, int64_t bytes) {
    e.data = std::move(data);
    e.bytes = bytes;
    bytes_ += bytes;
  }
  void take(Entry& e) {
    e.data = nullptr;
    bytes_ -= e.bytes;
    e.bytes = 0;
  }

  /// Room is looked for among all entries, so the more there are, the more calls go by without.
  bool has_room(int64_t bytes) {
    if (bytes_ + bytes > kMostKeptBytes) {
      if (waits_ > 0) {
        --waits_;
        return false;
      }
      take_stale();
      waits_ = bytes_ + bytes > kMostKeptBytes ? count_ / 64 : 0;
    }
    return bytes_ + bytes <= kMostKeptBytes;
  }

  void forget(const TH_Storage* s) {
    const auto found = of_.find(s);
    if (found != of_.end()) {
      for (auto& [place, e] : found->second) {
        take(e);
      }
      count_ -= found->second.size();
      waits_ = 0;
      of_.erase(found);
    }
  }
  void clear() {
    of_.clear();
    bytes_ = 0;
    count_ = waits_ = 0;
  }
  int64_t bytes() const { return bytes_; }
  size_t count() const { return count_; }

 private:
  using Places = std::unordered_map<Place, Entry, Place::Hash>;

  void take_stale() {
    for (auto& [s, all] : of_) {
      for (auto& [place, e] : all) {
        if (e.version != *s->version) {
          take(e);
        }
      }
    }
  }
  void clean() {
    take_stale();
    for (auto& [s, all] : of_) {
      count_ -= std::erase_if(all, [](const auto& pair) { return pair.second.data == nullptr; });
    }
  }

  std::unordered_map<const TH_Storage*, Places> of_;
  int64_t bytes_ = 0;
  size_t count_ = 0;
  size_t waits_ = 0;
};

/// Never destroyed: storages go after it. Its lock is taken before a fork, so that the child finds
/// it free, and before the allocator's, which is registered first: as in `take`.
Forms& forms() {
  static Forms& all = *[] {
    HostAllocator::instance();
    pthread_atfork([] { forms().mutex.lock(); }, [] { forms().mutex.unlock(); },
                   [] { forms().mutex.unlock(); });
    return new Forms;
  }();
  return all;
}

/// Whether every write to the memory moves the storage's version. Into memory from elsewhere a
/// device may write later than it was told to.
bool writes_are_seen(const Storage& s) {
  return s.device_type == TH_CPU && s.kind == Storage::Kind::Pooled && s.source == nullptr &&
         !s.exposed && !s.shared.load(std::memory_order_relaxed);
}

/// nullptr where memory is short.
std::shared_ptr<float> allocate(int64_t floats) {
  Block* block = nullptr;
  try {
    block = HostAllocator::instance().allocate(static_cast<size_t>(floats) * sizeof(float));
  } catch (const OutOfMemory&) {
    return nullptr;
  }
  return {static_cast<float*>(block->ptr),
          [block](float*) { HostAllocator::instance().free(block); }};
}

}  // namespace

std::shared_ptr<const float> kept_form(const TH_Tensor& t, const PlanKey& form, int64_t floats,
                                       const std::function<void(float*)>& make) {
  if (t.store->version == nullptr) {  // no storage of ours, a struct around some memory
    return nullptr;
  }
  auto& s = *static_cast<Storage*>(t.store);
  if (!writes_are_seen(s)) {
    return nullptr;
  }
  const Place place{static_cast<const float*>(s.data) + t.offset, form};
  const int64_t bytes = floats * static_cast<int64_t>(sizeof(float));
  Forms& all = forms();
  const int32_t version = *s.version;
  {
    const std::lock_guard lock(all.mutex);
    Entry& e = all.entry(&s, place);
    s.has_forms = true;
    if (e.version != version) {
      all.take(e);
      e.version = version;
      return nullptr;
    }
    if (e.data != nullptr || !all.has_room(bytes)) {
      return e.data;
    }
  }
  const std::shared_ptr<float> data = allocate(floats);
  if (data == nullptr) {
    return nullptr;
  }
  make(data.get());
  const std::lock_guard lock(all.mutex);
  // Other threads may have let it go, or asked for it since the storage was written to.
  Entry* e = all.find(&s, place);
  if (e != nullptr && e->data == nullptr && e->version == version && version == *s.version &&
      all.has_room(bytes)) {
    all.put(*e, data, bytes);
  }
  return data;
}

bool is_own(const TH_Storage& handle) {
  const auto* s = static_cast<const Storage*>(&handle);
  while (s->kind == Storage::Kind::View) {
    s = s->base;
  }
  return s->kind == Storage::Kind::Pooled || s->kind == Storage::Kind::Inline;
}

void forget_forms(TH_Storage* handle) {
  auto* s = static_cast<Storage*>(handle);
  if (s->has_forms) {
    const std::lock_guard lock(forms().mutex);
    forms().forget(s);
    s->has_forms = false;
  }
}

void drop_forms() {
  const std::lock_guard lock(forms().mutex);
  forms().clear();
}

int64_t kept_form_bytes() {
  const std::lock_guard lock(forms().mutex);
  return forms().bytes();
}

size_t kept_form_entries() {
  const std::lock_guard lock(forms().mutex);
  return forms().count();
}

void expose_storage(TH_Storage* handle) {
  for (auto* s = static_cast<Storage*>(handle); s != nullptr; s = s->base) {
    s->exposed = true;
    forget_forms(s);
  }
}

}  // namespace th
