// A record of calls for bindings that C cannot call back.
#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "TH_core.h"
#include "core/runtime/error.h"

namespace {

using Clock = std::chrono::steady_clock;

TH_LoggedValue logged(int role, const TH_Value& value) {
  TH_LoggedValue r{};
  switch (role) {
    case TH_ROLE_IN:
    case TH_ROLE_OUT:
    case TH_ROLE_INOUT: {
      const TH_Tensor* t = value.tensor;
      r.ndim = t == nullptr ? int16_t{-1} : t->ndim;
      if (t != nullptr) {
        std::copy_n(t->sizes, t->ndim, r.sizes);
        r.storage = t->store;
        r.version = t->store == nullptr ? 0 : *t->store->version;
        r.dtype = t->dtype;
        r.device_type = t->device_type;
      }
      break;
    }
    case TH_ROLE_NUMBER:
      r.number = value.number;
      break;
    case TH_ROLE_INTEGER:
    case TH_ROLE_FLAG:
      r.number = static_cast<double>(value.integer);
      break;
    default:
      break;
  }
  return r;
}

}  // namespace

struct TH_CallLog {
  struct Open {
    int64_t call;
    Clock::time_point begin;
  };
  std::vector<TH_LoggedCall> calls;
  std::vector<TH_LoggedValue> values;
  std::vector<Open> open;  // calls that run now, the innermost last
  bool watching = false;
  std::thread::id thread = std::this_thread::get_id();

  void begin(const TH_Call& call) {
    const TH_Signature& signature = *TH_signature(call.operation);
    const size_t first = values.size();
    values.resize(first + static_cast<size_t>(signature.count));  // before an entry points there
    open.reserve(open.size() + 1);
    calls.push_back(
        {call.operation, TH_OK, static_cast<int>(open.size()), 0, static_cast<int64_t>(first)});
    open.push_back({static_cast<int64_t>(calls.size()) - 1, Clock::now()});
  }

  void end(const TH_Call& call) {
    const auto now = Clock::now();
    TH_LoggedCall& entry = calls[static_cast<size_t>(open.back().call)];
    entry.seconds = std::chrono::duration<double>(now - open.back().begin).count();
    entry.status = call.status;
    const TH_Signature& signature = *TH_signature(call.operation);
    for (int i = 0; i < signature.count; ++i) {
      values[static_cast<size_t>(entry.first + i)] =
          logged(signature.parameters[i].role, call.values[i]);
    }
    open.pop_back();
  }

  /// Runs within the C ABI: when there is no memory for more, the log ends here.
  static void hook(void* context, const TH_Call* call, bool after) {
    auto& log = *static_cast<TH_CallLog*>(context);
    if (!log.watching) {
      return;
    }
    try {
      if (!after) {
        log.begin(*call);
      } else if (!log.open.empty()) {
        log.end(*call);
      }
    } catch (const std::bad_alloc&) {
      log.watching = false;
    }
  }
};

TH_CallLog* TH_CallLog_start() {
  std::unique_ptr<TH_CallLog> log;
  th::guarded("recordCalls", [&] {
    auto fresh = std::make_unique<TH_CallLog>();
    fresh->watching = true;
    TH_CHECK(TH_watchCalls(TH_CallLog::hook, fresh.get()) == TH_OK, TH_lastError());
    log = std::move(fresh);
  });
  return log.release();
}

void TH_CallLog_stop(TH_CallLog* log) {
  TH_unwatchCalls(TH_CallLog::hook, log);
  log->watching = false;
}

int64_t TH_CallLog_size(const TH_CallLog* log) { return static_cast<int64_t>(log->calls.size()); }
const TH_LoggedCall* TH_CallLog_call(const TH_CallLog* log, int64_t index) {
  return index >= 0 && index < TH_CallLog_size(log) ? &log->calls[static_cast<size_t>(index)]
                                                    : nullptr;
}
const TH_LoggedValue* TH_CallLog_values(const TH_CallLog* log, int64_t index) {
  const TH_LoggedCall* call = TH_CallLog_call(log, index);
  return call == nullptr ? nullptr : log->values.data() + call->first;
}
void TH_CallLog_free(TH_CallLog* log) {
  // Another thread cannot take the hook out of the first one's list; the log stays then.
  if (log != nullptr && log->thread == std::this_thread::get_id()) {
    TH_CallLog_stop(log);
    delete log;
  }
}
