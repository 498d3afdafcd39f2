#include "core/plan_cache.h"

#include <algorithm>
#include <atomic>

namespace th {

bool PlanKey::operator==(const PlanKey& other) const {
  return std::ranges::equal(numbers(), other.numbers());
}

size_t PlanKey::Hash::operator()(const PlanKey& key) const {
  uint64_t hash = 0;
  for (const int64_t n : key.numbers()) {
    hash = (hash ^ static_cast<uint64_t>(n)) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  return hash;
}

void* PlanCache::use(const PlanKey& key, const void* type) {
  const auto [first, last] = index_.equal_range(PlanKey::Hash{}(key));
  for (auto found = first; found != last; ++found) {
    const Entries::iterator entry = found->second;
    if (entry->type == type && entry->key == key) {
      plans_.splice(plans_.begin(), plans_, entry);
      return entry->plan.get();
    }
  }
  return nullptr;
}

void PlanCache::keep(const PlanKey& key, const void* type, std::shared_ptr<void> plan) {
  plans_.push_front({key, type, std::move(plan)});
  try {
    index_.emplace(PlanKey::Hash{}(key), plans_.begin());
  } catch (...) {
    plans_.pop_front();
    throw;
  }
  if (plans_.size() > most_) {
    const auto oldest = std::prev(plans_.end());
    const auto [first, last] = index_.equal_range(PlanKey::Hash{}(oldest->key));
    index_.erase(std::find_if(first, last, [&](const auto& i) { return i.second == oldest; }));
    plans_.pop_back();
  }
}

void PlanCache::clear() {
  index_.clear();
  plans_.clear();
}

namespace {

std::atomic<int64_t> dropped{0};

}  // namespace

PlanCache& plan_cache() {
  static thread_local PlanCache cache;
  static thread_local int64_t seen = 0;
  const int64_t now = dropped.load(std::memory_order_relaxed);
  if (seen != now) {
    cache.clear();
    seen = now;
  }
  return cache;
}

void drop_plans() {
  dropped.fetch_add(1, std::memory_order_relaxed);
  plan_cache();
}

}  // namespace th
