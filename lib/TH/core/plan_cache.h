// What a vendor library prepares for one case of an operation (a primitive with its layouts, the
// algorithms to choose from) is kept, by everything that it depends on.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <list>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/runtime/error.h"

#pragma GCC visibility push(default)  // for backends in libraries of their own
namespace th {

/// What a plan depends on, in numbers: operation, shapes, layouts, types, operations that follow,
/// threads. Two keys are the same if the same was added in the same order.
class PlanKey {
 public:
  static constexpr int kMost = 62;

  PlanKey(std::initializer_list<int64_t> numbers) {
    for (const int64_t n : numbers) {
      add(n);
    }
  }
  PlanKey& add(int64_t number) {
    TH_CHECK(count_ < kMost, "a plan depends on at most ", kMost, " numbers");
    numbers_[static_cast<size_t>(count_++)] = number;
    return *this;
  }
  /// Sizes, with their number: lists side by side do not run into each other.
  PlanKey& add(std::span<const int64_t> list) {
    add(static_cast<int64_t>(list.size()));
    for (const int64_t n : list) {
      add(n);
    }
    return *this;
  }

  std::span<const int64_t> numbers() const {
    return std::span<const int64_t>(numbers_).first(static_cast<size_t>(count_));
  }
  bool operator==(const PlanKey& other) const;
  struct Hash {
    size_t operator()(const PlanKey& key) const;
  };

 private:
  std::array<int64_t, kMost> numbers_{};
  int count_ = 0;
};

/// Plans of any types, a bounded number of them: the least recently used one makes room. For one
/// thread.
class PlanCache {
 public:
  static constexpr size_t kMost = 256;

  explicit PlanCache(size_t most = kMost) : most_(most) {}

  /// The plan for a key; make() makes it the first time. What make() throws passes through, and
  /// nothing is kept. The caller's pointer keeps a plan alive that is dropped meanwhile.
  template <class Plan, class Make>
  std::shared_ptr<Plan> find(const PlanKey& key, Make&& make) {
    if (void* found = use(key, &kType<Plan>)) {
      return {plans_.front().plan, static_cast<Plan*>(found)};
    }
    auto plan = std::make_shared<Plan>(make());
    keep(key, &kType<Plan>, plan);
    return plan;
  }

  size_t size() const { return plans_.size(); }
  void clear();

 private:
  /// One address for each type: keys of one type's plans are no keys of another's.
  template <class Plan>
  static inline const char kType = 0;

  struct Entry {
    PlanKey key;
    const void* type;
    std::shared_ptr<void> plan;
  };
  using Entries = std::list<Entry>;

  /// The plan, which comes to the front; or nullptr.
  void* use(const PlanKey& key, const void* type);
  void keep(const PlanKey& key, const void* type, std::shared_ptr<void> plan);

  size_t most_;
  Entries plans_;  // the most recently used first
  std::unordered_multimap<size_t, Entries::iterator> index_;
};

/// The calling thread's: what a plan keeps between runs (oneDNN's primitives their scratch memory)
/// is not for two threads at once.
PlanCache& plan_cache();

/// All threads' plans go: the caller's now, another's when it looks for one next.
void drop_plans();

}  // namespace th
#pragma GCC visibility pop
