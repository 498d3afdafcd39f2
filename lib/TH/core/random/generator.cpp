#include "core/random/generator.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "core/random/generator_kernels.h"

namespace th {
namespace {

/// Torch7's generator on a 64-bit machine, as it lies in files and in torch.getRNGState().
struct SavedState {
  uint64_t seed;
  int32_t left;  // outputs until the next refill, counting the coming one
  int32_t seeded;
  uint64_t next;  // index of the coming output
  uint64_t words[Generator::kWords];
  double normal_x, normal_y, normal_rho;
  int32_t normal_is_valid;
  int32_t padding;
};
static_assert(sizeof(SavedState) == Generator::kStateBytes);

void check_size(size_t bytes) {
  TH_CHECK(bytes == size_t(Generator::kStateBytes), "a generator's state has ",
           Generator::kStateBytes, " bytes, these are ", bytes);
}

/// What is wrong with a state, or nullptr.
const char* flaw_of(const SavedState& s) {
  const bool fresh = s.left == 1 && s.next == 0;
  if (!fresh && !(s.next >= 1 && s.next <= Generator::kWords && s.left == 625 - int64_t(s.next))) {
    return "its position is outside of the 624 words";
  }
  if ((s.seeded != 0 && s.seeded != 1) || (s.normal_is_valid != 0 && s.normal_is_valid != 1)) {
    return "a flag is neither 0 nor 1";
  }
  if (s.seeded == 0 && !fresh) {
    return "it has drawn numbers without a seed";
  }
  if (std::any_of(s.words, s.words + Generator::kWords, [](uint64_t w) { return w >> 32 != 0; })) {
    return "a word has more than 32 bits";
  }
  if (s.seeded == 1 &&
      std::all_of(s.words, s.words + Generator::kWords, [](uint64_t w) { return w == 0; })) {
    return "all its words are zero";
  }
  const auto is_unit = [](double u) { return u >= 0 && u < 1; };
  if (!is_unit(s.normal_x) || !is_unit(s.normal_y) ||
      !(s.normal_rho >= 0 && std::isfinite(s.normal_rho))) {
    return "its cached normal pair is out of range";
  }
  return nullptr;
}

void make_words(uint64_t seed, uint32_t* words) {
  words[0] = uint32_t(seed);
  for (int i = 1; i < Generator::kWords; ++i) {
    words[i] = 1812433253u * (words[i - 1] ^ (words[i - 1] >> 30)) + uint32_t(i);
  }
}

}  // namespace

void Generator::manual_seed(uint64_t seed) {
  seed_ = seed;
  seeded_ = true;
  has_words_ = false;
  twisted_ = false;
  position_ = kWords;
  normal_x_ = normal_y_ = normal_rho_ = 0;
  normal_is_valid_ = false;
}

uint64_t Generator::seed() {
  std::random_device entropy;
  const uint64_t high = entropy(), low = entropy();
  manual_seed((high << 32 | low) & ((uint64_t(1) << 53) - 1));
  return seed_;
}

void Generator::refill() {
  if (!seeded_) {
    seed();
  }
  if (!has_words_) {
    make_words(seed_, words_);
    has_words_ = true;
  }
  const auto& kernels = generator_kernels::kernels();
  kernels.twist(words_);
  kernels.temper(words_, outputs_);
  position_ = 0;
  twisted_ = true;
}

double Generator::standard_normal() {
  if (normal_is_valid_) {
    normal_is_valid_ = false;
    return normal_rho_ * std::sin(2 * M_PI * normal_x_);
  }
  normal_x_ = unit();
  normal_y_ = unit();
  normal_rho_ = std::sqrt(-2 * std::log(1 - normal_y_));
  normal_is_valid_ = true;
  return normal_rho_ * std::cos(2 * M_PI * normal_x_);
}

void Generator::get_state(std::span<uint8_t> bytes) const {
  check_size(bytes.size());
  SavedState s{};
  s.seed = seed_;
  s.left = twisted_ ? 625 - position_ : 1;
  s.seeded = seeded_;
  s.next = twisted_ ? position_ : 0;
  uint32_t words[kWords];
  if (!has_words_) {
    make_words(seed_, words);
  }
  std::copy_n(has_words_ ? words_ : words, kWords, s.words);
  s.normal_x = normal_x_;
  s.normal_y = normal_y_;
  s.normal_rho = normal_rho_;
  s.normal_is_valid = normal_is_valid_;
  std::memcpy(bytes.data(), &s, sizeof s);
}

void Generator::set_state(std::span<const uint8_t> bytes) {
  check_size(bytes.size());
  SavedState s;
  std::memcpy(&s, bytes.data(), sizeof s);
  const char* flaw = flaw_of(s);
  TH_CHECK(flaw == nullptr, "this is not a generator's state: ", flaw);
  seed_ = s.seed;
  seeded_ = s.seeded != 0;
  twisted_ = s.next != 0;
  position_ = twisted_ ? int(s.next) : kWords;
  has_words_ = true;
  std::transform(s.words, s.words + kWords, words_, [](uint64_t w) { return uint32_t(w); });
  generator_kernels::kernels().temper(words_, outputs_);
  normal_x_ = s.normal_x;
  normal_y_ = s.normal_y;
  normal_rho_ = s.normal_rho;
  normal_is_valid_ = s.normal_is_valid != 0;
}

template <class F>
void Generator::take(int64_t n, F&& consume) {
  while (n > 0) {
    if (position_ == kWords) {
      refill();
    }
    const int count = int(std::min<int64_t>(n, kWords - position_));
    consume(outputs_ + position_, count);
    position_ += count;
    n -= count;
  }
}

void Generator::fill_random(uint32_t* out, int64_t n) {
  take(n, [&](const uint32_t* r, int count) { out = std::copy_n(r, count, out); });
}

template <>
void Generator::fill_uniform(float* out, int64_t n, double a, double b) {
  take(n, [&](const uint32_t* r, int count) {
    generator_kernels::kernels().uniform_float(r, out, count, a, b);
    out += count;
  });
}

template <>
void Generator::fill_uniform(double* out, int64_t n, double a, double b) {
  take(n, [&](const uint32_t* r, int count) {
    generator_kernels::kernels().uniform_double(r, out, count, a, b);
    out += count;
  });
}

namespace {

/// u <= p on integers: r * 2^-32 is exact, so r <= floor(p * 2^32) says the same.
uint32_t last_success(double p) { return uint32_t(std::min(std::floor(p * 0x1p32), 0x1p32 - 1)); }

}  // namespace

template <>
void Generator::fill_bernoulli(uint8_t* out, int64_t n, double p) {
  check_bernoulli(p);
  take(n, [&, last = last_success(p)](const uint32_t* r, int count) {
    generator_kernels::kernels().bernoulli_byte(r, out, count, last);
    out += count;
  });
}

template <>
void Generator::fill_bernoulli(float* out, int64_t n, double p) {
  check_bernoulli(p);
  take(n, [&, last = last_success(p)](const uint32_t* r, int count) {
    generator_kernels::kernels().bernoulli_float(r, out, count, last);
    out += count;
  });
}

template <>
void Generator::fill_bernoulli(double* out, int64_t n, double p) {
  check_bernoulli(p);
  take(n, [&, last = last_success(p)](const uint32_t* r, int count) {
    generator_kernels::kernels().bernoulli_double(r, out, count, last);
    out += count;
  });
}

template <>
void Generator::fill_normal(double* out, int64_t n, double mean, double stdv) {
  check_normal(stdv);
  int64_t i = 0;
  if (n > 0 && normal_is_valid_) {
    out[i++] = normal(mean, stdv);
  }
  for (; n - i > 2; i += 2) {  // a pair at a time: sine and cosine share their work
    const double angle = 2 * M_PI * unit();
    const double rho = std::sqrt(-2 * std::log(1 - unit()));
    out[i] = std::fma(rho * std::cos(angle), stdv, mean);
    out[i + 1] = std::fma(rho * std::sin(angle), stdv, mean);
  }
  for (; i < n; ++i) {  // what a later draw continues from
    out[i] = normal(mean, stdv);
  }
}

template <>
void Generator::fill_normal(float* out, int64_t count, double mean, double stdv) {
  check_normal(stdv);
  int64_t i = 0;
  if (count > 0 && normal_is_valid_) {
    out[i++] = float(normal(mean, stdv));
  }
  // The last pair is drawn one by one: it leaves behind the state a later draw starts from.
  uint32_t r[2 * generator_kernels::kMaxPairs], doubtful[2 * generator_kernels::kMaxPairs];
  while (count - i > 2) {
    const int pairs = int(std::min<int64_t>((count - i - 1) / 2, generator_kernels::kMaxPairs));
    fill_random(r, 2 * pairs);
    if (generator_kernels::kernels().normal_float(r, out + i, doubtful, pairs, mean, stdv)) {
      for (int j = 0; j < 2 * pairs; ++j) {
        if (doubtful[j] != 0) {
          const double angle = 2 * M_PI * (r[j & ~1] * 0x1p-32);
          const double rho = std::sqrt(-2 * std::log(1 - r[j | 1] * 0x1p-32));
          const double n = rho * ((j & 1) != 0 ? std::sin(angle) : std::cos(angle));
          out[i + j] = float(std::fma(n, stdv, mean));
        }
      }
    }
    i += 2 * pairs;
  }
  for (; i < count; ++i) {
    out[i] = float(normal(mean, stdv));
  }
}

}  // namespace th
