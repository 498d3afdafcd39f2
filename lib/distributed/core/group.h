// Ranks that work together, and how they meet before an operation.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

#include "core/header.h"

namespace distributed {

/// Looks again and again, at first at once, then less and less often, so that a thread that
/// computes on the same core gets it.
class Patience {
 public:
  void pause();

 private:
  int rounds_ = 0;
};

class Group {
 public:
  /// All of a communicator.
  Group(MPI_Comm comm, const std::vector<int>& ranks);
  /// Ranks that have none of their own yet.
  static std::unique_ptr<Group> gathering(const std::vector<int>& ranks);

  int size() const { return static_cast<int>(ranks_.size()); }
  int rank() const { return rank_; }
  MPI_Comm comm() const { return comm_; }
  /// The place in the group of a rank of all; -1 where it is none of it.
  int place(int rank) const;
  int64_t next_number() { return ++number_; }

  /// Wait until every rank is about to do the same; throws where they disagree, or where one does
  /// not come within that time. The latter cannot be gone on from (`broken`).
  /// @param meanwhile called between two looks
  void meet(const Header& mine, double seconds, const std::function<void()>& meanwhile,
            bool* broken);

 private:
  Group(MPI_Comm comm, std::vector<int> ranks, std::vector<int> peers, int tag);
  std::string missing(const Header& mine, double seconds);

  MPI_Comm comm_;
  std::vector<int> ranks_, peers_;  // as all count them, and as the communicator does
  int tag_;
  int rank_ = 0;
  int64_t number_ = 0;
  // Of a meeting; they stay when it fails, for MPI may still write there.
  Header mine_;
  std::vector<Header> headers_, last_;
  std::vector<MPI_Request> requests_;
};

}  // namespace distributed
