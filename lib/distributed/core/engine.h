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
  const std::string& library() const { return library_; }
  double timeout() const { return timeout_; }
  void set(double timeout, bool check);

  std::shared_ptr<Work> begin(const distributed_Request& request);
  /// The number of a new group, of which this rank is one.
  int group(const std::vector<int>& ranks);
  /// Wait for the other ranks' end, and give MPI back. Empty, or why that was not to be.
  std::string end();

 private:
  void run(std::promise<std::string>* started);
  void start_mpi();
  void look_after_messages();
  void step(Work& work);
  void collective(Work& work);
  std::shared_ptr<Work> submit(std::shared_ptr<Work> work);
  void put(std::function<void()> job);

  std::atomic<double> timeout_;
  std::atomic<bool> check_;
  int rank_ = 0, size_ = 1;
  std::string library_;

  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool ending_ = false;

  // The thread's own.
  std::vector<std::unique_ptr<Group>> groups_;
  std::list<std::shared_ptr<Work>> messages_;
  std::string broken_;
  std::thread thread_;
};

}  // namespace distributed
