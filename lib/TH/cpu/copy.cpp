// Copying between any strides and types, and filling.
#include <algorithm>
#include <bit>
#include <cstring>

#include "core/device_functions.h"
#include "core/tables/fill.h"
#include "core/tensor/aliasing.h"
#include "core/tensor/dtype.h"
#include "core/tensor/element_size.h"
#include "core/tensor/tensor.h"
#include "cpu/elementwise.h"
#include "cpu/parallel.h"
#include "cpu/past_caches.h"
#include "cpu/register.h"
#include "cpu/select.h"

namespace th::cpu {

const ConvertKernels& convert_kernels() {
  static const ConvertKernels table = select_kernels<ConvertKernels>();
  return table;
}

namespace {

template <int Size>
void move_block(void* const* pointers, int64_t n, const double*) {
  if (pointers[0] != pointers[1]) {
    std::memcpy(pointers[0], pointers[1], static_cast<size_t>(n) * Size);
  }
}
constexpr Kernel kMove[] = {move_block<1>, move_block<2>, move_block<4>, move_block<8>};

int size_log2(int dtype) { return std::countr_zero(static_cast<uint64_t>(element_size(dtype))); }

/// A small matrix, element by element: plans and blocks would take longer than the copy. All of it
/// is read first, as r may be x transposed.
bool copy_small(TH_Tensor& r, const TH_Tensor& x, int64_t n) {
  constexpr int64_t kSmall = 64;
  if (n > kSmall || x.ndim != 2 || r.dtype != x.dtype || !same_sizes(r, x) ||
      (is_contiguous(r) && is_contiguous(x))) {
    return false;
  }
  const auto each = [&](const TH_Tensor& t, const auto& visit) {
    for (int64_t i = 0; i < t.sizes[0]; ++i) {
      for (int64_t j = 0; j < t.sizes[1]; ++j) {
        visit(i * t.strides[0] + j * t.strides[1]);
      }
    }
  };
  with_size(element_size(r.dtype), [&]<class T>() {
    T elements[kSmall];
    T* next = elements;
    each(x, [&, from = reinterpret_cast<const T*>(bytes(x))](int64_t i) { *next++ = from[i]; });
    next = elements;
    each(r, [&, to = reinterpret_cast<T*>(bytes(r))](int64_t i) { to[i] = *next++; });
  });
  return true;
}

/// r (row-major) from x where a dimension other than the last has stride 1: move tiles, so that
/// every cache line is used whole on both sides. Returns false when that is not the case at hand.
bool copy_transposed(TH_Tensor& r, const TH_Tensor& x) {
  if (r.dtype != x.dtype || !same_sizes(r, x) || !is_contiguous(r) || x.ndim < 2) {
    return false;
  }
  const int last = x.ndim - 1;
  int fast = -1;
  for (int d = 0; d < last; ++d) {
    if (x.strides[d] == 1 && x.sizes[d] >= 8) {
      fast = d;
    }
  }
  if (fast < 0 || x.strides[last] <= 1 || x.sizes[last] < 8) {
    return false;
  }
  const int64_t columns = x.sizes[fast];
  const int64_t rows = x.sizes[last];
  const int64_t element = element_size(r.dtype);
  const auto transpose = convert_kernels().transpose[size_log2(r.dtype)];
  // Every other dimension is walked plane by plane; a large plane is split by columns of r.
  const int64_t planes = numel(r) / (rows * columns);
  const int64_t slices = planes >= 8 ? 1 : (columns + 63) / 64;
  parallel_items(planes * slices, rows * columns / slices, [&](int64_t begin, int64_t end) {
    for (int64_t item = begin; item < end; ++item) {
      int64_t rest = item / slices;
      int64_t to = 0;
      int64_t from = 0;
      for (int d = last - 1; d >= 0; --d) {
        if (d != fast) {
          const int64_t index = rest % r.sizes[d];
          rest /= r.sizes[d];
          to += index * r.strides[d];
          from += index * x.strides[d];
        }
      }
      const int64_t first = slices == 1 ? 0 : item % slices * 64;
      const int64_t count = slices == 1 ? columns : std::min<int64_t>(64, columns - first);
      // x: `rows` rows of `count` neighbours; r: `count` rows (along `fast`) of `rows` neighbours.
      transpose(bytes(r) + (to + first * r.strides[fast]) * element, r.strides[fast],
                bytes(x) + (from + first) * element, x.strides[last], rows, count);
    }
  });
  return true;
}

/// r and x do not meet in memory, or in the same elements only.
void copy_apart(TH_Tensor& r, const TH_Tensor& x) {
  const int64_t n = numel(r);
  if (is_contiguous(r) && is_contiguous(x)) {
    char* to = bytes(r);
    const char* from = bytes(x);
    const int64_t size = element_size(r.dtype);
    if (r.dtype == x.dtype && exceeds_caches(2 * n * size)) {
      parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
        copy_past_caches(to + begin * size, from + begin * size, (end - begin) * size);
      });
      return;
    }
    const auto convert = convert_kernels().convert[x.dtype][r.dtype];
    parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
      convert(to + begin * size, from + begin * element_size(x.dtype), end - begin);
    });
    return;
  }
  if (copy_transposed(r, x)) {
    return;
  }
  const Operand operands[] = {{&r, x.dtype}, {&x, x.dtype}};
  elementwise(kMove[size_log2(x.dtype)], operands, 2, nullptr, 1);
}

[[gnu::noinline, gnu::cold]] void copy_displaced(TH_Tensor& r, const TH_Tensor& x) {
  if (r.dtype == x.dtype && is_contiguous(r) && is_contiguous(x)) {
    std::memmove(bytes(r), bytes(x), static_cast<size_t>(numel(r) * element_size(r.dtype)));
    return;
  }
  Tensor apart = Tensor::like(x, x.dtype, sizes_of(x));
  copy_apart(apart, x);
  copy_apart(r, apart);
}

void copy(TH_Tensor* r, const TH_Tensor* x) {
  if (copy_small(*r, *x, numel(*r))) {
    return;
  }
  if (apart(*r->store, *x->store)) [[likely]] {
    copy_apart(*r, *x);
  } else if (displaces(*r, *x)) {
    copy_displaced(*r, *x);
  } else if (r->dtype != x->dtype || !same_elements(*r, *x)) {
    copy_apart(*r, *x);
  }
}

template <class T>
void fill_strided(void* const* pointers, int64_t n, const double* scalars) {
  std::fill_n(static_cast<T*>(pointers[0]), n, from_number<T>(scalars[0]));
}

void fill(TH_Tensor* r, double value) {
  const int64_t n = numel(*r);
  AllTypes::dispatch(r->dtype, [&]<class T>() {
    if (!is_contiguous(*r)) {
      const Operand operand{r, r->dtype};
      elementwise(fill_strided<T>, &operand, 1, &value, 1);
      return;
    }
    const T element = from_number<T>(value);
    const auto kernel = convert_kernels().repeat[size_log2(r->dtype)];
    T* to = data<T>(*r);
    parallel_for(n, kGrain,
                 [&](int64_t begin, int64_t end) { kernel(to + begin, &element, end - begin); });
  });
}

}  // namespace

void register_copy(DeviceFunctions& b) { b.copy = copy; }

void register_fill(FillTable& b) { b.fill = fill; }

}  // namespace th::cpu
