// When a device did the work of calls that returned before it.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "TH_profile.h"
#include "core/device_functions.h"

namespace th::profile {

/// Marks around calls, and the times that come of them once the device has passed them.
class DeviceTimes {
 public:
  using Device = std::pair<int, int>;  // its type, its number
  DeviceTimes() = default;
  ~DeviceTimes();
  DeviceTimes(const DeviceTimes&) = delete;

  /// A point in the device's work; nullptr where it has none, or is out of order. `now`: by the
  /// host's clock, in ns.
  void* mark(Device device, int64_t now) noexcept;
  /// The device works on this event between two marks.
  void add(int64_t event, Device device, void* begin, void* end);
  void forget(Device device, void* mark) noexcept;
  bool full() const { return spans_.size() >= kMost; }
  /// Waits for the device, and writes the times into the events.
  void settle(std::vector<TH_ProfileEvent>& events) noexcept;

 private:
  struct Span {
    int64_t event;
    Device device;
    void *begin, *end;
  };
  struct Origin {
    void* mark;
    int64_t time;
  };
  static constexpr size_t kMost = 4096;  // then it waits for the device
  std::vector<Span> spans_;
  std::map<Device, Origin> origins_;
};

}  // namespace th::profile
