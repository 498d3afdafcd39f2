// Rows of packed numbers: products with few vectors read the codes themselves, which are an eighth
// or a quarter of the floats' bytes; for many, strips of rows are made floats first.
#include "cpu/kernels/linalg/packed_rows.h"

#include "core/checks/quantized.h"
#include "core/composite/views.h"
#include "core/memory/host_allocator.h"
#include "core/operations.h"
#include "core/tables/quantized.h"
#include "cpu/operands.h"
#include "cpu/parallel.h"
#include "cpu/register.h"
#include "cpu/select.h"
#include "cpu/work_buffers.h"

namespace th::cpu {
namespace {

using composite::part;

/// Vectors from which on it is faster to make floats of the codes once.
constexpr int64_t kManyVectors = 16;
/// Elements of a strip: half of a second-level cache.
constexpr int64_t kStrip = int64_t{1} << 17;

const PackedRowKernels& kernels() {
  static const PackedRowKernels table = select_kernels<PackedRowKernels>();
  return table;
}

/// What the kernels read: compact and of floats, whatever came.
struct Operands {
  Tensor codes, scale, zero;
  PackedOperand rows;

  Operands(const TH_Tensor& c, const TH_Tensor& s, const TH_Tensor& z, const PackedRows& p)
      : codes(compact(c)), scale(floats(s)), zero(compact(z)) {
    rows = {data<uint8_t>(codes),
            data<float>(scale),
            data<uint8_t>(zero),
            p.columns,
            p.group(),
            p.bits};
  }

 private:
  static Tensor floats(const TH_Tensor& t) {
    if (t.dtype == TH_FLOAT) {
      return compact(t);
    }
    Tensor f = Tensor::like(t, TH_FLOAT, sizes_of(t));
    th::copy(f, t);
    return f;
  }
};

void unpack(const PackedOperand& w, int64_t first, int64_t last, float* to) {
  parallel_items(last - first, w.columns, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      kernels().unpack(w, first + i, to + i * w.columns);
    }
  });
}

/// r in floats, and as it is wanted.
template <class Compute>
void into(TH_Tensor* r, std::span<const int64_t> sizes,
          std::initializer_list<const TH_Tensor*> operands, const Compute& compute) {
  if (r->dtype == TH_FLOAT) {
    Output out(r, sizes, operands);
    compute(out.data<float>());
    out.finish();
    return;
  }
  const Tensor floats = Tensor::like(*r, TH_FLOAT, sizes);
  compute(data<float>(floats));
  resize(*r, sizes);
  th::copy(*r, floats);
}

void unpack_rows(TH_Tensor* r, const TH_Tensor* codes, const TH_Tensor* scale,
                 const TH_Tensor* zero, int bits) {
  const PackedRows p = check_unpack_rows(r, codes, scale, zero, bits);
  const Operands w(*codes, *scale, *zero, p);
  const int64_t sizes[] = {p.rows, p.columns};
  into(r, sizes, {&w.codes, &w.scale, &w.zero}, [&](float* to) { unpack(w.rows, 0, p.rows, to); });
}

void multiply_vectors(const PackedOperand& w, int64_t rows, int64_t count, const float* x,
                      const float* bias, float* y) {
  const int64_t length = round_up(w.columns, kernels().block(w.bits));
  const Buffers<float> arranged(1, count * length);
  const Buffers<float> sums(1, count * w.groups());
  for (int64_t i = 0; i < count; ++i) {
    kernels().arrange(w, x + i * w.columns, arranged[0] + i * length, sums[0] + i * w.groups());
  }
  const ArrangedVectors vectors{count, arranged[0], sums[0], length};
  parallel_items(rows, count * w.columns, [&](int64_t first, int64_t last) {
    kernels().multiply(w, first, last, vectors, bias, y, rows);
  });
}

/// Strips of rows as floats.
void multiply_strips(const PackedOperand& w, int64_t rows, const Tensor& x, const TH_Tensor* bias,
                     float* y) {
  const int64_t N = x.sizes[0];
  const int64_t most = std::clamp<int64_t>(kStrip / w.columns, 1, rows);
  const int64_t sizes[] = {most, w.columns};
  const Tensor buffer = Tensor::like(x, TH_FLOAT, sizes);
  for (int64_t first = 0; first < rows; first += most) {
    const int64_t count = std::min(most, rows - first);
    unpack(w, first, first + count, data<float>(buffer));
    const Tensor strip = part(buffer, 0, 0, count);
    Tensor result;
    init(result, TH_FLOAT, TH_CPU, 0);
    const Tensor own = bias == nullptr ? Tensor() : part(*bias, 0, first, count);
    ops::linear(&result, &x, &strip, bias == nullptr ? nullptr : &own);
    const float* from = data<float>(result);
    for (int64_t n = 0; n < N; ++n) {
      std::copy_n(from + n * count, count, y + n * rows + first);
    }
  }
}

void packed_linear(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* codes, const TH_Tensor* scale,
                   const TH_Tensor* zero, const TH_Tensor* bias, int bits) {
  const PackedRows p = check_packed_linear(r, x, codes, scale, zero, bias, bits);
  const Operands w(*codes, *scale, *zero, p);
  const auto floats = [](const TH_Tensor& t) {
    Tensor f = Tensor::like(t, TH_FLOAT, sizes_of(t));
    th::copy(f, t);
    return f;
  };
  const Tensor in = x->dtype == TH_FLOAT ? compact(*x) : floats(*x);
  const Tensor b = bias == nullptr           ? Tensor()
                   : bias->dtype == TH_FLOAT ? compact(*bias)
                                             : floats(*bias);
  into(r, ProductSizes(*x, p.rows).span(), {&in, &w.codes, &w.scale, &w.zero, &b}, [&](float* y) {
    const int64_t count = in.ndim == 2 ? in.sizes[0] : 1;
    if (count < kManyVectors) {
      multiply_vectors(w.rows, p.rows, count, data<float>(in), data<float>(b), y);
    } else {
      multiply_strips(w.rows, p.rows, in, bias == nullptr ? nullptr : &b, y);
    }
  });
}

}  // namespace

void register_packed_rows(QuantizedTable& b) {
  b.unpack_rows = unpack_rows;
  b.packed_linear = packed_linear;
}

}  // namespace th::cpu
