#include "core/tensor/tensor.h"

#include <algorithm>
#include <cstring>

#include "core/device_functions.h"

namespace th {
namespace {

/// Elements from the first to the last one that (sizes, strides) reaches, plus one.
int64_t extent(const TH_Tensor& t) {
  int64_t last = 0;
  for (int d = 0; d < t.ndim; ++d) {
    int64_t step;
    if (__builtin_mul_overflow(t.sizes[d] - 1, t.strides[d], &step) ||
        __builtin_add_overflow(last, step, &last)) {
      throw OutOfMemory(str("a tensor of ", shape(t), " does not fit into any memory"));
    }
  }
  return last + 1;
}

/// Point r at s: one reference more there, one less where r pointed before.
void point(TH_Tensor& r, TH_Storage* s) {
  if (r.store != s) {
    if (s != nullptr) {
      retain(s);
    }
    release(r.store);
    r.store = s;
  }
}

void remove_dim(TH_Tensor& r, int dim) {
  for (int d = dim; d + 1 < r.ndim; ++d) {
    r.sizes[d] = r.sizes[d + 1];
    r.strides[d] = r.strides[d + 1];
  }
  --r.ndim;
}

/// The sizes up to the first that is not positive, as Torch7 reads them.
std::span<const int64_t> positive_prefix(std::span<const int64_t> sizes) {
  const auto end = std::find_if(sizes.begin(), sizes.end(), [](int64_t n) { return n <= 0; });
  return sizes.first(static_cast<size_t>(end - sizes.begin()));
}

void check_ndim(std::span<const int64_t> sizes) {
  TH_CHECK(sizes.size() <= TH_MAX_DIMS, "at most ", TH_MAX_DIMS, " dimensions, got ", sizes.size());
}

/// Row-major strides; kept[d] >= 0 wins over the computed one.
void set_geometry(TH_Tensor& t, std::span<const int64_t> sizes, std::span<const int64_t> kept) {
  check_ndim(sizes);
  t.ndim = static_cast<int16_t>(sizes.size());
  for (int d = t.ndim - 1; d >= 0; --d) {
    t.sizes[d] = sizes[d];
    if (static_cast<size_t>(d) < kept.size() && kept[d] >= 0) {
      t.strides[d] = kept[d];
    } else if (d + 1 == t.ndim) {
      t.strides[d] = 1;
    } else if (__builtin_mul_overflow(t.sizes[d + 1], t.strides[d + 1], &t.strides[d])) {
      throw OutOfMemory(str("a tensor of ", shape(sizes), " does not fit into any memory"));
    }
  }
}

/// Elements that t's storage must have once t has that geometry.
int64_t needed_length(const TH_Tensor& t, std::span<const int64_t> sizes,
                      std::span<const int64_t> strides) {
  check_ndim(sizes);
  int64_t span = checked_count(sizes);  // row-major elements span exactly their number
  if (sizes.empty()) {
    return 0;
  }
  if (!strides.empty()) {
    TH_Tensor wanted;
    copy_handle(wanted, t);
    set_geometry(wanted, sizes, strides);
    span = extent(wanted);
  }
  int64_t needed;
  if (__builtin_add_overflow(t.offset, span, &needed)) {
    throw OutOfMemory(str("a tensor of ", shape(sizes), " does not fit into any memory"));
  }
  return needed;
}

bool has_geometry(const TH_Tensor& t, std::span<const int64_t> sizes,
                  std::span<const int64_t> strides) {
  return strides.empty() && same_sizes(sizes, sizes_of(t));
}

/// The storage of a handle that has none; false where it has one, or needs none.
bool get_storage(TH_Tensor& t, int64_t needed) {
  if (needed <= 0 || t.store != nullptr) {
    return false;
  }
  t.store = new_storage(t.dtype, t.device_type, t.device, needed);
  t.is_view = 0;
  return true;
}

}  // namespace

std::string shape(std::span<const int64_t> sizes) {
  if (sizes.empty()) {
    return "empty";
  }
  std::string text = std::to_string(sizes[0]);
  for (int64_t size : sizes.subspan(1)) {
    text += str("x", size);
  }
  return text;
}

std::string shape(const TH_Tensor& t) { return shape(sizes_of(t)); }

std::string type_name(const TH_Tensor& t) {
  const bool cuda = t.device_type == TH_CUDA;
  const bool plain = cuda && t.dtype == TH_FLOAT;  // torch.CudaTensor holds floats
  return str(cuda ? "Cuda" : "", plain ? "" : class_name(t.dtype), "Tensor");
}

Tensor Tensor::like(const TH_Tensor& like, int dtype, std::span<const int64_t> sizes) {
  Tensor t;
  init(t, dtype, like.device_type, like.device);
  resize(t, sizes);
  return t;
}

Tensor contiguous(const TH_Tensor& t) {
  if (is_contiguous(t)) {
    return Tensor(t);
  }
  Tensor copy = Tensor::like(t, t.dtype, sizes_of(t));
  th::copy(copy, t);
  return copy;
}

int64_t checked_count(std::span<const int64_t> sizes) {
  int64_t n = 1;
  for (int64_t size : sizes) {
    if (__builtin_mul_overflow(n, size, &n)) {
      throw OutOfMemory(str("a tensor of ", shape(sizes), " does not fit into any memory"));
    }
  }
  return n;
}

void check_defined(const TH_Tensor* t, const char* argument) {
  TH_CHECK(t != nullptr, argument, " is missing");
  TH_CHECK(t->ndim > 0, argument, " is empty");
}

void check_dtype(const TH_Tensor& t, int dtype, const char* argument) {
  TH_CHECK(t.dtype == dtype, argument, " is a ", type_name(t), ", wanted a ", class_name(dtype),
           "Tensor");
}

void check_same_count(const TH_Tensor& r, std::initializer_list<const TH_Tensor*> operands) {
  const int64_t wanted = numel(r);
  for (const TH_Tensor* t : operands) {
    if (numel(*t) != wanted) [[unlikely]] {
      std::string shapes = str("[", shape(r), "]");
      std::string counts = str(wanted);
      for (const TH_Tensor* each : operands) {
        shapes += str(" and [", shape(*each), "]");
        counts += str(" and ", numel(*each));
      }
      fail("inconsistent tensor size: ", shapes,
           " must have the same number of elements, but have ", counts);
    }
  }
}

void check_dim(const TH_Tensor& t, int dim) {
  TH_CHECK(t.ndim > 0, "the tensor is empty");
  TH_CHECK(dim >= 0 && dim < t.ndim, "dimension ", int64_t{dim} + 1, " out of range of ", t.ndim,
           "D tensor (", shape(t), ")", dim < 0 ? "; dimensions count from 1" : "");
}

void init(TH_Tensor& t, int dtype, int device_type, int device) {
  TH_CHECK(dtype >= 0 && dtype < TH_NUM_DTYPES, "no such element type: ", dtype);
  release(t.store);
  t.store = nullptr;
  t.is_view = 0;
  t.offset = 0;
  t.ndim = 0;  // sizes and strides beyond ndim mean nothing
  t.dtype = static_cast<uint8_t>(dtype);
  t.device_type = static_cast<uint8_t>(device_type);
  t.device = static_cast<int16_t>(device);
}

void resize(TH_Tensor& t, std::span<const int64_t> sizes, std::span<const int64_t> strides) {
  sizes = positive_prefix(sizes);
  if (has_geometry(t, sizes, strides)) {
    return;
  }
  const int64_t needed = needed_length(t, sizes, strides);
  if (!get_storage(t, needed) && needed > 0 && needed > t.store->length) {
    resize_storage(t.store, needed);
  }
  set_geometry(t, sizes, strides);
}

void reserve(TH_Tensor& t, std::span<const int64_t> sizes, std::span<const int64_t> strides) {
  sizes = positive_prefix(sizes);
  if (has_geometry(t, sizes, strides)) {
    return;
  }
  const int64_t needed = needed_length(t, sizes, strides);
  if (get_storage(t, needed)) {
    t.store->length = 0;
  } else if (needed > 0) {
    reserve_storage(t.store, needed);
  }
}

void resize_as_slow(TH_Tensor& t, const TH_Tensor& other) { resize(t, sizes_of(other)); }

void alias(TH_Tensor& r, const TH_Tensor& t) {
  if (&r != &t) {
    const uint8_t is_view = r.store == t.store ? r.is_view : 1;
    point(r, t.store);
    void* const gradient = r.gradient;  // r stays the handle it was, over other elements
    const uint8_t flags = r.flags;
    copy_handle(r, t);
    r.gradient = gradient;
    r.flags = flags;
    r.is_view = is_view;
  }
}

void set_storage(TH_Tensor& r, TH_Storage* s, int64_t offset, std::span<const int64_t> sizes,
                 std::span<const int64_t> strides) {
  TH_CHECK(offset >= 0, "storage offset ", offset + 1, " must be at least 1");
  sizes = positive_prefix(sizes);
  checked_count(sizes);
  TH_Tensor wanted;
  copy_handle(wanted, r);
  wanted.offset = offset;
  set_geometry(wanted, sizes, strides);
  if (s != nullptr) {
    TH_CHECK(s->dtype == r.dtype && s->device_type == r.device_type, "a ", type_name(r),
             " cannot use a ", class_name(s->dtype), "Storage");
    wanted.store = s;
    wanted.device = s->device;
    if (const int64_t needed = needed_length(wanted, sizes, strides); needed > s->length) {
      resize_storage(s, needed);
    }
    point(r, s);
  } else {
    TH_CHECK(sizes.empty(), "no storage for a tensor of ", shape(sizes));
    point(r, nullptr);
  }
  wanted.store = r.store;
  copy_handle(r, wanted);
}

void narrow(TH_Tensor& r, const TH_Tensor& t, int dim, int64_t first, int64_t length) {
  check_dim(t, dim);
  TH_CHECK(first >= 0 && first < t.sizes[dim], "first index ", first + 1,
           " out of range: dimension ", dim + 1, " has size ", t.sizes[dim]);
  TH_CHECK(length > 0 && length <= t.sizes[dim] - first, "length ", length,
           " out of range: dimension ", dim + 1, " has size ", t.sizes[dim],
           ", the first index is ", first + 1);
  alias(r, t);
  r.offset += first * t.strides[dim];
  r.sizes[dim] = length;
}

void select(TH_Tensor& r, const TH_Tensor& t, int dim, int64_t index) {
  check_dim(t, dim);
  TH_CHECK(t.ndim > 1, "cannot select on a vector; read the element instead");
  TH_CHECK(index >= 0 && index < t.sizes[dim], "index ", index + 1, " out of range: dimension ",
           dim + 1, " has size ", t.sizes[dim]);
  const int64_t stride = t.strides[dim];
  alias(r, t);
  r.offset += index * stride;
  remove_dim(r, dim);
}

void transpose(TH_Tensor& r, const TH_Tensor& t, int dim1, int dim2) {
  check_dim(t, dim1);
  check_dim(t, dim2);
  alias(r, t);
  std::swap(r.sizes[dim1], r.sizes[dim2]);
  std::swap(r.strides[dim1], r.strides[dim2]);
}

void permute(TH_Tensor& r, const TH_Tensor& t, std::span<const int64_t> order) {
  TH_CHECK(static_cast<int>(order.size()) == t.ndim, "got ", order.size(),
           " dimensions for a tensor of ", shape(t));
  bool seen[TH_MAX_DIMS] = {};
  for (int64_t d : order) {
    check_dim(t, static_cast<int>(d));
    TH_CHECK(!seen[d], "dimension ", d + 1, " is named twice");
    seen[d] = true;
  }
  const TH_Tensor from = t;
  alias(r, t);
  for (int d = 0; d < from.ndim; ++d) {
    r.sizes[d] = from.sizes[order[d]];
    r.strides[d] = from.strides[order[d]];
  }
}

void unfold(TH_Tensor& r, const TH_Tensor& t, int dim, int64_t size, int64_t step) {
  check_dim(t, dim);
  TH_CHECK(t.ndim < TH_MAX_DIMS, "at most ", TH_MAX_DIMS, " dimensions");
  TH_CHECK(size > 0 && size <= t.sizes[dim], "size ", size, " out of range: dimension ", dim + 1,
           " has size ", t.sizes[dim]);
  TH_CHECK(step > 0, "step ", step, " must be at least 1");
  int64_t sizes[TH_MAX_DIMS];
  std::copy_n(t.sizes, t.ndim, sizes);
  sizes[dim] = (sizes[dim] - size) / step + 1;
  sizes[t.ndim] = size;
  checked_count({sizes, static_cast<size_t>(t.ndim) + 1});  // windows overlap: more than t may have
  alias(r, t);
  std::copy_n(sizes, t.ndim + 1, r.sizes);
  r.strides[r.ndim] = r.strides[dim];
  ++r.ndim;
  if (r.sizes[dim] > 1) {  // nobody takes a step otherwise, and it may be of any length
    r.strides[dim] *= step;
  }
}

void expand(TH_Tensor& r, const TH_Tensor& t, std::span<const int64_t> sizes) {
  TH_CHECK(static_cast<int>(sizes.size()) == t.ndim,
           "the number of dimensions provided must equal tensor.dim(): got ", sizes.size(),
           " sizes (", shape(sizes), ") for a tensor of ", shape(t));
  for (int d = 0; d < t.ndim; ++d) {
    TH_CHECK(sizes[d] == t.sizes[d] || (t.sizes[d] == 1 && sizes[d] > 0), "a tensor of ", shape(t),
             " cannot become ", shape(sizes), ": dimension ", d + 1, " is ", t.sizes[d],
             ", and only dimensions of size 1 expand");
  }
  checked_count(sizes);
  alias(r, t);
  for (int d = 0; d < r.ndim; ++d) {
    if (r.sizes[d] != sizes[d]) {
      r.sizes[d] = sizes[d];
      r.strides[d] = 0;
    }
  }
}

void view(TH_Tensor& r, const TH_Tensor& t, std::span<const int64_t> sizes) {
  TH_CHECK(is_contiguous(t), "expecting a contiguous tensor, got ", shape(t), " with strides ",
           shape({t.strides, static_cast<size_t>(t.ndim)}),
           "; use :contiguous() first, or :reshape()");
  check_ndim(sizes);
  const int64_t total = numel(t);
  int64_t known = 1;
  int inferred = -1;
  int64_t result[TH_MAX_DIMS];
  for (size_t d = 0; d < sizes.size(); ++d) {
    result[d] = sizes[d];
    if (sizes[d] == -1) {
      TH_CHECK(inferred < 0, "only one size may be -1, got ", shape(sizes));
      inferred = static_cast<int>(d);
    } else {
      TH_CHECK(sizes[d] > 0, "size ", sizes[d], " must be positive (or -1 once), got ",
               shape(sizes));
      TH_CHECK(!__builtin_mul_overflow(known, sizes[d], &known), "sizes ", shape(sizes),
               " are too large");
    }
  }
  if (inferred >= 0 && total % known == 0) {
    result[inferred] = total / known;
    known = total;
  }
  TH_CHECK(known == total, "Wrong size for view. Input size: ", shape(t),
           ". Output size: ", shape(sizes));
  alias(r, t);
  // Of an empty tensor, -1 stands for 0: an empty tensor again, which has no dimensions.
  set_geometry(r, {result, total > 0 ? sizes.size() : 0}, {});
}

void squeeze(TH_Tensor& r, const TH_Tensor& t, int dim) {
  if (dim >= 0) {
    check_dim(t, dim);
  }
  alias(r, t);
  for (int d = r.ndim - 1; d >= 0 && r.ndim > 1; --d) {
    if (r.sizes[d] == 1 && (dim < 0 || d == dim)) {
      remove_dim(r, d);
    }
  }
}

void unsqueeze(TH_Tensor& r, const TH_Tensor& t, int dim) {
  TH_CHECK(t.ndim > 0, "the tensor is empty");
  TH_CHECK(dim >= 0 && dim <= t.ndim, "dimension ", int64_t{dim} + 1, " out of range: a ", t.ndim,
           "D tensor has places 1 to ", t.ndim + 1, " for a new one");
  TH_CHECK(t.ndim < TH_MAX_DIMS, "at most ", TH_MAX_DIMS, " dimensions");
  alias(r, t);
  for (int d = r.ndim; d > dim; --d) {
    r.sizes[d] = r.sizes[d - 1];
    r.strides[d] = r.strides[d - 1];
  }
  r.sizes[dim] = 1;
  r.strides[dim] = dim + 1 <= r.ndim ? r.sizes[dim + 1] * r.strides[dim + 1] : 1;
  ++r.ndim;
}

}  // namespace th
