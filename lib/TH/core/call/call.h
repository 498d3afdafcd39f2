// What is known of a call while it runs, and telling those who watch.
#pragma once

#include <atomic>

#include "TH_core.h"
#include "core/memory/storage.h"

namespace th {

/// Every operation and view, in the order of TH_signature().
enum class Op : int {
#define TH_OP(NAME, PARAMS, ARGS) NAME,
#include "ops/all.def"
#undef TH_OP
#define TH_VIEW(NAME, USER, PARAMS, ARGS, CALL) NAME,
#include "ops/views.def"
#undef TH_VIEW
  copy,
  fused,   // TH_runLoop
  launch,  // a kernel of the script's, on a device
  count
};

/// Views move nothing: they stand together in the list of operations.
inline bool is_view(Op op) { return op >= Op::resize && op < Op::copy; }

namespace detail {

/// Hooks of all threads, and a bit that stays once somebody has made a Variable. Almost always 0:
/// the one thing that a call pays for.
extern std::atomic<int> attention;
constexpr int kVariables = 1 << 30;

void tell(Op op, int status, bool after, const TH_Value* values);

inline TH_Value value(const TH_Tensor* t) { return {.tensor = t}; }
inline TH_Value value(const TH_Tensor* const* ts) { return {.tensors = ts}; }
inline TH_Value value(double x) { return {.number = x}; }
inline TH_Value value(int x) { return {.integer = x}; }
inline TH_Value value(int64_t x) { return {.integer = x}; }
inline TH_Value value(bool x) { return {.integer = x}; }
inline TH_Value value(const int64_t* xs) { return {.integers = xs}; }
inline TH_Value value(const void* p) { return {.other = p}; }

}  // namespace detail

inline bool watched() {
  return (detail::attention.load(std::memory_order_relaxed) & ~detail::kVariables) != 0;
}
/// Whether calls may have to be told or recorded.
inline bool noticed() { return detail::attention.load(std::memory_order_relaxed) != 0; }
/// From now on there may be Variables among the arguments of calls.
void expect_variables();

/// The memory of t is about to look different.
inline void count_write(const TH_Tensor* t) {
  if (t != nullptr && t->store != nullptr) {
    count_write(t->store);
  }
}

/// A copy of a backend's own as a call like any other: told to who watches, recorded, counted as a
/// write.
[[gnu::visibility("default")]] int backend_copy(TH_Tensor* r, const TH_Tensor* x,
                                                int (*run)(TH_Tensor*, const TH_Tensor*));

/// A launch of the script's own kernel as a call like any other. run(context) may throw.
[[gnu::visibility("default")]] void backend_launch(const TH_Tensor* const* tensors, int count,
                                                   void (*run)(const void*), const void* context);

namespace detail {

template <class T>
void written(T) {}  // operands and numbers
inline void written(TH_Tensor* t) { count_write(t); }

}  // namespace detail

/// Moves the version of what a call has written: count_writes(arguments...).
template <class... Args>
void count_writes(Args... args) {
  (detail::written(args), ...);
}

}  // namespace th
