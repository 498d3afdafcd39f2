// Kernels read and write nothing before and behind their operands, however few elements fill their
// last vector: a page that nobody may touch is there. For every instruction set.
#include <algorithm>

#include <gtest/gtest.h>

#include "TH/support/guarded.h"
#include "TH/support/instruction_sets.h"
#include "TH/support/tensors.h"

namespace th::test {
namespace {

/// Lengths around those of vectors of every width, and of several.
constexpr int64_t kLengths[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 100, 129};

/// f(side) for pages behind and before the operands.
template <class F>
void each_side(const F& f) {
  f(0);
  f(1);
}

/// Elements that are all 1.
template <class T>
struct Ones : Guarded<T> {
  Ones(int64_t n, int side) : Guarded<T>(n, side == 0 ? Guarded<T>::Behind : Guarded<T>::Before) {
    std::fill_n(this->data(), n, convert<T>(1));
  }
};

template <class T>
void expect_all(const Guarded<T>& r, double wanted) {
  for (const T value : r.span()) {
    ASSERT_EQ(convert<double>(value), wanted);
  }
}

template <class T>
void check_products(const cpu::DenseGemmRow<T>& dense, const cpu::GemmRow<T>& rows, int side) {
  for (const int64_t k : {1, 9, 16, 35}) {
    for (const int64_t n : kLengths) {
      for (const int64_t m : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 17}) {
        const Ones<T> a(m * k, side), b(k * n, side), c(m * n, side);
        const auto one = T(1);
        for (const bool transposed : {false, true}) {
          dense.product({transposed, false, m, n, k, one, a.data(), transposed ? m : k, b.data(), n,
                         T(0), c.data(), n});
          expect_all(c, static_cast<double>(k));
          dense.product({transposed, false, m, n, k, one, a.data(), transposed ? m : k, b.data(), n,
                         one, c.data(), n});
          expect_all(c, static_cast<double>(2 * k));
        }
        rows.rows_by_rows({false, true, m, n, k, one, a.data(), k, b.data(), k, one, c.data(), n});
        expect_all(c, static_cast<double>(3 * k));
        const Ones<T> tiles(m * k, side);
        std::fill_n(tiles.data(), m * k, T(0));
        dense.pack_tiles(a.data(), m, m, k, tiles.data());
        expect_all(tiles, 1);
        cpu::Gemm<T> tiled = {true, false,    m, n,   k,        one, tiles.data(),
                              0,    b.data(), n, one, c.data(), n};
        tiled.tiled = true;
        dense.product(tiled);
        expect_all(c, static_cast<double>(4 * k));
      }
      const int64_t width = (n + 15) / 16 * 16;
      const Ones<T> b(k * n, side), packed(k * width, side);
      for (const bool transposed : {false, true}) {
        dense.pack(transposed, b.data(), transposed ? k : n, k, n, packed.data(), width);
        for (int64_t p = 0; p < k; ++p) {
          for (int64_t j = 0; j < n; ++j) {
            ASSERT_EQ(packed.data()[p * width + j], T(1));
          }
        }
      }
    }
  }
}

TEST(GuardedOperands, OfProducts) {
  each_instruction_set([](const char* set, const auto& fill) {
    SCOPED_TRACE(set);
    cpu::DenseGemmKernels dense{};
    cpu::GemmKernels rows{};
    fill(dense);
    fill(rows);
    each_side([&](int side) {
      check_products(dense.of_float, rows.of_float, side);
      check_products(dense.of_double, rows.of_double, side);
    });
  });
}

template <class T>
void check_vectors(const cpu::GemvRow<T>& kernels, int side) {
  for (const int64_t n : kLengths) {
    for (const int64_t m : {1, 2, 3, 4, 5, 7, 8, 9}) {
      const Ones<T> a(m * n, side), x(n, side), y(m, side), u(m, side), v(n, side);
      kernels.rows_by_vector(m, n, T(1), a.data(), n, x.data(), T(0), y.data(), 1);
      expect_all(y, static_cast<double>(n));
      kernels.vector_by_rows(m, n, T(1), a.data(), n, u.data(), T(0), v.data());
      expect_all(v, static_cast<double>(m));
      kernels.outer(m, n, a.data(), n, T(1), T(1), u.data(), x.data());
      expect_all(a, 2);
      kernels.add_scaled(n, v.data(), T(1), x.data(), T(2), x.data());
      expect_all(v, 3);
      ASSERT_EQ(kernels.dot(n, x.data(), v.data()), static_cast<double>(3 * n));
    }
  }
}

TEST(GuardedOperands, OfProductsWithVectors) {
  each_instruction_set([](const char* set, const auto& fill) {
    SCOPED_TRACE(set);
    cpu::GemvKernels kernels{};
    fill(kernels);
    each_side([&](int side) {
      check_vectors(kernels.of_float, side);
      check_vectors(kernels.of_double, side);
      for (const int64_t n : kLengths) {
        for (const int64_t m : {1, 3, 4, 6}) {
          const Ones<BFloat16> a(m * n, side);
          const Ones<float> x(n, side), y(m, side);
          kernels.bfloat16_rows_by_vector(m, n, 1, a.data(), n, x.data(), 1, y.data(), 1);
          expect_all(y, static_cast<double>(n + 1));
        }
      }
    });
  });
}

TEST(GuardedOperands, OfQuantizedNumbers) {
  each_instruction_set([](const char* set, const auto& fill) {
    SCOPED_TRACE(set);
    cpu::QuantizedKernels kernels{};
    fill(kernels);
    each_side([&](int side) {
      for (const int64_t n : kLengths) {
        const Ones<uint8_t> x(n, side), y(n, side);
        const Ones<float> floats(n, side);
        kernels.quantize(n, y.data(), floats.data(), 2, 3);
        expect_all(y, 5);
        kernels.add(n, y.data(), x.data(), y.data(), 1, 2, 3);
        expect_all(y, 14);
        kernels.maximum(n, y.data(), x.data());
        expect_all(y, 14);
        const Ones<int16_t> codes(n, side);
        const Ones<int8_t> weight(3 * n, side);
        const Ones<int32_t> sums(3, side);
        kernels.products(3, n, sums.data(), codes.data(), weight.data());
        expect_all(sums, static_cast<double>(n));
      }
    });
  });
}

template <class T>
void check_cells(const cpu::RecurrentCellsRow<T>& row, int side) {
  for (const int64_t n : kLengths) {
    const Ones<T> one(n, side), other(n, side), more(n, side), last(n, side);
    const Ones<T> three(3 * n, side), also(3 * n, side), third(3 * n, side);
    const Ones<T> four(4 * n, side), too(4 * n, side);
    row.lstm(n, four.data(), one.data(), other.data(), more.data());
    row.lstm_backward(n, four.data(), one.data(), other.data(), more.data(), one.data(),
                      last.data(), too.data());
    row.gru(n, three.data(), also.data(), one.data(), more.data());
    row.gru_backward(n, three.data(), also.data(), one.data(), more.data(), one.data(), also.data(),
                     third.data(), last.data());
    for (const int relu : {0, 1}) {
      row.rnn[relu](n, one.data(), other.data());
      row.rnn_backward[relu](n, one.data(), other.data(), more.data(), last.data());
    }
  }
}

TEST(GuardedOperands, OfRecurrentCells) {
  each_instruction_set([](const char* set, const auto& fill) {
    SCOPED_TRACE(set);
    cpu::RecurrentCellsKernels kernels{};
    fill(kernels);
    each_side([&](int side) {
      check_cells(kernels.of_float, side);
      check_cells(kernels.of_double, side);
    });
  });
}

TEST(GuardedOperands, OfConversions) {
  each_instruction_set([](const char* set, const auto& fill) {
    SCOPED_TRACE(set);
    cpu::ConvertKernels kernels{};
    fill(kernels);
    each_side([&](int side) {
      for (const int64_t n : kLengths) {
        [&]<class... From>(TypeSet<From...>) {
          const auto from = [&]<class F>() {
            [&]<class... To>(TypeSet<To...>) {
              const auto to = [&]<class R>() {
                const Ones<F> x(n, side);
                const Ones<R> r(n, side);
                kernels.convert[dtype_of<F>][dtype_of<R>](r.data(), x.data(), n);
                expect_all(r, 1);
              };
              (to.template operator()<To>(), ...);
            }(AllTypes{});
          };
          (from.template operator()<From>(), ...);
        }(AllTypes{});
      }
    });
  });
}

}  // namespace
}  // namespace th::test
