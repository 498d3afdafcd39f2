// The one thread that calls MPI, and the work it has been given.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/group.h"
#include "core/work.h"

namespace distributed {

class Engine {
 public:
  /// Starts MPI; throws where that cannot be.
  Engine(double timeout, bool check);

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// Among the ranks of this machine, from 0.
  int place() const { return place_; }
  const std::string& library() const { return library_; }
  void set(double timeout, bool check);

  /// @param memory what the request points into
  std::shared_ptr<Work> begin(const distributed_Request& request, std::vector<TH_Storage*> memory);
  /// Whether the thread has been within one call of MPI for longer than the timeout: somebody
  /// hangs, and MPI does not come back from that.
  bool stuck() const;
  std::string stuck_text() const;
  /// Wait for the other ranks' end, and give MPI back. Empty, or why that was not to be.
  std::string end();

 private:
  void run(std::promise<std::string>* started);
  void start_mpi();
  void look_after_messages();
  void work_on(const std::shared_ptr<Work>& work);
  void meet(Group& group, const Work& work);
  void collective(Work& work);
  void make_group(const Work& work);
  double seconds_moving() const;
  void put(std::function<void()> job);

  std::atomic<double> timeout_;
  std::atomic<bool> check_;
  std::atomic<double> moving_since_ = 0;  // seconds of the clock; 0: nothing moves
  int rank_ = 0, size_ = 1, place_ = 0;
  std::string library_;

  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool ending_ = false;

  // The thread's own.
  std::vector<std::unique_ptr<Group>> groups_;
  std::list<std::shared_ptr<Work>> messages_;
  std::vector<std::shared_ptr<Work>> lost_;  // MPI may still write to their memory
  std::unique_ptr<Group> lost_gathering_;
  std::string broken_;
  std::thread thread_;
};

}  // namespace distributed
