#include "cpu/linalg/bfloat16_pairs.h"

#include <algorithm>
#include <cstdint>

#include "core/tensor/dtype.h"
#include "cpu/kernels/linalg/dense_gemm.h"
#include "cpu/parallel.h"

namespace th::cpu {
namespace {

bool even(int64_t n) { return n % 2 == 0; }

/// Whether a line's pairs are floats of a matrix as it lies.
bool readable(const MatrixView& m) {
  return m.column_step == 1 && even(m.columns) && even(m.tensor->offset) &&
         reinterpret_cast<uintptr_t>(bytes(*m.tensor)) % alignof(float) == 0 &&
         (m.rows == 1 || (even(m.row_step) && m.row_step >= m.columns)) &&
         (m.batches == 1 || even(m.batch_step));
}

void copy_line(const uint16_t* from, int64_t n, float* to) {
  auto* halves = reinterpret_cast<uint16_t*>(to);
  std::copy_n(from, n, halves);
  if (!even(n)) {
    halves[n] = 0;
  }
}

}  // namespace

BFloat16Pairs::BFloat16Pairs(const MatrixView& m, Operand operand) {
  const bool turn = operand == Operand::B;
  if (m.row_step == 1 || m.column_step == 1) {
    of_lines(turn ? turned(m) : m);
  } else {
    const Tensor copy = contiguous(*m.tensor);
    const MatrixView dense = {&copy,     m.batches, m.rows, m.columns, m.rows * m.columns,
                              m.columns, 1};
    of_lines(turn ? turned(dense) : dense);
  }
  if (turn) {
    view_ = turned(view_);
  }
}

/// Sums run along m's rows.
void BFloat16Pairs::of_lines(const MatrixView& m) {
  if (readable(m)) {
    pairs_ = Tensor(*m.tensor);
    pairs_.dtype = TH_FLOAT;
    pairs_.offset /= 2;
    view_ = {&pairs_, m.batches, m.rows, m.columns / 2, m.batch_step / 2, m.row_step / 2, 1};
    return;
  }
  const int64_t count = (m.columns + 1) / 2;
  const int64_t each = m.rows * count;
  const int64_t sizes[] = {m.batches * each};
  pairs_ = Tensor::like(*m.tensor, TH_FLOAT, sizes);
  float* const to = data<float>(pairs_);
  const auto* const from = data<uint16_t>(*m.tensor);
  if (m.column_step == 1) {
    view_ = {&pairs_, m.batches, m.rows, count, each, count, 1};
    parallel_items(m.batches * m.rows, m.columns, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        copy_line(from + i / m.rows * m.batch_step + i % m.rows * m.row_step, m.columns,
                  to + i * count);
      }
    });
    return;
  }
  view_ = {&pairs_, m.batches, m.rows, count, each, 1, m.rows};
  const auto pair_up = dense_gemm_kernels().pair_up;
  parallel_items(m.batches * count, m.rows, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t column = i % count * 2;
      const uint16_t* first = from + i / count * m.batch_step + column * m.column_step;
      pair_up(m.rows, first, column + 1 < m.columns ? first + m.column_step : nullptr,
              to + i * m.rows);
    }
  });
}

}  // namespace th::cpu
