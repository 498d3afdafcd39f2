// Matrices of bfloat16 as products of pairs (Gemm::pairs) read them.
#pragma once

#include "core/product.h"

namespace th::cpu {

/// Two elements in each of a float's place, those that a sum meets one after the other; an odd last
/// one has a zero beside it. Rows of A and columns of B have their pairs side by side and are read
/// where they lie if they can be; of other layouts two lines are merged.
class BFloat16Pairs {
 public:
  enum class Operand { A, B };

  BFloat16Pairs(const MatrixView& m, Operand operand);
  /// Of floats; half as many columns (of B: rows) as m has.
  const MatrixView& view() const { return view_; }

 private:
  void of_lines(const MatrixView& m);

  Tensor pairs_;
  MatrixView view_;
};

}  // namespace th::cpu
