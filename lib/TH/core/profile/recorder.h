// What a profile keeps while it runs.
#pragma once

#include <chrono>
#include <vector>

#include "TH_account.h"
#include "TH_profile.h"
#include "core/memory/watch.h"
#include "core/profile/device_times.h"
#include "core/profile/script_lines.h"

namespace th::profile {

/// Events of the thread that made it, in the order in which they began.
class Recorder {
 public:
  explicit Recorder(bool lines);
  ~Recorder();
  Recorder(const Recorder&) = delete;

  int64_t enter(int32_t name, const char* text);
  void leave(int64_t range);
  void stop();

  int64_t now() const;
  int32_t here();
  bool incomplete() const { return incomplete_; }
  const std::vector<TH_ProfileEvent>& events() const { return events_; }
  ScriptLines& lines() { return lines_; }
  const ScriptLines& lines() const { return lines_; }

 private:
  struct Open {
    int64_t event;
    void* mark = nullptr;
    DeviceTimes::Device device{};
    Anchor anchor{};
  };
  static void on_call(void* context, const TH_Call* call, bool after);
  static void on_memory(void* context, const Storage& s, const void* block, int64_t bytes) noexcept;
  void begin(const TH_Call& call);
  void end(const TH_Call& call);
  int64_t add(int32_t kind, int32_t name);
  void close(int64_t time);

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::vector<TH_ProfileEvent> events_;
  std::vector<Open> open_;  // the innermost last
  ScriptLines lines_;
  DeviceTimes device_times_;
  bool with_lines_;
  bool running_ = false;
  bool incomplete_ = false;
  TH_Account* payer_ = nullptr;  // of the events, once it has ended
  int64_t charged_ = 0;
};

}  // namespace th::profile
