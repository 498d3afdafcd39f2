// A ring of devices, one of each process, that combine and exchange tensors. The CUDA build calls
// NCCL, found at run time; the simulated one exchanges files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <cuda_runtime.h>

#include "TH_core.h"

namespace thc {

/// What all ranks enqueue; kinds and reductions are THC_RingKind and THC_RingReduction.
struct RingCall {
  int kind;
  int reduction;
  int root;
  int dtype;
  int64_t count;  ///< elements of one rank's part
  const void* in;
  void* out;
};

class Ring {
 public:
  virtual ~Ring() = default;
  virtual void enqueue(const RingCall& call, cudaStream_t stream) = 0;
  virtual int device() const = 0;
};

constexpr size_t RING_ID_BYTES = 128;

/// What one rank makes and the others are told.
std::string new_ring_id();
/// All ranks call it at the same time.
std::unique_ptr<Ring> open_ring(const std::string& id, int device, int rank, int size);
/// 22803 is NCCL 2.28.3. Throws with cause and remedy when it is missing.
int nccl_version();

}  // namespace thc
