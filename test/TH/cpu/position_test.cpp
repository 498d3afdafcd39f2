// An element's result depends on the element alone: not on its place, the length, the alignment, or
// how threads share the work. For every element-wise kernel of every instruction set.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "TH/support/instruction_sets.h"
#include "TH/support/tensors.h"
#include "functors/optim.h"

namespace th::test {
namespace {

constexpr int64_t kLongest = 70;  // more than four vectors of any type but bytes

struct Row {
  std::string name;
  const cpu::KernelRow& kernels;
  int operands;
  bool compares = false;
};

std::vector<Row> rows(const cpu::PointwiseKernels& k, const cpu::CompareKernels& c) {
  return {
#define TH_UNARY(NAME, FUNCTOR, DTYPES, FORMULA) \
  {#NAME, k.NAME, 1}, {#NAME "_backward", k.NAME##_backward, 3},
#define TH_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) {#NAME, k.NAME, 1},
#define TH_SCALAR2(NAME, FUNCTOR, DTYPES, FORMULA) \
  {#NAME, k.NAME, 1}, {#NAME "_backward", k.NAME##_backward, 3},
#define TH_BINARY(NAME, FUNCTOR, DTYPES, FORMULA) {#NAME, k.NAME, 2},
#define TH_BINARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) {#NAME, k.NAME, 2},
#define TH_TERNARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) {#NAME, k.NAME, 3},
#include "ops/pointwise.def"
#undef TH_UNARY
#undef TH_SCALAR
#undef TH_SCALAR2
#undef TH_BINARY
#undef TH_BINARY_SCALAR
#undef TH_TERNARY_SCALAR
#define TH_COMPARE(NAME, FUNCTOR, FORMULA) \
  {#NAME, c.NAME, 2, true}, {#NAME "_value", c.NAME##_value, 1, true},
#include "ops/compare.def"
#undef TH_COMPARE
  };
}

struct Kernels {
  const char* set;
  cpu::PointwiseKernels pointwise;
  cpu::CompareKernels compare;
  cpu::ConvertKernels convert;
  cpu::OptimKernels optim;
  cpu::LossKernels loss;
  cpu::RecurrentCellsKernels cells;
  cpu::GemvKernels gemv;
  cpu::GemmKernels gemm;
  cpu::DenseGemmKernels dense;
};

/// Of the instruction sets that this CPU has.
std::vector<Kernels> all_kernels() {
  std::vector<Kernels> all;
  each_instruction_set([&](const char* set, const auto& fill) {
    Kernels k{};
    k.set = set;
    fill(k.pointwise);
    fill(k.compare);
    fill(k.convert);
    fill(k.optim);
    fill(k.loss);
    fill(k.cells);
    fill(k.gemv);
    fill(k.gemm);
    fill(k.dense);
    all.push_back(k);
  });
  return all;
}

/// Bits, all NaNs being one.
template <class T>
bool identical(T a, T b) {
  if constexpr (std::is_floating_point_v<Compute<T>>) {
    if (std::isnan(Compute<T>(a)) && std::isnan(Compute<T>(b))) {
      return true;
    }
  }
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Numbers that bring out differences in the last bit, and some that are special.
template <class T>
std::vector<T> numbers(int which) {
  std::mt19937 rng(static_cast<unsigned>(31 + which));
  std::vector<T> x(kLongest);
  for (size_t i = 0; i < x.size(); ++i) {
    if constexpr (std::is_floating_point_v<T>) {
      x[i] = std::uniform_real_distribution<T>(i % 2 == 0 ? T(-4) : T(0), T(4))(rng);
    } else {
      x[i] = static_cast<T>(std::uniform_int_distribution<int>(1, 9)(rng));
    }
  }
  if constexpr (std::is_floating_point_v<T>) {
    const T special[] = {T(NAN),
                         T(INFINITY),
                         -T(INFINITY),
                         T(0),
                         -T(0),
                         std::numeric_limits<T>::max(),
                         std::numeric_limits<T>::denorm_min(),
                         T(1)};
    for (size_t i = 0; i < std::size(special); ++i) {
      x[(i * 9 + static_cast<size_t>(which) * 5) % x.size()] = special[i];
    }
  }
  return x;
}

template <class T>
requires is_half_type<T> std::vector<T> numbers(int which) {
  std::vector<T> x;
  for (const float value : numbers<float>(which)) {
    x.push_back(T(value));
  }
  return x;
}

template <class T, class R>
void check_row(const Row& row, cpu::Kernel kernel, const char* set) {
  const double scalars[] = {1.7, 2.3};
  std::array<std::vector<T>, 3> x{numbers<T>(0), numbers<T>(1), numbers<T>(2)};
  std::vector<R> expected(kLongest);
  for (int64_t i = 0; i < kLongest; ++i) {
    void* p[] = {&expected[i], &x[0][i], &x[1][i], &x[2][i]};
    kernel(p, 1, scalars);
  }
  for (int64_t n = 1; n <= kLongest; ++n) {
    for (int64_t first = 0; first <= std::min<int64_t>(3, kLongest - n); ++first) {
      std::vector<R> r(static_cast<size_t>(n + first));
      void* p[] = {&r[first], &x[0][first], &x[1][first], &x[2][first]};
      kernel(p, n, scalars);
      for (int64_t i = 0; i < n; ++i) {
        ASSERT_TRUE(identical(r[first + i], expected[first + i]))
            << row.name << " of " << class_name(dtype_of<T>) << ", " << set << ": element " << i
            << " of " << n << " from " << first << " is " << convert<double>(r[first + i])
            << ", alone it is " << convert<double>(expected[first + i]) << " (of "
            << convert<double>(x[0][first + i]) << ")";
      }
    }
  }
}

TEST(Position, DoesNotMatterToElementwiseKernels) {
  for (const Kernels& k : all_kernels()) {
    for (const Row& row : rows(k.pointwise, k.compare)) {
      [&]<class... T>(TypeSet<T...>) {
        const auto one = [&]<class U>() {
          if (const cpu::Kernel kernel = row.kernels.by_dtype[dtype_of<U>]) {
            row.compares ? check_row<U, uint8_t>(row, kernel, k.set)
                         : check_row<U, U>(row, kernel, k.set);
          }
        };
        (one.template operator()<T>(), ...);
      }(AllTypes{});
    }
  }
}

template <class T>
void check_loss(const char* name, cpu::Kernel kernel, const char* set) {
  const double scalars[] = {1.7, 0.3, 0.7};
  std::array<std::vector<T>, 3> x{numbers<T>(0), numbers<T>(1), numbers<T>(2)};
  for (const bool weighted : {false, true}) {
    const auto compute = [&](int64_t first, int64_t n) {
      std::vector<T> r(static_cast<size_t>(n));
      void* p[] = {r.data(), &x[0][first], &x[1][first], weighted ? &x[2][first] : nullptr};
      kernel(p, n, scalars);
      return r;
    };
    for (int64_t n = 1; n <= kLongest; ++n) {
      for (int64_t first = 0; first <= std::min<int64_t>(3, kLongest - n); ++first) {
        const std::vector<T> r = compute(first, n);
        for (int64_t i = 0; i < n; ++i) {
          ASSERT_TRUE(identical(r[i], compute(first + i, 1)[0]))
              << name << " of " << class_name(dtype_of<T>) << ", " << set << ": element " << i
              << " of " << n << " from " << first << " is " << r[i];
        }
      }
    }
  }
}

/// Lengths of sums: of vectors of every width, whole and not, and of several at once.
constexpr int64_t kSums[] = {1, 2, 3, 5, 8, 16, 17, 31, 40, 64, 65, 100, 128, 129, 200, 1000};

template <class E>
std::vector<E> drawn(int64_t count, uint32_t seed) {
  std::mt19937 rng(seed);
  std::vector<E> x(static_cast<size_t>(count));
  for (E& value : x) {
    value = convert<E>(std::uniform_real_distribution<double>(-4, 4)(rng));
  }
  return x;
}

/// Rows of a matrix times a vector: each has the bits that it has alone.
template <class T, class E>
void check_rows_by_vector(void (*kernel)(int64_t, int64_t, T, const E*, int64_t, const T*, T, T*,
                                         int64_t),
                          const char* set) {
  constexpr int64_t kRows = 11;
  for (const int64_t n : kSums) {
    const std::vector<E> a = drawn<E>(kRows * n, 5);
    const std::vector<T> x = drawn<T>(n, 6), before = drawn<T>(kRows, 7);
    for (const T beta : {T(0), T(0.7)}) {
      for (int64_t m = 1; m <= kRows; ++m) {
        for (const int64_t step : {1, 2}) {
          std::vector<T> y(static_cast<size_t>(m * step));
          for (int64_t i = 0; i < m; ++i) {
            y[i * step] = before[i];
          }
          kernel(m, n, T(1.3), a.data(), n, x.data(), beta, y.data(), step);
          for (int64_t i = 0; i < m; ++i) {
            T alone = before[i];
            kernel(1, n, T(1.3), a.data() + i * n, n, x.data(), beta, &alone, 1);
            ASSERT_TRUE(identical(y[i * step], alone))
                << class_name(dtype_of<E>) << ", " << set << ": row " << i << " of " << m << " x "
                << n << " is " << y[i * step] << ", alone it is " << alone;
          }
        }
      }
    }
  }
}

TEST(Position, DoesNotMatterToRowsOfAProduct) {
  for (const Kernels& k : all_kernels()) {
    check_rows_by_vector(k.gemv.of_float.rows_by_vector, k.set);
    check_rows_by_vector(k.gemv.of_double.rows_by_vector, k.set);
    check_rows_by_vector(k.gemv.bfloat16_rows_by_vector, k.set);
  }
}

/// Elements of a vector times a matrix: each has the bits that its column has alone.
template <class T>
void check_vector_by_rows(const cpu::GemvRow<T>& kernels, const char* set) {
  constexpr int64_t kMost = 41;
  for (const int64_t m : {1, 2, 7, 8, 9, 20}) {
    const std::vector<T> a = drawn<T>(m * kMost, 5), x = drawn<T>(m, 6),
                         before = drawn<T>(kMost, 7);
    for (const T beta : {T(0), T(1), T(0.7)}) {
      for (int64_t n = 1; n <= kMost; ++n) {
        std::vector<T> y(before.begin(), before.begin() + n);
        kernels.vector_by_rows(m, n, T(1.3), a.data(), kMost, x.data(), beta, y.data());
        for (int64_t j = 0; j < n; ++j) {
          T alone = before[j];
          kernels.vector_by_rows(m, 1, T(1.3), a.data() + j, kMost, x.data(), beta, &alone);
          ASSERT_TRUE(identical(y[j], alone))
              << class_name(dtype_of<T>) << ", " << set << ": column " << j << " of " << m << " x "
              << n << " is " << y[j] << ", alone it is " << alone;
        }
      }
    }
  }
}

TEST(Position, DoesNotMatterToColumnsOfAProduct) {
  for (const Kernels& k : all_kernels()) {
    check_vector_by_rows(k.gemv.of_float, k.set);
    check_vector_by_rows(k.gemv.of_double, k.set);
  }
}

/// Elements of C = beta C + alpha op(A) op(B): each has the bits that it has alone.
template <class T>
void check_products(void (*kernel)(const cpu::Gemm<T>&), bool ta, bool tb, const char* what,
                    void (*pack_tiles)(const T*, int64_t, int64_t, int64_t, T*) = nullptr) {
  // Tiles are up to 6 rows high, two or more and a part of one.
  const int64_t kRows = pack_tiles == nullptr ? 9 : 17, kColumns = 39;
  for (const int64_t k : {1, 17, 70}) {
    const std::vector<T> a = drawn<T>(kRows * k, 5), b = drawn<T>(kColumns * k, 6),
                         before = drawn<T>(kRows * kColumns, 7);
    for (const T beta : {T(0), T(0.7)}) {
      const auto product = [&](int64_t i, int64_t j, int64_t m, int64_t n, T* c) {
        cpu::Gemm<T> g = {ta,
                          tb,
                          m,
                          n,
                          k,
                          T(1.3),
                          a.data() + i * (ta ? 1 : k),
                          ta ? kRows : k,
                          b.data() + j * (tb ? k : 1),
                          tb ? k : kColumns,
                          beta,
                          c,
                          kColumns};
        std::vector<T> tiles(static_cast<size_t>(m * k));
        if (pack_tiles != nullptr && m > 1) {  // a row that is alone is read where it lies
          pack_tiles(g.a, g.lda, m, k, tiles.data());
          g.a = tiles.data();
          g.lda = 0;
          g.tiled = true;
        }
        kernel(g);
      };
      std::vector<T> alone = before;
      for (int64_t i = 0; i < kRows; ++i) {
        for (int64_t j = 0; j < kColumns; ++j) {
          product(i, j, 1, 1, &alone[i * kColumns + j]);
        }
      }
      for (int64_t m = 1; m <= kRows; ++m) {
        for (int64_t n = 1; n <= kColumns; ++n) {
          std::vector<T> c = before;
          product(0, 0, m, n, c.data());
          std::vector<T> expected = before;
          for (int64_t i = 0; i < m; ++i) {
            std::copy_n(&alone[i * kColumns], n, &expected[i * kColumns]);
          }
          const auto at = std::mismatch(c.begin(), c.end(), expected.begin()).first - c.begin();
          ASSERT_EQ(at, kRows * kColumns)
              << what << ", " << class_name(dtype_of<T>) << ", A" << (ta ? "'" : "") << ", beta "
              << beta << ": element " << at / kColumns << ", " << at % kColumns << " of " << m
              << " x " << n << ", sums of " << k << ", is " << c[at] << ", wanted " << expected[at];
        }
      }
    }
  }
}

TEST(Position, DoesNotMatterToProducts) {
  const auto check = [](const std::string& set, const auto& dense, const auto& rows) {
    for (const bool transposed : {false, true}) {
      check_products(dense.product, transposed, false, (set + " product").c_str());
    }
    check_products(dense.product, true, false, (set + " tiled product").c_str(), dense.pack_tiles);
    check_products(rows.rows_by_rows, false, true, (set + " rows_by_rows").c_str());
  };
  for (const Kernels& k : all_kernels()) {
    check(k.set, k.dense.of_float, k.gemm.of_float);
    check(k.set, k.dense.of_double, k.gemm.of_double);
  }
}

/// A step of an optimiser over the elements of `from` from `first` on: all tensors behind each
/// other.
template <class T>
std::vector<T> step(cpu::Kernel kernel, int tensors, const std::vector<std::vector<T>>& from,
                    int64_t first, int64_t n) {
  const std::vector<double> numbers(8, 0.5);
  std::vector<std::vector<T>> x;
  std::vector<void*> p;
  for (int k = 0; k < tensors; ++k) {
    x.push_back(from[static_cast<size_t>(k)]);
    p.push_back(&x.back()[static_cast<size_t>(first)]);
  }
  kernel(p.data(), n, numbers.data());
  std::vector<T> all;
  for (const auto& each : x) {
    all.insert(all.end(), each.begin() + first, each.begin() + first + n);
  }
  return all;
}

template <class T>
void check_step(const std::string& name, cpu::Kernel kernel, int tensors) {
  std::vector<std::vector<T>> from;
  for (int k = 0; k < tensors; ++k) {
    from.push_back(numbers<T>(k));
  }
  for (int64_t n = 1; n <= kLongest; ++n) {
    for (int64_t first = 0; first <= std::min<int64_t>(3, kLongest - n); ++first) {
      const std::vector<T> together = step<T>(kernel, tensors, from, first, n);
      for (int64_t i = 0; i < n; ++i) {
        const std::vector<T> alone = step<T>(kernel, tensors, from, first + i, 1);
        for (int k = 0; k < tensors; ++k) {
          const T a = together[static_cast<size_t>(k * n + i)];
          ASSERT_TRUE(identical(a, alone[static_cast<size_t>(k)]))
              << name << " of " << class_name(dtype_of<T>) << ": element " << i << " of " << n
              << " from " << first << ", tensor " << k << ", is " << a << ", alone "
              << alone[static_cast<size_t>(k)];
        }
      }
    }
  }
}

void check_steps(const std::string& set, const cpu::OptimKernels& kernels) {
#define TH_STEP(NAME, FUNCTOR, PARAMS, ARGS)                            \
  check_step<float>(set + " " #NAME, kernels.NAME.by_dtype[TH_FLOAT],   \
                    2 + functors::optim::FUNCTOR<float>::kStates);      \
  check_step<double>(set + " " #NAME, kernels.NAME.by_dtype[TH_DOUBLE], \
                     2 + functors::optim::FUNCTOR<double>::kStates);
#define TH_OP(NAME, PARAMS, ARGS)
#include "ops/optim.def"
#undef TH_STEP
#undef TH_OP
}

TEST(Position, DoesNotMatterToSteps) {
  for (const Kernels& k : all_kernels()) {
    check_steps(k.set, k.optim);
  }
}

TEST(Position, DoesNotMatterToLosses) {
  for (const Kernels& k : all_kernels()) {
    const auto check = [&](const char* name, const cpu::KernelRow& row) {
      check_loss<float>(name, row.by_dtype[TH_FLOAT], k.set);
      check_loss<double>(name, row.by_dtype[TH_DOUBLE], k.set);
    };
#define TH_LOSS(NAME, FUNCTOR, FORMULA) \
  check(#NAME, k.loss.NAME);            \
  check(#NAME "_backward", k.loss.NAME##_backward);
#include "ops/nn/element_loss.def"
#undef TH_LOSS
  }
}

/// The rows of a cell's operands, count numbers for each feature: gates in their order.
template <class T>
std::vector<std::vector<T>> cell_rows(const std::vector<int>& counts) {
  std::vector<std::vector<T>> rows;
  for (size_t k = 0; k < counts.size(); ++k) {
    rows.emplace_back();
    for (int gate = 0; gate < counts[k]; ++gate) {
      const std::vector<T> from = numbers<T>(static_cast<int>(k) * 4 + gate);
      rows.back().insert(rows.back().end(), from.begin(), from.end());
    }
  }
  return rows;
}

/// call(n, rows) of the features [first, first + n) alone; all numbers behind each other.
template <class T, class Call>
std::vector<T> cell(const std::vector<std::vector<T>>& from, int64_t first, int64_t n,
                    const Call& call) {
  std::vector<std::vector<T>> rows;
  for (const std::vector<T>& row : from) {
    rows.emplace_back();
    for (auto gate = row.begin(); gate != row.end(); gate += kLongest) {
      rows.back().insert(rows.back().end(), gate + first, gate + first + n);
    }
  }
  call(n, rows);
  std::vector<T> all;
  for (const std::vector<T>& row : rows) {
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

template <class T, class Call>
void check_cell(const std::string& name, const std::vector<int>& counts, const Call& call) {
  const auto rows = cell_rows<T>(counts);
  std::vector<std::vector<T>> alone;
  for (int64_t i = 0; i < kLongest; ++i) {
    alone.push_back(cell(rows, i, 1, call));
  }
  for (int64_t n = 1; n <= kLongest; ++n) {
    for (int64_t first = 0; first <= std::min<int64_t>(3, kLongest - n); ++first) {
      const std::vector<T> together = cell(rows, first, n, call);
      for (size_t at = 0; at < together.size(); ++at) {
        const auto i = first + static_cast<int64_t>(at) % n;
        const T expected = alone[static_cast<size_t>(i)][at / static_cast<size_t>(n)];
        ASSERT_TRUE(identical(together[at], expected))
            << name << " of " << class_name(dtype_of<T>) << ": feature " << i - first << " of " << n
            << " from " << first << ", number " << at / static_cast<size_t>(n) << ", is "
            << together[at] << ", alone " << expected;
      }
    }
  }
}

template <class T>
void check_cells(const std::string& set, const cpu::RecurrentCellsRow<T>& row) {
  check_cell<T>(set + " lstm", {4, 1, 1, 1}, [&](int64_t n, auto& x) {
    row.lstm(n, x[0].data(), x[1].data(), x[2].data(), x[3].data());
  });
  check_cell<T>(set + " lstm_backward", {4, 1, 1, 1, 1, 1, 4}, [&](int64_t n, auto& x) {
    row.lstm_backward(n, x[0].data(), x[1].data(), x[2].data(), x[3].data(), x[4].data(),
                      x[5].data(), x[6].data());
  });
  check_cell<T>(set + " lstm_backward of a last step", {4, 1, 1, 1, 4}, [&](int64_t n, auto& x) {
    row.lstm_backward(n, x[0].data(), nullptr, x[1].data(), x[2].data(), nullptr, x[3].data(),
                      x[4].data());
  });
  check_cell<T>(set + " gru", {3, 3, 1, 1}, [&](int64_t n, auto& x) {
    row.gru(n, x[0].data(), x[1].data(), x[2].data(), x[3].data());
  });
  check_cell<T>(set + " gru_backward", {3, 3, 1, 1, 1, 3, 3, 1}, [&](int64_t n, auto& x) {
    row.gru_backward(n, x[0].data(), x[1].data(), x[2].data(), x[3].data(), x[4].data(),
                     x[5].data(), x[6].data(), x[7].data());
  });
  check_cell<T>(set + " gru_backward of a last step", {3, 3, 1, 3, 3, 1}, [&](int64_t n, auto& x) {
    row.gru_backward(n, x[0].data(), x[1].data(), nullptr, x[2].data(), nullptr, x[3].data(),
                     x[4].data(), x[5].data());
  });
  for (const int relu : {0, 1}) {
    check_cell<T>(set + " rnn", {1, 1},
                  [&](int64_t n, auto& x) { row.rnn[relu](n, x[0].data(), x[1].data()); });
    check_cell<T>(set + " rnn_backward", {1, 1, 1, 1}, [&](int64_t n, auto& x) {
      row.rnn_backward[relu](n, x[0].data(), x[1].data(), x[2].data(), x[3].data());
    });
  }
}

TEST(Position, DoesNotMatterToCells) {
  for (const Kernels& k : all_kernels()) {
    check_cells(k.set, k.cells.of_float);
    check_cells(k.set, k.cells.of_double);
  }
}

/// What the elements of type From are as To, in blocks of any length and one by one.
template <class To, class From>
void check_conversion(const Kernels& k, const std::vector<double>& values) {
  const auto kernel = k.convert.convert[dtype_of<From>][dtype_of<To>];
  std::vector<From> x;
  for (const double v : values) {
    x.push_back(convert<From>(v));
  }
  const auto count = static_cast<int64_t>(x.size());
  std::vector<To> r(x.size());
  for (int64_t n = 1; n <= count; ++n) {
    for (int64_t first = 0; first + n <= count; first += n) {
      kernel(&r[first], &x[first], n);
      for (int64_t i = first; i < first + n; ++i) {
        ASSERT_TRUE(identical(convert<double>(r[i]), convert<double>(convert<To>(x[i]))))
            << class_name(dtype_of<From>) << " " << convert<double>(x[i]) << " as "
            << class_name(dtype_of<To>) << ", " << k.set << ", in a block of " << n << ", is "
            << convert<double>(r[i]) << ", alone " << convert<double>(convert<To>(x[i]));
      }
    }
  }
}

TEST(Position, DoesNotMatterToConversions) {
  std::vector<double> values{
      0,       -0.0,       1.5,         -1.5,       2.9,         300,       -1,     127.9,   128,
      255.9,   256,        65504,       65536,      1e-9,        3e9,       -3e9,   5e9,     1e18,
      -1e18,   1e19,       -1e19,       NAN,        INFINITY,    -INFINITY, 0x1p31, -0x1p31, 0x1p63,
      -0x1p63, 0x1p31 - 1, -0x1p31 - 1, 0x1p32 + 7, -0x1p33 - 5, 1e300,     7};
  for (int i = 0; i < 20; ++i) {
    values.push_back(i * 1.25);  // blocks without a wide number
  }
  for (const Kernels& k : all_kernels()) {
    [&]<class... From>(TypeSet<From...>) {
      const auto from = [&]<class F>() {
        [&]<class... To>(TypeSet<To...>) { (check_conversion<To, F>(k, values), ...); }(AllTypes{});
      };
      (from.template operator()<From>(), ...);
    }(AllTypes{});
  }
}

TEST(Conversion, CutsOffAndKeepsTheLowBits) {
  // Expected by hand, with Python's int(x) & mask.
  EXPECT_EQ(convert<int32_t>(3e9), -1294967296);
  EXPECT_EQ(convert<int32_t>(-3e9), 1294967296);
  EXPECT_EQ(convert<int32_t>(0x1p32 + 7), 7);
  EXPECT_EQ(convert<uint8_t>(300.9), 44);
  EXPECT_EQ(convert<uint8_t>(-1.9), 255);
  EXPECT_EQ(convert<int8_t>(200.0f), -56);
  EXPECT_EQ(convert<int16_t>(5e9), -3584);
  EXPECT_EQ(convert<int64_t>(0x1p62), int64_t{1} << 62);
  constexpr int64_t none = std::numeric_limits<int64_t>::min();
  for (const double x :
       {0x1p63, -0x1p64, 1e300, -1e300, double{INFINITY}, -double{INFINITY}, double{NAN}}) {
    EXPECT_EQ(convert<int64_t>(x), none) << x;
    EXPECT_EQ(convert<int64_t>(static_cast<float>(x)), none) << x;
    EXPECT_EQ(convert<int32_t>(x), 0) << x;
    EXPECT_EQ(convert<uint8_t>(x), 0) << x;
    EXPECT_EQ(from_number<int32_t>(x), 0) << x;
  }
  EXPECT_EQ(convert<int64_t>(-0x1p63), none);
  EXPECT_EQ(convert<int32_t>(Half(-2.5f)), -2);
}

}  // namespace
}  // namespace th::test
