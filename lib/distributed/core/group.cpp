#include "core/group.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include <sched.h>
#include <time.h>

#include "core/runtime/error.h"
#include "core/types.h"

namespace distributed {

namespace {
constexpr int TAG = 1, GATHERING = 4;
constexpr int EAGER_ROUNDS = 300;  // some 50 us
constexpr long NAP = 20000;        // nanoseconds
}  // namespace

void Patience::pause() {
  if (rounds_++ < EAGER_ROUNDS) {
    sched_yield();
    return;
  }
  const timespec nap{0, NAP * std::min(1 + (rounds_ - EAGER_ROUNDS) / 100, 10)};
  nanosleep(&nap, nullptr);
}

namespace {
std::vector<int> counted(size_t count) {
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}
}  // namespace

Group::Group(MPI_Comm comm, const std::vector<int>& ranks)
    : Group(comm, ranks, counted(ranks.size()), TAG) {}

std::unique_ptr<Group> Group::gathering(const std::vector<int>& ranks) {
  return std::unique_ptr<Group>(new Group(MPI_COMM_WORLD, ranks, ranks, GATHERING));
}

Group::Group(MPI_Comm comm, std::vector<int> ranks, std::vector<int> peers, int tag)
    : comm_(comm), ranks_(std::move(ranks)), peers_(std::move(peers)), tag_(tag) {
  int self = 0;
  check_mpi(MPI_Comm_rank(comm_, &self), "MPI_Comm_rank");
  rank_ = static_cast<int>(std::find(peers_.begin(), peers_.end(), self) - peers_.begin());
  check_mpi(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  headers_.resize(ranks_.size());
  last_.resize(ranks_.size());
  for (Header& header : last_) {
    header.number = 0;
  }
  requests_.resize(2 * ranks_.size(), MPI_REQUEST_NULL);
}

int Group::place(int rank) const {
  const auto found = std::find(ranks_.begin(), ranks_.end(), rank);
  return found == ranks_.end() ? -1 : static_cast<int>(found - ranks_.begin());
}

std::string Group::missing(const Header& mine, double seconds) {
  std::string names, text;
  int count = 0;
  for (int i = 0; i < size(); ++i) {
    if (requests_[static_cast<size_t>(i)] != MPI_REQUEST_NULL) {
      names += (names.empty() ? "" : ", ") + std::to_string(ranks_[static_cast<size_t>(i)] + 1);
      ++count;
      const Header& last = last_[static_cast<size_t>(i)];
      text += th::str("; the last of rank ", ranks_[static_cast<size_t>(i)] + 1, " was ",
                      last.number == 0 ? "nothing" : described(last));
    }
  }
  return th::str(count == 1 ? "rank " : "ranks ", names, count == 1 ? " has" : " have",
                 " not come within ", seconds,
                 " s: dead, hanging, or slower than that (the option "
                 "timeout); this is rank ",
                 ranks_[static_cast<size_t>(rank_)] + 1, " at ", described(mine), ", operation ",
                 mine.number, text);
}

void Group::meet(const Header& mine, double seconds, const std::function<void()>& meanwhile,
                 bool* broken) {
  const int n = size();
  mine_ = mine;
  headers_[static_cast<size_t>(rank_)] = mine;
  for (int i = 0; i < n; ++i) {
    if (i != rank_) {
      check_mpi(MPI_Irecv(&headers_[static_cast<size_t>(i)], sizeof(Header), MPI_BYTE,
                          peers_[static_cast<size_t>(i)], tag_, comm_,
                          &requests_[static_cast<size_t>(i)]),
                "MPI_Irecv");
    }
  }
  for (int i = 0; i < n; ++i) {
    if (i != rank_) {
      check_mpi(MPI_Isend(&mine_, sizeof(Header), MPI_BYTE, peers_[static_cast<size_t>(i)], tag_,
                          comm_, &requests_[static_cast<size_t>(n + i)]),
                "MPI_Isend");
    }
  }
  const auto begun = std::chrono::steady_clock::now();
  Patience patience;
  int done = 0;
  while (true) {
    check_mpi(MPI_Testall(2 * n, requests_.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
    if (done != 0) {
      break;
    }
    meanwhile();
    patience.pause();
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count() > seconds) {
      for (MPI_Request& request : requests_) {  // MPI_Testall ends all or none
        check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
      }
      *broken = true;
      th::fail(missing(mine, seconds));
    }
  }
  last_ = headers_;
  const std::string difference = disagreement(headers_, ranks_);
  if (!difference.empty()) {
    throw th::Error(difference);
  }
}

}  // namespace distributed
