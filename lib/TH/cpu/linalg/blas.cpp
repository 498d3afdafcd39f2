// Products of vectors and matrices: a routine for each type. What comes before and after it, for
// every backend, is in core/product.h.
#include "core/tables/blas.h"

#include <algorithm>
#include <vector>

#include "core/checks/blas.h"
#include "core/product.h"
#include "core/runtime/cpu_isa.h"
#include "core/runtime/interrupt.h"
#include "core/tensor/dtype.h"
#include "cpu/kernels/linalg/gemv.h"
#include "cpu/kernels/linalg/integer_gemm.h"
#include "cpu/linalg/bfloat16_pairs.h"
#include "cpu/linalg/gemm.h"
#include "cpu/linalg/half_gemv.h"
#include "cpu/linalg/many_products.h"
#include "cpu/operands.h"
#include "cpu/parallel.h"
#include "cpu/register.h"
#include "cpu/select.h"
#include "cpu/work_buffers.h"

namespace th::cpu {
namespace {

const IntegerGemmKernels& integer_gemm_kernels() {
  static const IntegerGemmKernels table = select_kernels<IntegerGemmKernels>();
  return table;
}

// --- products of matrices -----------------------------------------------------------------------

/// Multiplications between questions for an interrupt.
constexpr int64_t kUnasked = 16 * 1024 * 1024;

void integer_product(const Product& p) {
  const int64_t m = p.m();
  const int64_t n = p.n();
  const int64_t k = p.k();
  const int64_t rows = p.c.batches * m;
  const int64_t summed = p.batches() / p.c.batches;
  const IntegerGemmRow& kernels = integer_gemm_kernels().by_dtype[p.dtype()];
  const Tensor a = contiguous(*p.a.tensor);
  const Tensor b = contiguous(*p.b.tensor);
  const int64_t element = element_size(p.dtype());
  Tensor product = Tensor::like(*p.result, p.dtype(), sizes_of(*p.start));
  const Tensor old = contiguous(*p.start);
  std::fill_n(bytes(product), static_cast<size_t>(rows * n * element), char(0));
  const int64_t at_once = std::max<int64_t>(kUnasked / (summed * n * k), 1);
  parallel_items(rows, summed * n * k, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end;) {
      if (interrupt::asked()) [[unlikely]] {
        interrupt::left_undone();
        return;
      }
      const int64_t first = row % m;
      const int64_t count = std::min({end - row, m - first, at_once});
      for (int64_t s = 0; s < summed; ++s) {
        const int64_t batch = row / m * summed + s;
        kernels.gemm(count, n, k, bytes(a) + (batch * m + first) * k * element,
                     bytes(b) + batch * k * n * element, n == 1,
                     bytes(product) + row * n * element);
      }
      row += count;
    }
  });
  kernels.scale_add(rows * n, bytes(product), p.beta, bytes(old), p.alpha, bytes(product));
  resize_as(*p.result, *p.start);
  copy(*p.result, product);
}

template <class T>
void matrix_times_vector(const Product& p, const MatrixLayout& c) {
  const DenseMatrices a(p.a);
  const Tensor x = contiguous(*p.b.tensor);
  const bool flip = a.layout().transposed;
  const int64_t outputs = flip ? p.m() : p.k();
  const Workspace<T> workspace(1, flip && c.row != 1 ? outputs : 0);
  p.begin();
  gemv<T>(flip, flip ? p.k() : p.m(), outputs, T(p.alpha), a.at<T>(0), a.layout().row, data<T>(x),
          T(p.beta), data<T>(*p.result), c.row, workspace[0].data());
}

template <class T>
void outer_product(const Product& p, const MatrixLayout& c) {
  const Tensor x = contiguous(c.transposed ? *p.b.tensor : *p.a.tensor);
  const Tensor y = contiguous(c.transposed ? *p.a.tensor : *p.b.tensor);
  const int64_t rows = c.transposed ? p.n() : p.m();
  const int64_t width = c.transposed ? p.m() : p.n();
  const auto kernel = gemv_kernels().row<T>().outer;
  p.begin();
  T* const out = data<T>(*p.result);
  const T* const by_row = data<T>(x);
  const T* const along = data<T>(y);
  const T alpha = T(p.alpha), beta = T(p.beta);
  const int64_t step = c.row;
  parallel_items(rows, width, [=](int64_t begin, int64_t end) {
    kernel(end - begin, width, out + begin * step, step, beta, alpha, by_row + begin, along);
  });
}

/// Whether the result starts as one row, again and again: a bias that need not be written first.
bool starts_as_rows(const Product& p, const MatrixLayout& c) {
  const TH_Tensor& t = *p.start;
  return p.beta != 0 && t.ndim == 2 && t.strides[0] == 0 && t.strides[1] == 1 && !c.transposed &&
         p.batches() == 1;
}

/// `pairs`: see Gemm. The result goes to that of `rounded`, rounded, if there is one and it can be
/// done on the way.
/// @return whether it was
template <class T>
bool matrix_product(const Product& p, const MatrixLayout& c, bool pairs = false,
                    const Product* rounded = nullptr) {
  const bool by_rows = starts_as_rows(p, c);
  const DenseMatrices a(p.a);
  const DenseMatrices b(p.b);
  const DenseMatrices& left = c.transposed ? b : a;  // C' = B' A'
  const DenseMatrices& right = c.transposed ? a : b;
  bool rounds = false;
  // Asks where rounded results lie before they have their size: produce() has reserved the room,
  // and how much memory the product needs depends on there being such a place.
  const auto of = [&](int64_t batch, T* out) {
    const bool adds = p.sums() && batch > 0;
    return Gemm<T>{left.layout().transposed != c.transposed,
                   right.layout().transposed != c.transposed,
                   c.transposed ? p.n() : p.m(),
                   c.transposed ? p.m() : p.n(),
                   p.k(),
                   T(p.alpha),
                   left.at<T>(batch),
                   left.layout().row,
                   right.at<T>(batch),
                   right.layout().row,
                   adds ? T(1) : T(p.beta),
                   out == nullptr ? nullptr : out + (p.sums() ? 0 : batch * p.c.batch_step),
                   c.row,
                   by_rows ? data<T>(*p.start) : nullptr,
                   0,
                   pairs,
                   rounds ? data<BFloat16>(*rounded->result) : nullptr};
  };
  rounds = rounded != nullptr && p.batches() == 1 && rounds_as_it_goes(of(0, nullptr)) &&
           becomes_compact(*rounded->result, sizes_of(*rounded->start));
  const int64_t multiplications = p.m() * p.n() * p.k();
  const ManyProducts products(p.c.batches, multiplications, multiplications / 8 + p.m() * p.n());
  const Workspace<T> workspace(products.workers(), gemm_workspace(of(0, nullptr), products.team()));
  if (rounds) {
    resize_as(*rounded->result, *rounded->start);
  } else if (by_rows) {
    resize_as(*p.result, *p.start);
  } else {
    p.begin();
  }
  T* const out = data<T>(*p.result);
  const int64_t each = p.c.batches == 1 ? p.batches() : 1;  // products of a sum
  products.run([&](int64_t first, int64_t last, int64_t worker) {
    for (int64_t batch = first * each; batch < last * each; ++batch) {
      if (interrupt::asked()) [[unlikely]] {
        interrupt::left_undone();
        return;
      }
      gemm(of(batch, out), workspace[worker]);
    }
  });
  return rounds;
}

template <class T>
void real_product(const Product& p) {
  MatrixLayout c{};
  find_layout(p.c, c);
  if (p.batches() == 1 && p.n() == 1) {
    matrix_times_vector<T>(p, c);
  } else if (p.batches() == 1 && p.k() == 1) {
    outer_product<T>(p, c);
  } else {
    matrix_product<T>(p, c);
  }
}

MatrixView by_rows(const MatrixView& m, const TH_Tensor& t) {
  return {&t, m.batches, m.rows, m.columns, m.rows * m.columns, m.columns, 1};
}
MatrixView by_columns(const MatrixView& m, const TH_Tensor& t) {
  return {&t, m.batches, m.rows, m.columns, m.rows * m.columns, 1, m.rows};
}

/// 16-bit elements as floats, in the order in which they lie: so that transposed ones need not be
/// gathered one by one.
class Widened {
 public:
  explicit Widened(const MatrixView& m) {
    const TH_Tensor& t = *m.tensor;
    Tensor turned;
    if (t.ndim >= 2 && !is_contiguous(t)) {
      transpose(turned, t, t.ndim - 2, t.ndim - 1);
    }
    const bool columns = turned.ndim > 0 && is_contiguous(turned);
    floats_ = compact_copy(columns ? turned : t);
    view_ = columns ? by_columns(m, floats_) : by_rows(m, floats_);
  }
  const MatrixView& view() const { return view_; }

 private:
  Tensor floats_;
  MatrixView view_;
};

/// As floats; one row, if t is that again and again.
Tensor widened_start(const TH_Tensor& t) {
  if (t.ndim != 2 || t.strides[0] != 0) {
    return compact_copy(t);
  }
  Tensor row, rows;
  narrow(row, t, 0, 0, 1);
  expand(rows, compact_copy(row), sizes_of(t));
  return rows;
}

/// Columns [begin, begin + count) of a matrix.
class Columns {
 public:
  Columns(const MatrixView& m, int64_t begin, int64_t count) : first_(*m.tensor), view_(m) {
    first_.offset += begin * m.column_step;
    view_.tensor = &first_;
    view_.columns = count;
  }
  const MatrixView& view() const { return view_; }

 private:
  Tensor first_;
  MatrixView view_;
};

/// Terms of sums that are multiplied at a time: where lines of both operands are to be merged into
/// pairs, as in gradients of weights, those of some lines are multiplied while a cache has them.
int64_t terms_at_once(const Product& p) {
  constexpr int64_t kLines = 512;
  const bool merges = p.a.row_step == 1 && p.b.column_step == 1;
  return merges && p.batches() == 1 ? std::min(kLines, p.k()) : p.k();
}

/// Whether the result has been rounded; if not, its sums are in c, which has no memory before.
bool product_of_pairs(const Product& p, Tensor& c, const Tensor& start) {
  const int64_t some = terms_at_once(p);
  bool rounded = false;
  for (int64_t first = 0; first < p.k(); first += some) {
    const int64_t count = std::min(some, p.k() - first);
    const Columns left(p.a, first, count), right(turned(p.b), first, count);
    const BFloat16Pairs a(left.view(), BFloat16Pairs::Operand::A);
    const BFloat16Pairs b(turned(right.view()), BFloat16Pairs::Operand::B);
    const double beta = first == 0 ? p.beta : 1;
    const Product floats = {&c,
                            by_rows(p.c, c),
                            a.view(),
                            b.view(),
                            p.alpha,
                            beta,
                            first > 0     ? &c
                            : p.beta != 0 ? &start
                                          : p.start};
    rounded = matrix_product<float>(floats, {false, p.n()}, true, count == p.k() ? &p : nullptr);
  }
  return rounded;
}

/// A product with a vector as that of a matrix and a column; of a row, C' = B' A'.
Product by_column(const Product& p) {
  return p.n() == 1 ? p : Product{p.result, turned(p.c), turned(p.b), turned(p.a),
                                  p.alpha,  p.beta,      p.start};
}

/// Sums are floats, and rounded when they are complete.
void product_of_halves(const Product& p) {
  const Tensor start = p.beta != 0 ? widened_start(*p.start) : Tensor();
  const bool onto_start = p.beta != 0 && is_contiguous(start);
  Tensor c = onto_start ? Tensor(static_cast<const TH_Tensor&>(start))
                        : Tensor::like(*p.result, TH_FLOAT, {});  // may not be needed
  if (p.dtype() == TH_BFLOAT16 && has_fast_pairs() && p.m() > 1 && p.n() > 1 && p.k() > 1) {
    if (product_of_pairs(p, c, start)) {
      return;
    }
  } else if (MatrixLayout lines;
             p.batches() == 1 && (p.m() == 1 || p.n() == 1) && find_layout(by_column(p).a, lines)) {
    resize_as(c, *p.start);
    if (p.beta != 0 && !onto_start) {
      copy(c, start);
    }
    const Product q = by_column(p);
    halves_by_vector(q, lines, data<float>(compact_copy(*q.b.tensor)), data<float>(c));
  } else {
    const Widened a(p.a), b(p.b);
    real_product<float>(
        {&c, by_rows(p.c, c), a.view(), b.view(), p.alpha, p.beta, p.beta != 0 ? &start : p.start});
  }
  resize_as(*p.result, *p.start);
  copy(*p.result, c);
}

void multiply(const Product& p) {
  if (is_integral(p.dtype())) {
    integer_product(p);
  } else if (is_half(p.dtype())) {
    product_of_halves(p);
  } else {
    RealTypes::dispatch(p.dtype(), [&]<class T>() { real_product<T>(p); });
  }
}

// --- products of vectors ------------------------------------------------------------------------

/// In pieces of a fixed size: the sum does not depend on the number of threads.
template <class T>
double real_dot(int64_t n, const T* x, const T* y) {
  const auto kernel = gemv_kernels().row<T>().dot;
  constexpr int64_t piece = kGrain;
  const int64_t pieces = (n + piece - 1) / piece;
  if (pieces == 1) {
    return kernel(n, x, y);
  }
  std::vector<double> sums(static_cast<size_t>(pieces));
  parallel_items(pieces, piece, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      sums[static_cast<size_t>(i)] =
          kernel(std::min(piece, n - i * piece), x + i * piece, y + i * piece);
    }
  });
  double sum = 0;
  for (const double s : sums) {
    sum += s;
  }
  return sum;
}

void dot(double* value, const TH_Tensor* x, const TH_Tensor* y) {
  check_dot(x, y);
  const int64_t n = numel(*x);
  if (n == 0) {
    *value = 0;
    return;
  }
  const Tensor a = compact(*x);
  const Tensor b = compact(*y);
  if (is_integral(a.dtype)) {
    *value =
        static_cast<double>(integer_gemm_kernels().by_dtype[a.dtype].dot(n, bytes(a), bytes(b)));
  } else {
    RealTypes::dispatch(a.dtype, [&]<class T>() { *value = real_dot(n, data<T>(a), data<T>(b)); });
  }
}

}  // namespace

void register_blas(BlasTable& b) {
  b.dot = dot;
  products::register_products<multiply>(b);
}

}  // namespace th::cpu
