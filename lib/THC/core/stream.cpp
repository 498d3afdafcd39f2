#include "core/stream.h"

#include <array>
#include <atomic>
#include <mutex>
#include <vector>

namespace thc {
namespace {

/// Streams are made once and live as long as the process: pools and scripts refer to them. A device
/// gets its share of them when it is first used with one.
struct DeviceStreams {
  std::vector<cudaStream_t> streams{nullptr};
};

std::mutex mutex;
std::array<DeviceStreams, kMaxDevices> devices;
std::vector<bool> non_blocking_of{false};  // by number, the same on all devices
std::atomic<bool> many{false};

struct Current {
  int index = 0;
  cudaStream_t stream = nullptr;
};
thread_local std::array<Current, kMaxDevices> current{};

}  // namespace

cudaStream_t current_stream(int device) { return current[static_cast<size_t>(device)].stream; }
int current_stream_index(int device) {
  check_device(device);
  return current[static_cast<size_t>(device)].index;
}

void set_current_stream(int device, int index) {
  const cudaStream_t stream = stream_at(device, index);
  current[static_cast<size_t>(device)] = {index, stream};
  if (index != 0) {
    many.store(true, std::memory_order_relaxed);
  }
}

void reserve_streams(int count, bool non_blocking) {
  TH_CHECK(count >= 0, "cannot reserve ", count, " streams");
  TH_CHECK(count <= 1024, "cannot reserve ", count, " streams; 1024 is the most");
  device_count();
  const std::lock_guard lock(mutex);
  while (static_cast<int>(non_blocking_of.size()) <= count) {
    non_blocking_of.push_back(non_blocking);
  }
}

int stream_count() {
  const std::lock_guard lock(mutex);
  return static_cast<int>(non_blocking_of.size()) - 1;
}

cudaStream_t stream_at(int device, int index) {
  check_device(device);
  const std::lock_guard lock(mutex);
  const int count = static_cast<int>(non_blocking_of.size());
  TH_CHECK(index >= 0 && index < count, "stream ", index,
           " does not exist: there are streams 0 to ", count - 1,
           "; reserve more with cutorch.reserveStreams(", index, ")");
  auto& streams = devices[static_cast<size_t>(device)].streams;
  while (static_cast<int>(streams.size()) <= index) {
    activate(device);
    cudaStream_t stream;
    THC_CHECK(cudaStreamCreateWithFlags(
        &stream, non_blocking_of[streams.size()] ? cudaStreamNonBlocking : cudaStreamDefault));
    streams.push_back(stream);
  }
  return streams[static_cast<size_t>(index)];
}

cudaStream_t private_stream(int device) {
  check_device(device);
  activate(device);
  cudaStream_t stream;
  THC_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  many.store(true, std::memory_order_relaxed);
  return stream;
}

bool many_streams() { return many.load(std::memory_order_relaxed); }

void synchronize_stream(int device, int index) {
  const cudaStream_t stream = stream_at(device, index);
  activate(device);
  THC_CHECK(cudaStreamSynchronize(stream));
}

void synchronize(int device) {
  activate(device);
  THC_CHECK(cudaDeviceSynchronize());
}

}  // namespace thc
