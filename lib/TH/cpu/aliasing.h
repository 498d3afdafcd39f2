// Whether a result may be written while an operand is still being read.
#pragma once

#include "core/backend.h"
#include "core/tensor.h"

namespace th::cpu {

/// Whether two tensors lie in one block of memory, so that growing or writing one may change the
/// other. Tensors of different parts of a block count as sharing.
inline bool shares_memory(const TH_Tensor& a, const TH_Tensor& b) {
  const auto block = [](const TH_Tensor& t) {
    auto* s = static_cast<const Storage*>(t.store);
    while (s != nullptr && s->kind == Storage::Kind::View) {
      s = s->base;
    }
    return s;
  };
  return a.store != nullptr && block(a) == block(b);
}

/// t, or a copy of its own when writing `written` would change t.
inline Tensor unaliased(const TH_Tensor& t, const TH_Tensor& written) {
  if (!shares_memory(t, written)) {
    return Tensor(t);
  }
  Tensor copy = Tensor::like(t, t.dtype, sizes_of(t));
  th::copy(copy, t);
  return copy;
}

}  // namespace th::cpu
