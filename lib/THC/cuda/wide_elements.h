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
    if constexpr (std::is_integral_v<W>) {
      switch (dtype) {
        case TH_BYTE:
          return as<uint8_t>()[offset];
        case TH_CHAR:
          return as<int8_t>()[offset];
        case TH_SHORT:
          return as<int16_t>()[offset];
        case TH_INT:
          return as<int32_t>()[offset];
        default:
          return as<int64_t>()[offset];
      }
    } else {
      switch (dtype) {
        case TH_HALF:
          return Half::to_float(as<uint16_t>()[offset]);
        case TH_BFLOAT16:
          return BFloat16::to_float(as<uint16_t>()[offset]);
        case TH_FLOAT:
          return as<float>()[offset];
        default:
          return as<double>()[offset];
      }
    }
  }

  /// To any type, whatever W is, as a C cast would.
  TH_HD void store(int64_t offset, W value) const {
    switch (dtype) {
      case TH_BYTE:
        as<uint8_t>()[offset] = convert<uint8_t>(value);
        return;
      case TH_CHAR:
        as<int8_t>()[offset] = convert<int8_t>(value);
        return;
      case TH_SHORT:
        as<int16_t>()[offset] = convert<int16_t>(value);
        return;
      case TH_INT:
        as<int32_t>()[offset] = convert<int32_t>(value);
        return;
      case TH_LONG:
        as<int64_t>()[offset] = convert<int64_t>(value);
        return;
      case TH_HALF:
        as<Half>()[offset] = convert<Half>(value);
        return;
      case TH_BFLOAT16:
        as<BFloat16>()[offset] = convert<BFloat16>(value);
        return;
      case TH_FLOAT:
        as<float>()[offset] = convert<float>(value);
        return;
      default:
        as<double>()[offset] = convert<double>(value);
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
