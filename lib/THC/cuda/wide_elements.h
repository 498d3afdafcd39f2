// A tensor's elements as the widest number of their kind, which holds all of them exactly: int64
// for integers, double for floating types. One kernel then serves all types; the switch takes the
// same way in every thread.
#pragma once

#include "cuda/offsets.h"

namespace thc {

/// W: int64_t or double.
template <class W>
struct WideElements {
  char* base;
  int32_t dtype;

  WideElements() = default;
  explicit WideElements(const TH_Tensor& t) : base(th::bytes(t)), dtype(t.dtype) {}

  template <class T>
  TH_HD T* as() const {
    return reinterpret_cast<T*>(base);
  }

  /// By offset in elements.
  TH_HD W load(int64_t offset) const {
    switch (dtype) {
#define TH_DTYPE(TAG, NAME, ELEMENT, C, FIELD, KIND, COMPUTED)                     \
  case TAG:                                                                        \
    if constexpr (std::is_integral_v<ELEMENT> == std::is_integral_v<W>) {          \
      return static_cast<W>(static_cast<Compute<ELEMENT>>(as<ELEMENT>()[offset])); \
    }                                                                              \
    break;
#include "ops/dtypes.def"
#undef TH_DTYPE
      default:
        break;
    }
    return W(0);
  }

  /// To any type, whatever W is, as a C cast would.
  TH_HD void store(int64_t offset, W value) const {
    switch (dtype) {
#define TH_DTYPE(TAG, NAME, ELEMENT, C, FIELD, KIND, COMPUTED) \
  case TAG:                                                    \
    as<ELEMENT>()[offset] = convert<ELEMENT>(value);           \
    return;
#include "ops/dtypes.def"
#undef TH_DTYPE
      default:
        return;
    }
  }
};

/// go<W>() with the wide type of an element type.
template <class F>
void with_wide(int dtype, F&& go) {
  if (is_integral(dtype)) {
    go.template operator()<int64_t>();
  } else {
    go.template operator()<double>();
  }
}

}  // namespace thc
