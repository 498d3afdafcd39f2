#include "core/memory/kept_forms.h"

#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/memory/host_allocator.h"
#include "core/memory/storage.h"

namespace th {
namespace {

struct Entry {
  const float* first;
  PlanKey form;
  int32_t version;
  std::shared_ptr<const float> data;  // none: it has been asked for once
  int64_t bytes = 0;
};

class Forms {
 public:
  std::mutex mutex;

  Entry& entry(const TH_Storage* s, const float* first, const PlanKey& form) {
    std::vector<Entry>& all = of_[s];
    for (Entry& e : all) {
      if (e.first == first && e.form == form) {
        return e;
      }
    }
    // A version that is not the storage's: nobody has asked yet.
    return all.emplace_back(Entry{first, form, *s->version - 1, nullptr});
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

  bool has_room(int64_t bytes) {
    if (bytes_ + bytes > kMostKeptBytes) {
      for (auto& [s, all] : of_) {
        for (Entry& e : all) {
          if (e.version != *s->version) {
            take(e);
          }
        }
      }
    }
    return bytes_ + bytes <= kMostKeptBytes;
  }

  void forget(const TH_Storage* s) {
    const auto found = of_.find(s);
    if (found != of_.end()) {
      for (Entry& e : found->second) {
        take(e);
      }
      of_.erase(found);
    }
  }
  void clear() {
    of_.clear();
    bytes_ = 0;
  }
  int64_t bytes() const { return bytes_; }

 private:
  std::unordered_map<const TH_Storage*, std::vector<Entry>> of_;
  int64_t bytes_ = 0;
};

/// Never destroyed: storages go after it.
Forms& forms() {
  static Forms& all = *new Forms;
  return all;
}

/// Whether every write to the memory moves the storage's version.
bool writes_are_seen(const Storage& s) {
  return s.device_type == TH_CPU && s.kind == Storage::Kind::Pooled && !s.exposed &&
         !s.shared.load(std::memory_order_relaxed);
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
  const float* const first = static_cast<const float*>(s.data) + t.offset;
  const int64_t bytes = floats * static_cast<int64_t>(sizeof(float));
  Forms& all = forms();
  const std::lock_guard lock(all.mutex);
  Entry& e = all.entry(&s, first, form);
  s.has_forms = true;
  if (e.version != *s.version) {
    all.take(e);
    e.version = *s.version;
    return nullptr;
  }
  if (e.data == nullptr && all.has_room(bytes)) {
    if (const std::shared_ptr<float> data = allocate(floats)) {
      make(data.get());
      all.put(e, data, bytes);
    }
  }
  return e.data;
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

void expose_storage(TH_Storage* handle) {
  for (auto* s = static_cast<Storage*>(handle); s != nullptr; s = s->base) {
    s->exposed = true;
    forget_forms(s);
  }
}

}  // namespace th
