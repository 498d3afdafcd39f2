// Random permutations, and draws from weighted categories.
#include <vector>

#include "core/backend.h"
#include "core/checks/random.h"
#include "core/tables/random.h"
#include "core/tensor/aliasing.h"
#include "cuda/launch.h"
#include "cuda/order/sort_pairs.h"
#include "cuda/random/random.h"
#include "cuda/register.h"
#include "cuda/wide_elements.h"
#include "functors/math.h"

namespace thc {
namespace {

// --- permutations: 1 ... n in the order of random keys -------------------------------------------

struct RandomKeys {
  PhiloxPosition random;
  uint64_t* keys;
  int64_t* numbers;
  TH_HD void operator()(int64_t i) const {
    const Random4 bits = random(static_cast<uint64_t>(i));
    keys[i] = uint64_t{bits.x[0]} << 32 | bits.x[1];
    numbers[i] = i + 1;
  }
};

struct StoreNumbers {
  WideElements<int64_t> r;
  int64_t stride;
  const int64_t* numbers;
  TH_HD void operator()(int64_t i) const { r.store(i * stride, numbers[i]); }
};

void randperm(TH_Tensor* r, TH_Generator* g, int64_t n) {
  check_drawn(r, g);
  check_permutation(*r, n);
  const cudaStream_t stream = stream_for(*r);
  const Scratch scratch(*r, n * 16);
  auto* keys = scratch.data<uint64_t>();
  auto* numbers = scratch.data<int64_t>() + n;
  reserve(*r, {&n, 1});
  const RandomDraw random(r->device, static_cast<uint64_t>(n));
  launch(stream, n, RandomKeys{random.position(), keys, numbers});
  sort_pairs(stream, keys, numbers, n);  // takes memory
  random.take();
  resize(*r, {&n, 1});
  launch(stream, n, StoreNumbers{WideElements<int64_t>(*r), r->strides[0], numbers});
}

// --- categories ----------------------------------------------------------------------------------

/// Rows of weights, one for each category.
struct Weights {
  WideElements<double> w;
  int64_t row_stride;
  int64_t stride;
  int64_t categories;

  explicit Weights(const TH_Tensor& p)
      : w(p),
        row_stride(p.ndim == 2 ? p.strides[0] : 0),
        stride(p.strides[p.ndim - 1]),
        categories(p.sizes[p.ndim - 1]) {}
  TH_HD double at(int64_t row, int64_t i) const { return w.load(row * row_stride + i * stride); }
};

struct RowFacts {
  double sum;
  int64_t possible;
  int64_t bad;  // the first weight that is none, or `categories`
  double bad_weight;
};

struct JoinFacts {
  TH_HD RowFacts operator()(RowFacts a, RowFacts b) const {
    const RowFacts& first = a.bad <= b.bad ? a : b;
    return {a.sum + b.sum, a.possible + b.possible, first.bad, first.bad_weight};
  }
};

/// A block per row.
struct FindFacts {
  Weights weights;
  RowFacts* facts;

  template <class Block>
  TH_D void operator()(Block& block) const {
    constexpr double kLargest = 1.7976931348623157e308;
    RowFacts f{0, 0, weights.categories, 0};
    for (int64_t i = block.thread(); i < weights.categories; i += block.threads()) {
      const double w = weights.at(block.index(), i);
      const bool good = w >= 0 && w <= kLargest;
      f = JoinFacts{}(f, {w, w > 0 ? 1 : 0, good ? weights.categories : i, w});
    }
    f = block.reduce(f, JoinFacts{});
    if (block.thread() == 0) {
      facts[block.index()] = f;
    }
  }
};

void check_rows(const TH_Tensor& p, const Weights& weights, int64_t rows, int64_t n,
                bool replacement) {
  const cudaStream_t stream = stream_for(p);
  const auto size = static_cast<int64_t>(sizeof(RowFacts));
  const Scratch scratch(p, rows * size);
  launch_blocks(stream, rows, 4 * kWarp, 0, FindFacts{weights, scratch.data<RowFacts>()});
  std::vector<RowFacts> facts(static_cast<size_t>(rows));
  fetch_bytes(facts.data(), scratch.data<RowFacts>(), rows * size, stream);
  for (int64_t row = 0; row < rows; ++row) {
    const RowFacts& f = facts[static_cast<size_t>(row)];
    if (f.bad < weights.categories) [[unlikely]] {
      not_a_weight(f.bad, row, f.bad_weight);
    }
    check_weights(f.sum, f.possible, row, n, replacement);
  }
}

/// Running sums of a row's weights, a block per row and a piece of it per thread. Sums never fall,
/// and impossible categories have exactly their predecessor's, also across pieces.
struct Cumulate {
  Weights weights;
  double* sums;

  template <class Block>
  TH_D void operator()(Block& block) const {
    const int64_t n = weights.categories;
    const int thread = block.thread();
    const int64_t begin = n * thread / block.threads();
    const int64_t end = n * (thread + 1) / block.threads();
    auto* const starts = block.template shared<double>();
    double sum = 0;
    for (int64_t i = begin; i < end; ++i) {
      sum += weights.at(block.index(), i);
    }
    starts[thread] = sum;
    block.sync();
    if (thread == 0) {
      double start = 0;
      for (int t = 0; t < block.threads(); ++t) {
        const double total = starts[t];
        starts[t] = start;
        start += total;
      }
    }
    block.sync();
    sum = 0;
    for (int64_t i = begin; i < end; ++i) {
      sum += weights.at(block.index(), i);
      sums[block.index() * n + i] = starts[thread] + sum;
    }
  }
};

struct DrawCategory {
  PhiloxPosition random;
  const double* sums;
  int64_t categories;
  int64_t n;
  int64_t* r;
  OffsetCalculator layout;

  TH_HD void operator()(int64_t i) const {
    const double* const row = sums + i / n * categories;
    const double total = row[categories - 1];
    const Random4 bits = random(static_cast<uint64_t>(i));
    const double at = unit_double(bits.x[0], bits.x[1]) * total;
    // The first sum above `at`; should rounding have made that the total, the first total.
    const bool top = !(at < total);
    int64_t begin = 0;
    int64_t end = categories - 1;
    while (begin < end) {
      const int64_t middle = begin + (end - begin) / 2;
      if (row[middle] <= at && !(top && row[middle] == total)) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    r[layout.offset(i)] = begin + 1;
  }
};

/// r gets the sizes; there is room for them.
void draw_with_replacement(TH_Tensor& r, std::span<const int64_t> sizes, const TH_Tensor& p,
                           const Weights& weights, int64_t rows, int64_t n) {
  const cudaStream_t stream = stream_for(r);
  const Scratch sums(p, rows * weights.categories * int64_t{8});
  resize(r, sizes);
  launch_blocks(stream, rows, kThreads, kThreads * sizeof(double),
                Cumulate{weights, sums.data<double>()});
  const PhiloxPosition random = take_random(r.device, static_cast<uint64_t>(rows * n));
  launch(stream, rows * n,
         DrawCategory{random, sums.data<double>(), weights.categories, n, data<int64_t>(r),
                      OffsetCalculator(r)});
}

/// Times at which categories are drawn when each waits for an exponentially distributed time with
/// its weight as the rate: their order is that of draws without replacement.
/// Source: Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006.
struct Times {
  PhiloxPosition random;
  Weights weights;
  double* times;
  TH_HD void operator()(int64_t i) const {
    const double w = weights.at(i / weights.categories, i % weights.categories);
    const Random4 bits = random(static_cast<uint64_t>(i));
    const double wait = -th::math::log(open_unit_double(bits.x[0], bits.x[1]));
    times[i] = w > 0 ? wait / w : std::numeric_limits<double>::quiet_NaN();  // sorts last
  }
};

void draw_without_replacement(TH_Tensor& r, const TH_Tensor& p, const Weights& weights, int64_t n) {
  const Tensor times = Tensor::like(p, TH_DOUBLE, sizes_of(p));
  const RandomDraw random(r.device, static_cast<uint64_t>(numel(p)));
  launch(stream_for(r), numel(p), Times{random.position(), weights, data<double>(times)});
  Tensor first;
  init(first, TH_DOUBLE, TH_CUDA, r.device);
  th::backend(TH_CUDA).topk(&first, &r, &times, n, times.ndim - 1, false, true);  // takes memory
  random.take();
}

void multinomial(TH_Tensor* r, TH_Generator* g, const TH_Tensor* probabilities, int64_t n,
                 bool replacement) {
  check_drawn(r, g);
  check_multinomial(*r, probabilities, n);
  const TH_Tensor& p = *probabilities;
  const int64_t rows = p.ndim == 2 ? p.sizes[0] : 1;
  const Weights weights(p);
  check_rows(p, weights, rows, n, replacement);
  const int64_t sizes[] = {rows, n};
  const auto wanted = std::span(sizes).last(static_cast<size_t>(p.ndim));
  reserve(*r, wanted);
  if (replacement) {
    draw_with_replacement(*r, wanted, p, weights, rows, n);
  } else {
    draw_without_replacement(*r, p, weights, n);
  }
}

}  // namespace

void register_sampling(th::RandomTable& b) {
  b.randperm = randperm;
  b.multinomial = multinomial;
}

}  // namespace thc
