// Tensors made from numbers (sequences, identities) and from parts of others (diagonals,
// triangles).
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/backend.h"
#include "core/dtype.h"
#include "core/tensor.h"
#include "cpu/aliasing.h"
#include "cpu/fill_backend.h"
#include "cpu/parallel.h"

namespace th::cpu {
namespace {

// --- sequences ----------------------------------------------------------------------------------

/// r[i] = element(i) for i = 0 ... n - 1, i being an Index: an integer, or a number where the
/// formula is one of numbers. r keeps its shape when it has n elements already.
template <class T, class Index, class F>
void generate(TH_Tensor* r, int64_t n, int64_t grain, F&& element) {
  const bool fits = numel(*r) == n;
  Result result(r, fits ? sizes_of(*r) : std::span(&n, 1), Result::Compact, {});
  T* to = data<T>(result.tensor());
  parallel_for(n, grain, [&](int64_t begin, int64_t end) {
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
  result.finish();
}

/// first, first + step, ... up to last.
template <class T>
void range_integers(TH_Tensor* r, int64_t first, int64_t last, int64_t step) {
  TH_CHECK(step != 0, "step must not be 0");
  TH_CHECK(step > 0 ? first <= last : first >= last,
           "a step of ",
           step,
           " leads from ",
           first,
           " away from ",
           last);
  const uint64_t distance =
      step > 0 ? wrapping(last) - wrapping(first) : wrapping(first) - wrapping(last);
  const uint64_t steps = distance / (step > 0 ? wrapping(step) : -wrapping(step));
  TH_CHECK(steps < INT64_MAX, "more elements than any memory holds: from ", first, " to ", last);
  generate<T, int64_t>(r, static_cast<int64_t>(steps) + 1, kGrain, [=](int64_t i) {
    return static_cast<T>(wrapping(first) + wrapping(i) * wrapping(step));
  });
}

template <class T>
void range_numbers(TH_Tensor* r, double first, double last, double step) {
  TH_CHECK(step != 0, "step must not be 0");
  TH_CHECK(step > 0 ? first <= last : first >= last,
           "a step of ",
           step,
           " leads from ",
           first,
           " away from ",
           last);
  const double steps = std::floor((last - first) / step);
  TH_CHECK(steps < 0x1p62,
           "more elements than any memory holds: from ",
           first,
           " to ",
           last,
           " by ",
           step);
  generate<T, double>(r, static_cast<int64_t>(steps) + 1, kGrain, [=](double i) {
    return convert<T>(first + i * step);
  });
}

void range(TH_Tensor* r, double first, double last, double step) {
  TH_CHECK(std::isfinite(first) && std::isfinite(last) && std::isfinite(step),
           "wanted finite numbers, got first ",
           first,
           ", last ",
           last,
           ", step ",
           step);
  AllTypes::dispatch(r->dtype, [&]<class T>() {
    if constexpr (std::is_integral_v<T>) {
      range_integers<T>(
          r, from_number<int64_t>(first), from_number<int64_t>(last), from_number<int64_t>(step));
    } else {
      range_numbers<T>(r, first, last, step);
    }
  });
}

/// The i-th of n numbers, evenly spaced; exact at both ends.
class Spacing {
 public:
  Spacing(double first, double last, int64_t n)
      : first_(first),
        last_(last),
        end_(static_cast<double>(n - 1)),
        step_(n > 1 ? (last - first) / end_ : 0) {}

  double operator()(double i) const {
    const double from_first = first_ + i * step_;
    const double from_last = last_ - (end_ - i) * step_;
    return end_ == 0 || i < end_ - i ? from_first : from_last;
  }

 private:
  double first_, last_, end_, step_;
};

void check_points(double first, double last, int64_t n) {
  TH_CHECK(n >= 1, "wanted at least 1 point, got ", n);
  TH_CHECK(n > 1 || first == last, "1 point cannot be both ", first, " and ", last, "; wanted at least 2");
}

void linspace(TH_Tensor* r, double first, double last, int64_t n) {
  check_points(first, last, n);
  const Spacing spacing(first, last, n);
  Floating::dispatch(r->dtype, [&]<class T>() {
    generate<T, double>(r, n, kGrain, [=](double i) { return convert<T>(spacing(i)); });
  });
}

void logspace(TH_Tensor* r, double first, double last, int64_t n) {
  check_points(first, last, n);
  const Spacing spacing(first, last, n);
  Floating::dispatch(r->dtype, [&]<class T>() {
    generate<T, double>(
        r, n, kGrain / 16, [=](double i) { return convert<T>(std::pow(10.0, spacing(i))); });
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

/// A view of the elements (i, i + k), without a reference of its own. Its size is 0 or less when
/// there are none.
TH_Tensor diagonal(const TH_Tensor& matrix, int64_t k) {
  TH_Tensor view = matrix;
  const int64_t row = k < 0 ? -k : 0;
  const int64_t column = k > 0 ? k : 0;
  view.ndim = 1;
  view.offset += row * matrix.strides[0] + column * matrix.strides[1];
  view.sizes[0] = std::min(matrix.sizes[0] - row, matrix.sizes[1] - column);
  view.strides[0] = matrix.strides[0] + matrix.strides[1];
  return view;
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
  TH_CHECK(x != nullptr && r != nullptr, "an operand is missing");
  TH_CHECK(
      x->ndim == 1 || x->ndim == 2, "wanted a vector or a matrix, got a tensor of ", shape(*x));
  check_same_dtype(*r, *x);
  TH_CHECK(k > -(int64_t{1} << 31) && k < (int64_t{1} << 31), "diagonal ", k, " is out of range");
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
  TH_CHECK(from.sizes[0] > 0, "a matrix of ", shape(*x), " has no diagonal ", k);
  Result result(r, sizes_of(from), Result::Any, {x});
  copy(result.tensor(), from);
  result.finish();
}

/// A copy of x with zeros in columns [first(row), last(row)).
template <class Zeros>
void triangle(TH_Tensor* r, const TH_Tensor* x, Zeros&& zeros) {
  TH_CHECK(x != nullptr && r != nullptr, "an operand is missing");
  TH_CHECK(x->ndim == 2, "wanted a matrix, got a tensor of ", shape(*x));
  check_same_dtype(*r, *x);
  Result result(r, sizes_of(*x), Result::Compact, {x});
  TH_Tensor& to = result.tensor();
  copy(to, *x);
  const int64_t columns = to.sizes[1];
  const int64_t size = element_size(to.dtype);
  parallel_items(to.sizes[0], columns, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const auto [first, last] = zeros(row, columns);
      std::memset(bytes(to) + (row * columns + first) * size,
                  0,
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

void fill_construct(Backend& b) {
  b.range = range;
  b.linspace = linspace;
  b.logspace = logspace;
  b.eye = eye;
  b.diag = diag;
  b.tril = tril;
  b.triu = triu;
}

}  // namespace th::cpu
