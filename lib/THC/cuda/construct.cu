// Tensors made from numbers (sequences, identities) and from parts of others (diagonals,
// triangles).
#include <cstdlib>
#include <limits>

#include "core/checks/construct.h"
#include "core/tables/fill.h"
#include "core/tensor/aliasing.h"
#include "core/tensor/element_size.h"
#include "cuda/launch.h"
#include "cuda/register.h"
#include "cuda/wide_elements.h"
#include "functors/math.h"

namespace thc {
namespace {

// --- sequences ----------------------------------------------------------------------------------

/// r[i] = element(i).
template <class W, class F>
struct Generate {
  WideElements<W> r;
  OffsetCalculator layout;
  F element;
  TH_HD void operator()(int64_t i) const { r.store(layout.offset(i), element(i)); }
};

/// r keeps its shape when it has n elements already.
template <class W, class F>
void generate(TH_Tensor* r, int64_t n, const F& element) {
  if (numel(*r) != n) {
    resize(*r, {&n, 1});
  }
  launch(stream_for(*r), n, Generate<W, F>{WideElements<W>(*r), OffsetCalculator(*r), element});
}

template <class W>
struct Progression {
  W first;
  W step;
  TH_HD W operator()(int64_t i) const {
    return static_cast<W>(wrapping(first) + wrapping(static_cast<W>(i)) * wrapping(step));
  }
};

void range(TH_Tensor* r, double first, double last, double step) {
  check_finite(first, last, step);
  with_wide(r->dtype, [&]<class W>() {
    const W from = from_number<W>(first);
    const W by = from_number<W>(step);
    generate<W>(r, range_count(from, from_number<W>(last), by), Progression<W>{from, by});
  });
}

struct Evenly {
  Spacing spacing;
  TH_HD double operator()(int64_t i) const { return spacing(static_cast<double>(i)); }
};

struct PowersOfTen {
  Spacing spacing;
  TH_HD double operator()(int64_t i) const {
    return th::math::pow(10.0, spacing(static_cast<double>(i)));
  }
};

template <class F>
void spaced(TH_Tensor* r, double first, double last, int64_t n) {
  check_points(first, last, n);
  if (!is_floating(r->dtype)) {
    Floating::unsupported(r->dtype);
  }
  generate<double>(r, n, F{Spacing(first, last, n)});
}

// --- matrices -----------------------------------------------------------------------------------

struct Identity {
  int64_t columns;
  TH_HD int64_t operator()(int64_t i) const { return i / columns == i % columns ? 1 : 0; }
};

void eye(TH_Tensor* r, int64_t rows, int64_t columns) {
  columns = columns > 0 ? columns : rows;
  TH_CHECK(rows > 0, "wanted at least 1 row, got ", rows);
  const int64_t sizes[] = {rows, columns};
  resize(*r, sizes);
  launch(stream_for(*r), rows * columns,
         Generate<int64_t, Identity>{WideElements<int64_t>(*r), OffsetCalculator(*r), {columns}});
}

/// A vector on the k-th diagonal of a matrix, zeros beside it.
template <class U>
struct OnDiagonal {
  U* r;
  const U* x;
  OffsetCalculator layout;
  int64_t columns;
  int64_t stride;
  int64_t k;
  TH_HD void operator()(int64_t i) const {
    const int64_t row = i / columns;
    const int64_t column = i % columns;
    const int64_t at = k < 0 ? column : row;
    r[layout.offset(i)] = column - row == k ? x[at * stride] : U{0};
  }
};

void diag(TH_Tensor* r, const TH_Tensor* x, int64_t k) {
  check_diagonal(r, x, k);
  if (x->ndim == 2) {
    const TH_Tensor from = diagonal(*x, k);
    Result result(r, sizes_of(from), Result::Any, {x});
    copy(result.tensor(), from);
    result.finish();
    return;
  }
  const int64_t n = x->sizes[0] + std::abs(k);
  const int64_t sizes[] = {n, n};
  const Tensor source(*x);  // r may be x
  Result result(r, sizes, Result::Any, {&source});
  TH_Tensor& to = result.tensor();
  with_size(element_size(to.dtype), [&]<class U>() {
    launch(
        stream_for(to), n * n,
        OnDiagonal<U>{data<U>(to), data<U>(source), OffsetCalculator(to), n, source.strides[0], k});
  });
  result.finish();
}

/// The elements with column - row from `low` to `high`, zeros in place of the others.
template <class U>
struct Band {
  U* r;
  const U* x;
  OffsetCalculator r_layout;
  OffsetCalculator x_layout;
  int64_t columns;
  int64_t low;
  int64_t high;
  TH_HD void operator()(int64_t i) const {
    const int64_t distance = i % columns - i / columns;
    const bool inside = low <= distance && distance <= high;
    r[r_layout.offset(i)] = inside ? x[x_layout.offset(i)] : U{0};
  }
};

void band(TH_Tensor* r, const TH_Tensor* x, int64_t low, int64_t high) {
  const Tensor source(*x);
  Result result(r, sizes_of(source), Result::Any, {&source});
  TH_Tensor& to = result.tensor();
  with_size(element_size(to.dtype), [&]<class U>() {
    launch(stream_for(to), numel(to),
           Band<U>{data<U>(to), data<U>(source), OffsetCalculator(to), OffsetCalculator(source),
                   source.sizes[1], low, high});
  });
  result.finish();
}

void tril(TH_Tensor* r, const TH_Tensor* x, int64_t k) {
  check_triangle(r, x);
  band(r, x, std::numeric_limits<int64_t>::min(), k);
}

void triu(TH_Tensor* r, const TH_Tensor* x, int64_t k) {
  check_triangle(r, x);
  band(r, x, k, std::numeric_limits<int64_t>::max());
}

}  // namespace

void register_construct(th::FillTable& b) {
  b.range = range;
  b.linspace = spaced<Evenly>;
  b.logspace = spaced<PowersOfTen>;
  b.eye = eye;
  b.diag = diag;
  b.tril = tril;
  b.triu = triu;
}

}  // namespace thc
