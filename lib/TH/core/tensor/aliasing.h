// Results that may lie where an operand is still being read.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <span>
#include <utility>

#include "core/device_functions.h"
#include "core/tensor/tensor.h"

namespace th {

/// Whether two tensors lie in one block of memory, so that growing or writing one may change the
/// other. Tensors of different parts of a block count as sharing.
inline bool shares_memory(const TH_Tensor& a, const TH_Tensor& b) {
  const auto block = [](const TH_Tensor& t) {
    auto* s = static_cast<const Storage*>(t.store);
    while (s != nullptr && s->kind == Storage::Kind::View) {
      s = s->base;
    }
    return s;
  };
  return a.store != nullptr && b.store != nullptr &&
         (block(a) == block(b) || !apart(*a.store, *b.store));
}

/// Whether two tensors are the same elements of the same memory, in the same order.
inline bool same_elements(const TH_Tensor& a, const TH_Tensor& b) {
  return bytes(a) == bytes(b) && element_size(a.dtype) == element_size(b.dtype) &&
         same_sizes(a, b) && std::equal(a.strides, a.strides + a.ndim, b.strides);
}

/// Whether some elements of t may be one in memory, as in expanded and unfolded tensors. The answer
/// for tensors whose dimensions interleave is yes even where no two elements meet.
inline bool may_overlap_itself(const TH_Tensor& t) {
  int64_t inner = 0;  // as below, of dimensions in their usual order
  bool usual = true;
  for (int d = t.ndim - 1; d >= 0 && usual; --d) {
    usual = t.sizes[d] == 1 || t.strides[d] > inner;
    inner += (t.sizes[d] - 1) * t.strides[d];
  }
  if (usual) [[likely]] {
    return false;
  }
  int order[TH_MAX_DIMS];
  int n = 0;
  for (int d = 0; d < t.ndim; ++d) {
    if (t.sizes[d] > 1) {
      order[n++] = d;
    }
  }
  std::sort(order, order + n, [&](int a, int b) { return t.strides[a] < t.strides[b]; });
  int64_t reach = 0;  // of the dimensions with smaller strides
  for (int i = 0; i < n; ++i) {
    const int64_t stride = t.strides[order[i]];
    if (stride <= reach) {
      return true;
    }
    reach += (t.sizes[order[i]] - 1) * stride;
  }
  return false;
}

/// First byte of t and the one behind its last.
inline std::pair<const char*, const char*> reach(const TH_Tensor& t) {
  int64_t last = 0;
  for (int d = 0; d < t.ndim; ++d) {
    last += (t.sizes[d] - 1) * t.strides[d];
  }
  return {bytes(t), bytes(t) + (last + 1) * element_size(t.dtype)};
}

inline bool overlaps(const TH_Tensor& a, const TH_Tensor& b) {
  const auto [a_first, a_end] = reach(a);
  const auto [b_first, b_end] = reach(b);
  return a_first < b_end && b_first < a_end;
}

/// Whether writing an element of r may change an element of x at another position, counted in
/// row-major order; also where elements of r are one in memory, and x is r. No for what cannot
/// meet: columns of a matrix, say. The types may differ.
inline bool displaces(const TH_Tensor& r, const TH_Tensor& x) {
  if (r.ndim == 0 || x.ndim == 0 || apart(*r.store, *x.store)) [[likely]] {
    return false;
  }
  const int64_t r_size = element_size(r.dtype);
  const int64_t x_size = element_size(x.dtype);
  if (bytes(r) == bytes(x) && r_size == x_size && is_contiguous(r) && is_contiguous(x)) {
    return false;
  }
  if (same_elements(r, x)) {
    return may_overlap_itself(r);
  }
  if (!overlaps(r, x)) {
    return false;
  }
  int64_t step = 0;  // all elements of both lie at multiples of it from their first, in bytes
  for (const TH_Tensor* t : {&r, &x}) {
    for (int d = 0; d < t->ndim; ++d) {
      step = std::gcd(step, t->sizes[d] > 1 ? t->strides[d] * element_size(t->dtype) : 0);
    }
  }
  if (step == 0) {
    return true;
  }
  const int64_t distance = (bytes(r) - bytes(x)) % step;  // from some element of x to one of r
  const int64_t after = distance < 0 ? distance + step : distance;
  return after < x_size || step - after < r_size;
}

inline Tensor clone(const TH_Tensor& t) {
  Tensor copy = Tensor::like(t, t.dtype, sizes_of(t));
  th::copy(copy, t);
  return copy;
}

/// t, or a copy of its own when writing `written` would change t.
inline Tensor unaliased(const TH_Tensor& t, const TH_Tensor& written) {
  return shares_memory(t, written) ? clone(t) : Tensor(t);
}

/// g, or a copy of it where writing x or a state would change elements of it that are still read.
/// Where an element lies over its own one in g, nothing is lost.
inline Tensor undisturbed(const TH_Tensor& g, const TH_Tensor& x,
                          std::span<TH_Tensor* const> states) {
  bool displaced = displaces(x, g);
  for (const TH_Tensor* s : states) {
    displaced = displaced || displaces(*s, g);
  }
  return displaced ? clone(g) : Tensor(g);
}

/// Whether t, given those sizes, is compact.
inline bool becomes_compact(const TH_Tensor& t, std::span<const int64_t> sizes) {
  return is_contiguous(t) || !std::equal(sizes.begin(), sizes.end(), t.sizes, t.sizes + t.ndim);
}

/// t as it will be with those sizes, without a reference of its own: compact, unless it has them
/// already.
inline TH_Tensor shaped(const TH_Tensor& t, std::span<const int64_t> sizes) {
  TH_Tensor shape;
  copy_handle(shape, t);
  if (!std::equal(sizes.begin(), sizes.end(), t.sizes, t.sizes + t.ndim)) {
    shape.ndim = static_cast<int16_t>(sizes.size());
    int64_t stride = 1;
    for (int d = shape.ndim - 1; d >= 0; --d) {
      shape.sizes[d] = sizes[static_cast<size_t>(d)];
      shape.strides[d] = stride;
      stride *= shape.sizes[d];
    }
  }
  return shape;
}

/// Where an operation writes its result: r itself, or a compact tensor of its own when r shares
/// memory with an operand or is of another type than what is computed. Operands must be held as
/// th::Tensor: r may be one of them.
///
/// Memory is taken here, and r keeps its sizes until tensor() or finish() is called. An operation
/// that makes its results first, and whatever else it allocates before it calls either, loses
/// nothing when memory runs out.
class Result {
 public:
  enum Form { Any, Compact };

  Result(TH_Tensor* r, std::span<const int64_t> sizes, Form form,
         std::initializer_list<const TH_Tensor*> operands)
      : Result(r, sizes, form, operands, r->dtype) {}

  /// r with its sizes, or the tensor in its place.
  TH_Tensor& tensor() {
    if (own_.ndim > 0) {
      return own_;
    }
    resize(*r_, sizes());
    return *r_;
  }

  /// Where the elements go, before and after r has its sizes; for the Compact form.
  template <class T>
  T* data() const {
    return th::data<T>(target());
  }

  /// The elements as they will lie, without a reference of its own; for the Compact form.
  TH_Tensor shape() const { return shaped(target(), sizes()); }

  void finish() {
    resize(*r_, sizes());
    if (own_.ndim > 0) {
      copy(*r_, own_);
    }
  }

 protected:
  /// For elements that are computed in another type than r's.
  Result(TH_Tensor* r, std::span<const int64_t> sizes, Form form,
         std::initializer_list<const TH_Tensor*> operands, int dtype)
      : r_(r), ndim_(static_cast<int>(sizes.size())) {
    std::copy(sizes.begin(), sizes.end(), sizes_);
    bool apart = dtype != r->dtype || (form == Compact && !becomes_compact(*r, sizes));
    for (const TH_Tensor* t : operands) {
      apart = apart || shares_memory(*r, *t);
    }
    if (apart) {
      own_ = Tensor::like(*r, dtype, sizes);
    }
    reserve(*r, sizes);
  }

 private:
  const TH_Tensor& target() const {
    if (own_.ndim > 0) {
      return own_;
    }
    return *r_;
  }
  std::span<const int64_t> sizes() const { return {sizes_, static_cast<size_t>(ndim_)}; }

  TH_Tensor* r_;
  Tensor own_;
  int ndim_;
  int64_t sizes_[TH_MAX_DIMS];  // a copy: the caller's may be an operand's that r is
};

}  // namespace th
