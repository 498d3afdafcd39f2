// Memory before and behind which nothing may be read or written.
#pragma once

#include <cstdint>
#include <span>

#include <sys/mman.h>
#include <unistd.h>

namespace th::test {

/// n elements that end where a page begins that nobody may touch, or begin where such a page ends.
template <class T>
class Guarded {
 public:
  enum Side { Behind, Before };

  explicit Guarded(int64_t n, Side side = Behind) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t bytes = static_cast<size_t>(n) * sizeof(T);
    const size_t inner = (bytes + page - 1) / page * page;
    size_ = inner + 2 * page;
    memory_ = mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char* const first = static_cast<char*>(memory_) + page;
    mprotect(first, inner, PROT_READ | PROT_WRITE);
    data_ = reinterpret_cast<T*>(side == Behind ? first + inner - bytes : first);
    count_ = static_cast<size_t>(n);
  }
  Guarded(const Guarded&) = delete;
  ~Guarded() { munmap(memory_, size_); }

  T* data() const { return data_; }
  std::span<T> span() const { return {data_, count_}; }

 private:
  void* memory_;
  size_t size_, count_;
  T* data_;
};

}  // namespace th::test
