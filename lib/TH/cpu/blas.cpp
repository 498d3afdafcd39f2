// Products of vectors and matrices: checks, layouts, and a routine for each type.
#include <algorithm>
#include <array>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

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

/// "[2 x 3]", as Torch7 writes sizes in these errors.
std::string size_text(const TH_Tensor& t) {
  std::string text = "[";
  for (int d = 0; d < t.ndim; ++d) {
    text += str(d > 0 ? " x " : "", t.sizes[d]);
  }
  return text + "]";
}

void check_operands(const TH_Tensor* r,
                    const TH_Tensor* t,
                    const TH_Tensor* x,
                    const TH_Tensor* y) {
  TH_CHECK(r != nullptr && t != nullptr && x != nullptr && y != nullptr, "an operand is missing");
  check_same_dtype(*t, *x);
  check_same_dtype(*t, *y);
  check_same_dtype(*r, *t);
}

/// Integers: r = beta r + alpha A B for each of `batches`, or summed over them.
void integer_product(TH_Tensor& r,
                     double beta,
                     double alpha,
                     const TH_Tensor& x,
                     const TH_Tensor& y,
                     int64_t batches,
                     bool summed,
                     int64_t m,
                     int64_t n,
                     int64_t k) {
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
  parallel_items(results * m, batches / results * n * k, [&](int64_t begin, int64_t end) {
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
  check_operands(r, t, a, x);
  TH_CHECK(a->ndim == 2 && x->ndim == 1,
           "matrix and vector expected, got ",
           a->ndim,
           "D, ",
           x->ndim,
           "D");
  const int64_t m = a->sizes[0];
  const int64_t n = a->sizes[1];
  TH_CHECK(n == x->sizes[0],
           "size mismatch, m: ",
           size_text(*a),
           ", v: ",
           size_text(*x),
           "; the columns of m (",
           n,
           ") must equal the elements of v (",
           x->sizes[0],
           ")");
  TH_CHECK(t->ndim == 1 && t->sizes[0] == m,
           "size mismatch, t: ",
           size_text(*t),
           ", m: ",
           size_text(*a),
           ", v: ",
           size_text(*x),
           "; t must have ",
           m,
           " elements, one for each row of m");
  produce(r, beta, t, a, x, [&](TH_Tensor& y, const TH_Tensor& matrix, const TH_Tensor& vector) {
    if (is_integral(y.dtype)) {
      integer_product(y, beta, alpha, matrix, vector, 1, false, m, 1, n);
      return;
    }
    const Matrices am(matrix);
    const Tensor xv = dense_vector(vector);
    RealTypes::dispatch(y.dtype, [&]<class T>() {
      const bool flip = am.layout.transposed;
      gemv<T>(flip,
              flip ? n : m,
              flip ? m : n,
              T(alpha),
              am.at<T>(0),
              am.layout.row,
              data<T>(xv),
              T(beta),
              data<T>(y),
              m == 1 ? 1 : y.strides[0]);
    });
  });
}

void addmm(TH_Tensor* r,
           double beta,
           const TH_Tensor* t,
           double alpha,
           const TH_Tensor* a,
           const TH_Tensor* b) {
  check_operands(r, t, a, b);
  TH_CHECK(a->ndim == 2 && b->ndim == 2,
           "matrices expected, got ",
           a->ndim,
           "D, ",
           b->ndim,
           "D tensors");
  const int64_t m = a->sizes[0];
  const int64_t k = a->sizes[1];
  const int64_t n = b->sizes[1];
  TH_CHECK(k == b->sizes[0],
           "size mismatch, m1: ",
           size_text(*a),
           ", m2: ",
           size_text(*b),
           "; the columns of m1 (",
           k,
           ") must equal the rows of m2 (",
           b->sizes[0],
           ")");
  TH_CHECK(t->ndim == 2 && t->sizes[0] == m && t->sizes[1] == n,
           "size mismatch, t: ",
           size_text(*t),
           ", m1: ",
           size_text(*a),
           ", m2: ",
           size_text(*b),
           "; t must be [",
           m,
           " x ",
           n,
           "], as m1 times m2 is");
  produce(r, beta, t, a, b, [&](TH_Tensor& c, const TH_Tensor& x, const TH_Tensor& y) {
    if (is_integral(c.dtype)) {
      integer_product(c, beta, alpha, x, y, 1, false, m, n, k);
      return;
    }
    const Matrices am(x);
    const Matrices bm(y);
    Layout layout{};
    find_layout(c, layout);
    RealTypes::dispatch(c.dtype, [&]<class T>() {
      multiply<T>(am, bm, 0, m, n, k, T(alpha), T(beta), data<T>(c), layout);
    });
  });
}

void addr(TH_Tensor* r,
          double beta,
          const TH_Tensor* t,
          double alpha,
          const TH_Tensor* x,
          const TH_Tensor* y) {
  check_operands(r, t, x, y);
  TH_CHECK(x->ndim == 1 && y->ndim == 1,
           "vector and vector expected, got ",
           x->ndim,
           "D, ",
           y->ndim,
           "D tensors");
  const int64_t m = x->sizes[0];
  const int64_t n = y->sizes[0];
  TH_CHECK(t->ndim == 2 && t->sizes[0] == m && t->sizes[1] == n,
           "size mismatch, t: ",
           size_text(*t),
           ", vec1: ",
           size_text(*x),
           ", vec2: ",
           size_text(*y),
           "; t must be [",
           m,
           " x ",
           n,
           "], elements of vec1 by elements of vec2");
  produce(r, beta, t, x, y, [&](TH_Tensor& c, const TH_Tensor& u, const TH_Tensor& v) {
    if (is_integral(c.dtype)) {
      integer_product(c, beta, alpha, u, v, 1, false, m, n, 1);
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
      const int64_t width = layout.transposed ? m : n;
      T* out = data<T>(c);
      parallel_items(layout.transposed ? n : m, width, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          T* row = out + i * layout.row;
          kernel(width, row, T(beta), row, T(alpha) * rows[i], columns);
        }
      });
    });
  });
}

/// What baddbmm and addbmm want of their batches. Returns {batches, m, k, n}.
std::array<int64_t, 4> check_batches(const TH_Tensor& a, const TH_Tensor& b) {
  TH_CHECK(
      a.ndim == 3 && b.ndim == 3, "3D tensors expected, got ", a.ndim, "D, ", b.ndim, "D tensors");
  TH_CHECK(a.sizes[0] == b.sizes[0],
           "equal number of batches expected, got ",
           a.sizes[0],
           ", ",
           b.sizes[0]);
  TH_CHECK(a.sizes[2] == b.sizes[1],
           "wrong matrix size, batch1: ",
           a.sizes[1],
           "x",
           a.sizes[2],
           ", batch2: ",
           b.sizes[1],
           "x",
           b.sizes[2],
           "; the columns of batch1's matrices (",
           a.sizes[2],
           ") must equal the rows of batch2's (",
           b.sizes[1],
           ")");
  return {a.sizes[0], a.sizes[1], a.sizes[2], b.sizes[2]};
}

void baddbmm(TH_Tensor* r,
             double beta,
             const TH_Tensor* t,
             double alpha,
             const TH_Tensor* a,
             const TH_Tensor* b) {
  check_operands(r, t, a, b);
  const auto [batches, m, k, n] = check_batches(*a, *b);
  TH_CHECK(t->ndim == 3 && t->sizes[0] == batches && t->sizes[1] == m && t->sizes[2] == n,
           "size mismatch, t: ",
           size_text(*t),
           ", batch1: ",
           size_text(*a),
           ", batch2: ",
           size_text(*b),
           "; t must be [",
           batches,
           " x ",
           m,
           " x ",
           n,
           "]");
  produce(r,
          beta,
          t,
          a,
          b,
          [&, batches = batches, m = m, k = k, n = n](
              TH_Tensor& c, const TH_Tensor& x, const TH_Tensor& y) {
            if (is_integral(c.dtype)) {
              integer_product(c, beta, alpha, x, y, batches, false, m, n, k);
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
                    multiply<T>(
                        am, bm, p, m, n, k, T(alpha), T(beta), out + p * c.strides[0], layout);
                  }
                } catch (...) {
                  const std::lock_guard lock(failing);
                  failure = std::current_exception();
                }
              };
              // Few large matrices: the threads share each of them.
              const bool large = m * n * k > 128 * 128 * 128;
              if (large && batches < 4 * omp_get_max_threads()) {
                range(0, batches);
              } else {
                parallel_items(batches, m * n * k / 8 + m * n, range);
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
  check_operands(r, t, a, b);
  const auto [batches, m, k, n] = check_batches(*a, *b);
  TH_CHECK(t->ndim == 2 && t->sizes[0] == m && t->sizes[1] == n,
           "size mismatch, t: ",
           size_text(*t),
           ", batch1: ",
           size_text(*a),
           ", batch2: ",
           size_text(*b),
           "; t must be [",
           m,
           " x ",
           n,
           "]");
  produce(r,
          beta,
          t,
          a,
          b,
          [&, batches = batches, m = m, k = k, n = n](
              TH_Tensor& c, const TH_Tensor& x, const TH_Tensor& y) {
            if (is_integral(c.dtype)) {
              integer_product(c, beta, alpha, x, y, batches, true, m, n, k);
              return;
            }
            const Matrices am(x);
            const Matrices bm(y);
            Layout layout{};
            find_layout(c, layout);
            RealTypes::dispatch(c.dtype, [&]<class T>() {
              for (int64_t p = 0; p < batches; ++p) {
                multiply<T>(
                    am, bm, p, m, n, k, T(alpha), p == 0 ? T(beta) : T(1), data<T>(c), layout);
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
