// Cross products, distances between sets of vectors, and limits on the length of slices.
#include <algorithm>
#include <cmath>

#include "core/checks/geometry.h"
#include "core/tables/linalg.h"
#include "core/tensor/aliasing.h"
#include "core/tensor/tensor.h"
#include "cpu/operands.h"
#include "cpu/parallel.h"
#include "cpu/register.h"

namespace th::cpu {
namespace {

void store(TH_Tensor* r, const TH_Tensor& result) {
  resize_as(*r, result);
  copy(*r, result);
}

/// x as outer x n x inner elements around dimension dim.
struct Slices {
  int64_t outer = 1, n, inner = 1;

  Slices(const TH_Tensor& x, int dim) : n(x.sizes[dim]) {
    for (int d = 0; d < x.ndim; ++d) {
      (d < dim ? outer : inner) *= d == dim ? 1 : x.sizes[d];
    }
  }
};

void cross(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* y, int dim) {
  check_cross(r, x, y, dim);
  const Tensor a = compact(*x);
  const Tensor b = compact(*y);
  const Tensor result = Tensor::like(*x, a.dtype, sizes_of(*x));
  const Slices slices(*x, dim);
  ComputeTypes::dispatch(a.dtype, [&]<class T>() {
    for (int64_t o = 0; o < slices.outer; ++o) {
      const int64_t first = o * 3 * slices.inner;
      for (int i = 0; i < 3; ++i) {
        const int64_t at_j = first + (i + 1) % 3 * slices.inner;
        const int64_t at_k = first + (i + 2) % 3 * slices.inner;
        const T* pa = data<T>(a);
        const T* pb = data<T>(b);
        T* to = data<T>(result) + first + i * slices.inner;
        for (int64_t e = 0; e < slices.inner; ++e) {
          to[e] = static_cast<T>(wrapping(pa[at_j + e]) * wrapping(pb[at_k + e]) -
                                 wrapping(pa[at_k + e]) * wrapping(pb[at_j + e]));
        }
      }
    }
  });
  store(r, result);
}

void match(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* y, double gain) {
  const int64_t length = check_match(r, x, y);
  const int64_t rows = x->sizes[0];
  const int64_t columns = y->sizes[0];
  const Tensor a = compact(*x);
  const Tensor b = compact(*y);
  const int64_t by_element[] = {length, columns};  // so that the inner loop runs over vectors
  Tensor transposed = Tensor::like(b, b.dtype, by_element);
  TH_Tensor vectors = b;  // without a reference of its own
  vectors.ndim = 2;
  std::copy_n(by_element, 2, vectors.sizes);
  vectors.strides[0] = 1;
  vectors.strides[1] = length;
  copy(transposed, vectors);
  const int64_t sizes[] = {rows, columns};
  const Tensor result = Tensor::like(a, a.dtype, sizes);
  ComputeTypes::dispatch(a.dtype, [&]<class T>() {
    const auto factor = wrapping(from_number<T>(gain));
    parallel_items(rows, columns * length, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        T* sums = data<T>(result) + i * columns;
        std::fill_n(sums, columns, T{0});
        for (int64_t k = 0; k < length; ++k) {
          const auto element = wrapping(data<T>(a)[i * length + k]);
          const T* others = data<T>(transposed) + k * columns;
          for (int64_t j = 0; j < columns; ++j) {
            const auto difference = element - wrapping(others[j]);
            sums[j] = static_cast<T>(wrapping(sums[j]) + difference * difference);
          }
        }
        for (int64_t j = 0; j < columns; ++j) {
          sums[j] = static_cast<T>(factor * wrapping(sums[j]));
        }
      }
    });
  });
  store(r, result);
}

template <class T>
double norm(const T* x, const Slices& slices, double p) {
  double sum = 0;
  for (int64_t o = 0; o < slices.outer; ++o) {
    const T* part = x + o * slices.n * slices.inner;
    if (p == 2) {
      for (int64_t e = 0; e < slices.inner; ++e) {
        sum += static_cast<double>(part[e]) * static_cast<double>(part[e]);
      }
    } else {
      for (int64_t e = 0; e < slices.inner; ++e) {
        const double magnitude = std::abs(static_cast<double>(part[e]));
        sum += p == 1 ? magnitude : std::pow(magnitude, p);
      }
    }
  }
  return p == 1 ? sum : std::pow(sum, 1 / p);
}

void renorm(TH_Tensor* r, const TH_Tensor* x, double p, int dim, double max_norm) {
  check_renorm(r, x, p, dim, max_norm);
  const Slices slices(*x, dim);
  const Tensor result = Tensor::like(*x, compute_dtype(x->dtype), sizes_of(*x));
  TH_Tensor to = result;
  copy(to, *x);
  RealTypes::dispatch(result.dtype, [&]<class T>() {
    parallel_items(slices.n, slices.outer * slices.inner, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        T* first = data<T>(result) + i * slices.inner;
        const double length = norm(first, slices, p);
        if (!(length > max_norm)) {
          continue;
        }
        // Torch7's term against a division by zero.
        const T scale = static_cast<T>(max_norm / (length + 1e-7));
        for (int64_t o = 0; o < slices.outer; ++o) {
          T* part = first + o * slices.n * slices.inner;
          for (int64_t e = 0; e < slices.inner; ++e) {
            part[e] *= scale;
          }
        }
      }
    });
  });
  store(r, result);
}

}  // namespace

void register_vector_geometry(LinalgTable& b) {
  b.cross = cross;
  b.match = match;
  b.renorm = renorm;
}

}  // namespace th::cpu
