// Reading and writing at positions along a dimension.
//
// All of these are one loop nest over two tensors, `at` and `other`, and positions:
//     at[..., positions[...] - 1, ...]  <->  other[..., i, ...]
// Elements go to `other` (gather) or to `at` (scatter, add). index_* read one position per step
// along the dimension (strides of 0 elsewhere), gather and scatter one per element.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "core/backend.h"
#include "core/dtype.h"
#include "core/tensor.h"
#include "cpu/aliasing.h"
#include "cpu/fill_backend.h"
#include "cpu/kernels/index.h"
#include "cpu/parallel.h"
#include "cpu/select.h"

namespace th::cpu {

const IndexKernels& index_kernels() {
  static const IndexKernels table = select_kernels<IndexKernels>();
  return table;
}

namespace {

// --- checks -------------------------------------------------------------------------------------

/// A compact copy where needed: what is checked is what will be used.
Tensor checked_positions(const TH_Tensor* positions) {
  check_defined(positions, "the tensor of positions");
  check_dtype(*positions, TH_LONG, "the tensor of positions");
  return contiguous(*positions);
}

/// One position per step along a dimension.
Tensor checked_vector(const TH_Tensor* positions) {
  Tensor p = checked_positions(positions);
  TH_CHECK(p.ndim == 1, "the tensor of positions is ", shape(p),
           ", wanted one dimension; flatten it first, as in positions:view(-1)");
  return p;
}

/// Every position lies within dimension `dim` of t. To be called before anything is written.
void check_range(const Tensor& positions, const TH_Tensor& t, int dim) {
  const int64_t* p = data<int64_t>(positions);
  const int64_t n = numel(positions);
  const int64_t size = t.sizes[dim];
  std::atomic<bool> ok = true;
  parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
    if (!index_kernels().in_range(p + begin, end - begin, size)) {
      ok = false;
    }
  });
  if (!ok) [[unlikely]] {
    const int64_t* bad = std::find_if(p, p + n, [&](int64_t v) { return v < 1 || v > size; });
    fail("position ", bad - p + 1, " of ", n, " is ", *bad, ", out of range: dimension ", dim + 1,
         " of the tensor (", shape(t), ") has size ", size);
  }
}

/// a and b agree in every dimension but `dim`.
void check_same_but(const TH_Tensor& a, const TH_Tensor& b, int dim, const char* a_name, const char* b_name) {
  bool same = a.ndim == b.ndim;
  for (int d = 0; same && d < a.ndim; ++d) {
    same = d == dim || a.sizes[d] == b.sizes[d];
  }
  TH_CHECK(same, "sizes do not match: ", a_name, " is ", shape(a), " and ", b_name, " is ", shape(b),
           "; they must agree in every dimension but ", dim + 1);
}

// --- the loop nest ------------------------------------------------------------------------------

/// Strides, in elements, of one of the tensors that are walked together.
struct Side {
  int64_t along = 0;  // along the dimension of the positions
  int64_t run = 0;    // along the innermost of the others
  int64_t outer[TH_MAX_DIMS] = {};
};

struct Nest {
  int64_t along;       // steps along the dimension of the positions
  int64_t run = 1;     // size of the innermost of the other dimensions
  int64_t planes = 1;  // of along x run elements
  int ndim = 0;        // of the remaining dimensions
  int64_t sizes[TH_MAX_DIMS];
  Side at, other, positions;

  /// A null pointer stands for strides of 0.
  Nest(std::span<const int64_t> shape,
       int dim,
       const int64_t* at_strides,
       const int64_t* other_strides,
       const int64_t* position_strides)
      : along(shape[dim]) {
    const int64_t* strides[] = {at_strides, other_strides, position_strides};
    Side* sides[] = {&at, &other, &positions};
    for (int s = 0; s < 3; ++s) {
      sides[s]->along = strides[s] == nullptr ? 0 : strides[s][dim];
    }
    for (int d = 0; d < static_cast<int>(shape.size()); ++d) {
      if (d != dim && shape[d] != 1) {
        add(shape[d], strides, sides, d);
      }
    }
    if (ndim > 0) {  // the last one is the run
      --ndim;
      run = sizes[ndim];
      for (Side* side : sides) {
        side->run = side->outer[ndim];
      }
    }
    for (int d = 0; d < ndim; ++d) {
      planes *= sizes[d];
    }
  }

  /// Where a plane begins in a tensor.
  int64_t offset(const Side& side, int64_t plane) const {
    int64_t result = 0;
    for (int d = ndim - 1; d >= 0; --d) {
      result += plane % sizes[d] * side.outer[d];
      plane /= sizes[d];
    }
    return result;
  }

 private:
  /// Append dimension d, or join it with the one before where memory lets every side do so.
  void add(int64_t size, const int64_t* const* strides, Side** sides, int d) {
    const auto stride = [&](int s) { return strides[s] == nullptr ? 0 : strides[s][d]; };
    bool joins = ndim > 0;
    for (int s = 0; joins && s < 3; ++s) {
      joins = sides[s]->outer[ndim - 1] == size * stride(s);
    }
    if (!joins) {
      ++ndim;
      sizes[ndim - 1] = 1;
    }
    sizes[ndim - 1] *= size;
    for (int s = 0; s < 3; ++s) {
      sides[s]->outer[ndim - 1] = stride(s);
    }
  }
};

/// What happens between an element of `at` and one of `other`.
struct Gather {
  static constexpr bool writes_at = false;
  template <class T>
  static void move(T& at, T& other) {
    other = at;
  }
};

struct Scatter {
  static constexpr bool writes_at = true;
  template <class T>
  static void move(T& at, T& other) {
    at = other;
  }
};

struct AddTo {
  static constexpr bool writes_at = true;
  template <class T>
  static void move(T& at, T& other) {
    if constexpr (is_half_type<T>) {
      at = T(static_cast<float>(at) + static_cast<float>(other));
    } else {
      at = static_cast<T>(wrapping(at) + wrapping(other));
    }
  }
};

/// n elements, each at its own position.
template <class Move, class T>
void at_positions(T* at, int64_t step, int64_t at_stride, T* other, int64_t other_stride,
                  const int64_t* positions, int64_t position_stride, int64_t n) {
  const auto loop = [=](auto step, auto at_stride, auto other_stride, auto position_stride) {
    for (int64_t i = 0; i < n; ++i) {
      Move::move(at[(positions[i * position_stride] - 1) * step + i * at_stride], other[i * other_stride]);
    }
  };
  constexpr std::integral_constant<int64_t, 0> zero;
  constexpr std::integral_constant<int64_t, 1> one;
  const bool unit = other_stride == 1 && position_stride == 1;
  if (unit && step == 1 && at_stride == 0) {
    loop(one, zero, one, one);
  } else if (unit && at_stride == 0) {
    loop(step, zero, one, one);
  } else if (unit && at_stride == 1) {
    loop(step, one, one, one);
  } else {
    loop(step, at_stride, other_stride, position_stride);
  }
}

/// n elements at one position.
template <class Move, class T>
void row(T* at, int64_t at_stride, T* other, int64_t other_stride, int64_t n) {
  if (at_stride == 1 && other_stride == 1) {
    for (int64_t i = 0; i < n; ++i) {
      Move::move(at[i], other[i]);
    }
  } else {
    for (int64_t i = 0; i < n; ++i) {
      Move::move(at[i * at_stride], other[i * other_stride]);
    }
  }
}

/// The part [k0, k1) x [j0, j1) (along the dimension x along the run) of one plane.
template <class Move, class T>
void plane(const Nest& nest, T* at, T* other, const int64_t* positions, int64_t k0, int64_t k1,
           int64_t j0, int64_t j1) {
  const Side& a = nest.at;
  const Side& o = nest.other;
  const Side& p = nest.positions;
  const bool by_rows = nest.run > 1 && std::abs(a.run) <= std::abs(a.along);
  if (by_rows && p.run == 0) {
    for (int64_t k = k0; k < k1; ++k) {
      row<Move>(at + (positions[k * p.along] - 1) * a.along + j0 * a.run, a.run,
                other + k * o.along + j0 * o.run, o.run, j1 - j0);
    }
  } else if (by_rows) {
    for (int64_t k = k0; k < k1; ++k) {
      at_positions<Move>(at + j0 * a.run, a.along, a.run, other + k * o.along + j0 * o.run, o.run,
                         positions + k * p.along + j0 * p.run, p.run, j1 - j0);
    }
  } else {
    for (int64_t j = j0; j < j1; ++j) {
      at_positions<Move>(at + j * a.run, a.along, int64_t{0}, other + k0 * o.along + j * o.run, o.along,
                         positions + k0 * p.along + j * p.run, p.along, k1 - k0);
    }
  }
}

/// Walk the whole nest. Threads never write one element twice: where positions choose what is
/// written, all steps along the dimension stay on one thread, in order, so that the last one wins.
template <class Move, class T>
void walk(const Nest& nest, T* at, T* other, const int64_t* positions) {
  const int64_t threads = omp_get_max_threads();
  const bool split_along = !Move::writes_at && nest.along >= nest.run;
  const int64_t length = split_along ? nest.along : nest.run;
  const int64_t slices = nest.planes >= 2 * threads ? 1 : std::min(threads, (length + 15) / 16);
  parallel_items(nest.planes * slices, nest.along * nest.run / slices, [&](int64_t begin, int64_t end) {
    for (int64_t item = begin; item < end; ++item) {
      const int64_t index = item / slices;
      const int64_t slice = item % slices;
      const int64_t first = length * slice / slices;
      const int64_t last = length * (slice + 1) / slices;
      plane<Move>(nest, at + nest.offset(nest.at, index), other + nest.offset(nest.other, index),
                  positions + nest.offset(nest.positions, index), split_along ? first : 0,
                  split_along ? last : nest.along, split_along ? 0 : first,
                  split_along ? nest.run : last);
    }
  });
}

/// Moving elements needs their size only.
template <class Move>
void move_elements(const Nest& nest, int64_t size, void* at, void* other, const Tensor& positions) {
  const auto go = [&]<class T>() {
    walk<Move>(nest, static_cast<T*>(at), static_cast<T*>(other), data<int64_t>(positions));
  };
  switch (size) {
    case 1:
      return go.template operator()<uint8_t>();
    case 2:
      return go.template operator()<uint16_t>();
    case 4:
      return go.template operator()<uint32_t>();
    default:
      return go.template operator()<uint64_t>();
  }
}

/// Strides of a vector of positions as if it had `dim` among a tensor's dimensions.
struct VectorStrides {
  int64_t values[TH_MAX_DIMS] = {};
  explicit VectorStrides(int dim) { values[dim] = 1; }
};

// --- results of their own: index_select, gather --------------------------------------------------

/// r, resized, unless it shares memory with an operand: then a tensor of its own, to be copied.
class Result {
 public:
  Result(TH_Tensor* r, std::span<const int64_t> sizes, const TH_Tensor& x, const TH_Tensor& positions)
      : r_(r) {
    check_same_dtype(*r, x);
    if (shares_memory(*r, x) || shares_memory(*r, positions)) {
      own_ = Tensor::like(*r, r->dtype, sizes);
    } else {
      resize(*r, sizes);
    }
  }
  TH_Tensor& tensor() { return own_.ndim > 0 ? own_ : *r_; }
  void finish() {
    if (own_.ndim > 0) {
      resize(*r_, sizes_of(own_));
      copy(*r_, own_);
    }
  }

 private:
  TH_Tensor* r_;
  Tensor own_;
};

void index_select(TH_Tensor* r, const TH_Tensor* x, int dim, const TH_Tensor* positions) {
  check_defined(x, "the tensor");
  check_dim(*x, dim);
  const Tensor p = checked_vector(positions);
  check_range(p, *x, dim);
  const Tensor source(*x);  // r may be x
  int64_t sizes[TH_MAX_DIMS];
  std::copy_n(x->sizes, x->ndim, sizes);
  sizes[dim] = p.sizes[0];
  const std::span<const int64_t> shape(sizes, source.ndim);
  Result result(r, shape, source, *positions);
  TH_Tensor& to = result.tensor();
  const Nest nest(shape, dim, source.strides, to.strides, VectorStrides(dim).values);
  move_elements<Gather>(nest, element_size(to.dtype), bytes(source), bytes(to), p);
  result.finish();
}

void gather(TH_Tensor* r, const TH_Tensor* x, int dim, const TH_Tensor* positions) {
  check_defined(x, "the tensor");
  check_dim(*x, dim);
  const Tensor p = checked_positions(positions);
  check_same_but(*x, p, dim, "the tensor", "the tensor of positions");
  check_range(p, *x, dim);
  const Tensor source(*x);
  Result result(r, sizes_of(p), source, *positions);
  TH_Tensor& to = result.tensor();
  const Nest nest(sizes_of(p), dim, source.strides, to.strides, p.strides);
  move_elements<Gather>(nest, element_size(to.dtype), bytes(source), bytes(to), p);
  result.finish();
}

// --- writing into r: index_copy, index_add, index_fill, scatter ----------------------------------

/// x with r's sizes, but n along dim. The slices of x may have another shape with the same number of
/// elements; they are rearranged then.
Tensor slices_like(const TH_Tensor& r, int dim, int64_t n, const TH_Tensor& x) {
  check_dim(x, dim);
  check_same_dtype(r, x);
  TH_CHECK(x.sizes[dim] == n, "there are ", n, " positions, but dimension ", dim + 1, " of the source (",
           shape(x), ") has size ", x.sizes[dim]);
  TH_CHECK(numel(x) / n == numel(r) / r.sizes[dim], "sizes do not match: the tensor is ", shape(r),
           " and the source ", shape(x), "; they must agree in every dimension but ", dim + 1);
  Tensor source = unaliased(x, r);
  int64_t sizes[TH_MAX_DIMS];
  std::copy_n(r.sizes, r.ndim, sizes);
  sizes[dim] = n;
  const std::span<const int64_t> wanted(sizes, r.ndim);
  if (std::equal(wanted.begin(), wanted.end(), source.sizes, source.sizes + source.ndim)) {
    return source;
  }
  Tensor arranged = Tensor::like(r, r.dtype, wanted);
  for (int64_t i = 0; i < n; ++i) {
    Tensor to, from;
    narrow(to, arranged, dim, i, 1);
    narrow(from, source, dim, i, 1);
    copy(to, from);
  }
  return arranged;
}

/// The positions of an operation that writes into r, checked, and not about to be overwritten.
Tensor positions_into(const TH_Tensor* r, int dim, const TH_Tensor* positions) {
  check_defined(r, "the tensor");
  check_dim(*r, dim);
  const Tensor p = checked_vector(positions);
  check_range(p, *r, dim);
  return unaliased(p, *r);
}

/// The walk of index_copy and its kin: r at the positions, x (if any) in order.
Nest nest_into(const TH_Tensor& r, int dim, int64_t n, const Tensor* x) {
  int64_t sizes[TH_MAX_DIMS];
  std::copy_n(r.sizes, r.ndim, sizes);
  sizes[dim] = n;
  return Nest({sizes, static_cast<size_t>(r.ndim)}, dim, r.strides, x == nullptr ? nullptr : x->strides,
              VectorStrides(dim).values);
}

void index_copy(TH_Tensor* r, int dim, const TH_Tensor* positions, const TH_Tensor* x) {
  const Tensor p = positions_into(r, dim, positions);
  check_defined(x, "the source");
  const Tensor source = slices_like(*r, dim, p.sizes[0], *x);
  const Nest nest = nest_into(*r, dim, p.sizes[0], &source);
  move_elements<Scatter>(nest, element_size(r->dtype), bytes(*r), bytes(source), p);
}

void index_add(TH_Tensor* r, int dim, const TH_Tensor* positions, const TH_Tensor* x) {
  const Tensor p = positions_into(r, dim, positions);
  check_defined(x, "the source");
  const Tensor source = slices_like(*r, dim, p.sizes[0], *x);
  const Nest nest = nest_into(*r, dim, p.sizes[0], &source);
  AllTypes::dispatch(r->dtype, [&]<class T>() {
    walk<AddTo>(nest, data<T>(*r), data<T>(source), data<int64_t>(p));
  });
}

/// A script's number as the bytes of an element.
struct Element {
  alignas(8) char bytes[8];
  Element(int dtype, double value) {
    AllTypes::dispatch(dtype, [&]<class T>() {
      const T element = from_number<T>(value);
      std::memcpy(bytes, &element, sizeof(T));
    });
  }
};

void index_fill(TH_Tensor* r, int dim, const TH_Tensor* positions, double value) {
  const Tensor p = positions_into(r, dim, positions);
  Element element(r->dtype, value);
  const Nest nest = nest_into(*r, dim, p.sizes[0], nullptr);
  move_elements<Scatter>(nest, element_size(r->dtype), bytes(*r), element.bytes, p);
}

Tensor scatter_positions(const TH_Tensor* r, int dim, const TH_Tensor* positions) {
  check_defined(r, "the tensor");
  check_dim(*r, dim);
  const Tensor p = checked_positions(positions);
  check_same_but(*r, p, dim, "the tensor", "the tensor of positions");
  check_range(p, *r, dim);
  return unaliased(p, *r);
}

void scatter(TH_Tensor* r, int dim, const TH_Tensor* positions, const TH_Tensor* x) {
  const Tensor p = scatter_positions(r, dim, positions);
  check_defined(x, "the source");
  check_same_dtype(*r, *x);
  check_same_but(p, *x, dim, "the tensor of positions", "the source");
  TH_CHECK(x->sizes[dim] >= p.sizes[dim], "the source (", shape(*x), ") has fewer elements along dimension ",
           dim + 1, " than there are positions (", shape(p), ")");
  const Tensor source = unaliased(*x, *r);
  const Nest nest(sizes_of(p), dim, r->strides, source.strides, p.strides);
  move_elements<Scatter>(nest, element_size(r->dtype), bytes(*r), bytes(source), p);
}

void scatter_value(TH_Tensor* r, int dim, const TH_Tensor* positions, double value) {
  const Tensor p = scatter_positions(r, dim, positions);
  Element element(r->dtype, value);
  const Nest nest(sizes_of(p), dim, r->strides, nullptr, p.strides);
  move_elements<Scatter>(nest, element_size(r->dtype), bytes(*r), element.bytes, p);
}

}  // namespace

void fill_index(Backend& b) {
  b.index_select = index_select;
  b.index_copy = index_copy;
  b.index_add = index_add;
  b.index_fill = index_fill;
  b.gather = gather;
  b.scatter = scatter;
  b.scatter_value = scatter_value;
}

}  // namespace th::cpu
