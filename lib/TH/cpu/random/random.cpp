// Random fills: the generator's sequence goes to the elements in row-major order, whatever their
// type and strides, as Torch7 does it.
//
// Parameters are checked before anything is drawn.
#include "core/tables/random.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/device_functions.h"
#include "core/random/generator_api.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "cpu/random/random.h"
#include "cpu/register.h"

namespace th::cpu {
namespace {

// --- filling in row-major order
// -------------------------------------------------------------------

/// fill(T* out, n) draws n elements: into r where r is compact and of that type, else into a tensor
/// from which r is copied.
template <class T, class F>
void fill_row_major(TH_Tensor& r, F&& fill) {
  const int64_t n = numel(r);
  if (r.dtype == dtype_of<T> && is_contiguous(r)) {
    fill(data<T>(r), n);
    return;
  }
  Tensor drawn = Tensor::like(r, dtype_of<T>, sizes_of(r));
  fill(data<T>(drawn), n);
  copy(r, drawn);
}

/// As fill_row_major, in the type that r's numbers are computed in: double for doubles, else float.
template <class F>
void fill_floating(TH_Tensor* r, F&& fill) {
  check_floating_result(*r);
  if (r->dtype == TH_DOUBLE) {
    fill_row_major<double>(*r, fill);
  } else {
    fill_row_major<float>(*r, fill);
  }
}

/// One draw after the other, for what has no bulk form.
template <class Draw>
auto one_by_one(Draw draw) {
  return [draw]<class T>(T* out, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      out[i] = convert<T>(draw());
    }
  };
}

// --- continuous distributions
// ---------------------------------------------------------------------

void uniform(TH_Tensor* r, TH_Generator* g, double a, double b) {
  Generator& gen = generator_for(r, g);
  fill_floating(r, [&](auto* out, int64_t n) { gen.fill_uniform(out, n, a, b); });
}

void normal(TH_Tensor* r, TH_Generator* g, double mean, double stdv) {
  Generator& gen = generator_for(r, g);
  check_stdv(stdv);
  fill_floating(r, [&](auto* out, int64_t n) { gen.fill_normal(out, n, mean, stdv); });
}

void exponential(TH_Tensor* r, TH_Generator* g, double lambda) {
  Generator& gen = generator_for(r, g);
  check_lambda(lambda);
  fill_floating(r, one_by_one([&] { return gen.exponential(lambda); }));
}

void cauchy(TH_Tensor* r, TH_Generator* g, double median, double sigma) {
  Generator& gen = generator_for(r, g);
  fill_floating(r, one_by_one([&] { return gen.cauchy(median, sigma); }));
}

void log_normal(TH_Tensor* r, TH_Generator* g, double mean, double stdv) {
  Generator& gen = generator_for(r, g);
  check_stdv(stdv);
  fill_floating(r, [&]<class T>(T* out, int64_t n) {
    constexpr int64_t block = 512;
    double normals[block];
    for (int64_t i = 0; i < n; i += block) {
      const int64_t size = std::min(block, n - i);
      gen.fill_normal(normals, size, mean, stdv);
      for (int64_t j = 0; j < size; ++j) {
        out[i + j] = static_cast<T>(std::exp(normals[j]));
      }
    }
  });
}

// --- discrete distributions
// -----------------------------------------------------------------------

void geometric(TH_Tensor* r, TH_Generator* g, double p) {
  Generator& gen = generator_for(r, g);
  check_geometric(p);
  AllTypes::dispatch(r->dtype, [&]<class T>() {
    fill_row_major<T>(*r, one_by_one([&] { return gen.geometric(p); }));
  });
}

void bernoulli(TH_Tensor* r, TH_Generator* g, double p) {
  Generator& gen = generator_for(r, g);
  check_bernoulli(p);
  const auto fill = [&](auto* out, int64_t n) { gen.fill_bernoulli(out, n, p); };
  if (r->dtype == TH_DOUBLE) {
    fill_row_major<double>(*r, fill);
  } else if (r->dtype == TH_FLOAT) {
    fill_row_major<float>(*r, fill);
  } else {
    fill_row_major<uint8_t>(*r, fill);
  }
}

void bernoulli_tensor(TH_Tensor* r, TH_Generator* g, const TH_Tensor* p) {
  Generator& gen = generator_for(r, g);
  check_probabilities(*r, p);
  Tensor probabilities = Tensor::like(*p, TH_DOUBLE, sizes_of(*p));
  copy(probabilities, *p);
  const double* values = data<double>(probabilities);
  const int64_t n = numel(probabilities);
  const double* bad =
      std::find_if(values, values + n, [](double v) { return !(v >= 0 && v <= 1); });
  if (bad != values + n) [[unlikely]] {
    not_a_probability(bad - values, *bad);
  }
  fill_row_major<uint8_t>(*r, [&](uint8_t* out, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      out[i] = gen.bernoulli(values[i]);
    }
  });
}

/// r mod `divisor` for 32-bit numbers without a division (Lemire, Kaser and Kurz: Faster remainder
/// by direct computation, 2019).
class Remainder {
 public:
  explicit Remainder(uint32_t divisor)
      : divisor_(divisor), inverse_(std::numeric_limits<uint64_t>::max() / divisor + 1) {}
  uint32_t operator()(uint32_t r) const {
    const uint64_t fraction = inverse_ * r;
    __extension__ using Product = unsigned __int128;
    return static_cast<uint32_t>((Product{fraction} * divisor_) >> 64);
  }

 private:
  uint64_t divisor_;
  uint64_t inverse_;
};

/// first + r mod count for each 32-bit output r; count == 0 stands for 2^64.
void fill_integers(TH_Tensor& r, Generator& gen, int64_t first, uint64_t count) {
  AllTypes::dispatch(r.dtype, [&]<class T>() {
    fill_row_major<T>(r, [&](T* out, int64_t n) {
      const auto fill = [&](auto remainder) {
        constexpr int64_t block = 1024;
        uint32_t outputs[block];
        for (int64_t i = 0; i < n; i += block) {
          const int64_t size = std::min(block, n - i);
          gen.fill_random(outputs, size);
          for (int64_t j = 0; j < size; ++j) {
            const uint64_t value = static_cast<uint64_t>(first) + remainder(outputs[j]);
            out[i + j] = convert<T>(static_cast<int64_t>(value));
          }
        }
      };
      if (count == 0 || count > std::numeric_limits<uint32_t>::max()) {
        fill([](uint32_t output) { return output; });
      } else if (std::has_single_bit(count)) {
        fill([mask = static_cast<uint32_t>(count - 1)](uint32_t output) { return output & mask; });
      } else {
        fill(Remainder(static_cast<uint32_t>(count)));
      }
    });
  });
}

void random(TH_Tensor* r, TH_Generator* g) {
  Generator& gen = generator_for(r, g);
  fill_integers(*r, gen, 0, exact_integers(r->dtype));
}

void random_range(TH_Tensor* r, TH_Generator* g, int64_t a, int64_t b) {
  Generator& gen = generator_for(r, g);
  fill_integers(*r, gen, a, checked_range(a, b));
}

}  // namespace

void register_random(RandomTable& b) {
  b.uniform = uniform;
  b.normal = normal;
  b.exponential = exponential;
  b.cauchy = cauchy;
  b.log_normal = log_normal;
  b.geometric = geometric;
  b.bernoulli = bernoulli;
  b.bernoulli_tensor = bernoulli_tensor;
  b.random = random;
  b.random_range = random_range;
}

}  // namespace th::cpu
