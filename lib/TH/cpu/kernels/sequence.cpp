// A contraction of first + i * step would change the last bit between instruction sets.
#pragma GCC optimize("fp-contract=off")

#include "cpu/kernels/sequence.h"

#include "functors/sequence.h"

namespace th::cpu::TH_ISA {
namespace {

template <class T, class F>
[[gnu::always_inline]] inline void generate(T* to, int64_t begin, int64_t n, const F& element) {
  // A 32-bit counter: every instruction set can turn several of those into numbers at once.
  constexpr int64_t kBlock = 1024;
  for (; n > 0; n -= kBlock, begin += kBlock, to += kBlock) {
    const auto first = static_cast<double>(begin);
    const int count = static_cast<int>(n < kBlock ? n : kBlock);
    for (int i = 0; i < count; ++i) {
      to[i] = static_cast<T>(element(first + static_cast<double>(i)));
    }
  }
}

template <class T>
void spaced(T* to, int64_t begin, int64_t n, double first, double last, int64_t count) {
  generate(to, begin, n, functors::Spacing(first, last, count));
}

template <class T>
void stepped(T* to, int64_t begin, int64_t n, double first, double step) {
  generate(to, begin, n, functors::Progression{first, step});
}

}  // namespace

void set_kernels(SequenceKernels& table) {
  table.of_float = {spaced<float>, stepped<float>};
  table.of_double = {spaced<double>, stepped<double>};
}

}  // namespace th::cpu::TH_ISA
