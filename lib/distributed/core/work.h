// One operation that a script has begun, and what has become of it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <mpi.h>

#include "TH_account.h"
#include "core/header.h"

namespace distributed {

using Clock = std::chrono::steady_clock;

class Work {
 public:
  /// @param memory storages that MPI reads and writes: they stay as long as this does
  /// @param meets whether the ranks compare what they are about to do
  Work(const distributed_Request& given, std::vector<TH_Storage*> memory, bool meets)
      : request(given), meets(meets), memory_(std::move(memory)) {
    for (TH_Storage* store : memory_) {
      TH_Storage_retain(store);
    }
  }
  Work(const Work&) = delete;
  ~Work() {
    for (TH_Storage* store : memory_) {
      TH_Storage_release(store);
    }
  }

  const distributed_Request request;
  const bool meets;

  void end(std::string error) {
    const std::lock_guard lock(guard_);
    error_ = std::move(error);
    ended_ = true;
    changed_.notify_all();
  }

  /// Whether it has ended within that time.
  bool wait(int milliseconds) {
    std::unique_lock lock(guard_);
    return changed_.wait_for(lock, std::chrono::milliseconds(milliseconds), [&] { return ended_; });
  }

  bool ended() {
    const std::lock_guard lock(guard_);
    return ended_;
  }

  /// Empty for success.
  std::string error() {
    const std::lock_guard lock(guard_);
    return error_;
  }

  // Of send and receive, whose steps are looked after while others are done.
  Header own, theirs;
  std::vector<char> rest;  // what came in place of what was wanted
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};  // header, elements
  bool header_came = false;
  std::string refusal;
  Clock::time_point begun;

 private:
  std::mutex guard_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::string error_;
  const std::vector<TH_Storage*> memory_;
};

}  // namespace distributed
