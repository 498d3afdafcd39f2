// Values between pixels: of the nearest one, or a weighted sum of those around.
#include <cmath>

#include "kernels/numbers.h"
#include "kernels/parts.h"

namespace th::image::TH_ISA {
namespace {

/// Positions as far off the picture as rounding puts those at its border still count as on it.
constexpr double kRounding = 1e-6;
constexpr int kMostTaps = 6;

struct Nearest {
  static constexpr int taps = 1;
  static int64_t weigh(double x, double* w) {
    w[0] = 1;
    return static_cast<int64_t>(__builtin_floor(x + 0.5));
  }
};

struct Bilinear {
  static constexpr int taps = 2;
  static int64_t weigh(double x, double* w) {
    const double below = __builtin_floor(x);
    w[1] = x - below;
    w[0] = 1 - w[1];
    return static_cast<int64_t>(below);
  }
};

/// Catmull-Rom's cubic.
struct Bicubic {
  static constexpr int taps = 4;
  static int64_t weigh(double x, double* w) {
    const double below = __builtin_floor(x);
    const double t = x - below;
    w[0] = t * (-0.5 + t * (1 - 0.5 * t));
    w[1] = 1 + t * t * (-2.5 + 1.5 * t);
    w[2] = t * (0.5 + t * (2 - 1.5 * t));
    w[3] = t * t * (-0.5 + 0.5 * t);
    return static_cast<int64_t>(below) - 1;
  }
};

/// sinc(x) sinc(x / 3) for |x| < 3, made to sum to 1.
struct Lanczos {
  static constexpr int taps = 6;
  static int64_t weigh(double x, double* w) {
    const double below = __builtin_floor(x);
    double sum = 0;
    for (int k = 0; k < taps; ++k) {
      const double d = M_PI * (x - below + 2 - k);
      w[k] = d == 0 ? 1 : 3 * std::sin(d) * std::sin(d / 3) / (d * d);
      sum += w[k];
    }
    for (int k = 0; k < taps; ++k) {
      w[k] /= sum;
    }
    return static_cast<int64_t>(below) - 2;
  }
};

inline int64_t within(int64_t i, int64_t size) { return i < 0 ? 0 : (i < size ? i : size - 1); }

template <class T, class Method>
void sample_by(T* r, int64_t r_plane, const Planes& x, const double* ys, const double* xs,
               int64_t n, const Sampling& how) {
  constexpr int taps = Method::taps;
  const T* const pixels = static_cast<const T*>(x.data);
  const int64_t plane = x.height * x.width;
  const double bottom = static_cast<double>(x.height - 1);
  const double right = static_cast<double>(x.width - 1);
  const double margin = taps == 1 ? 0.5 : kRounding;
  const T outside = to_element<T>(how.value);
  for (int64_t i = 0; i < n; ++i) {
    const bool on = ys[i] >= -margin && ys[i] <= bottom + margin && xs[i] >= -margin &&
                    xs[i] <= right + margin;  // NaN is not
    if (how.pad && !on) {
      for (int64_t p = 0; p < x.count; ++p) {
        r[p * r_plane + i] = outside;
      }
      continue;
    }
    double wy[kMostTaps];
    double wx[kMostTaps];
    const int64_t top = Method::weigh(ys[i] > 0 ? (ys[i] < bottom ? ys[i] : bottom) : 0, wy);
    const int64_t left = Method::weigh(xs[i] > 0 ? (xs[i] < right ? xs[i] : right) : 0, wx);
    int64_t row[taps];
    int64_t column[taps];
    for (int k = 0; k < taps; ++k) {
      row[k] = within(top + k, x.height) * x.width;
      column[k] = within(left + k, x.width);
    }
    for (int64_t p = 0; p < x.count; ++p) {
      const T* at = pixels + p * plane;
      if constexpr (taps == 1) {
        r[p * r_plane + i] = at[row[0] + column[0]];
      } else {
        double sum = 0;
        for (int a = 0; a < taps; ++a) {
          double line = 0;
          for (int b = 0; b < taps; ++b) {
            line += wx[b] * static_cast<double>(at[row[a] + column[b]]);
          }
          sum += wy[a] * line;
        }
        r[p * r_plane + i] = to_element<T>(sum);
      }
    }
  }
}

template <class T>
void sample(void* r, int64_t r_plane, const Planes& x, const double* ys, const double* xs,
            int64_t n, const Sampling& how) {
  T* to = static_cast<T*>(r);
  switch (how.interpolation) {
    case TH_IMAGE_NEAREST:
      return sample_by<T, Nearest>(to, r_plane, x, ys, xs, n, how);
    case TH_IMAGE_BILINEAR:
      return sample_by<T, Bilinear>(to, r_plane, x, ys, xs, n, how);
    case TH_IMAGE_BICUBIC:
      return sample_by<T, Bicubic>(to, r_plane, x, ys, xs, n, how);
    default:
      return sample_by<T, Lanczos>(to, r_plane, x, ys, xs, n, how);
  }
}

}  // namespace

void fill_sample(Kernels& table) {
  for_types([&]<class T>() { table.sample[dtype_of<T>] = sample<T>; });
}

}  // namespace th::image::TH_ISA
