#include "cpu/elementwise.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <utility>

#include "core/memory/storage.h"
#include "core/tensor/aliasing.h"
#include "core/tensor/dimensions.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "cpu/parallel.h"
#include "cpu/past_caches.h"

namespace th::cpu {
namespace {

/// Elements per block: four operands of doubles fit into a first-level cache of 32 KiB.
constexpr int64_t kBlock = 1024;
/// Shorter contiguous runs are cheaper to gather than to visit one by one.
constexpr int64_t kMinRun = 64;

/// A tensor's elements in row-major order, with neighbouring dimensions joined where they can be.
struct Strided {
  char* base;
  int64_t element;  // bytes
  int ndim = 0;
  int64_t sizes[TH_MAX_DIMS];
  int64_t strides[TH_MAX_DIMS];  // in elements
  int dtype;
  int kernel_dtype;

  explicit Strided(const Operand& operand)
      : base(bytes(*operand.tensor)),
        element(element_size(operand.tensor->dtype)),
        dtype(operand.tensor->dtype),
        kernel_dtype(operand.dtype) {
    const TH_Tensor& t = *operand.tensor;
    for (int d = 0; d < t.ndim; ++d) {
      join_dimension(ndim, sizes, t.sizes[d], Steps{strides, t.strides[d]});
    }
    if (ndim == 0) {
      sizes[0] = 1;
      strides[0] = 1;
      ndim = 1;
    }
  }

  bool converts() const { return dtype != kernel_dtype; }
  bool contiguous() const { return ndim == 1 && strides[0] == 1; }
  /// Whether blocks can be used where they lie, in runs worth a kernel call.
  bool direct() const {
    return !converts() && strides[ndim - 1] == 1 && (ndim == 1 || sizes[ndim - 1] >= kMinRun);
  }
};

/// A place in a Strided.
class Cursor {
 public:
  Cursor(const Strided& strided, int64_t position) : strided_(strided) {
    if (position == 0) {  // divisions would take longer than all the rest for a small tensor
      std::fill_n(index_, strided.ndim, int64_t{0});
      return;
    }
    for (int d = strided.ndim - 1; d >= 0; --d) {
      index_[d] = position % strided.sizes[d];
      position /= strided.sizes[d];
      offset_ += index_[d] * strided.strides[d];
    }
  }

  char* address() const { return strided_.base + offset_ * strided_.element; }
  /// Elements left in the innermost dimension.
  int64_t run() const { return strided_.sizes[strided_.ndim - 1] - index_[strided_.ndim - 1]; }

  /// Go on by n <= run() elements.
  void advance(int64_t n) {
    int d = strided_.ndim - 1;
    index_[d] += n;
    offset_ += n * strided_.strides[d];
    while (index_[d] == strided_.sizes[d] && d > 0) {
      offset_ -= strided_.sizes[d] * strided_.strides[d];
      index_[d] = 0;
      --d;
      ++index_[d];
      offset_ += strided_.strides[d];
    }
  }

 private:
  const Strided& strided_;
  int64_t index_[TH_MAX_DIMS];
  int64_t offset_ = 0;
};

/// Moves blocks between a tensor and the buffers that a kernel sees.
class Port {
 public:
  Port(const Strided& strided, int64_t position)
      : strided_(strided),
        cursor_(strided, position),
        direct_(strided.direct()),
        size_log2_(std::countr_zero(static_cast<uint64_t>(strided.element))) {}

  /// The longest block that can be asked for next.
  int64_t limit() const {
    return direct_ ? (strided_.ndim == 1 ? INT64_MAX : cursor_.run()) : kBlock;
  }

  /// The next n elements, to be read; moves on.
  void* read(int64_t n) {
    if (direct_) {
      return skip(n);
    }
    const auto& k = convert_kernels();
    if (!strided_.converts()) {
      gather(kernel_buffer_, n);
      return kernel_buffer_;
    }
    const void* raw = raw_buffer_;
    if (strided_.contiguous()) {
      raw = skip(n);
    } else {
      gather(raw_buffer_, n);
    }
    k.convert[strided_.dtype][strided_.kernel_dtype](kernel_buffer_, raw, n);
    return kernel_buffer_;
  }

  /// Where the kernel may write the next n elements. They reach the tensor with commit(n).
  void* write() { return direct_ ? cursor_.address() : kernel_buffer_; }

  void commit(int64_t n) {
    if (direct_) {
      skip(n);
      return;
    }
    const auto& k = convert_kernels();
    const char* raw = kernel_buffer_;
    if (strided_.converts()) {
      const bool in_place = strided_.contiguous();
      void* to = in_place ? cursor_.address() : raw_buffer_;
      k.convert[strided_.kernel_dtype][strided_.dtype](to, kernel_buffer_, n);
      if (in_place) {
        skip(n);
        return;
      }
      raw = raw_buffer_;
    }
    const int64_t stride = strided_.strides[strided_.ndim - 1];
    while (n > 0) {
      const int64_t run = std::min(n, cursor_.run());
      k.scatter[size_log2_](cursor_.address(), stride, raw, run);
      cursor_.advance(run);
      raw += run * strided_.element;
      n -= run;
    }
  }

 private:
  void* skip(int64_t n) {
    void* here = cursor_.address();
    cursor_.advance(n);
    return here;
  }

  void gather(char* to, int64_t n) {
    const auto& k = convert_kernels();
    const int64_t stride = strided_.strides[strided_.ndim - 1];
    while (n > 0) {
      const int64_t run = std::min(n, cursor_.run());
      if (stride == 0) {
        k.repeat[size_log2_](to, cursor_.address(), run);
      } else {
        k.gather[size_log2_](to, cursor_.address(), stride, run);
      }
      cursor_.advance(run);
      to += run * strided_.element;
      n -= run;
    }
  }

  const Strided& strided_;
  Cursor cursor_;
  bool direct_;
  int size_log2_;
  alignas(64) char kernel_buffer_[kBlock * 8];
  alignas(64) char raw_buffer_[kBlock * 8];
};

/// Blocks of [begin, end), by one thread. The ports' buffers live on its stack.
template <int Count>
void run_range(Kernel kernel, const Strided* all, const double* scalars, int64_t begin,
               int64_t end) {
  [&]<size_t... I>(std::index_sequence<I...>) {
    Port ports[] = {Port(all[I], begin)...};
    for (int64_t position = begin; position < end;) {
      const int64_t n = std::min({end - position, ports[I].limit()...});
      void* pointers[Count];
      ((I > 0 ? void(pointers[I] = ports[I].read(n)) : void()), ...);
      pointers[0] = ports[0].write();
      kernel(pointers, n, scalars);
      ports[0].commit(n);
      position += n;
    }
  }
  (std::make_index_sequence<Count>{});
}

/// Operands of any strides and types.
template <int Count>
void run(Kernel kernel, const Operand* operands, const double* scalars, int64_t n, int64_t grain) {
  [&]<size_t... I>(std::index_sequence<I...>) {
    const Strided all[] = {Strided(operands[I])...};
    parallel_for(n, grain, [&](int64_t begin, int64_t end) {
      run_range<Count>(kernel, all, scalars, begin, end);
    });
  }
  (std::make_index_sequence<Count>{});
}

/// run_range() for elementwise_in_place(): a second port carries back what a first one gathered.
template <int Count>
void run_range_in_place(Kernel kernel, const Strided* all, const double* scalars, int64_t begin,
                        int64_t end) {
  [&]<size_t... I>(std::index_sequence<I...>) {
    Port from[] = {Port(all[I], begin)...};
    Port to[] = {Port(all[I], begin)...};
    for (int64_t position = begin; position < end;) {
      const int64_t n = std::min({end - position, from[I].limit()...});
      void* pointers[] = {from[I].read(n)...};
      kernel(pointers, n, scalars);
      const auto carry_back = [&](size_t k) {
        if (void* place = to[k].write(); place != pointers[k]) {
          std::memcpy(place, pointers[k],
                      static_cast<size_t>(n * element_size(all[k].kernel_dtype)));
        }
        to[k].commit(n);
      };
      ((I != 1 ? carry_back(I) : void()), ...);
      position += n;
    }
  }
  (std::make_index_sequence<Count>{});
}

template <int Count>
void run_in_place(Kernel kernel, const Operand* operands, const double* scalars, int64_t n,
                  int64_t grain) {
  [&]<size_t... I>(std::index_sequence<I...>) {
    const Strided all[] = {Strided(operands[I])...};
    parallel_for(n, grain, [&](int64_t begin, int64_t end) {
      run_range_in_place<Count>(kernel, all, scalars, begin, end);
    });
  }
  (std::make_index_sequence<Count>{});
}

using Run = void (*)(Kernel, const Operand*, const double*, int64_t, int64_t);
constexpr Run kRuns[] = {nullptr, run<1>, run<2>, run<3>, run<4>, run<5>};
static_assert(std::size(kRuns) == kMaxOperands + 1);
constexpr Run kRunsInPlace[] = {nullptr,         nullptr,         run_in_place<2>,
                                run_in_place<3>, run_in_place<4>, run_in_place<5>};
static_assert(std::size(kRunsInPlace) == kMaxOperands + 1);

/// Whether the kernel can take all operands as they lie.
bool is_plain(const Operand* operands, int count) {
  bool plain = true;
  for (int i = 0; i < count; ++i) {
    const TH_Tensor& t = *operands[i].tensor;
    plain = plain && t.dtype == operands[i].dtype && is_contiguous(t);
  }
  return plain;
}

void run_plain(Kernel kernel, const Operand* operands, int count, const double* scalars, int64_t n,
               int64_t grain) {
  parallel_for(n, grain, [&](int64_t begin, int64_t end) {
    void* pointers[kMaxOperands];
    for (int i = 0; i < count; ++i) {
      const TH_Tensor& t = *operands[i].tensor;
      pointers[i] = bytes(t) + begin * element_size(t.dtype);
    }
    kernel(pointers, end - begin, scalars);
  });
}

/// Whether writing the result could change an operand at another position. Says yes too often, but
/// costs small operations nothing.
bool may_displace(const Operand* operands, int count, bool plain, int64_t n) {
  const TH_Tensor& r = *operands[0].tensor;
  const char* const first = bytes(r);
  const int64_t size = element_size(r.dtype);
  bool may = false;
  for (int i = 1; i < count; ++i) {
    const TH_Tensor& t = *operands[i].tensor;
    if (plain) {
      const int64_t t_size = element_size(t.dtype);
      const int64_t distance = bytes(t) - first;
      may = may ||
            (distance < n * size && -distance < n * t_size && (distance != 0 || t_size != size));
    } else {
      may = may || !apart(*r.store, *t.store);
    }
  }
  return may;
}

/// As elementwise(), with a copy of the first operand whose elements the result would change before
/// they are read. False if there is none.
[[gnu::noinline, gnu::cold]] bool copy_displaced(Kernel kernel, const Operand* operands, int count,
                                                 const double* scalars, int cost) {
  for (int i = 1; i < count; ++i) {
    if (displaces(*operands[0].tensor, *operands[i].tensor)) {
      const Tensor apart = clone(*operands[i].tensor);
      Operand safe[kMaxOperands];
      std::copy_n(operands, count, safe);
      safe[i].tensor = &apart;
      elementwise(kernel, safe, count, scalars, cost);
      return true;
    }
  }
  return false;
}

}  // namespace

void elementwise(Kernel kernel, const Operand* operands, int count, const double* scalars,
                 int cost) {
  const int64_t n = numel(*operands[0].tensor);
  if (n == 0) {
    return;
  }
  const bool plain = is_plain(operands, count);
  if (may_displace(operands, count, plain, n) &&
      copy_displaced(kernel, operands, count, scalars, cost)) [[unlikely]] {
    return;
  }
  const int64_t grain = kGrain / cost;
  if (plain && worth_passing_caches(operands, count, n)) {
    parallel_for(n, grain, [&](int64_t begin, int64_t end) {
      run_past_caches(kernel, operands, count, scalars, begin, end);
    });
    return;
  }
  if (plain) {
    run_plain(kernel, operands, count, scalars, n, grain);
    return;
  }
  kRuns[count](kernel, operands, scalars, n, grain);
}

void elementwise_in_place(Kernel kernel, const Operand* operands, int count, const double* scalars,
                          int cost) {
  const int64_t n = numel(*operands[0].tensor);
  if (n == 0) {
    return;
  }
  const int64_t grain = kGrain / cost;
  // What is written has been read: its lines are in the caches, and leave them by themselves.
  if (is_plain(operands, count)) {
    run_plain(kernel, operands, count, scalars, n, grain);
  } else {
    kRunsInPlace[count](kernel, operands, scalars, n, grain);
  }
}

}  // namespace th::cpu
