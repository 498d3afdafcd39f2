// Reading by several threads: memory that was never used is cleared page by page as it is read
// into, and copying into memory beyond the caches is more than one thread does at the memory's
// speed.
#include <algorithm>
#include <atomic>
#include <cerrno>

#include <unistd.h>

#include "TH_file.h"
#include "core/runtime/error.h"
#include "core/runtime/interrupt.h"
#include "core/runtime/threads.h"

namespace th {
namespace {

constexpr int64_t kSlice = int64_t(4) << 20;  // what a thread takes at a time

struct Range {
  int descriptor;
  char* to;
  int64_t at, bytes;

  /// As read(2) from a place in the range: what was read, 0 at the file's end, -1 with errno.
  ssize_t read(int64_t from, int64_t most) const {
    ssize_t got;
    do {
      got = pread(descriptor, to + from, size_t(most), off_t(at + from));
    } while (got < 0 && errno == EINTR);
    return got;
  }
};

/// Slices, until one is not there whole. Returns the bytes before the first such.
int64_t read_slices(const Range& range) {
  std::atomic<int64_t> next = 0, end = range.bytes;
  auto work = [&] {
    while (true) {
      const int64_t from = next.fetch_add(kSlice);
      const int64_t to = std::min(from + kSlice, range.bytes);
      if (from >= end) {
        return;
      }
      int64_t done = from;
      ssize_t got = 1;
      while (done < to && got > 0) {
        if (interrupt::asked()) {
          interrupt::left_undone();
          return;
        }
        got = range.read(done, to - done);
        done += std::max<ssize_t>(got, 0);
      }
      int64_t before = end;
      while (done < to && done < before && !end.compare_exchange_weak(before, done)) {
      }
    }
  };
  const int64_t slices = (range.bytes + kSlice - 1) / kSlice;
  threads::run(
      std::min<int64_t>(slices, threads::share()),
      [](void* context, int64_t) { (*static_cast<decltype(work)*>(context))(); }, &work);
  return end;
}

}  // namespace
}  // namespace th

int TH_readFile(int descriptor, void* to, int64_t at, int64_t bytes, int64_t* got, int* reason) {
  return th::guarded("read", [&] {
    const th::Range range{descriptor, static_cast<char*>(to), at, bytes};
    *reason = 0;
    *got = bytes >= 2 * th::kSlice ? th::read_slices(range) : 0;
    // What is missing was not there when a thread looked, or is little.
    while (*got < bytes) {
      const ssize_t more = range.read(*got, bytes - *got);
      if (more <= 0) {
        *reason = more < 0 ? errno : 0;
        return;
      }
      *got += more;
    }
  });
}
