#include "cpu/kernels/nn/conv.h"

#include <algorithm>

#include "cpu/kernels/vectors.h"

namespace th::cpu::TH_ISA {
namespace {

/// Whole vectors of Bytes: what is written past the end is the next row's, which follows.
template <int Bytes, class T>
[[gnu::always_inline]] inline void copy_row(T* to, const T* from, int64_t width) {
  constexpr int64_t lanes = Bytes / sizeof(T);
  for (int64_t j = 0; j < width; j += lanes) {
    std::memcpy(to + j, from + j, Bytes);
  }
}

template <class T, class Copy>
[[gnu::always_inline]] inline void each_row(const Expansion<T>& e, Copy&& copy) {
  const int64_t steps = e.steps();
  T* to = e.to;
  for (int64_t kw = 0; kw < e.kW; ++kw) {
    for (int64_t c = 0; c < e.planes; ++c) {
      const T* from = e.from + c * e.plane + kw * e.dilW;
      for (int64_t f = 0; f < e.dH; ++f) {
        for (int64_t q = 0; q < steps; ++q, to += e.width) {
          const int64_t row = q * e.dH + f;
          if (row < e.rows) {
            copy(to, from + row * e.row);
          }
        }
      }
    }
  }
}

template <class T>
void expand(const Expansion<T>& e) {
  const int64_t width = e.width;
  const int64_t size = width * static_cast<int64_t>(sizeof(T));
  if (e.dW > 1) {
    const int64_t step = e.dW;
    each_row(e, [=](T* to, const T* from) {
      for (int64_t j = 0; j < width; ++j) {
        to[j] = from[j * step];
      }
    });
  } else if (size <= 16) {
    each_row(e, [=](T* to, const T* from) { copy_row<16>(to, from, width); });
  } else if (size <= 32) {
    each_row(e, [=](T* to, const T* from) { copy_row<32>(to, from, width); });
  } else {
    each_row(e, [=](T* to, const T* from) { copy_row<64>(to, from, width); });
  }
}

/// Whole vectors: what is written past the end of a row is the next one's, which follows.
template <class T>
[[gnu::always_inline]] inline void clear_row(T* to, int64_t begin, int64_t end) {
  constexpr Vector<T> zeros = {};
  for (int64_t j = begin; j < end; j += kLanes<T>) {
    std::memcpy(to + j, &zeros, sizeof(zeros));
  }
}

template <class T>
void expand_planes(const PlaneExpansion<T>& e) {
  constexpr int64_t lanes = kLanes<T>;
  T* to = e.to;
  for (int64_t kw = 0; kw < e.kW; ++kw) {
    const int64_t shift = e.left + kw * e.dilW;
    const int64_t begin = std::clamp<int64_t>(-shift, 0, e.width);
    const int64_t end = std::clamp<int64_t>(e.W - shift, begin, e.width);
    for (int64_t c = 0; c < e.planes; ++c) {
      for (int64_t row = e.top; row < e.top + e.rows; ++row, to += e.width) {
        if (row < 0 || row >= e.H) {
          clear_row(to, 0, e.width);
          continue;
        }
        clear_row(to, 0, begin);
        const T* from = e.from + (c * e.H + row) * e.W + shift;
        int64_t j = begin;
        for (; j + lanes <= end; j += lanes) {
          std::memcpy(to + j, from + j, sizeof(Vector<T>));
        }
        if (j < end) {
          const Vector<T> last = load_part<T>(from + j, end - j);
          std::memcpy(to + j, &last, sizeof(last));
          j += lanes;
        }
        clear_row(to, j, e.width);
      }
    }
  }
}

template <class T, int Lanes>
[[gnu::always_inline]] inline void add_row(T* to, const T* from, int64_t width) {
  using V = Vector<T, Lanes>;
  int64_t j = 0;
  for (; j + Lanes <= width; j += Lanes) {
    V sum, more;
    std::memcpy(&sum, to + j, sizeof(V));
    std::memcpy(&more, from + j, sizeof(V));
    sum += more;
    std::memcpy(to + j, &sum, sizeof(V));
  }
  if constexpr (Lanes * sizeof(T) > 16) {
    add_row<T, Lanes / 2>(to + j, from + j, width - j);
  } else {
    for (; j < width; ++j) {
      to[j] += from[j];
    }
  }
}

template <class T>
void accumulate(const Accumulation<T>& a) {
  const T* from = a.from;
  for (int64_t c = 0; c < a.planes; ++c) {
    for (int64_t kh = 0; kh < a.kH; ++kh) {
      for (int64_t kw = 0; kw < a.kW; ++kw, from += a.from_row) {
        T* to = a.to + c * a.plane + kh * a.dilH * a.row + kw * a.dilW;
        for (int64_t y = 0; y < a.rows; ++y, to += a.dH * a.row) {
          const T* in = from + y * a.width;
          if (a.dW == 1) {
            add_row<T, kLanes<T>>(to, in, a.width);
          } else {
            for (int64_t x = 0; x < a.width; ++x) {
              to[x * a.dW] += in[x];
            }
          }
        }
      }
    }
  }
}

template <class T>
double sum(int64_t n, const T* x) {
  double total = 0;
#pragma omp simd reduction(+ : total)
  for (int64_t i = 0; i < n; ++i) {
    total += static_cast<double>(x[i]);
  }
  return total;
}

template <class T, bool Add, bool Relu>
void finish_row(int64_t n, T* r, T bias, const T* addend) {
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) {
    T y = r[i] + bias;
    if constexpr (Add) {
      y += addend[i];
    }
    r[i] = !Relu || y > T(0) ? y : T(0);
  }
}

template <class T>
void finish(int64_t n, T* r, T bias, const T* addend, bool relu) {
  if (addend == nullptr) {
    relu ? finish_row<T, false, true>(n, r, bias, addend)
         : finish_row<T, false, false>(n, r, bias, addend);
  } else {
    relu ? finish_row<T, true, true>(n, r, bias, addend)
         : finish_row<T, true, false>(n, r, bias, addend);
  }
}

}  // namespace

void set_kernels(ConvKernels& table) {
  table.of_float = {expand<float>, expand_planes<float>, accumulate<float>, sum<float>,
                    finish<float>};
  table.of_double = {expand<double>, expand_planes<double>, accumulate<double>, sum<double>,
                     finish<double>};
}

}  // namespace th::cpu::TH_ISA
