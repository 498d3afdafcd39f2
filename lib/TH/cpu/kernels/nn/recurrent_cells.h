// One step of recurrent layers, element by element.
#pragma once

#include <cstdint>

namespace th::cpu {

/// Rows of H features, all operands without gaps. Null: zeros.
template <class T>
struct RecurrentCellsRow {
  /// gates 4H: i, f, g, o
  void (*lstm)(int64_t H, T* gates, const T* c0, T* c, T* h);
  void (*lstm_backward)(int64_t H, const T* gates, const T* c0, const T* c, const T* gh,
                        const T* carried, T* gc, T* r);
  /// gates 3H: r, z, n
  void (*gru)(int64_t H, T* gates, const T* hidden, const T* h0, T* h);
  void (*gru_backward)(int64_t H, const T* gates, const T* hidden, const T* h0, const T* gh,
                       const T* carried, T* r, T* ghidden, T* gh0);
  /// [0]: tanh, [1]: max(x, 0)
  void (*rnn[2])(int64_t H, const T* gates, T* h);
  void (*rnn_backward[2])(int64_t H, const T* h, const T* gh, const T* carried, T* r);
};

struct RecurrentCellsKernels {
  RecurrentCellsRow<float> of_float;
  RecurrentCellsRow<double> of_double;

  template <class T>
  const RecurrentCellsRow<T>& row() const {
    if constexpr (sizeof(T) == sizeof(float)) {
      return of_float;
    } else {
      return of_double;
    }
  }
};

#ifdef __x86_64__
namespace v2 {
void fill(RecurrentCellsKernels&);
}
namespace v3 {
void fill(RecurrentCellsKernels&);
}
namespace v4 {
void fill(RecurrentCellsKernels&);
}
#else
namespace generic {
void fill(RecurrentCellsKernels&);
}
#endif

}  // namespace th::cpu
