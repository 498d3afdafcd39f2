#include "cpu/linalg/half_gemv.h"

#include <algorithm>

#include "core/tensor/dtype.h"
#include "cpu/kernels/linalg/gemv.h"
#include "cpu/parallel.h"
#include "cpu/widened_parts.h"

namespace th::cpu {
namespace {

/// Lines that are widened at a time. The kernels add up in groups of them: the same for any number
/// of threads.
constexpr int64_t kLines = 16;
/// The most elements of a line at a time: so that all of them stay in a cache.
constexpr int64_t kColumns = 1024;
/// Sums of their own that a thread has side by side, at least: whole cache lines.
constexpr int64_t kSums = 64;

}  // namespace

void halves_by_vector(const Product& p, const MatrixLayout& layout, const float* x, float* y) {
  const auto* const a = data<uint16_t>(*p.a.tensor);
  // The elements [begin, end) of some lines.
  const auto widen_lines = [&](int64_t line, int64_t count, int64_t begin, int64_t end, float* to) {
    widen(p.dtype(), a, {line * layout.row + begin, count, end - begin, layout.row}, to);
  };
  const GemvRow<float>& kernels = gemv_kernels().row<float>();
  const auto alpha = static_cast<float>(p.alpha), beta = static_cast<float>(p.beta);
  const int64_t m = p.m(), k = p.k();
  if (!layout.transposed && p.dtype() == TH_BFLOAT16) {  // a shift makes floats of them
    const auto* rows = data<BFloat16>(*p.a.tensor);
    parallel_items(m, k / 4, [&](int64_t first, int64_t last) {
      gemv_kernels().bfloat16_rows_by_vector(last - first, k, alpha, rows + first * layout.row,
                                             layout.row, x, beta, y + first, 1);
    });
    return;
  }
  if (!layout.transposed) {
    const int64_t items = (m + kLines - 1) / kLines;
    const int64_t each = std::min(m, kLines) * std::min(k, kColumns);
    const BufferedItems<float> groups(items, kLines * k, each);
    groups.run([&](int64_t first, int64_t last, float* some) {
      for (int64_t i = first * kLines; i < std::min(m, last * kLines); i += kLines) {
        const int64_t count = std::min(kLines, m - i);
        for (int64_t j = 0; j < k; j += kColumns) {
          const int64_t end = std::min(k, j + kColumns);
          widen_lines(i, count, j, end, some);
          kernels.rows_by_vector(count, end - j, alpha, some, end - j, x + j, j == 0 ? beta : 1.f,
                                 y + i, 1);
        }
      }
    });
    return;
  }
  const int64_t items = (m + kSums - 1) / kSums;
  const int64_t each = std::min(k, kLines) * std::min(m, kColumns);
  const BufferedItems<float> columns(items, kSums * k, each);
  columns.run([&](int64_t first, int64_t last, float* some) {
    const int64_t stop = std::min(m, last * kSums);
    for (int64_t j = first * kSums; j < stop; j += kColumns) {
      const int64_t end = std::min(stop, j + kColumns);
      for (int64_t i = 0; i < k; i += kLines) {
        const int64_t count = std::min(kLines, k - i);
        widen_lines(i, count, j, end, some);
        kernels.vector_by_rows(count, end - j, alpha, some, end - j, x + i, i == 0 ? beta : 1.f,
                               y + j);
      }
    }
  });
}

}  // namespace th::cpu
