#include "core/profile/recorder.h"

#include <algorithm>
#include <new>

#include "core/call/call.h"
#include "core/call/signature.h"
#include "core/memory/account.h"
#include "core/profile/nvtx.h"
#include "core/runtime/error.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"

namespace th::profile {
namespace {

int64_t bytes_of(const TH_Tensor* t) {
  return t == nullptr ? 0 : numel(*t) * element_size(t->dtype);
}

/// Calls f(tensor, times) with each tensor of a call: how often its elements are moved.
template <class F>
void for_tensors(const TH_Call& call, F f) {
  const auto parameters = parameters_of(call.operation);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const int role = parameters[i].role;
    if (role == TH_ROLE_IN || role == TH_ROLE_OUT || role == TH_ROLE_INOUT) {
      f(call.values[i].tensor, role == TH_ROLE_INOUT ? 2 : 1);
    } else if (role == TH_ROLE_INS) {
      for (int64_t k = 0; k < call.values[i + 1].integer; ++k) {
        f(call.values[i].tensors[k], 1);
      }
    }
  }
}

int64_t bytes_of(const TH_Call& call) {
  int64_t bytes = 0;
  if (!is_view(static_cast<Op>(call.operation))) {
    for_tensors(call, [&](const TH_Tensor* t, int times) { bytes += times * bytes_of(t); });
  }
  return bytes;
}

/// Where a call is computed.
DeviceTimes::Device device_of(const TH_Call& call) {
  DeviceTimes::Device device{TH_CPU, 0};
  for_tensors(call, [&](const TH_Tensor* t, int) {
    if (t != nullptr && device.first == TH_CPU && t->device_type != TH_CPU) {
      device = {t->device_type, t->device};
    }
  });
  return device;
}

}  // namespace

Recorder::Recorder(bool lines) : with_lines_(lines) {
  TH_CHECK(memory_watcher.changed == nullptr, "this thread has a profile that runs; stop it first");
  TH_CHECK(TH_watchCalls(on_call, this) == TH_OK, TH_lastError());
  memory_watcher = {on_memory, this};
  running_ = true;
}

Recorder::~Recorder() {
  stop();
  charge(payer_, -charged_);
}

void Recorder::stop() {
  if (!running_) {
    return;
  }
  running_ = false;
  TH_unwatchCalls(on_call, this);
  memory_watcher = {};
  ScriptLines::forget_coroutine();
  leave(0);
  device_times_.settle(events_);
  // The binding's collector is to see how large a profile is that a program keeps.
  payer_ = account();
  charged_ = static_cast<int64_t>(events_.capacity() * sizeof(TH_ProfileEvent));
  charge(payer_, charged_);
}

int64_t Recorder::now() const {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now() - start_).count();
}

int32_t Recorder::here() {
  return !with_lines_ ? 0 : lines_.here(open_.empty() ? Anchor{} : open_.back().anchor);
}

int64_t Recorder::add(int32_t kind, int32_t name) {
  const int32_t parent = open_.empty() ? -1 : static_cast<int32_t>(open_.back().event);
  const int32_t place = here();
  events_.push_back({.begin = 0,
                     .end = -1,
                     .device_begin = -1,
                     .device_end = -1,
                     .bytes = 0,
                     .block = nullptr,
                     .kind = kind,
                     .name = name,
                     .place = place,
                     .parent = parent,
                     .device = 0,
                     .device_type = TH_CPU,
                     .failed = false});
  return static_cast<int64_t>(events_.size()) - 1;
}

/// Ends the innermost open event.
void Recorder::close(int64_t time) {
  events_[static_cast<size_t>(open_.back().event)].end = time;
  device_times_.forget(open_.back().device, open_.back().mark);
  open_.pop_back();
  if (nvtx().pop != nullptr) {
    nvtx().pop();
  }
}

int64_t Recorder::enter(int32_t name, const char* text) {
  open_.reserve(open_.size() + 1);
  const int64_t event = add(TH_PROFILE_RANGE, name);
  open_.push_back({event});
  if (with_lines_) {
    open_.back().anchor = lines_.anchor(events_.back().place);
  }
  if (nvtx().push != nullptr) {
    nvtx().push(text);
  }
  events_.back().begin = now();
  return event;
}

void Recorder::leave(int64_t range) {
  const int64_t time = now();
  while (!open_.empty() && open_.back().event >= range) {
    close(time);
  }
}

void Recorder::begin(const TH_Call& call) {
  open_.reserve(open_.size() + 1);
  const auto device = device_of(call);
  const int64_t event = add(TH_PROFILE_OPERATION, call.operation);
  TH_ProfileEvent& entry = events_.back();
  entry.device_type = static_cast<uint8_t>(device.first);
  entry.device = static_cast<int16_t>(device.second);
  void* mark = nullptr;
  if (device.first != TH_CPU && !is_view(static_cast<Op>(call.operation))) {
    if (device_times_.full()) {
      device_times_.settle(events_);
    }
    mark = device_times_.mark(device, now());
  }
  open_.push_back({event, mark, device, open_.empty() ? Anchor{} : open_.back().anchor});
  if (nvtx().push != nullptr) {
    nvtx().push(TH_signature(call.operation)->name);
  }
  entry.begin = now();
}

void Recorder::end(const TH_Call& call) {
  const int64_t time = now();
  Open& open = open_.back();
  TH_ProfileEvent& entry = events_[static_cast<size_t>(open.event)];
  entry.bytes = bytes_of(call);
  entry.failed = call.status != TH_OK;
  if (open.mark != nullptr) {
    void* const later = device_times_.mark(open.device, time);
    if (later != nullptr) {
      device_times_.add(open.event, open.device, open.mark, later);
      open.mark = nullptr;
    }
  }
  close(time);
}

/// Runs within the C ABI: when there is no memory for more, the profile ends here.
void Recorder::on_call(void* context, const TH_Call* call, bool after) {
  auto& own = *static_cast<Recorder*>(context);
  if (own.incomplete_) {
    return;
  }
  try {
    if (!after) {
      own.begin(*call);
    } else if (!own.open_.empty()) {
      own.end(*call);
    }
  } catch (const std::bad_alloc&) {
    own.incomplete_ = true;
  }
}

void Recorder::on_memory(void* context, const Storage& s, const void* block,
                         int64_t bytes) noexcept {
  auto& own = *static_cast<Recorder*>(context);
  if (own.incomplete_) {
    return;
  }
  try {
    const int64_t time = own.now();
    own.add(TH_PROFILE_MEMORY, 0);
    TH_ProfileEvent& entry = own.events_.back();
    entry.begin = entry.end = time;
    entry.bytes = bytes;
    entry.block = block;
    entry.device = s.device;
    entry.device_type = s.device_type;
  } catch (const std::bad_alloc&) {
    own.incomplete_ = true;
  }
}

}  // namespace th::profile
