// What every backend checks before it computes on 8 bits and fewer.
#pragma once

#include <cmath>
#include <initializer_list>

#include "core/checks/conv.h"
#include "core/checks/pooling.h"

namespace th {

inline void check_scale(const char* name, double scale) {
  TH_CHECK(std::isfinite(scale) && scale > 0, name, " is ", scale, ", expected a positive number");
}

/// A number that an activation may be.
inline void check_code(const char* name, int code) {
  TH_CHECK(code >= 0 && code <= 255, name, " is ", code, ", expected 0 to 255");
}

inline void check_quantize(const TH_Tensor* r, const TH_Tensor* x, double scale, int zero) {
  check_defined(x, "x");
  check_dtype(given(r), TH_BYTE, "the result");
  check_floating(*x);
  check_scale("scale", scale);
  check_code("zero", zero);
}

/// Results of products: bytes, or floats that nobody has rounded.
inline void check_quantized_result(const TH_Tensor& r) {
  TH_CHECK(r.dtype == TH_BYTE || r.dtype == TH_FLOAT, "the result is a ", type_name(r),
           ", expected a ByteTensor or a FloatTensor");
}

/// bias and scale have a float for each of K outputs.
inline void check_quantized_numbers(const TH_Tensor* bias, const TH_Tensor* scale, int64_t K) {
  const auto check = [K](const TH_Tensor& t, const char* name) {
    check_dtype(t, TH_FLOAT, name);
    TH_CHECK(numel(t) == K, name, " is ", shape(t), ", expected ", K,
             " elements, one for each output");
  };
  check(given(bias), "bias");
  check(given(scale), "scale");
}

inline void check_quantized_linear(const TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight,
                                   const TH_Tensor* bias, const TH_Tensor* scale) {
  check_quantized_result(given(r));
  check_dtype(given(x), TH_BYTE, "x");
  check_dtype(given(weight), TH_CHAR, "weight");
  TH_CHECK(weight->ndim == 2, "weight is ", shape(*weight), ", expected outputs x inputs");
  TH_CHECK((x->ndim == 1 || x->ndim == 2) && x->sizes[x->ndim - 1] == weight->sizes[1], "input is ",
           shape(*x), ", expected N x ", weight->sizes[1], " or ", weight->sizes[1],
           " for a weight of ", shape(*weight));
  check_quantized_numbers(bias, scale, weight->sizes[0]);
}

inline ConvShape check_quantized_conv(const TH_Tensor* r, const TH_Tensor* x,
                                      const TH_Tensor* weight, const TH_Tensor* bias,
                                      const TH_Tensor* scale, const TH_Tensor* addend,
                                      double addend_scale, int padding_value, const ConvSteps& p) {
  check_quantized_result(given(r));
  check_dtype(given(x), TH_BYTE, "x");
  check_dtype(given(weight), TH_CHAR, "weight");
  TH_CHECK(p.dims == 2, "of ", p.dims, " dimensions, there are convolutions of images alone");
  const ConvShape s = check_conv_shape(*x, sizes_of(*weight), p);
  check_quantized_numbers(bias, scale, s.K);
  check_conv_addend(addend, s, *x);
  TH_CHECK(std::isfinite(addend_scale), "addend_scale is ", addend_scale, ", expected a number");
  check_code("padding_value", padding_value);
  return s;
}

inline void check_quantized_add(const TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* y,
                                std::initializer_list<double> numbers) {
  check_dtype(given(r), TH_BYTE, "the result");
  check_dtype(given(x), TH_BYTE, "x");
  check_dtype(given(y), TH_BYTE, "y");
  TH_CHECK(same_sizes(*x, *y), "x is ", shape(*x), ", but y is ", shape(*y),
           "; they must have the same sizes");
  for (const double n : numbers) {
    TH_CHECK(std::isfinite(n), "a factor or the offset is ", n, ", expected a number");
  }
}

inline Pooling check_quantized_pool(const TH_Tensor* r, const TH_Tensor* x, const Windows& w) {
  check_dtype(given(r), TH_BYTE, "the result");
  check_dtype(given(x), TH_BYTE, "x");
  TH_CHECK(w.dims == 2, "of ", w.dims, " dimensions, there is pooling of images alone");
  return check_pool_shape(*x, w);
}

/// Rows of packed numbers: how many, of how many columns, and of how many a group is.
struct PackedRows {
  int64_t rows, columns, groups;
  int bits;

  int64_t bytes() const { return columns * bits / 8; }  ///< of a row
  int64_t group() const { return columns / groups; }
};

inline PackedRows check_packed_rows(const TH_Tensor* codes, const TH_Tensor* scale,
                                    const TH_Tensor* zero, int bits) {
  check_dtype(given(codes), TH_BYTE, "codes");
  check_dtype(given(zero), TH_BYTE, "zero");
  check_floating(given(scale));
  TH_CHECK(bits == 4 || bits == 8, "bits is ", bits, ", expected 4 or 8");
  TH_CHECK(codes->ndim == 2 && scale->ndim == 2 && zero->ndim == 2, "codes is ", shape(*codes),
           ", scale ", shape(*scale), ", zero ", shape(*zero), "; expected rows of each");
  const PackedRows p{codes->sizes[0], codes->sizes[1] * 8 / bits, scale->sizes[1], bits};
  TH_CHECK(scale->sizes[0] == p.rows && same_sizes(*scale, *zero), "scale is ", shape(*scale),
           ", zero ", shape(*zero), "; both must be ", p.rows, " x groups for codes of ",
           shape(*codes));
  TH_CHECK(p.columns % p.groups == 0 && (p.group() % 8 == 0 || p.groups == 1), "scale is ",
           shape(*scale), ", which makes groups of ",
           static_cast<double>(p.columns) / static_cast<double>(p.groups), " of ", p.columns,
           " columns; they must be multiples of 8");
  return p;
}

inline PackedRows check_unpack_rows(const TH_Tensor* r, const TH_Tensor* codes,
                                    const TH_Tensor* scale, const TH_Tensor* zero, int bits) {
  const PackedRows p = check_packed_rows(codes, scale, zero, bits);
  check_same_dtype(given(r), *scale);
  return p;
}

inline PackedRows check_packed_linear(const TH_Tensor* r, const TH_Tensor* x,
                                      const TH_Tensor* codes, const TH_Tensor* scale,
                                      const TH_Tensor* zero, const TH_Tensor* bias, int bits) {
  const PackedRows p = check_packed_rows(codes, scale, zero, bits);
  check_same_dtype(given(x), *scale);
  check_same_dtype(given(r), *x);
  TH_CHECK((x->ndim == 1 || x->ndim == 2) && x->sizes[x->ndim - 1] == p.columns, "input is ",
           shape(*x), ", expected N x ", p.columns, " or ", p.columns);
  if (bias != nullptr) {
    check_same_dtype(*x, *bias);
    TH_CHECK(numel(*bias) == p.rows, "bias is ", shape(*bias), ", expected ", p.rows,
             " elements, one for each row");
  }
  return p;
}

/// Of a product's result: N x rows, or rows.
struct ProductSizes {
  int64_t sizes[2];
  int ndim;

  ProductSizes(const TH_Tensor& x, int64_t rows) : sizes{x.sizes[0], rows}, ndim(x.ndim) {}
  std::span<const int64_t> span() const {
    return std::span<const int64_t>(sizes).last(static_cast<size_t>(ndim));
  }
};

}  // namespace th
