// The C ABI of TH_profile.h.
#include <memory>
#include <thread>

#include "TH_profile.h"
#include "core/profile/recorder.h"
#include "core/runtime/error.h"

struct TH_Profile : th::profile::Recorder {
  using Recorder::Recorder;
  std::thread::id thread = std::this_thread::get_id();
};

TH_Profile* TH_Profile_start(bool lines) {
  std::unique_ptr<TH_Profile> profile;
  th::guarded("profiler", [&] { profile = std::make_unique<TH_Profile>(lines); });
  return profile.release();
}

void TH_Profile_stop(TH_Profile* profile) { profile->stop(); }

void TH_Profile_free(TH_Profile* profile) {
  // Another thread cannot take the hooks out of the first one's; the profile stays then.
  if (profile != nullptr && profile->thread == std::this_thread::get_id()) {
    delete profile;
  }
}

void TH_Profile_library(TH_Profile* profile, const char* folder) {
  th::guarded(nullptr, [&] { profile->lines().add_library(folder); });
}

int64_t TH_Profile_enter(TH_Profile* profile, int32_t name, const char* text) {
  int64_t event = -1;
  th::guarded(nullptr, [&] { event = profile->enter(name, text); });
  return event;
}

void TH_Profile_leave(TH_Profile* profile, int64_t range) {
  if (range >= 0) {
    profile->leave(range);
  }
}

int64_t TH_Profile_now(const TH_Profile* profile) { return profile->now(); }
int32_t TH_Profile_here(TH_Profile* profile) {
  int32_t place = 0;
  th::guarded(nullptr, [&] { place = profile->here(); });
  return place;
}
bool TH_Profile_incomplete(const TH_Profile* profile) { return profile->incomplete(); }
int64_t TH_Profile_size(const TH_Profile* profile) {
  return static_cast<int64_t>(profile->events().size());
}
const TH_ProfileEvent* TH_Profile_events(const TH_Profile* profile) {
  return profile->events().data();
}
int32_t TH_Profile_placeCount(const TH_Profile* profile) {
  return static_cast<int32_t>(profile->lines().places().size());
}
const TH_ProfilePlace* TH_Profile_places(const TH_Profile* profile) {
  return profile->lines().places().data();
}
