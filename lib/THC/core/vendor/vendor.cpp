#include "core/vendor/vendor.h"

namespace thc {

VendorOptions& vendor_options() {
  static VendorOptions options;
  return options;
}

VendorCounts& vendor_counts() {
  static VendorCounts counts;
  return counts;
}

bool count_convolution(bool ran) {
  VendorCounts& counts = vendor_counts();
  (ran ? counts.ran : counts.declined).fetch_add(1, std::memory_order_relaxed);
  return ran;
}

void note_vendor_trouble(int status) {
  VendorCounts& counts = vendor_counts();
  counts.troubles.fetch_add(1, std::memory_order_relaxed);
  counts.last_trouble.store(status, std::memory_order_relaxed);
}

const char* mistake_in(const Gemm& g) {
  if (g.m < 0 || g.n < 0 || g.k < 0 || g.batch < 0) {
    return "a size below 0";
  }
  const auto at_least = [](int64_t leading, int64_t rows) {
    return leading >= (rows > 1 ? rows : 1);
  };
  if (!at_least(g.lda, g.transpose_a ? g.k : g.m) || !at_least(g.ldb, g.transpose_b ? g.n : g.k) ||
      !at_least(g.ldc, g.m)) {
    return "a leading dimension below the number of rows";
  }
  if (g.m == 0 || g.n == 0 || g.batch == 0) {
    return nullptr;
  }
  if (g.c == nullptr || (g.k > 0 && (g.a == nullptr || g.b == nullptr))) {
    return "a matrix without memory";
  }
  // Results may lie one after the other, or each one's columns between the others'.
  const bool apart = g.stride_c >= g.ldc * (g.n - 1) + g.m;
  const bool interleaved = g.stride_c >= g.m && g.ldc >= g.stride_c * (g.batch - 1) + g.m;
  return g.batch == 1 || apart || interleaved ? nullptr : "results that overlap";
}

}  // namespace thc
