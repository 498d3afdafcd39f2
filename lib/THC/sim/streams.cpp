// Streams and events: queues of tasks, and the scheduler that runs them when somebody waits.
#include <algorithm>
#include <chrono>

#include "core/runtime/error.h"
#include "sim/state.h"
#include "sim/tasks.h"

namespace thc::sim {
namespace {

/// A stream runs by itself beyond so many tasks: they hold on to memory.
constexpr size_t kLongQueue = 1024;

double now() {
  const std::chrono::duration<double, std::milli> since =
      std::chrono::steady_clock::now().time_since_epoch();
  return since.count();
}

/// All streams that exist.
template <class F>
void for_each_stream(F&& f) {
  for (const auto& device : state().devices) {
    f(*device->default_stream);
    for (const auto& stream : device->streams) {
      f(*stream);
    }
  }
}

/// The default stream and the blocking ones of its device wait for each other's earlier work.
bool held_back(const CUstream_st& stream) {
  const uint64_t ticket = stream.queue.front().ticket;
  const auto earlier = [&](const CUstream_st& other) {
    return !other.queue.empty() && other.queue.front().ticket < ticket;
  };
  if (!stream.is_default) {
    return stream.blocking && earlier(*stream.device->default_stream);
  }
  return std::any_of(stream.device->streams.begin(), stream.device->streams.end(),
                     [&](const auto& s) { return s->blocking && earlier(*s); });
}

bool runnable(const CUstream_st& stream) {
  if (stream.queue.empty()) {
    return false;
  }
  const Task& task = stream.queue.front();
  return (task.after == nullptr || task.after->passed) && !held_back(stream);
}

/// Tasks that others wait for are marked with '!': they run even on a broken device, so that nobody
/// waits for ever.
bool is_signal(const Task& task) { return task.what[0] == '!'; }

void run_next(CUstream_st& stream) {
  const Task task = std::move(stream.queue.front());
  stream.queue.pop_front();
  Device& device = *stream.device;
  try {
    if (task.opens_memory) {
      if (const cudaError_t error = begin("kernel", false); error != cudaSuccess) {
        break_device(device, error, "a fault that was asked for");
        return;
      }
      open_memory(&device);
      run_guarded(task.run);
    } else if (task.run) {
      task.run();
    }
  } catch (const MemoryFault& fault) {
    break_device(device, cudaErrorIllegalAddress, fault.what());
  } catch (const std::exception& e) {
    break_device(device, cudaErrorLaunchFailure, e.what());
  }
}

}  // namespace

CUstream_st* find_stream(cudaStream_t handle) {
  if (handle == nullptr) {
    return current().default_stream.get();
  }
  CUstream_st* found = nullptr;
  for_each_stream([&](CUstream_st& stream) {
    if (&stream == handle) {
      found = &stream;
    }
  });
  return found;
}

void add_task(CUstream_st& stream, Task task) {
  if (stream.device->fault != cudaSuccess) {
    if (is_signal(task)) {
      task.run();
    }
    return;
  }
  task.ticket = ++state().tickets;
  stream.queue.push_back(std::move(task));
  if (stream.queue.size() > kLongQueue) {
    drain(&stream, [&] { return stream.queue.size() <= kLongQueue / 2; });
  }
}

/// One task of any stream, if one can run: whoever asks whether work is done sees it get on.
static void make_progress() {
  bool ran = false;
  for_each_stream([&](CUstream_st& stream) {
    if (!ran && runnable(stream)) {
      run_next(stream);
      ran = true;
    }
  });
  open_memory(nullptr);
}

void drain(CUstream_st* wanted, const std::function<bool()>& done) {
  State& s = state();
  // Sometimes the stream waited for gets ahead of the others, sometimes they of it.
  const auto preference = s.random() % 3;
  while (!done()) {
    std::vector<CUstream_st*> ready;
    for_each_stream([&](CUstream_st& stream) {
      if (runnable(stream)) {
        ready.push_back(&stream);
      }
    });
    TH_CHECK(!ready.empty(), "the simulated streams wait for each other");
    CUstream_st* next = ready[s.random() % ready.size()];
    if (wanted != nullptr && preference != 0 && (preference == 1 || s.random() % 2 == 0) &&
        std::find(ready.begin(), ready.end(), wanted) != ready.end()) {
      next = wanted;
    }
    run_next(*next);
  }
  open_memory(nullptr);
}

void drain_device(Device& device) {
  const auto idle = [&] {
    return device.default_stream->queue.empty() &&
           std::all_of(device.streams.begin(), device.streams.end(),
                       [](const auto& s) { return s->queue.empty(); });
  };
  drain(nullptr, idle);
}

void break_device(Device& device, cudaError_t error, const std::string& text) {
  device.fault = error;
  state().fault_text = text;
  const auto drop = [](CUstream_st& stream) {
    for (Task& task : stream.queue) {
      if (is_signal(task)) {
        task.run();
      }
    }
    stream.queue.clear();
  };
  drop(*device.default_stream);
  for (const auto& stream : device.streams) {
    drop(*stream);
  }
}

cudaError_t enqueue(cudaStream_t handle, const char* what, std::function<void()> task) {
  const std::lock_guard guard(lock());
  cudaError_t error = begin("cudaLaunchKernel");
  if (error == cudaSuccess) {
    CUstream_st* stream = find_stream(handle);
    if (stream == nullptr || stream->device != &current()) {
      error = cudaErrorInvalidResourceHandle;
    } else {
      add_task(*stream, {0, what, std::move(task), nullptr, true});
    }
  }
  return end(error);
}

size_t pending() {
  const std::lock_guard guard(lock());
  size_t count = 0;
  for_each_stream([&](const CUstream_st& stream) { count += stream.queue.size(); });
  return count;
}

}  // namespace thc::sim

using namespace thc::sim;

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  const std::lock_guard guard(lock());
  const cudaError_t error = begin("cudaStreamCreateWithFlags");
  if (error == cudaSuccess) {
    Device& device = current();
    device.streams.push_back(std::make_unique<CUstream_st>(
        CUstream_st{&device, flags != cudaStreamNonBlocking, false, {}}));
    *stream = device.streams.back().get();
  }
  return end(error);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  const std::lock_guard guard(lock());
  cudaError_t error = begin("cudaStreamDestroy");
  CUstream_st* stream = handle == nullptr ? nullptr : find_stream(handle);
  if (error == cudaSuccess && stream == nullptr) {
    error = cudaErrorInvalidResourceHandle;
  }
  if (error == cudaSuccess) {
    drain(stream, [&] { return stream->queue.empty(); });
    auto& streams = stream->device->streams;
    streams.erase(std::find_if(streams.begin(), streams.end(),
                               [&](const auto& s) { return s.get() == stream; }));
  }
  return end(error);
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  const std::lock_guard guard(lock());
  cudaError_t error = begin("cudaStreamSynchronize");
  if (error == cudaSuccess) {
    CUstream_st* stream = find_stream(handle);
    if (stream == nullptr) {
      error = cudaErrorInvalidResourceHandle;
    } else {
      drain(stream, [&] { return stream->queue.empty(); });
      error = stream->device->fault;
    }
  }
  return end(error);
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  const std::lock_guard guard(lock());
  cudaError_t error = begin("cudaStreamQuery");
  if (error == cudaSuccess) {
    const CUstream_st* stream = find_stream(handle);
    if (stream != nullptr && !stream->queue.empty()) {
      make_progress();
    }
    error = stream == nullptr       ? cudaErrorInvalidResourceHandle
            : stream->queue.empty() ? cudaSuccess
                                    : cudaErrorNotReady;
  }
  return end(error);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned) {
  const std::lock_guard guard(lock());
  cudaError_t error = begin("cudaStreamWaitEvent");
  if (error == cudaSuccess) {
    CUstream_st* stream = find_stream(handle);
    if (stream == nullptr || state().events.count(event) == 0) {
      error = cudaErrorInvalidResourceHandle;
    } else if (event->point != nullptr) {
      add_task(*stream, {0, "wait", nullptr, event->point, false});
    }
  }
  return end(error);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* data) {
  const std::lock_guard guard(lock());
  cudaError_t error = begin("cudaLaunchHostFunc");
  if (error == cudaSuccess) {
    CUstream_st* stream = find_stream(handle);
    if (stream == nullptr) {
      error = cudaErrorInvalidResourceHandle;
    } else {
      add_task(*stream, {0, "!host function", [=] { function(data); }, nullptr, false});
    }
  }
  return end(error);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  const std::lock_guard guard(lock());
  const cudaError_t error = begin("cudaEventCreateWithFlags");
  if (error == cudaSuccess) {
    *event = new CUevent_st{&current(), (flags & cudaEventDisableTiming) == 0, nullptr};
    state().events.insert(*event);
  }
  return end(error);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const std::lock_guard guard(lock());
  if (state().events.erase(event) == 0) {
    return end(cudaErrorInvalidResourceHandle);
  }
  delete event;
  return end(begin("cudaEventDestroy"));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle) {
  const std::lock_guard guard(lock());
  cudaError_t error = begin("cudaEventRecord");
  if (error == cudaSuccess) {
    CUstream_st* stream = find_stream(handle);
    if (stream == nullptr || state().events.count(event) == 0 || event->device != stream->device) {
      error = cudaErrorInvalidResourceHandle;
    } else {
      auto point = std::make_shared<Point>();
      event->point = point;
      add_task(*stream, {0, "!event", [=] { *point = {true, now()}; }, nullptr, false});
    }
  }
  return end(error);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const std::lock_guard guard(lock());
  cudaError_t error = begin("cudaEventSynchronize");
  if (error == cudaSuccess) {
    if (state().events.count(event) == 0) {
      error = cudaErrorInvalidResourceHandle;
    } else if (const auto point = event->point) {
      drain(nullptr, [&] { return point->passed; });
      error = event->device->fault;
    }
  }
  return end(error);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  const std::lock_guard guard(lock());
  cudaError_t error = begin("cudaEventQuery");
  if (error == cudaSuccess) {
    if (state().events.count(event) == 0) {
      error = cudaErrorInvalidResourceHandle;
    } else if (event->point != nullptr && !event->point->passed) {
      make_progress();
      error = event->point->passed ? cudaSuccess : cudaErrorNotReady;
    }
  }
  return end(error);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end_event) {
  const std::lock_guard guard(lock());
  cudaError_t error = begin("cudaEventElapsedTime");
  if (error == cudaSuccess) {
    const State& s = state();
    if (s.events.count(start) == 0 || s.events.count(end_event) == 0 || !start->timed ||
        !end_event->timed || start->point == nullptr || end_event->point == nullptr) {
      error = cudaErrorInvalidResourceHandle;
    } else if (!start->point->passed || !end_event->point->passed) {
      error = cudaErrorNotReady;
    } else {
      *milliseconds =
          static_cast<float>(end_event->point->milliseconds - start->point->milliseconds);
    }
  }
  return end(error);
}
