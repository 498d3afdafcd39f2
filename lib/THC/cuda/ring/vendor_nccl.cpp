// Rings of devices by NCCL.
#include <cstring>

#include "THC.h"
#include "core/check.h"
#include "core/device.h"
#include "core/memory/room.h"
#include "core/tensor/dtype.h"
#include "core/vendor/library.h"
#include "core/vendor/ring.h"

namespace thc {
namespace {

// What is used of nccl.h (2.x), which need not be installed. Enumerations are ints there.
struct UniqueId {
  char internal[RING_ID_BYTES];
};
using Comm = struct ncclComm*;
constexpr int SUCCESS = 0;
constexpr int REDUCTIONS[] = {0, 1, 3, 2};  // sum, product, min, max

struct Nccl {
  Library library{"libnccl.so.2", "libnccl.so"};
  int (*version)(int*);
  int (*unique_id)(UniqueId*);
  int (*init)(Comm*, int, UniqueId, int);
  const char* (*text)(int);
  int (*broadcast)(const void*, void*, size_t, int, int, Comm, cudaStream_t);
  int (*all_reduce)(const void*, void*, size_t, int, int, Comm, cudaStream_t);
  int (*reduce_scatter)(const void*, void*, size_t, int, int, Comm, cudaStream_t);
  int (*all_gather)(const void*, void*, size_t, int, Comm, cudaStream_t);

  Nccl() {
    TH_CHECK(library.is_open(),
             "NCCL is not installed (NVIDIA's package libnccl2, or libnccl.so.2 on "
             "LD_LIBRARY_PATH): ",
             library.error());
    const bool whole =
        library.find(version, "ncclGetVersion") && library.find(unique_id, "ncclGetUniqueId") &&
        library.find(init, "ncclCommInitRank") && library.find(text, "ncclGetErrorString") &&
        library.find(broadcast, "ncclBroadcast") && library.find(all_reduce, "ncclAllReduce") &&
        library.find(reduce_scatter, "ncclReduceScatter") &&
        library.find(all_gather, "ncclAllGather");
    TH_CHECK(whole, "this NCCL lacks functions of version 2; install version 2.10 or later");
  }
};

Nccl& nccl() {
  static Nccl library;
  return library;
}

void check(int status, const char* call) {
  if (status != SUCCESS) {
    throw_device_fault(call);  // NCCL calls it an unhandled error
    th::fail(call, ": ", nccl().text(status),
             "; with NCCL_DEBUG=INFO in the environment it says more");
  }
}

int type_of(int dtype) {
  switch (dtype) {
    case TH_CHAR:
      return 0;
    case TH_BYTE:
      return 1;
    case TH_INT:
      return 2;
    case TH_LONG:
      return 4;
    case TH_HALF:
      return 6;
    case TH_FLOAT:
      return 7;
    case TH_DOUBLE:
      return 8;
    case TH_BFLOAT16:
      return 9;
    default:
      th::fail("NCCL has no ", th::class_name(dtype), "Tensor");
  }
}

class NcclRing : public Ring {
 public:
  NcclRing(const std::string& text, int device, int rank, int size) : device_(device) {
    UniqueId id;
    std::memcpy(id.internal, text.data(), sizeof id.internal);
    activate(device_);
    make_room();  // for NCCL's buffers: a rank that finds no memory cannot try again by itself
    check(nccl().init(&comm_, size, id, rank), "ncclCommInitRank");
  }
  NcclRing(const NcclRing&) = delete;
  // Rings are closed with the process, which gives all back: ncclCommDestroy would wait for the
  // other ranks of the machine, and in a process that fails they do not come.
  ~NcclRing() override = default;

  int device() const override { return device_; }

  void enqueue(const RingCall& call, cudaStream_t stream) override {
    activate(device_);
    const auto count = static_cast<size_t>(call.count);
    const int type = type_of(call.dtype);
    const int op = REDUCTIONS[call.reduction];
    switch (call.kind) {
      case THC_RING_BROADCAST:
        return check(nccl().broadcast(call.in, call.out, count, type, call.root, comm_, stream),
                     "ncclBroadcast");
      case THC_RING_ALL_REDUCE:
        return check(nccl().all_reduce(call.in, call.out, count, type, op, comm_, stream),
                     "ncclAllReduce");
      case THC_RING_REDUCE_SCATTER:
        return check(nccl().reduce_scatter(call.in, call.out, count, type, op, comm_, stream),
                     "ncclReduceScatter");
      default:
        return check(nccl().all_gather(call.in, call.out, count, type, comm_, stream),
                     "ncclAllGather");
    }
  }

 private:
  int device_;
  Comm comm_ = nullptr;
};

}  // namespace

std::string new_ring_id() {
  UniqueId id;
  check(nccl().unique_id(&id), "ncclGetUniqueId");
  return {id.internal, sizeof id.internal};
}

std::unique_ptr<Ring> open_ring(const std::string& id, int device, int rank, int size) {
  return std::make_unique<NcclRing>(id, device, rank, size);
}

int nccl_version() {
  int version = 0;
  check(nccl().version(&version), "ncclGetVersion");
  return version;
}

}  // namespace thc
