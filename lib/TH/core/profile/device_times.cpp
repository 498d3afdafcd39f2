#include "core/profile/device_times.h"

#include <cmath>
#include <exception>
#include <utility>

namespace th::profile {

DeviceTimes::~DeviceTimes() {
  for (const Span& span : spans_) {
    forget(span.device, span.begin);
    forget(span.device, span.end);
  }
  for (const auto& [device, origin] : origins_) {
    forget(device, origin.mark);
  }
}

void* DeviceTimes::mark(Device device, int64_t now) noexcept {
  try {
    const DeviceFunctions& functions = device_functions(device.first);
    if (functions.mark == nullptr) {
      return nullptr;
    }
    if (!origins_.contains(device)) {
      void* const first = functions.mark(device.second);
      try {  // nothing is left to do then: the device's clock meets the host's
        functions.between(first, first);
      } catch (...) {
        forget(device, first);
        throw;
      }
      origins_[device] = {first, now};
    }
    return functions.mark(device.second);
  } catch (const std::exception&) {  // the call itself will say what is wrong with the device
    return nullptr;
  }
}

void DeviceTimes::add(int64_t event, Device device, void* begin, void* end) {
  spans_.push_back({event, device, begin, end});
}

void DeviceTimes::forget(Device device, void* mark) noexcept {
  if (mark != nullptr) {
    device_functions(device.first).forget(mark);
  }
}

void DeviceTimes::settle(std::vector<TH_ProfileEvent>& events) noexcept {
  for (const Span& span : spans_) {
    try {
      const DeviceFunctions& functions = device_functions(span.device.first);
      const Origin& origin = origins_.at(span.device);
      const auto ns = [](double milliseconds) { return std::llround(milliseconds * 1e6); };
      const int64_t took = ns(functions.between(span.begin, span.end));
      TH_ProfileEvent& event = events[static_cast<size_t>(span.event)];
      event.device_begin = origin.time + ns(functions.between(origin.mark, span.begin));
      event.device_end = event.device_begin + took;
    } catch (const std::exception&) {  // a device that has failed has no times
    }
  }
  // Devices tell distances in floats: from now on they are told from the last mark, which is near.
  for (Span& span : spans_) {
    const int64_t end = events[static_cast<size_t>(span.event)].device_end;
    if (end >= 0) {
      Origin& origin = origins_.at(span.device);
      std::swap(origin.mark, span.end);
      origin.time = end;
    }
    forget(span.device, span.begin);
    forget(span.device, span.end);
  }
  spans_.clear();
}

}  // namespace th::profile
