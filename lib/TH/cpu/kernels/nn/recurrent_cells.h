// One step of recurrent layers, element by element.
#pragma once

#include <cstdint>

#include "cpu/kernels/table.h"

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

struct RecurrentCellsKernels : RealKernels<RecurrentCellsRow> {};

TH_KERNEL_TABLE(RecurrentCellsKernels)

const RecurrentCellsKernels& recurrent_cells_kernels();

/// The exponentials of a feature and what is around them, in cheap operations.
inline constexpr int64_t kCellCost = 32;

}  // namespace th::cpu
