// The vectorised inner loops of the generator, chosen once for the processor at hand.
#pragma once

#include <cstdint>

namespace th::generator_kernels {

/// Loops over plain arrays. Results do not depend on the instruction set.
struct Kernels {
  /// The next 624 words of MT19937, in place.
  void (*twist)(uint32_t* words);
  /// The outputs that 624 words stand for.
  void (*temper)(const uint32_t* words, uint32_t* outputs);
  /// fma(r * 2^-32, b - a, a), in double.
  void (*uniform_float)(const uint32_t* r, float* out, int n, double a, double b);
  void (*uniform_double)(const uint32_t* r, double* out, int n, double a, double b);
  /// r <= last, as 1 or 0.
  void (*bernoulli_byte)(const uint32_t* r, uint8_t* out, int n, uint32_t last);
  void (*bernoulli_float)(const uint32_t* r, float* out, int n, uint32_t last);
  void (*bernoulli_double)(const uint32_t* r, double* out, int n, uint32_t last);
  /// `pairs` (at most kMaxPairs) Box-Muller pairs. Where rounding to float is not certain,
  /// doubtful[i] != 0 asks for out[i] to be made again with the exact functions; returns whether
  /// any is.
  bool (*normal_float)(const uint32_t* r, float* out, uint32_t* doubtful, int pairs, double mean,
                       double stdv);
};

constexpr int kMaxPairs = 312;

/// The fastest set this processor runs.
const Kernels& kernels();
/// Every set it runs, slowest first: so that tests can compare them.
int available(const Kernels* sets[3]);

}  // namespace th::generator_kernels
