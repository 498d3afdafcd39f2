// Tensors of any strides and types as blocks of contiguous elements of a kernel's type: what lies
// between the engines of element-wise work and their kernels.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/tensor/dimensions.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "cpu/elementwise.h"

namespace th::cpu {

/// Elements per block: four operands of doubles fit into a first-level cache of 32 KiB.
inline constexpr int64_t kBlock = 1024;
/// Shorter contiguous runs are cheaper to gather than to visit one by one.
inline constexpr int64_t kMinRun = 64;

/// A tensor's elements in row-major order, with neighbouring dimensions joined where they can be.
struct Strided {
  char* base;
  int64_t element;  // bytes
  int ndim = 0;
  int64_t sizes[TH_MAX_DIMS];
  int64_t strides[TH_MAX_DIMS];  // in elements
  int dtype;
  int kernel_dtype;

  explicit Strided(const Operand& operand)
      : base(bytes(*operand.tensor)),
        element(element_size(operand.tensor->dtype)),
        dtype(operand.tensor->dtype),
        kernel_dtype(operand.dtype) {
    const TH_Tensor& t = *operand.tensor;
    for (int d = 0; d < t.ndim; ++d) {
      join_dimension(ndim, sizes, t.sizes[d], Steps{strides, t.strides[d]});
    }
    if (ndim == 0) {
      sizes[0] = 1;
      strides[0] = 1;
      ndim = 1;
    }
  }

  bool converts() const { return dtype != kernel_dtype; }
  bool contiguous() const { return ndim == 1 && strides[0] == 1; }
  /// Whether blocks can be used where they lie, in runs worth a kernel call.
  bool direct() const {
    return !converts() && strides[ndim - 1] == 1 && (ndim == 1 || sizes[ndim - 1] >= kMinRun);
  }
};

/// A place in a Strided.
class Cursor {
 public:
  Cursor(const Strided& strided, int64_t position) : strided_(strided) {
    if (position == 0) {  // divisions would take longer than all the rest for a small tensor
      std::fill_n(index_, strided.ndim, int64_t{0});
      return;
    }
    for (int d = strided.ndim - 1; d >= 0; --d) {
      index_[d] = position % strided.sizes[d];
      position /= strided.sizes[d];
      offset_ += index_[d] * strided.strides[d];
    }
  }

  char* address() const { return strided_.base + offset_ * strided_.element; }
  /// Elements left in the innermost dimension.
  int64_t run() const { return strided_.sizes[strided_.ndim - 1] - index_[strided_.ndim - 1]; }

  /// Go on by n <= run() elements.
  void advance(int64_t n) {
    int d = strided_.ndim - 1;
    index_[d] += n;
    offset_ += n * strided_.strides[d];
    while (index_[d] == strided_.sizes[d] && d > 0) {
      offset_ -= strided_.sizes[d] * strided_.strides[d];
      index_[d] = 0;
      --d;
      ++index_[d];
      offset_ += strided_.strides[d];
    }
  }

 private:
  const Strided& strided_;
  int64_t index_[TH_MAX_DIMS];
  int64_t offset_ = 0;
};

/// Moves blocks between a tensor and the buffers that a kernel sees.
class Port {
 public:
  Port(const Strided& strided, int64_t position)
      : strided_(strided),
        cursor_(strided, position),
        direct_(strided.direct()),
        size_log2_(std::countr_zero(static_cast<uint64_t>(strided.element))) {}

  /// The longest block that can be asked for next.
  int64_t limit() const {
    return direct_ ? (strided_.ndim == 1 ? INT64_MAX : cursor_.run()) : kBlock;
  }

  /// The next n elements, to be read; moves on.
  void* read(int64_t n) {
    if (direct_) {
      return skip(n);
    }
    const auto& k = convert_kernels();
    if (!strided_.converts()) {
      gather(kernel_buffer_, n);
      return kernel_buffer_;
    }
    const void* raw = raw_buffer_;
    if (strided_.contiguous()) {
      raw = skip(n);
    } else {
      gather(raw_buffer_, n);
    }
    k.convert[strided_.dtype][strided_.kernel_dtype](kernel_buffer_, raw, n);
    return kernel_buffer_;
  }

  /// Where the kernel may write the next n elements. They reach the tensor with commit(n).
  void* write() { return direct_ ? cursor_.address() : kernel_buffer_; }

  void commit(int64_t n) {
    if (direct_) {
      skip(n);
      return;
    }
    const auto& k = convert_kernels();
    const char* raw = kernel_buffer_;
    if (strided_.converts()) {
      const bool in_place = strided_.contiguous();
      void* to = in_place ? cursor_.address() : raw_buffer_;
      k.convert[strided_.kernel_dtype][strided_.dtype](to, kernel_buffer_, n);
      if (in_place) {
        skip(n);
        return;
      }
      raw = raw_buffer_;
    }
    const int64_t stride = strided_.strides[strided_.ndim - 1];
    while (n > 0) {
      const int64_t run = std::min(n, cursor_.run());
      k.scatter[size_log2_](cursor_.address(), stride, raw, run);
      cursor_.advance(run);
      raw += run * strided_.element;
      n -= run;
    }
  }

 private:
  void* skip(int64_t n) {
    void* here = cursor_.address();
    cursor_.advance(n);
    return here;
  }

  void gather(char* to, int64_t n) {
    const auto& k = convert_kernels();
    const int64_t stride = strided_.strides[strided_.ndim - 1];
    while (n > 0) {
      const int64_t run = std::min(n, cursor_.run());
      if (stride == 0) {
        k.repeat[size_log2_](to, cursor_.address(), run);
      } else {
        k.gather[size_log2_](to, cursor_.address(), stride, run);
      }
      cursor_.advance(run);
      to += run * strided_.element;
      n -= run;
    }
  }

  const Strided& strided_;
  Cursor cursor_;
  bool direct_;
  int size_log2_;
  alignas(64) char kernel_buffer_[kBlock * 8];
  alignas(64) char raw_buffer_[kBlock * 8];
};

}  // namespace th::cpu
