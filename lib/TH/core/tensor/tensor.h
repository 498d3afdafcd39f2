// Geometry: sizes, strides and views. Nothing here touches an element.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "TH_core.h"
#include "core/memory/storage.h"
#include "core/tensor/dtype.h"

#pragma GCC visibility push(default)  // for backends in libraries of their own
namespace th {

inline int64_t numel(const TH_Tensor& t) {
  if (t.ndim == 0) {
    return 0;
  }
  int64_t n = 1;
  for (int d = 0; d < t.ndim; ++d) {
    n *= t.sizes[d];
  }
  return n;
}

/// Row-major without gaps; the stride of a dimension of size 1 does not matter.
inline bool is_contiguous(const TH_Tensor& t) {
  int64_t expected = 1;
  for (int d = t.ndim - 1; d >= 0; --d) {
    if (t.sizes[d] != 1) {
      if (t.strides[d] != expected) {
        return false;
      }
      expected *= t.sizes[d];
    }
  }
  return true;
}

inline std::span<const int64_t> sizes_of(const TH_Tensor& t) {
  return {t.sizes, static_cast<size_t>(t.ndim)};
}

/// One by one, as they were written: memcmp, which std::equal becomes, would wait for that.
inline bool same_sizes(std::span<const int64_t> a, std::span<const int64_t> b) {
  if (a.size() != b.size()) {
    return false;
  }
  for (size_t d = 0; d < a.size(); ++d) {
    if (a[d] != b[d]) {
      return false;
    }
  }
  return true;
}
inline bool same_sizes(const TH_Tensor& a, const TH_Tensor& b) {
  return same_sizes(sizes_of(a), sizes_of(b));
}

/// The first element's address; T must match the dtype (the caller dispatched on it).
template <class T>
T* data(const TH_Tensor& t) {
  return t.store == nullptr ? nullptr : static_cast<T*>(t.store->data) + t.offset;
}
inline char* bytes(const TH_Tensor& t) {
  return t.store == nullptr ? nullptr
                            : static_cast<char*>(t.store->data) + t.offset * element_size(t.dtype);
}

/// "2x3x4", or "empty".
std::string shape(const TH_Tensor& t);
std::string shape(std::span<const int64_t> sizes);
/// "FloatTensor", "CudaDoubleTensor".
std::string type_name(const TH_Tensor& t);

/// What a handle says. Sizes and strides beyond its dimensions mean nothing: copying all sixteen
/// takes as long as a small operation.
inline void copy_handle(TH_Tensor& to, const TH_Tensor& from) {
  to.store = from.store;
  to.offset = from.offset;
  to.gradient = from.gradient;
  to.ndim = from.ndim;
  to.is_view = from.is_view;
  to.flags = from.flags;
  to.dtype = from.dtype;
  to.device_type = from.device_type;
  to.device = from.device;
  for (int d = 0; d < from.ndim; ++d) {
    to.sizes[d] = from.sizes[d];
    to.strides[d] = from.strides[d];
  }
}

inline void clear_handle(TH_Tensor& t) {
  t.store = nullptr;
  t.offset = 0;
  t.gradient = nullptr;
  t.ndim = 0;
  t.is_view = 0;
  t.flags = 0;
  t.dtype = 0;
  t.device_type = 0;
  t.device = 0;
}

/// A tensor of its own: releases its storage reference. For temporaries inside operations.
class Tensor : public TH_Tensor {
 public:
  Tensor() { clear_handle(*this); }
  explicit Tensor(const TH_Tensor& t) {
    copy_handle(*this, t);
    gradient = nullptr;
    flags &= static_cast<uint8_t>(~TH_REQUIRES_GRADIENT);
    if (store != nullptr) {
      retain(store);
    }
  }
  Tensor(Tensor&& other) noexcept {
    copy_handle(*this, other);
    other.store = nullptr;
  }
  Tensor& operator=(Tensor&& other) noexcept {
    if (this != &other) {
      release(store);
      copy_handle(*this, other);
      other.store = nullptr;
      other.ndim = 0;
    }
    return *this;
  }
  Tensor(const Tensor&) = delete;
  ~Tensor() { release(store); }

  /// Uninitialised, of that type, on the device where `like` lives.
  static Tensor like(const TH_Tensor& like, int dtype, std::span<const int64_t> sizes);
};

/// t itself when it is contiguous, otherwise a compact copy.
Tensor contiguous(const TH_Tensor& t);

// --- checks -------------------------------------------------------------------------------------

/// What an operation cannot do without.
inline const TH_Tensor& given(const TH_Tensor* t) {
  TH_CHECK(t != nullptr, "an operand is missing");
  return *t;
}
/// How many elements a tensor of those sizes has; an error where no memory could hold them.
int64_t checked_count(std::span<const int64_t> sizes);
/// t is not NULL and has elements.
void check_defined(const TH_Tensor* t, const char* argument);
void check_dtype(const TH_Tensor& t, int dtype, const char* argument);
/// a and b have one type.
inline void check_same_dtype(const TH_Tensor& a, const TH_Tensor& b) {
  if (a.dtype != b.dtype) [[unlikely]] {
    fail("types differ: ", type_name(a), " and ", type_name(b), "; convert one, as in x:typeAs(y)");
  }
}
void check_same_count(const TH_Tensor& r, std::initializer_list<const TH_Tensor*> operands);
/// dim counts from 0 here; the text counts from 1, as scripts do.
void check_dim(const TH_Tensor& t, int dim);

// --- sizes and strides --------------------------------------------------------------------------

/// Row-major over the same storage from the same offset, which grows when it must. strides may be
/// empty, or hold -1 where row-major is wanted. Sizes end at the first one that is not positive.
void resize(TH_Tensor& t, std::span<const int64_t> sizes, std::span<const int64_t> strides = {});
/// Make room for such a resize, which cannot fail then. t stays as it is, but for an empty storage
/// where it had none. An operation with several results, or which allocates more, reserves first.
void reserve(TH_Tensor& t, std::span<const int64_t> sizes, std::span<const int64_t> strides = {});
void resize_as_slow(TH_Tensor& t, const TH_Tensor& other);
inline void resize_as(TH_Tensor& t, const TH_Tensor& other) {
  if (!same_sizes(t, other)) {
    resize_as_slow(t, other);
  }
}

void init(TH_Tensor& t, int dtype, int device_type, int device);
void alias(TH_Tensor& r, const TH_Tensor& t);
void set_storage(TH_Tensor& r, TH_Storage* s, int64_t offset, std::span<const int64_t> sizes,
                 std::span<const int64_t> strides);
void narrow(TH_Tensor& r, const TH_Tensor& t, int dim, int64_t first, int64_t length);
void select(TH_Tensor& r, const TH_Tensor& t, int dim, int64_t index);
void transpose(TH_Tensor& r, const TH_Tensor& t, int dim1, int dim2);
void permute(TH_Tensor& r, const TH_Tensor& t, std::span<const int64_t> order);
void unfold(TH_Tensor& r, const TH_Tensor& t, int dim, int64_t size, int64_t step);
void expand(TH_Tensor& r, const TH_Tensor& t, std::span<const int64_t> sizes);
void view(TH_Tensor& r, const TH_Tensor& t, std::span<const int64_t> sizes);
void squeeze(TH_Tensor& r, const TH_Tensor& t, int dim);
void unsqueeze(TH_Tensor& r, const TH_Tensor& t, int dim);

}  // namespace th

#pragma GCC visibility pop
