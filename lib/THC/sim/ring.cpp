// Rings of simulated devices of several processes: each call's operands are files that all read.
#include "core/vendor/ring.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "THC.h"
#include "sim/on_host.h"

namespace thc {
namespace {

// A rank that does not come ends the call, as a device's fault: NCCL would hang.
constexpr int MOST_NAPS = 30000;
constexpr timespec NAP{0, 1000000};

class FileRing : public Ring {
 public:
  FileRing(const std::string& id, int device, int rank, int size)
      : folder_(id.c_str()), device_(device), rank_(rank), size_(size) {
    mkdir(folder_.c_str(), 0700);
  }
  FileRing(const FileRing&) = delete;
  // The last one out removes the folder: until then another rank may be reading what is there.
  ~FileRing() override {
    const std::ofstream mark(closed(rank_));
    for (int r = 0; r < size_; ++r) {
      if (access(closed(r).c_str(), F_OK) != 0) {
        return;
      }
    }
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  int device() const override { return device_; }

  void enqueue(const RingCall& call, cudaStream_t stream) override {
    const int64_t number = ++last_;
    enqueue_on_host(device_, stream, [this, call, number](const Backend& cpu) {
      const bool shared = call.kind == THC_RING_REDUCE_SCATTER;
      const int64_t count = shared ? call.count * size_ : call.count;
      write(number, call.in, count * element_size(call.dtype));
      finish(cpu, call, number, count);
      unlink(path(number - 1, rank_).c_str());  // all have come here, so nobody reads it
    });
  }

 private:
  std::string path(int64_t number, int rank) const {
    return th::str(folder_, "/", number, "-", rank);
  }
  std::string closed(int rank) const { return th::str(folder_, "/closed-", rank); }

  // There whole or not at all.
  void write(int64_t number, const void* bytes, int64_t length) const {
    const std::string name = path(number, rank_);
    std::ofstream(name + ".part", std::ios::binary).write(static_cast<const char*>(bytes), length);
    std::rename((name + ".part").c_str(), name.c_str());
  }

  std::vector<char> read(int64_t number, int rank, int64_t length) const {
    const std::string name = path(number, rank);
    for (int naps = 0; access(name.c_str(), F_OK) != 0; ++naps) {
      TH_CHECK(naps < MOST_NAPS, "rank ", rank + 1,
               " of a ring of simulated devices does not come");
      nanosleep(&NAP, nullptr);
    }
    std::vector<char> bytes(static_cast<size_t>(length));
    std::ifstream(name, std::ios::binary).read(bytes.data(), length);
    return bytes;
  }

  void finish(const Backend& cpu, const RingCall& call, int64_t number, int64_t count) const {
    const int64_t size = element_size(call.dtype);
    auto* out = static_cast<char*>(call.out);
    for (int r = 0; r < size_; ++r) {
      std::vector<char> bytes = read(number, r, count * size);
      if (count == 0) {
        continue;
      }
      if (call.kind == THC_RING_ALL_GATHER) {
        std::copy(bytes.begin(), bytes.end(), out + r * count * size);
      } else if (call.kind == THC_RING_BROADCAST) {
        if (r == call.root) {
          std::copy(bytes.begin(), bytes.end(), out);
        }
      } else {
        const bool shared = call.kind == THC_RING_REDUCE_SCATTER;
        const char* part = bytes.data() + (shared ? rank_ * call.count * size : 0);
        if (r == 0) {
          std::copy(part, part + call.count * size, out);
        } else {
          combine(cpu, call, out, const_cast<char*>(part));
        }
      }
    }
  }

  static void combine(const Backend& cpu, const RingCall& call, void* r, void* x) {
    View to(call.dtype, r, {call.count}, {1});
    View from(call.dtype, x, {call.count}, {1});
    switch (call.reduction) {
      case THC_RING_SUM:
        return cpu.add_scaled(to.tensor(), to.tensor(), 1, from.tensor());
      case THC_RING_PRODUCT:
        return cpu.cmul(to.tensor(), to.tensor(), from.tensor());
      case THC_RING_MIN:
        return cpu.cmin(to.tensor(), to.tensor(), from.tensor());
      default:
        return cpu.cmax(to.tensor(), to.tensor(), from.tensor());
    }
  }

  std::string folder_;
  int device_, rank_, size_;
  int64_t last_ = 0;
};

}  // namespace

std::string new_ring_id() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  std::string id = th::str("/dev/shm/luatorch-ring-", getpid(), "-", now.tv_sec, now.tv_nsec);
  id.resize(RING_ID_BYTES, '\0');
  return id;
}

std::unique_ptr<Ring> open_ring(const std::string& id, int device, int rank, int size) {
  return std::make_unique<FileRing>(id, device, rank, size);
}

int nccl_version() { return 0; }

}  // namespace thc
