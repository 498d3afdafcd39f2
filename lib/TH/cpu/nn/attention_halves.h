// Attention of 16-bit elements: some samples at a time are widened to floats, computed while a
// cache has them, and rounded.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/checks/attention.h"
#include "cpu/nn/attention_blocks.h"
#include "cpu/widened_parts.h"

namespace th::cpu {

/// Matrices of 16-bit elements, one for each pair of sequences.
class Halves {
 public:
  Halves(const Pairs<uint16_t>& pairs, int dtype, int64_t heads, int64_t rows, int64_t columns)
      : pairs_(pairs), dtype_(dtype), heads_(heads), rows_(rows), columns_(columns) {}

  /// Elements of a sample.
  int64_t size() const { return heads_ * rows_ * columns_; }
  Pairs<float> floats(float* p) const { return {p, heads_, rows_, columns_}; }

  void widen(int64_t n, float* to) const {
    each_run(n, to, [&](uint16_t* halves, float* floats, const Lines& lines) {
      cpu::widen(dtype_, halves, lines, floats);
    });
  }
  void round(int64_t n, const float* from) const {
    each_run(n, from, [&](uint16_t* halves, const float* floats, const Lines& lines) {
      cpu::round(dtype_, floats, lines, halves);
    });
  }

 private:
  /// f(elements, floats, lines of both) for each head of a sample.
  template <class T, class F>
  void each_run(int64_t n, T* floats, const F& f) const {
    for (int64_t h = 0; h < heads_; ++h) {
      f(pairs_.at(n, h), floats + h * rows_ * columns_, {0, rows_, columns_, pairs_.row});
    }
  }

  Pairs<uint16_t> pairs_;
  int dtype_;
  int64_t heads_, rows_, columns_;
};

/// Operands and results as floats, for some samples at a time.
template <size_t Inputs, size_t Outputs>
class Widening {
 public:
  Widening(const AttentionShape& s, const Halves (&inputs)[Inputs],
           const Halves (&outputs)[Outputs])
      : s_(s), inputs_(inputs), outputs_(outputs) {}

  /// compute(shape of some samples, the first one's number, floats of inputs, floats of outputs)
  template <class F>
  void run(const F& compute) const {
    constexpr int64_t kCached = 256 * 1024;
    int64_t each = 0;
    for (const Halves& x : inputs_) {
      each += x.size();
    }
    for (const Halves& y : outputs_) {
      each += y.size();
    }
    // As many for one thread as for another.
    const int64_t team = threads::share();
    const int64_t cached = kCached / std::max<int64_t>(each, 1);
    const int64_t some = std::min(s_.N, std::max(team, cached / team * team));
    const Buffers<float> memory(1, some * each);
    float *of_inputs[Inputs], *of_outputs[Outputs];
    float* next = memory[0];
    for (size_t i = 0; i < Inputs; ++i) {
      of_inputs[i] = next;
      next += some * inputs_[i].size();
    }
    for (size_t i = 0; i < Outputs; ++i) {
      of_outputs[i] = next;
      next += some * outputs_[i].size();
    }
    for (int64_t first = 0; first < s_.N; first += some) {
      AttentionShape part = s_;
      part.N = std::min(some, s_.N - first);
      parallel_items(part.N, each, [&](int64_t begin, int64_t end) {
        for (int64_t n = begin; n < end; ++n) {
          for (size_t i = 0; i < Inputs; ++i) {
            inputs_[i].widen(first + n, of_inputs[i] + n * inputs_[i].size());
          }
        }
      });
      compute(part, first, of_inputs, of_outputs);
      parallel_items(part.N, each, [&](int64_t begin, int64_t end) {
        for (int64_t n = begin; n < end; ++n) {
          for (size_t i = 0; i < Outputs; ++i) {
            outputs_[i].round(first + n, of_outputs[i] + n * outputs_[i].size());
          }
        }
      });
    }
  }

 private:
  const AttentionShape& s_;
  const Halves (&inputs_)[Inputs];
  const Halves (&outputs_)[Outputs];
};

}  // namespace th::cpu
