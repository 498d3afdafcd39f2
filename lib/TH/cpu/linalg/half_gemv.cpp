#include "cpu/linalg/half_gemv.h"

#include <algorithm>

#include "core/tensor/dtype.h"
#include "cpu/kernels/kernels.h"
#include "cpu/kernels/linalg/gemv.h"
#include "cpu/parallel.h"
#include "cpu/work_buffers.h"

namespace th::cpu {
namespace {

/// Lines that are widened at a time. The kernels add up in groups of them: the same for any number
/// of threads.
constexpr int64_t kLines = 16;
/// The most elements of a line at a time, where they have sums of their own.
constexpr int64_t kColumns = 1024;

class Lines {
 public:
  Lines(const Product& p, int64_t step)
      : first_(data<uint16_t>(*p.a.tensor)),
        step_(step),
        convert_(convert_kernels().convert[p.dtype()][TH_FLOAT]) {}

  /// The elements [begin, end) of some lines, without gaps.
  void widen(int64_t line, int64_t count, int64_t begin, int64_t end, float* to) const {
    for (int64_t i = 0; i < count; ++i) {
      convert_(to + i * (end - begin), first_ + (line + i) * step_ + begin, end - begin);
    }
  }

 private:
  const uint16_t* first_;
  int64_t step_;
  void (*convert_)(void* to, const void* from, int64_t n);
};

}  // namespace

void halves_by_vector(const Product& p, const MatrixLayout& layout, const float* x, float* y) {
  const Lines lines(p, layout.row);
  const GemvRow<float>& kernels = gemv_kernels().row<float>();
  const auto alpha = static_cast<float>(p.alpha), beta = static_cast<float>(p.beta);
  const int64_t m = p.m(), k = p.k();
  if (!layout.transposed) {
    const Buffers<float> buffers(threads::share(), kLines * k);
    parallel_items((m + kLines - 1) / kLines, kLines * k, [&](int64_t first, int64_t last) {
      float* const some = buffers[threads::part()];
      for (int64_t i = first * kLines; i < std::min(m, last * kLines); i += kLines) {
        const int64_t count = std::min(kLines, m - i);
        lines.widen(i, count, 0, k, some);
        kernels.rows_by_vector(count, k, alpha, some, k, x, beta, y + i, 1);
      }
    });
    return;
  }
  const Buffers<float> buffers(threads::share(), kLines * kColumns);
  parallel_for(m, std::max<int64_t>(kGrain / std::max<int64_t>(k, 1), 1),
               [&](int64_t first, int64_t last) {
                 float* const some = buffers[threads::part()];
                 for (int64_t j = first; j < last; j += kColumns) {
                   const int64_t end = std::min(last, j + kColumns);
                   for (int64_t i = 0; i < k; i += kLines) {
                     const int64_t count = std::min(kLines, k - i);
                     lines.widen(i, count, j, end, some);
                     kernels.vector_by_rows(count, end - j, alpha, some, end - j, x + i,
                                            i == 0 ? beta : 1.f, y + j);
                   }
                 }
               });
}

}  // namespace th::cpu
