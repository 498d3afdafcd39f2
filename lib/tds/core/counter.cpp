// Counters that threads count together.
#include <atomic>
#include <new>

#include "tds.h"

struct tds_atomic_counter {
  std::atomic<int64_t> value = 0;
  std::atomic<int> references = 1;
};

extern "C" {

tds_atomic_counter* tds_atomic_counter_new() { return new (std::nothrow) tds_atomic_counter; }
tds_atomic_counter* tds_atomic_counter_gone() {
  static auto* const gone = new tds_atomic_counter;
  return gone;
}
void tds_atomic_counter_retain(void* counter) {
  static_cast<tds_atomic_counter*>(counter)->references.fetch_add(1, std::memory_order_relaxed);
}
void tds_atomic_counter_free(void* memory) {
  auto* counter = static_cast<tds_atomic_counter*>(memory);
  if (counter->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    delete counter;
  }
}
double tds_atomic_counter_inc(tds_atomic_counter* counter) {
  return static_cast<double>(counter->value.fetch_add(1) + 1);
}
double tds_atomic_counter_get(const tds_atomic_counter* counter) {
  return static_cast<double>(counter->value.load());
}
void tds_atomic_counter_set(tds_atomic_counter* counter, double value) {
  counter->value.store(static_cast<int64_t>(value));
}

}  // extern "C"
