// Random numbers on the CPU: MT19937 with Torch7's derivations, so that a seed means the same here.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "core/runtime/error.h"

namespace th {

/// A stream of pseudo-random numbers that reproduces Torch7's bit for bit.
///
/// Engine: MT19937 (Matsumoto and Nishimura, ACM TOMACS 8(1), 1998) with the initialisation of
/// 2002 from the low 32 bits of the seed. A generator that was never seeded takes a seed from the
/// operating system at its first draw.
///
/// Every draw is defined over 32-bit outputs r and u = r * 2^-32, 0 <= u < 1, all in double:
///   uniform      fma(u, b - a, a)
///   normal       Box-Muller: rho = sqrt(-2 ln(1 - u2)); rho cos(2 pi u1), then rho sin(2 pi u1);
///                both n as fma(n, stdv, mean)
///   exponential  -1 / lambda * ln(1 - u)
///   cauchy       fma(sigma, tan(pi (u - 0.5)), median)
///   log_normal   e^normal(mean, stdv)
///   geometric    floor(ln(1 - u) / ln p) + 1
///   bernoulli    u <= p
/// The fused steps are written out because Torch7's recorded sequences have them (its compiler made
/// them), and so that no flag of ours can change a bit.
///
/// Not thread-safe: one generator belongs to one thread at a time.
/// Errors: parameters outside of their domain throw th::Error before anything is drawn.
class Generator {
 public:
  static constexpr int64_t kStateBytes = 5048;  ///< size of a saved state
  static constexpr int kWords = 624;            ///< 32-bit words of the engine

  /// Unseeded: the first draw asks the operating system for a seed.
  Generator() = default;
  explicit Generator(uint64_t seed) { manual_seed(seed); }

  /// Restart from a seed, also forgetting the second value of a normal pair. Takes no time: the
  /// words are made of the seed when a number is drawn. Loaders seed every sample, few draw.
  void manual_seed(uint64_t seed);
  /// Restart from a seed of the operating system, below 2^53 so that a Lua number holds it.
  uint64_t seed();
  /// The seed of the last restart; 0 while unseeded.
  uint64_t initial_seed() const { return seed_; }

  /// Write the whole state in Torch7's layout. Throws unless there is room for exactly kStateBytes.
  void get_state(std::span<uint8_t> bytes) const;
  /// Continue from a state of get_state or of Torch7 (64-bit). Throws on bytes that no generator
  /// can have written and then stays as it was.
  void set_state(std::span<const uint8_t> bytes);

  /// 32 random bits.
  uint32_t random() {
    if (position_ == kWords) [[unlikely]] {
      refill();
    }
    return outputs_[position_++];
  }
  /// An integer of [first, last]. r mod (last - first + 1), as Torch7 has it: not free of bias.
  int64_t random(int64_t first, int64_t last) {
    TH_CHECK(first <= last, "empty range [", first, ", ", last, "]");
    const uint64_t count = uint64_t(last) - uint64_t(first) + 1;  // 0 stands for 2^64
    const uint64_t r = random();
    return int64_t(uint64_t(first) + (count == 0 ? r : r % count));
  }
  double uniform(double a = 0, double b = 1) { return std::fma(unit(), b - a, a); }
  double normal(double mean = 0, double stdv = 1) {
    check_normal(stdv);
    return std::fma(standard_normal(), stdv, mean);
  }
  double exponential(double lambda = 1) { return -1.0 / lambda * std::log(1 - unit()); }
  double cauchy(double median = 0, double sigma = 1) {
    return std::fma(sigma, std::tan(M_PI * (unit() - 0.5)), median);
  }
  double log_normal(double mean = 1, double stdv = 2) { return std::exp(normal(mean, stdv)); }
  int64_t geometric(double p) {
    TH_CHECK(p > 0 && p < 1, "p is ", p, ", expected 0 < p < 1");
    return int64_t(std::log(1 - unit()) / std::log(p)) + 1;
  }
  bool bernoulli(double p = 0.5) {
    check_bernoulli(p);
    return unit() <= p;
  }

  // Many at once: the very numbers, and the very state afterwards, of n single draws converted to
  // T, several times as fast. T: float, double; fill_bernoulli also uint8_t.

  /// The next n outputs.
  void fill_random(uint32_t* out, int64_t n);
  template <class T>
  void fill_uniform(T* out, int64_t n, double a = 0, double b = 1);
  template <class T>
  void fill_normal(T* out, int64_t n, double mean = 0, double stdv = 1);
  /// Ones with probability p, else zeros.
  template <class T>
  void fill_bernoulli(T* out, int64_t n, double p = 0.5);

 private:
  static void check_normal(double stdv) {
    TH_CHECK(stdv >= 0, "the standard deviation is ", stdv, ", it must not be negative");
  }
  static void check_bernoulli(double p) {
    TH_CHECK(p >= 0 && p <= 1, "p is ", p, ", expected 0 <= p <= 1");
  }

  double unit() { return random() * 0x1p-32; }
  double standard_normal();
  /// Make the next 624 outputs.
  void refill();
  /// Hand the next n outputs over in runs: consume(outputs, count).
  template <class F>
  void take(int64_t n, F&& consume);

  uint32_t words_[kWords] = {};    // the engine's state
  uint32_t outputs_[kWords] = {};  // the state tempered: what draws return
  int position_ = kWords;          // outputs already drawn
  bool twisted_ = false;           // false between a restart and the first draw
  bool seeded_ = false;
  bool has_words_ = true;  // false between a seed and what reads the words
  uint64_t seed_ = 0;
  // The last pair of uniforms that became normal numbers; while valid the sine is still to come.
  double normal_x_ = 0, normal_y_ = 0, normal_rho_ = 0;
  bool normal_is_valid_ = false;
};

}  // namespace th
