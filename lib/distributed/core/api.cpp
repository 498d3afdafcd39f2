// The C ABI: one engine for the process.
#include <cstdio>
#include <memory>
#include <mutex>

#include <stdlib.h>
#include <unistd.h>

#include "core/engine.h"
#include "core/runtime/error.h"
#include "distributed.h"

namespace {

// Never destroyed: its thread may be inside of MPI when the process ends.
distributed::Engine* engine = nullptr;
std::mutex starting;
pid_t owner = 0;

// A process that ends well waits for the others and says goodbye to MPI; one that fails does not,
// which is how mpirun knows that it has to end the others.
// A child of a fork has neither the thread nor a part in this.
void at_exit(int status, void* /*unused*/) {
  if (getpid() != owner) {
    return;
  }
  if (status == 0) {
    const std::string error = engine->end();
    if (error.empty()) {
      return;
    }
    std::fprintf(stderr, "distributed: rank %d ends: %s\n", engine->rank() + 1, error.c_str());
    status = 1;
  }
  std::fflush(nullptr);
  _exit(status);
}

}  // namespace

struct distributed_Work {
  std::shared_ptr<distributed::Work> work;
};

extern "C" {

int distributed_init(double timeout, bool check) {
  return th::guarded("distributed.init", [&] {
    const std::lock_guard lock(starting);
    if (engine == nullptr) {
      engine = new distributed::Engine(timeout, check);
      owner = getpid();
      on_exit(at_exit, nullptr);
    }
  });
}

bool distributed_initialized(void) { return engine != nullptr; }
int distributed_rank(void) { return engine->rank(); }
int distributed_size(void) { return engine->size(); }
int distributed_place(void) { return engine->place(); }
void distributed_set(double timeout, bool check) { engine->set(timeout, check); }
const char* distributed_library(void) { return engine->library().c_str(); }

int distributed_begin(distributed_Work** work, const distributed_Request* request,
                      TH_Storage* const* memory, int count) {
  return th::guarded(distributed::kind_name(request->kind), [&] {
    auto made = std::make_unique<distributed_Work>();
    made->work = engine->begin(*request, {memory, memory + count});
    *work = made.release();
  });
}

bool distributed_wait(distributed_Work* work, int milliseconds) {
  return work->work->wait(milliseconds) || engine->stuck();
}

int distributed_result(distributed_Work* work) {
  distributed::Work& done = *work->work;
  return th::guarded(
      (std::string("distributed.") + distributed::kind_name(done.request.kind)).c_str(), [&] {
        const std::string error = done.ended() ? done.error() : engine->stuck_text();
        TH_CHECK(error.empty(), error);
      });
}

void distributed_free(distributed_Work* work) { delete work; }

}  // extern "C"
