#include "cpu/past_caches.h"

#include <algorithm>
#include <cstring>
#include <fstream>

#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"

namespace th::cpu {
namespace {

/// Bytes per operand of a block. So many a core can have under way to memory while it computes the
/// next ones (twice as many cost exp of 1e7 floats a tenth, half as many calls of their own).
constexpr int64_t kStreamBlock = 2048;
/// What the caches are taken to hold at most: hundreds of MiB belong to all cores and guests of a
/// machine. Where 480 were reported, operands of 80 MiB were still found there; from 160 on an
/// operation together with one that reads its result took less time past the caches.
constexpr int64_t kMostKibibytes = 128 * 1024;

}  // namespace

bool exceeds_caches(int64_t bytes) {
  static const int64_t caches = [] {
    // sysconf(_SC_LEVEL3_CACHE_SIZE) adds up the caches of all cores, whoever shares them.
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");  // as in "32768K"
    int64_t kibibytes = 0;
    return std::min(file >> kibibytes ? kibibytes : 32768, kMostKibibytes) * 1024;
  }();
  return bytes > caches;
}

bool worth_passing_caches(int64_t span, void* const* pointers, int results, int count) {
  return exceeds_caches(span) && std::all_of(pointers, pointers + results, [&](void* r) {
           // In place the lines are read in any case.
           return reinterpret_cast<uintptr_t>(r) % 64 == 0 &&
                  std::find(pointers + results, pointers + count, r) == pointers + count;
         });
}

void run_past_caches(Kernel kernel, const Operand* operands, int count, const double* scalars,
                     int64_t begin, int64_t end) {
  alignas(64) char buffer[kStreamBlock];
  const auto store = convert_kernels().past_caches;
  void* pointers[kMaxOperands] = {buffer};
  int64_t sizes[kMaxOperands];
  int64_t widest = 0;
  for (int i = 0; i < count; ++i) {
    const TH_Tensor& t = *operands[i].tensor;
    sizes[i] = element_size(t.dtype);
    widest = std::max(widest, sizes[i]);
    if (i > 0) {
      pointers[i] = bytes(t) + begin * sizes[i];
    }
  }
  const int64_t block = kStreamBlock / widest;
  char* to = bytes(*operands[0].tensor) + begin * sizes[0];
  for (int64_t position = begin; position < end; position += block) {
    const int64_t n = std::min(block, end - position);
    kernel(pointers, n, scalars);
    const int64_t written = n * sizes[0];
    const int64_t whole = written / 64 * 64;
    store(to, buffer, whole);
    if (whole < written) {
      std::memcpy(to + whole, buffer + whole, static_cast<size_t>(written - whole));
    }
    to += written;
    for (int i = 1; i < count; ++i) {
      pointers[i] = static_cast<char*>(pointers[i]) + n * sizes[i];
    }
  }
  convert_kernels().finish_past_caches();
}

void copy_past_caches(char* to, const char* from, int64_t n) {
  const auto& k = convert_kernels();
  const int64_t head = std::min<int64_t>(-reinterpret_cast<intptr_t>(to) & 63, n);
  const int64_t middle = (n - head) / 64 * 64;
  const int64_t tail = head + middle;
  std::memcpy(to, from, static_cast<size_t>(head));
  k.past_caches_from_memory(to + head, from + head, middle);
  std::memcpy(to + tail, from + tail, static_cast<size_t>(n - tail));
  k.finish_past_caches();
}

}  // namespace th::cpu
