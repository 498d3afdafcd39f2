// Products of vectors and matrices: floating types by the vendor's library, integers by tiles of
// our own. What comes before and after, for every backend, is in core/product.h.
#include <algorithm>

#include "core/checks/blas.h"
#include "core/product.h"
#include "core/tables/blas.h"
#include "core/vendor/vendor.h"
#include "cuda/linalg/tile_product.cuh"
#include "cuda/register.h"
#include "cuda/wide_elements.h"

namespace thc {
namespace {

// --- products of matrices -----------------------------------------------------------------------

/// By a library that reads columns. A row-major matrix is its transpose to it, so C row by row is
/// C' = B' A'.
void library_product(const Product& p) {
  const DenseMatrices a(p.a);
  const DenseMatrices b(p.b);
  p.begin();
  MatrixLayout c{};
  find_layout(p.c, c);
  const DenseMatrices& first = c.transposed ? a : b;
  const DenseMatrices& second = c.transposed ? b : a;
  const bool done =
      vendor_gemm(p.result->device,
                  {p.dtype(), first.layout().transposed != c.transposed,
                   second.layout().transposed != c.transposed, c.transposed ? p.m() : p.n(),
                   c.transposed ? p.n() : p.m(), p.k(), p.alpha, first.first(), first.layout().row,
                   second.first(), second.layout().row, p.beta, bytes(*p.result), c.row,
                   p.batches(), first.step(), second.step(), p.c.batch_step});
  TH_CHECK(done, "no library multiplies ", type_name(*p.result), "s");
}

/// The matrices of a batch on top of each other.
Tensor stacked(const TH_Tensor& t) {
  const int64_t sizes[] = {t.sizes[0] * t.sizes[1], t.sizes[2]};
  if (t.sizes[0] == 1 || t.strides[0] == t.sizes[1] * t.strides[1]) {
    const int64_t strides[] = {t.strides[1], t.strides[2]};
    Tensor stack;
    init(stack, t.dtype, t.device_type, t.device);
    set_storage(stack, t.store, t.offset, sizes, strides);
    return stack;
  }
  Tensor stack = Tensor::like(t, t.dtype, sizes);
  copy(stack, t);
  return stack;
}

MatrixView whole(const Tensor& t) {
  return {&t, 1, t.sizes[0], t.sizes[1], 0, t.strides[0], t.strides[1]};
}

void multiply(const Product& p) {
  if (p.sums()) {
    // One product instead of one after the other: [A1 A2 ...] [B1; B2; ...]. The sum over the
    // batches then does not go through elements of 16 bits either.
    Tensor turned;
    transpose(turned, *p.a.tensor, 1, 2);
    Tensor left = stacked(turned);
    transpose(left, left, 0, 1);
    const Tensor right = stacked(*p.b.tensor);
    multiply({p.result, p.c, whole(left), whole(right), p.alpha, p.beta, p.start});
  } else if (is_integral(p.dtype())) {
    p.begin();
    Integral::dispatch(p.dtype(), [&]<class T>() {
      tile_product<T, MultiplyAdd>(stream_for(*p.result), p.a, p.b, p.c, p.alpha, p.beta);
    });
  } else {
    library_product(p);
  }
}

// --- products of vectors ------------------------------------------------------------------------

/// Elements that are worth a block, and blocks that keep a device busy. The sum depends on the
/// count of elements alone.
constexpr int64_t kDotPiece = 4096;
constexpr int64_t kDotBlocks = 512;

template <class W>
struct Plus {
  TH_HD W operator()(W a, W b) const { return static_cast<W>(wrapping(a) + wrapping(b)); }
};

/// Partial sums, a block each: products in C, sums in W (double, or integers of 64 bits).
template <class C, class W>
struct DotPieces {
  Elements<C> x, y;
  int64_t n;
  W* sums;

  template <class Block>
  TH_D void operator()(Block& block) const {
    const int64_t step = block.count() * block.threads();
    W sum = 0;
    for (int64_t i = block.index() * block.threads() + block.thread(); i < n; i += step) {
      if constexpr (std::is_integral_v<C>) {
        sum = static_cast<W>(wrapping(sum) + wrapping(static_cast<W>(x.load(i))) *
                                                 wrapping(static_cast<W>(y.load(i))));
      } else {
        sum += static_cast<W>(x.load(i) * y.load(i));
      }
    }
    sum = block.reduce(sum, Plus<W>{});
    if (block.thread() == 0) {
      sums[block.index()] = sum;
    }
  }
};

template <class W>
struct AddPieces {
  W* sums;
  int64_t count;

  template <class Block>
  TH_D void operator()(Block& block) const {
    W sum = 0;
    for (int64_t i = block.thread(); i < count; i += block.threads()) {
      sum = Plus<W>{}(sum, sums[i]);
    }
    sum = block.reduce(sum, Plus<W>{});
    if (block.thread() == 0) {
      sums[0] = sum;
    }
  }
};

template <class C, class W>
double dot_of(const TH_Tensor& x, const TH_Tensor& y) {
  const int64_t n = numel(x);
  const int64_t pieces = std::clamp<int64_t>(n / kDotPiece, 1, kDotBlocks);
  const cudaStream_t stream = stream_for(x);
  const Scratch scratch(x, pieces * static_cast<int64_t>(sizeof(W)));
  auto* const sums = scratch.data<W>();
  launch_blocks(stream, pieces, kThreads, 0,
                DotPieces<C, W>{Elements<C>(x), Elements<C>(y), n, sums});
  if (pieces > 1) {
    launch_blocks(stream, 1, kThreads, 0, AddPieces<W>{sums, pieces});
  }
  return static_cast<double>(fetch(sums, stream));
}

void dot(double* value, const TH_Tensor* x, const TH_Tensor* y) {
  check_dot(x, y);
  if (x->ndim == 0) {
    *value = 0;
    return;
  }
  ComputeTypes::dispatch(compute_dtype(x->dtype), [&]<class C>() {
    using W = std::conditional_t<std::is_integral_v<C>, int64_t, double>;
    *value = dot_of<C, W>(*x, *y);
  });
}

}  // namespace

void register_blas(th::BlasTable& b) {
  b.dot = dot;
  products::register_products<multiply>(b);
}

}  // namespace thc
