// Where sums of products go.
#pragma once

namespace th::cpu::TH_ISA {
namespace {

/// c = beta c + alpha value; beta == 0 does not read c.
template <class T>
[[gnu::always_inline]] inline void put(T* c, T alpha, T value, T beta) {
  *c = beta == 0 ? alpha * value : beta * *c + alpha * value;
}

}  // namespace
}  // namespace th::cpu::TH_ISA
