// Products of vectors and matrices: checks, layouts, and a routine for each type.
#include <algorithm>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "core/checks_blas.h"
#include "core/dtype.h"
#include "core/tensor.h"
#include "cpu/blas_operands.h"
#include "cpu/fill_backend.h"
#include "cpu/gemm.h"
#include "cpu/kernels/gemv.h"
#include "cpu/kernels/integer_gemm.h"
#include "cpu/parallel.h"
#include "cpu/select.h"

namespace th::cpu {
namespace {

const IntegerGemmKernels& integer_gemm_kernels() {
  static const IntegerGemmKernels table = select_kernels<IntegerGemmKernels>();
  return table;
}

/// Integers: r = beta r + alpha A B for each of `batches`, or summed over them.
void integer_product(TH_Tensor& r,
                     double beta,
                     double alpha,
                     const TH_Tensor& x,
                     const TH_Tensor& y,
                     const ProductSizes& s,
                     bool summed) {
  const auto [batches, m, k, n] = s;
  const IntegerGemmRow& kernels = integer_gemm_kernels().by_dtype[r.dtype];
  const Tensor a = contiguous(x);
  const Tensor b = contiguous(y);
  const int64_t element = element_size(r.dtype);
  const int64_t results = summed ? 1 : batches;
  const int64_t sizes[] = {results * m * n};
  Tensor product = Tensor::like(r, r.dtype, sizes);
  Tensor old = contiguous(r);
  const bool direct = is_contiguous(r);
  std::fill_n(bytes(product), static_cast<size_t>(results * m * n * element), char(0));
  parallel_items(results * m,
                 batches / results * n * k,
                 [&, batches = batches, m = m, k = k, n = n](int64_t begin, int64_t end) {
                   for (int64_t row = begin; row < end;) {
                     const int64_t batch = row / m;
                     const int64_t first = row % m;
                     const int64_t count = std::min(end - row, m - first);
                     for (int64_t p = batch; p < (summed ? batches : batch + 1); ++p) {
                       kernels.gemm(count,
                                    n,
                                    k,
                                    bytes(a) + (p * m + first) * k * element,
                                    bytes(b) + p * k * n * element,
                                    n == 1,
                                    bytes(product) + row * n * element);
                     }
                     row += count;
                   }
                 });
  kernels.scale_add(results * m * n, bytes(old), beta, bytes(old), alpha, bytes(product));
  if (!direct) {
    th::copy(r, old);
  }
}

// --- the operations
// -------------------------------------------------------------------------------

void dot(double* value, const TH_Tensor* x, const TH_Tensor* y) {
  TH_CHECK(x != nullptr && y != nullptr, "an operand is missing");
  check_same_dtype(*x, *y);
  check_same_count(*x, {y});
  const int64_t n = numel(*x);
  if (n == 0) {
    *value = 0;
    return;
  }
  const auto prepared = [](const TH_Tensor& t) {
    if (!is_half(t.dtype)) {
      return contiguous(t);
    }
    Tensor wide = Tensor::like(t, TH_FLOAT, sizes_of(t));
    th::copy(wide, t);
    return wide;
  };
  const Tensor a = prepared(*x);
  const Tensor b = prepared(*y);
  if (is_integral(a.dtype)) {
    *value =
        static_cast<double>(integer_gemm_kernels().by_dtype[a.dtype].dot(n, bytes(a), bytes(b)));
    return;
  }
  RealTypes::dispatch(a.dtype, [&]<class T>() {
    const auto kernel = gemv_kernels().row<T>().dot;
    const T* p = data<T>(a);
    const T* q = data<T>(b);
    // Pieces of a fixed size: the sum does not depend on the number of threads.
    constexpr int64_t piece = kGrain;
    const int64_t pieces = (n + piece - 1) / piece;
    if (pieces == 1) {
      *value = kernel(n, p, q);
      return;
    }
    std::vector<double> sums(static_cast<size_t>(pieces));
    parallel_items(pieces, piece, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        sums[static_cast<size_t>(i)] =
            kernel(std::min(piece, n - i * piece), p + i * piece, q + i * piece);
      }
    });
    double sum = 0;
    for (const double s : sums) {
      sum += s;
    }
    *value = sum;
  });
}

void addmv(TH_Tensor* r,
           double beta,
           const TH_Tensor* t,
           double alpha,
           const TH_Tensor* a,
           const TH_Tensor* x) {
  const ProductSizes s = check_addmv(r, t, a, x);
  produce(r, beta, t, a, x, [&](TH_Tensor& y, const TH_Tensor& matrix, const TH_Tensor& vector) {
    if (is_integral(y.dtype)) {
      integer_product(y, beta, alpha, matrix, vector, s, false);
      return;
    }
    const Matrices am(matrix);
    const Tensor xv = dense_vector(vector);
    RealTypes::dispatch(y.dtype, [&]<class T>() {
      const bool flip = am.layout.transposed;
      gemv<T>(flip,
              flip ? s.k : s.m,
              flip ? s.m : s.k,
              T(alpha),
              am.at<T>(0),
              am.layout.row,
              data<T>(xv),
              T(beta),
              data<T>(y),
              s.m == 1 ? 1 : y.strides[0]);
    });
  });
}

void addmm(TH_Tensor* r,
           double beta,
           const TH_Tensor* t,
           double alpha,
           const TH_Tensor* a,
           const TH_Tensor* b) {
  const ProductSizes s = check_addmm(r, t, a, b);
  produce(r, beta, t, a, b, [&](TH_Tensor& c, const TH_Tensor& x, const TH_Tensor& y) {
    if (is_integral(c.dtype)) {
      integer_product(c, beta, alpha, x, y, s, false);
      return;
    }
    const Matrices am(x);
    const Matrices bm(y);
    Layout layout{};
    find_layout(c, layout);
    RealTypes::dispatch(c.dtype, [&]<class T>() {
      multiply<T>(am, bm, 0, s, T(alpha), T(beta), data<T>(c), layout);
    });
  });
}

void addr(TH_Tensor* r,
          double beta,
          const TH_Tensor* t,
          double alpha,
          const TH_Tensor* x,
          const TH_Tensor* y) {
  const ProductSizes s = check_addr(r, t, x, y);
  produce(r, beta, t, x, y, [&](TH_Tensor& c, const TH_Tensor& u, const TH_Tensor& v) {
    if (is_integral(c.dtype)) {
      integer_product(c, beta, alpha, u, v, s, false);
      return;
    }
    const Tensor uv = dense_vector(u);
    const Tensor vv = dense_vector(v);
    Layout layout{};
    find_layout(c, layout);
    RealTypes::dispatch(c.dtype, [&]<class T>() {
      const auto kernel = gemv_kernels().row<T>().add_scaled;
      const T* rows = data<T>(layout.transposed ? vv : uv);
      const T* columns = data<T>(layout.transposed ? uv : vv);
      const int64_t width = layout.transposed ? s.m : s.n;
      T* out = data<T>(c);
      parallel_items(layout.transposed ? s.n : s.m, width, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          T* row = out + i * layout.row;
          kernel(width, row, T(beta), row, T(alpha) * rows[i], columns);
        }
      });
    });
  });
}

void baddbmm(TH_Tensor* r,
             double beta,
             const TH_Tensor* t,
             double alpha,
             const TH_Tensor* a,
             const TH_Tensor* b) {
  const ProductSizes s = check_baddbmm(r, t, a, b);
  produce(r, beta, t, a, b, [&](TH_Tensor& c, const TH_Tensor& x, const TH_Tensor& y) {
    if (is_integral(c.dtype)) {
      integer_product(c, beta, alpha, x, y, s, false);
      return;
    }
    const Matrices am(x);
    const Matrices bm(y);
    Layout layout{};
    find_layout(c, layout);
    RealTypes::dispatch(c.dtype, [&]<class T>() {
      gemm_ready<T>();
      T* out = data<T>(c);
      std::exception_ptr failure;  // out of memory in a library: it must not leave a thread
      std::mutex failing;
      const auto range = [&](int64_t begin, int64_t end) {
        try {
          for (int64_t p = begin; p < end; ++p) {
            multiply<T>(am, bm, p, s, T(alpha), T(beta), out + p * c.strides[0], layout);
          }
        } catch (...) {
          const std::lock_guard lock(failing);
          failure = std::current_exception();
        }
      };
      // Few large matrices: the threads share each of them.
      const int64_t cost = s.m * s.n * s.k;
      if (cost > 128 * 128 * 128 && s.batches < 4 * omp_get_max_threads()) {
        range(0, s.batches);
      } else {
        parallel_items(s.batches, cost / 8 + s.m * s.n, range);
      }
      if (failure) {
        std::rethrow_exception(failure);
      }
    });
  });
}

void addbmm(TH_Tensor* r,
            double beta,
            const TH_Tensor* t,
            double alpha,
            const TH_Tensor* a,
            const TH_Tensor* b) {
  const ProductSizes s = check_addbmm(r, t, a, b);
  produce(r, beta, t, a, b, [&](TH_Tensor& c, const TH_Tensor& x, const TH_Tensor& y) {
    if (is_integral(c.dtype)) {
      integer_product(c, beta, alpha, x, y, s, true);
      return;
    }
    const Matrices am(x);
    const Matrices bm(y);
    Layout layout{};
    find_layout(c, layout);
    RealTypes::dispatch(c.dtype, [&]<class T>() {
      for (int64_t p = 0; p < s.batches; ++p) {
        multiply<T>(am, bm, p, s, T(alpha), p == 0 ? T(beta) : T(1), data<T>(c), layout);
      }
    });
  });
}

}  // namespace

void fill_blas(Backend& b) {
  b.dot = dot;
  b.addmv = addmv;
  b.addmm = addmm;
  b.addr = addr;
  b.baddbmm = baddbmm;
  b.addbmm = addbmm;
}

}  // namespace th::cpu
