#include "cpu/elementwise.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "core/memory/storage.h"
#include "core/tensor/aliasing.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "cpu/blocks.h"
#include "cpu/parallel.h"
#include "cpu/past_caches.h"

namespace th::cpu {
namespace {

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

/// Whether plain operands' result is better written past the caches.
bool passes_caches(const Operand* operands, int count, int64_t n) {
  void* pointers[kMaxOperands];
  int64_t span = 0;
  for (int i = 0; i < count; ++i) {
    const TH_Tensor& t = *operands[i].tensor;
    pointers[i] = bytes(t);
    span += n * element_size(t.dtype);
  }
  return worth_passing_caches(span, pointers, 1, count);
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
  // One thread that computes long leaves memory the time to read the result's lines.
  const bool reads_aside = cost > 1 && threads::share() == 1;
  if (plain && !reads_aside && passes_caches(operands, count, n)) {
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
