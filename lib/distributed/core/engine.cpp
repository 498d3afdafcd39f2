#include "core/engine.h"

#include <algorithm>
#include <future>
#include <numeric>

#include <sys/prctl.h>

#include "core/collectives.h"
#include "core/messages.h"
#include "core/runtime/error.h"
#include "core/types.h"

namespace distributed {

namespace {

// Ranks that have come to the end of their scripts wait for one that still evaluates, say.
constexpr double PATIENCE_AT_THE_END = 600;

double now() { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); }

template <class F>
std::string error_of(F&& f) {
  try {
    f();
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

Engine::Engine(double timeout, bool check) : timeout_(timeout), check_(check) {
  std::promise<std::string> started;
  thread_ = std::thread([this, &started] { run(&started); });
  const std::string error = started.get_future().get();
  if (!error.empty()) {
    thread_.join();
    throw th::Error(error);
  }
}

void Engine::set(double timeout, bool check) {
  timeout_ = timeout;
  check_ = check;
}

void Engine::start_mpi() {
  int provided = 0;
  check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  check_mpi(MPI_Get_library_version(text, &length), "MPI_Get_library_version");
  library_ = text;
  std::vector<int> all(static_cast<size_t>(size_));
  std::iota(all.begin(), all.end(), 0);
  groups_.push_back(std::make_unique<Group>(MPI_COMM_WORLD, all));
  MPI_Comm machine = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine),
            "MPI_Comm_split_type");
  check_mpi(MPI_Comm_rank(machine, &place_), "MPI_Comm_rank");
  MPI_Comm_free(&machine);
}

void Engine::run(std::promise<std::string>* started) {
  const std::string error = error_of([&] { start_mpi(); });
  started->set_value(error);
  if (!error.empty()) {
    return;
  }
  prctl(PR_SET_TIMERSLACK, 1000UL, 0, 0, 0);  // naps of 20 us are not 70
  Patience patience;
  while (true) {
    std::function<void()> job;
    {
      std::unique_lock lock(guard_);
      if (messages_.empty()) {
        changed_.wait(lock, [&] { return ending_ || !jobs_.empty(); });
      }
      if (!jobs_.empty()) {
        job = std::move(jobs_.front());
        jobs_.pop_front();
      } else if (ending_) {
        return;
      }
    }
    if (job) {
      job();
      patience = Patience();
    } else {
      look_after_messages();
      patience.pause();
    }
  }
}

void Engine::put(std::function<void()> job) {
  const std::lock_guard lock(guard_);
  jobs_.push_back(std::move(job));
  changed_.notify_one();
}

void Engine::look_after_messages() {
  for (auto at = messages_.begin(); at != messages_.end();) {
    Work& work = **at;
    bool done = false;
    std::string error = error_of([&] {
      done = advance_message(*groups_[static_cast<size_t>(work.request.group)], work, timeout_);
    });
    if (!error.empty()) {
      broken_ = error;
      lost_.push_back(*at);
    }
    if (done || !error.empty()) {
      work.end(done ? work.refusal : std::move(error));
      at = messages_.erase(at);
    } else {
      ++at;
    }
  }
}

void Engine::meet(Group& group, const Work& work) {
  bool broken = false;
  const std::string error = error_of([&] {
    group.meet(
        header_of(work.request, group.next_number()),
        std::max(timeout_.load(), work.request.patience), [this] { look_after_messages(); },
        &broken);
  });
  if (broken) {
    broken_ = error;
  }
  if (!error.empty()) {
    throw th::Error(error);
  }
}

void Engine::collective(Work& work) {
  Group& group = *groups_[static_cast<size_t>(work.request.group)];
  if (work.meets) {
    meet(group, work);
  } else {
    group.next_number();
  }
  if (work.request.meet) {
    return;
  }
  if (work.request.kind == DISTRIBUTED_END) {  // all have met, and MPI takes the time that it takes
    check_mpi(MPI_Finalize(), "MPI_Finalize");
    return;
  }
  moving_since_ = now();
  run_collective(group, work.request);
}

void Engine::make_group(const Work& work) {
  const auto* in = static_cast<const int32_t*>(work.request.in);
  const std::vector<int> ranks(in, in + work.request.count);
  std::unique_ptr<Group> gathering = Group::gathering(ranks);
  const std::string error = error_of([&] { meet(*gathering, work); });
  if (!error.empty()) {
    lost_gathering_ = std::move(gathering);
    throw th::Error(error);
  }
  moving_since_ = now();
  MPI_Group all = MPI_GROUP_NULL, some = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  check_mpi(MPI_Comm_group(MPI_COMM_WORLD, &all), "MPI_Comm_group");
  check_mpi(MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some),
            "MPI_Group_incl");
  check_mpi(MPI_Comm_create_group(MPI_COMM_WORLD, some, 7, &comm), "MPI_Comm_create_group");
  MPI_Group_free(&all);
  MPI_Group_free(&some);
  groups_.push_back(std::make_unique<Group>(comm, ranks));
  *static_cast<int32_t*>(work.request.out) = static_cast<int32_t>(groups_.size()) - 1;
}

void Engine::work_on(const std::shared_ptr<Work>& work) {
  if (!broken_.empty()) {
    work->end("the ranks have lost each other before: " + broken_);
    return;
  }
  const bool message = is_message(work->request.kind);
  std::string error = error_of([&] {
    if (message) {
      start_message(*groups_[static_cast<size_t>(work->request.group)], *work);
    } else if (work->request.kind == DISTRIBUTED_GROUP) {
      make_group(*work);
    } else {
      collective(*work);
    }
  });
  moving_since_ = 0;
  if (message && error.empty()) {
    messages_.push_back(work);
    return;
  }
  if (message) {
    lost_.push_back(work);
  }
  work->end(std::move(error));
}

std::shared_ptr<Work> Engine::begin(const distributed_Request& request,
                                    std::vector<TH_Storage*> memory) {
  const bool meets = check_ || request.patience > 0 || request.kind == DISTRIBUTED_GROUP;
  auto work = std::make_shared<Work>(request, std::move(memory), meets);
  put([this, work] { work_on(work); });
  return work;
}

double Engine::seconds_moving() const {
  const double since = moving_since_;
  return since > 0 ? now() - since : 0;
}

bool Engine::stuck() const { return seconds_moving() > timeout_ + 1; }

std::string Engine::stuck_text() const {
  return th::str("elements have been on their way for ", seconds_moving(),
                 " s: a rank is dead or hangs, or the option timeout (", timeout_.load(),
                 " s) is too small");
}

std::string Engine::end() {
  distributed_Request request{};
  request.kind = DISTRIBUTED_END;
  request.patience = PATIENCE_AT_THE_END;
  const std::shared_ptr<Work> work = begin(request, {});
  while (!work->wait(100)) {
    if (stuck()) {
      return stuck_text();
    }
  }
  const std::string error = work->error();
  if (error.empty()) {
    {
      const std::lock_guard lock(guard_);
      ending_ = true;
      changed_.notify_one();
    }
    thread_.join();
  }
  return error;
}

}  // namespace distributed
