#include "core/memory/account.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <pthread.h>

#include "core/runtime/thread_own.h"

namespace th {
namespace {

constexpr double kNobodyWatches = std::numeric_limits<double>::infinity();
constexpr double kAsked = -1;
constexpr auto kPatience = std::chrono::seconds(1);
constexpr auto kLook = std::chrono::milliseconds(1);

std::atomic_ref<double> made(TH_Account* a) {
  return std::atomic_ref<double>(const_cast<double&>(a->made));
}
std::atomic_ref<double> elsewhere(TH_Account* a) {
  return std::atomic_ref<double>(const_cast<double&>(a->elsewhere));
}
std::atomic_ref<double> threshold(TH_Account* a) { return std::atomic_ref<double>(a->threshold); }

/// Never destroyed: storages may outlive every static object.
struct Register {
  std::mutex mutex;
  std::vector<TH_Account*> open;  // of living threads
  std::vector<TH_Account*> idle;  // of threads that have ended: the next thread takes one over
};
Register& all();

/// A child of fork has but the thread that forked.
void forget_others();

Register& all() {
  static auto& accounts = *[] {
    pthread_atfork([] { all().mutex.lock(); }, [] { all().mutex.unlock(); }, forget_others);
    return new Register;
  }();
  return accounts;
}

/// For what a thread does while it ends.
TH_Account orphans{0, 0, kNobodyWatches};

TH_THREAD_OWN TH_Account* mine = nullptr;
constinit thread_local bool ended = false;
constinit thread_local bool last_resort = false;

void forget_others() {
  std::erase_if(all().open, [](TH_Account* a) { return a != mine; });
  all().mutex.unlock();
}

/// Opens an account and closes it when the thread ends.
struct Holder {
  Holder() {
    Register& r = all();
    const std::lock_guard lock(r.mutex);
    if (r.idle.empty()) {
      mine = new TH_Account{0, 0, kNobodyWatches};
    } else {
      mine = r.idle.back();
      r.idle.pop_back();
    }
    r.open.push_back(mine);
  }
  ~Holder() {
    Register& r = all();
    const std::lock_guard lock(r.mutex);
    threshold(mine) = kNobodyWatches;
    std::erase(r.open, mine);
    r.idle.push_back(mine);
    mine = nullptr;
    ended = true;
  }
};

bool asked(TH_Account* a) { return threshold(a).load() == kAsked; }

}  // namespace

TH_Account* account() {
  if (mine == nullptr) [[unlikely]] {
    if (ended) {
      return &orphans;
    }
    static thread_local const Holder holder;
  }
  return mine;
}

void charge(TH_Account* to, int64_t bytes) {
  const auto change = static_cast<double>(bytes);
  if (to == mine) {  // nobody else writes it: no need to lock
    made(to).store(made(to).load(std::memory_order_relaxed) + change, std::memory_order_relaxed);
  } else {
    elsewhere(to).fetch_add(change, std::memory_order_relaxed);
  }
}

void expect_last_resort() { last_resort = true; }

bool take_last_resort() { return std::exchange(last_resort, false); }

Appeal::Appeal() {
  Register& r = all();
  const std::lock_guard lock(r.mutex);
  for (TH_Account* a : r.open) {
    if (a != mine && threshold(a).load() != kNobodyWatches && made(a) + elsewhere(a) > 0) {
      threshold(a) = kAsked;
    }
  }
}

bool Appeal::wait() {
  const auto waiting = [] {
    Register& r = all();
    const std::lock_guard lock(r.mutex);
    return std::count_if(r.open.begin(), r.open.end(),
                         [](TH_Account* a) { return a != mine && asked(a); });
  };
  const auto before = waiting();
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (before > 0 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(kLook);
    if (waiting() < before) {
      return true;
    }
  }
  return false;
}

}  // namespace th
