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

#include "core/header.h"

namespace distributed {

using Clock = std::chrono::steady_clock;

class Work {
 public:
  explicit Work(const distributed_Request& given) : request(given) {}

  const distributed_Request request;

  /// The thread that does it has begun to move data; from here on nobody can stop it.
  void moves() {
    const std::lock_guard lock(guard_);
    moving_ = true;
    since_ = Clock::now();
  }

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

  /// How long its data have been moving; 0 where they are not.
  double seconds_moving() {
    const std::lock_guard lock(guard_);
    return moving_ && !ended_ ? std::chrono::duration<double>(Clock::now() - since_).count() : 0;
  }

  /// Empty for success.
  std::string error() {
    const std::lock_guard lock(guard_);
    return error_;
  }

  // Of send and receive, whose steps are looked after while others are done.
  Header own, theirs;
  std::vector<char> rest;  // what came in place of what was wanted
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  bool header_came = false;
  std::string refusal;
  Clock::time_point begun;

 private:
  std::mutex guard_;
  std::condition_variable changed_;
  bool moving_ = false, ended_ = false;
  Clock::time_point since_;
  std::string error_;
};

}  // namespace distributed
