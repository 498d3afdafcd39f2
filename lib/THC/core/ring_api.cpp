// The C ABI of rings of devices.
#include <array>
#include <cstring>
#include <mutex>

#include "THC.h"
#include "core/backend.h"
#include "core/event.h"
#include "core/memory/allocator.h"
#include "core/stream.h"
#include "core/tensor/tensor.h"
#include "core/vendor/ring.h"

struct THC_Ring {
  std::unique_ptr<thc::Ring> ring;
  cudaStream_t stream = nullptr;
};

using th::guarded;

namespace {

/// Where all rings of a device run: apart from the script's streams, so that gradients travel while
/// backward computes the next ones, and in the order of the calls, which is that of the other
/// ranks. Of two rings on streams of their own one device may begin with the one and another with
/// the other, and each waits there for ranks that do not come.
cudaStream_t stream_of_rings(int device) {
  static std::mutex mutex;
  static std::array<cudaStream_t, thc::kMaxDevices> streams{};
  const std::lock_guard lock(mutex);
  cudaStream_t& stream = streams[static_cast<size_t>(device)];
  if (stream == nullptr) {
    stream = thc::private_stream(device);
  }
  return stream;
}

}  // namespace

extern "C" {

int THC_ncclVersion(int* version) {
  return guarded("distributed", [&] { *version = thc::nccl_version(); });
}

int THC_Ring_id(char* id) {
  return guarded("distributed", [&] {
    const std::string text = thc::new_ring_id();
    std::memcpy(id, text.data(), THC_RING_ID_BYTES);
  });
}

int THC_Ring_open(THC_Ring** ring, const char* id, int device, int rank, int size) {
  return guarded("distributed", [&] {
    auto made = std::make_unique<THC_Ring>();
    made->ring = thc::open_ring(std::string(id, THC_RING_ID_BYTES), device, rank, size);
    made->stream = stream_of_rings(device);
    *ring = made.release();
  });
}

void THC_Ring_close(THC_Ring* ring) { delete ring; }

int THC_Ring_run(THC_Ring* ring, int kind, int reduction, int root, TH_Tensor* r,
                 const TH_Tensor* x, THC_Event** done) {
  return guarded("distributed", [&] {
    const int device = ring->ring->device();
    TH_CHECK(x->device == device && r->device == device, "the tensors are on device ",
             x->device + 1, ", the ring's is ", device + 1);
    const cudaStream_t current = thc::current_stream(device);
    thc::wait_for(device, ring->stream, device, current);
    thc::note_use(*x, ring->stream);
    thc::note_use(*r, ring->stream);
    const bool part = kind == THC_RING_REDUCE_SCATTER;
    const thc::RingCall call{kind,          reduction,    root, x->dtype, th::numel(part ? *r : *x),
                             th::bytes(*x), th::bytes(*r)};
    ring->ring->enqueue(call, ring->stream);
    if (done == nullptr) {
      thc::wait_for(device, current, device, ring->stream);
    } else {
      *done = reinterpret_cast<THC_Event*>(new thc::Event(device, ring->stream));
    }
  });
}

}  // extern "C"
