// F(4 x 4, 3 x 3) in one direction: six numbers from six inputs, four gradients or three weights,
// and four outputs or three gradients of weights from six.
#pragma once

namespace th::cpu::TH_ISA {
namespace {

// The points of the interpolation are 0, a, -a, b, -b and infinity. With 1 and 2, as in the paper,
// numbers of the tiles differ so much in size that errors are some four times as large.
constexpr float a = 0.625f, b = 1.5f;
constexpr float a2 = a * a, a3 = a2 * a, b2 = b * b, b3 = b2 * b;
constexpr float kBy0 = 1 / (a2 * b2), kByA = 1 / (2 * a2 * (a2 - b2)),
                kByB = 1 / (2 * b2 * (b2 - a2));

/// B'.
template <class T>
[[gnu::always_inline]] inline void input_six(const T (&d)[6], T (&r)[6]) {
  const T even = d[4] - b2 * d[2];
  const T odd = a * (d[3] - b2 * d[1]);
  const T outer = d[4] - a2 * d[2];
  const T inner = b * (d[3] - a2 * d[1]);
  r[0] = a2 * b2 * d[0] - (a2 + b2) * d[2] + d[4];
  r[1] = even + odd;
  r[2] = even - odd;
  r[3] = outer + inner;
  r[4] = outer - inner;
  r[5] = a2 * b2 * d[1] - (a2 + b2) * d[3] + d[5];
}

/// A.
template <class T>
[[gnu::always_inline]] inline void gradient_six(const T (&d)[4], T (&r)[6]) {
  const T even = d[0] + a2 * d[2];
  const T odd = a * d[1] + a3 * d[3];
  const T outer = d[0] + b2 * d[2];
  const T inner = b * d[1] + b3 * d[3];
  r[0] = d[0];
  r[1] = even + odd;
  r[2] = even - odd;
  r[3] = outer + inner;
  r[4] = outer - inner;
  r[5] = d[3];
}

/// A'.
template <class T>
[[gnu::always_inline]] inline void output_four(const T (&m)[6], T (&r)[4]) {
  const T even = m[1] + m[2];
  const T odd = m[1] - m[2];
  const T outer = m[3] + m[4];
  const T inner = m[3] - m[4];
  r[0] = m[0] + even + outer;
  r[1] = a * odd + b * inner;
  r[2] = a2 * even + b2 * outer;
  r[3] = a3 * odd + b3 * inner + m[5];
}

/// G.
template <class T>
[[gnu::always_inline]] inline void weight_six(const T (&w)[3], T (&r)[6]) {
  const T even = (w[0] + a2 * w[2]) * kByA;
  const T odd = w[1] * (a * kByA);
  const T outer = (w[0] + b2 * w[2]) * kByB;
  const T inner = w[1] * (b * kByB);
  r[0] = w[0] * kBy0;
  r[1] = even + odd;
  r[2] = even - odd;
  r[3] = outer + inner;
  r[4] = outer - inner;
  r[5] = w[2];
}

/// G'.
template <class T>
[[gnu::always_inline]] inline void weight_three(const T (&m)[6], T (&r)[3]) {
  const T even = (m[1] + m[2]) * kByA;
  const T outer = (m[3] + m[4]) * kByB;
  r[0] = m[0] * kBy0 + even + outer;
  r[1] = (m[1] - m[2]) * (a * kByA) + (m[3] - m[4]) * (b * kByB);
  r[2] = a2 * even + b2 * outer + m[5];
}

}  // namespace
}  // namespace th::cpu::TH_ISA
