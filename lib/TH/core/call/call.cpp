#include "core/call/call.h"

#include <algorithm>
#include <vector>

#include "core/gradient/record.h"
#include "core/runtime/error.h"

namespace th {
namespace detail {

std::atomic<int> attention{0};

}  // namespace detail

namespace {

struct Hook {
  TH_CallHook function;
  void* context;

  bool operator==(const Hook&) const = default;
};

/// Of one thread; those that are left when it ends are no longer counted.
struct Hooks : std::vector<Hook> {
  ~Hooks() { detail::attention.fetch_sub(static_cast<int>(size()), std::memory_order_relaxed); }
};

thread_local Hooks own_hooks;

}  // namespace

void expect_variables() {
  detail::attention.fetch_or(detail::kVariables, std::memory_order_relaxed);
}

int backend_copy(TH_Tensor* r, const TH_Tensor* x, int (*run)(TH_Tensor*, const TH_Tensor*)) {
  int status = TH_OK;
  const auto copy = [&] {
    status = run(r, x);
    TH_CHECK(status == TH_OK, "copy");
    count_write(r);
  };
  const bool variables = gradient::has_variables(r, x);
  if (!watched() && !variables) {
    status = run(r, x);
    if (status == TH_OK) {
      count_write(r);
    }
    return status;
  }
  try {
    gradient::Attended{Op::copy, variables, copy}(r, x);
    return TH_OK;
  } catch (...) {
    return status != TH_OK ? status : record_error("copy");
  }
}

void backend_launch(const TH_Tensor* const* tensors, int count, void (*run)(const void*),
                    const void* context) {
  if (!watched()) {
    run(context);
    return;
  }
  const auto f = [&] { run(context); };
  gradient::Attended{Op::launch, false, f}(tensors, count);
}

void detail::tell(Op op, int status, bool after, const TH_Value* values) {
  const TH_Call call{static_cast<int>(op), status, values};
  for (const Hook& hook : own_hooks) {
    hook.function(hook.context, &call, after);
  }
}

}  // namespace th

int TH_watchCalls(TH_CallHook hook, void* context) {
  return th::guarded("watchCalls", [&] {
    TH_CHECK(hook != nullptr, "needs a function, got none");
    th::own_hooks.push_back({hook, context});
    th::detail::attention.fetch_add(1, std::memory_order_relaxed);
  });
}

void TH_unwatchCalls(TH_CallHook hook, void* context) {
  const auto erased =
      std::erase(static_cast<std::vector<th::Hook>&>(th::own_hooks), th::Hook{hook, context});
  th::detail::attention.fetch_sub(static_cast<int>(erased), std::memory_order_relaxed);
}
