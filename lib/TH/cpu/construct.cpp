// Tensors made from numbers (sequences, identities) and from parts of others (diagonals,
// triangles).
#include "core/checks/construct.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/tables/fill.h"
#include "core/tensor/aliasing.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "cpu/kernels/sequence.h"
#include "cpu/parallel.h"
#include "cpu/register.h"
#include "cpu/select.h"

namespace th::cpu {
namespace {

// --- sequences ----------------------------------------------------------------------------------

const SequenceKernels& sequence_kernels() {
  static const SequenceKernels table = select_kernels<SequenceKernels>();
  return table;
}

/// fill(to, begin, end) writes elements begin ... end - 1 of n. r keeps its shape when it has n
/// elements already.
template <class T, class Fill>
void with_elements(TH_Tensor* r, int64_t n, int64_t grain, Fill&& fill) {
  const bool fits = numel(*r) == n;
  Result result(r, fits ? sizes_of(*r) : std::span(&n, 1), Result::Compact, {});
  T* to = data<T>(result.tensor());
  parallel_for(n, grain, [&](int64_t begin, int64_t end) { fill(to, begin, end); });
  result.finish();
}

/// r[i] = element(i) for i = 0 ... n - 1, i being an Index: an integer, or a number where the
/// formula is one of numbers.
template <class T, class Index, class F>
void generate(TH_Tensor* r, int64_t n, int64_t grain, F&& element) {
  with_elements<T>(r, n, grain, [&](T* to, int64_t begin, int64_t end) {
    // A 32-bit counter: every instruction set can turn several of those into numbers at once.
    constexpr int kBlock = 1024;
    for (; begin < end; begin += kBlock) {
      const auto first = static_cast<Index>(begin);
      const int count = static_cast<int>(std::min<int64_t>(kBlock, end - begin));
      for (int i = 0; i < count; ++i) {
        to[begin + i] = element(first + static_cast<Index>(i));
      }
    }
  });
}

/// first, first + step, ... up to last.
template <class T>
void range_integers(TH_Tensor* r, int64_t first, int64_t last, int64_t step) {
  generate<T, int64_t>(r, range_count(first, last, step), kGrain, [=](int64_t i) {
    return static_cast<T>(wrapping(first) + wrapping(i) * wrapping(step));
  });
}

template <class T>
void range_numbers(TH_Tensor* r, double first, double last, double step) {
  const int64_t n = range_count(first, last, step);
  if constexpr (is_half_type<T>) {
    generate<T, double>(r, n, kGrain, [=](double i) { return convert<T>(first + i * step); });
  } else {
    const auto stepped = sequence_kernels().row<T>().stepped;
    with_elements<T>(r, n, kGrain, [=](T* to, int64_t begin, int64_t end) {
      stepped(to + begin, begin, end - begin, first, step);
    });
  }
}

void range(TH_Tensor* r, double first, double last, double step) {
  check_finite(first, last, step);
  AllTypes::dispatch(r->dtype, [&]<class T>() {
    if constexpr (std::is_integral_v<T>) {
      range_integers<T>(r, from_number<int64_t>(first), from_number<int64_t>(last),
                        from_number<int64_t>(step));
    } else {
      range_numbers<T>(r, first, last, step);
    }
  });
}

void linspace(TH_Tensor* r, double first, double last, int64_t n) {
  check_points(first, last, n);
  Floating::dispatch(r->dtype, [&]<class T>() {
    if constexpr (is_half_type<T>) {
      const Spacing spacing(first, last, n);
      generate<T, double>(r, n, kGrain, [=](double i) { return convert<T>(spacing(i)); });
    } else {
      const auto spaced = sequence_kernels().row<T>().spaced;
      with_elements<T>(r, n, kGrain, [=](T* to, int64_t begin, int64_t end) {
        spaced(to + begin, begin, end - begin, first, last, n);
      });
    }
  });
}

void logspace(TH_Tensor* r, double first, double last, int64_t n) {
  check_points(first, last, n);
  const Spacing spacing(first, last, n);
  Floating::dispatch(r->dtype, [&]<class T>() {
    generate<T, double>(r, n, kGrain / 16,
                        [=](double i) { return convert<T>(std::pow(10.0, spacing(i))); });
  });
}

// --- matrices -----------------------------------------------------------------------------------

void zero(TH_Tensor& t) {
  // A zero is all zero bits in every type.
  const int64_t size = element_size(t.dtype);
  parallel_for(numel(t), kGrain, [&](int64_t begin, int64_t end) {
    std::memset(bytes(t) + begin * size, 0, static_cast<size_t>((end - begin) * size));
  });
}

void eye(TH_Tensor* r, int64_t rows, int64_t columns) {
  columns = columns > 0 ? columns : rows;
  TH_CHECK(rows > 0, "wanted at least 1 row, got ", rows);
  const int64_t sizes[] = {rows, columns};
  Result result(r, sizes, Result::Compact, {});
  TH_Tensor& to = result.tensor();
  zero(to);
  AllTypes::dispatch(to.dtype, [&]<class T>() {
    T* element = data<T>(to);
    for (int64_t i = 0; i < std::min(rows, columns); ++i, element += columns + 1) {
      *element = from_number<T>(1);
    }
  });
  result.finish();
}

void diag(TH_Tensor* r, const TH_Tensor* x, int64_t k) {
  check_diagonal(r, x, k);
  if (x->ndim == 1) {
    const int64_t n = x->sizes[0] + std::abs(k);
    const int64_t sizes[] = {n, n};
    Result result(r, sizes, Result::Compact, {x});
    zero(result.tensor());
    TH_Tensor to = diagonal(result.tensor(), k);
    copy(to, *x);
    result.finish();
    return;
  }
  const TH_Tensor from = diagonal(*x, k);
  Result result(r, sizes_of(from), Result::Any, {x});
  copy(result.tensor(), from);
  result.finish();
}

/// A copy of x with zeros in columns [first(row), last(row)).
template <class Zeros>
void triangle(TH_Tensor* r, const TH_Tensor* x, Zeros&& zeros) {
  check_triangle(r, x);
  Result result(r, sizes_of(*x), Result::Compact, {x});
  TH_Tensor& to = result.tensor();
  copy(to, *x);
  const int64_t columns = to.sizes[1];
  const int64_t size = element_size(to.dtype);
  parallel_items(to.sizes[0], columns, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const auto [first, last] = zeros(row, columns);
      std::memset(bytes(to) + (row * columns + first) * size, 0,
                  static_cast<size_t>((last - first) * size));
    }
  });
  result.finish();
}

struct Span {
  int64_t first, last;
};

void tril(TH_Tensor* r, const TH_Tensor* x, int64_t k) {
  triangle(r, x, [k](int64_t row, int64_t columns) {
    return Span{
        std::clamp<int64_t>(row + 1 + std::clamp<int64_t>(k, -row - 1, columns), 0, columns),
        columns};
  });
}

void triu(TH_Tensor* r, const TH_Tensor* x, int64_t k) {
  triangle(r, x, [k](int64_t row, int64_t columns) {
    return Span{0, std::clamp<int64_t>(row + std::clamp<int64_t>(k, -row, columns), 0, columns)};
  });
}

}  // namespace

void register_construct(FillTable& b) {
  b.range = range;
  b.linspace = linspace;
  b.logspace = logspace;
  b.eye = eye;
  b.diag = diag;
  b.tril = tril;
  b.triu = triu;
}

}  // namespace th::cpu
