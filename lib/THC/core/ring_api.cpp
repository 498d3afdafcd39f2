// The C ABI of rings of devices.
#include <cstring>

#include "THC.h"
#include "core/backend.h"
#include "core/event.h"
#include "core/memory/allocator.h"
#include "core/stream.h"
#include "core/tensor/tensor.h"
#include "core/vendor/ring.h"

struct THC_Ring {
  std::unique_ptr<thc::Ring> ring;
  // Of its own, so that gradients travel while backward computes the next ones.
  cudaStream_t stream = nullptr;
};

using th::guarded;

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
    made->stream = thc::private_stream(device);
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
