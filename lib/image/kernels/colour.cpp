// Colour spaces, pixel by pixel. Hue, saturation and lightness lie in 0..1, as red, green and blue.
#include <cmath>

#include "kernels/numbers.h"
#include "kernels/parts.h"

namespace th::image::TH_ISA {
namespace {

template <class A>
struct Three {
  A a, b, c;
};

template <class A>
A largest(Three<A> x) {
  const A ab = x.a > x.b ? x.a : x.b;
  return ab > x.c ? ab : x.c;
}
template <class A>
A smallest(Three<A> x) {
  const A ab = x.a < x.b ? x.a : x.b;
  return ab < x.c ? ab : x.c;
}

/// The angle on the colour wheel, 0..1, of a colour that is not grey.
template <class A>
A hue(Three<A> rgb, A most, A range) {
  A h;
  if (most == rgb.a) {
    h = (rgb.b - rgb.c) / range + (rgb.b < rgb.c ? A(6) : A(0));
  } else if (most == rgb.b) {
    h = (rgb.c - rgb.a) / range + A(2);
  } else {
    h = (rgb.a - rgb.b) / range + A(4);
  }
  return h / A(6);
}

/// Recommendation BT.601, as analog television had it.
struct RgbToY {
  template <class A>
  static Three<A> run(Three<A> x) {
    return {A(0.299) * x.a + A(0.587) * x.b + A(0.114) * x.c, 0, 0};
  }
};
struct RgbToYuv {
  template <class A>
  static Three<A> run(Three<A> x) {
    return {A(0.299) * x.a + A(0.587) * x.b + A(0.114) * x.c,
            A(-0.14713) * x.a + A(-0.28886) * x.b + A(0.436) * x.c,
            A(0.615) * x.a + A(-0.51499) * x.b + A(-0.10001) * x.c};
  }
};
struct YuvToRgb {
  template <class A>
  static Three<A> run(Three<A> x) {
    return {x.a + A(1.13983) * x.c, x.a + A(-0.39465) * x.b + A(-0.58060) * x.c,
            x.a + A(2.03211) * x.b};
  }
};

struct RgbToHsv {
  template <class A>
  static Three<A> run(Three<A> x) {
    const A most = largest(x);
    const A range = most - smallest(x);
    if (range == 0) {
      return {0, 0, most};
    }
    return {hue(x, most, range), range / most, most};
  }
};

struct HsvToRgb {
  template <class A>
  static Three<A> run(Three<A> x) {
    const A sixth = std::floor(x.a * A(6));
    const A f = x.a * A(6) - sixth;
    const A p = x.c * (A(1) - x.b);
    const A q = x.c * (A(1) - f * x.b);
    const A t = x.c * (A(1) - (A(1) - f) * x.b);
    A of_six = sixth - A(6) * std::floor(sixth / A(6));
    switch (of_six >= A(0) && of_six < A(6) ? static_cast<int>(of_six) : 0) {  // NaN is neither
      case 0:
        return {x.c, t, p};
      case 1:
        return {q, x.c, p};
      case 2:
        return {p, x.c, t};
      case 3:
        return {p, q, x.c};
      case 4:
        return {t, p, x.c};
      default:
        return {x.c, p, q};
    }
  }
};

struct RgbToHsl {
  template <class A>
  static Three<A> run(Three<A> x) {
    const A most = largest(x);
    const A least = smallest(x);
    const A range = most - least;
    const A sum = most + least;
    const A lightness = sum / A(2);
    if (range == 0) {
      return {0, 0, lightness};
    }
    return {hue(x, most, range), lightness > A(0.5) ? range / (A(2) - sum) : range / sum,
            lightness};
  }
};

struct HslToRgb {
  template <class A>
  static A channel(A p, A q, A h) {
    h -= std::floor(h);
    if (h * A(6) < A(1)) {
      return p + (q - p) * A(6) * h;
    } else if (h * A(2) < A(1)) {
      return q;
    } else if (h * A(3) < A(2)) {
      return p + (q - p) * (A(2) / A(3) - h) * A(6);
    }
    return p;
  }
  template <class A>
  static Three<A> run(Three<A> x) {
    if (x.b == 0) {
      return {x.c, x.c, x.c};
    }
    const A q = x.c < A(0.5) ? x.c * (A(1) + x.b) : x.c + x.b - x.c * x.b;
    const A p = A(2) * x.c - q;
    return {channel(p, q, x.a + A(1) / A(3)), channel(p, q, x.a), channel(p, q, x.a - A(1) / A(3))};
  }
};

/// CIE 1976 L*a*b* of sRGB colours (IEC 61966-2-1), white D65.
constexpr double kWhite[3] = {0.950456, 1, 1.088754};
constexpr double kEpsilon = 216.0 / 24389.0;
constexpr double kKappa = 24389.0 / 27.0;

struct RgbToLab {
  template <class A>
  static A linear(A v) {
    return v > A(0.04045) ? std::pow((v + A(0.055)) / A(1.055), A(2.4)) : v / A(12.92);
  }
  template <class A>
  static A curve(A t) {
    return t > A(kEpsilon) ? std::cbrt(t) : (A(kKappa) * t + A(16)) / A(116);
  }
  template <class A>
  static Three<A> run(Three<A> rgb) {
    const A r = linear(rgb.a);
    const A g = linear(rgb.b);
    const A b = linear(rgb.c);
    const A x = curve((A(0.412453) * r + A(0.357580) * g + A(0.180423) * b) / A(kWhite[0]));
    const A y = curve(A(0.212671) * r + A(0.715160) * g + A(0.072169) * b);
    const A z = curve((A(0.019334) * r + A(0.119193) * g + A(0.950227) * b) / A(kWhite[2]));
    return {A(116) * y - A(16), A(500) * (x - y), A(200) * (y - z)};
  }
};

struct LabToRgb {
  template <class A>
  static A curve(A t) {
    const A cube = t * t * t;
    return cube > A(kEpsilon) ? cube : (A(116) * t - A(16)) / A(kKappa);
  }
  template <class A>
  static A encoded(A v) {
    return v > A(0.0031308) ? A(1.055) * std::pow(v, A(1) / A(2.4)) - A(0.055) : A(12.92) * v;
  }
  template <class A>
  static Three<A> run(Three<A> lab) {
    const A fy = (lab.a + A(16)) / A(116);
    const A x = A(kWhite[0]) * curve(fy + lab.b / A(500));
    const A y = curve(fy);
    const A z = A(kWhite[2]) * curve(fy - lab.c / A(200));
    return {encoded(A(3.240479) * x - A(1.537150) * y - A(0.498535) * z),
            encoded(A(-0.969256) * x + A(1.875992) * y + A(0.041556) * z),
            encoded(A(0.055648) * x - A(0.204043) * y + A(1.057311) * z)};
  }
};

/// Each channel's part of the sum of all.
struct RgbToNrgb {
  template <class A>
  static Three<A> run(Three<A> x) {
    const A sum = x.a + x.b + x.c;
    return sum == 0 ? Three<A>{0, 0, 0} : Three<A>{x.a / sum, x.b / sum, x.c / sum};
  }
};

template <class T>
Computed<T> from_element(T v) {
  if constexpr (is_whole<T>) {
    return static_cast<Computed<T>>(v) / Computed<T>(255);
  } else {
    return v;
  }
}

/// As torch.round does it: halves away from 0.
template <class T>
T as_element(Computed<T> v) {
  if constexpr (is_whole<T>) {
    v = std::round(v * Computed<T>(255));
    return static_cast<T>(v > 0 ? (v < 255 ? v : 255) : 0);
  } else {
    return v;
  }
}

template <class T, class Conversion, bool one = false>
void convert(T* r, const T* x, int64_t plane, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    const Three<Computed<T>> in{from_element(x[i]), from_element(x[i + plane]),
                                from_element(x[i + 2 * plane])};
    const auto out = Conversion::run(in);
    r[i] = as_element<T>(out.a);
    if constexpr (!one) {
      r[i + plane] = as_element<T>(out.b);
      r[i + 2 * plane] = as_element<T>(out.c);
    }
  }
}

template <class T>
void colour(void* r, const void* x, int64_t plane, int64_t begin, int64_t end, int conversion) {
  T* to = static_cast<T*>(r);
  const T* from = static_cast<const T*>(x);
  switch (conversion) {
    case TH_IMAGE_RGB2Y:
      return convert<T, RgbToY, true>(to, from, plane, begin, end);
    case TH_IMAGE_RGB2YUV:
      return convert<T, RgbToYuv>(to, from, plane, begin, end);
    case TH_IMAGE_YUV2RGB:
      return convert<T, YuvToRgb>(to, from, plane, begin, end);
    case TH_IMAGE_RGB2HSL:
      return convert<T, RgbToHsl>(to, from, plane, begin, end);
    case TH_IMAGE_HSL2RGB:
      return convert<T, HslToRgb>(to, from, plane, begin, end);
    case TH_IMAGE_RGB2HSV:
      return convert<T, RgbToHsv>(to, from, plane, begin, end);
    case TH_IMAGE_HSV2RGB:
      return convert<T, HsvToRgb>(to, from, plane, begin, end);
    case TH_IMAGE_RGB2LAB:
      return convert<T, RgbToLab>(to, from, plane, begin, end);
    case TH_IMAGE_LAB2RGB:
      return convert<T, LabToRgb>(to, from, plane, begin, end);
    default:
      return convert<T, RgbToNrgb>(to, from, plane, begin, end);
  }
}

}  // namespace

void fill_colour(Kernels& table) {
  table.colour[TH_BYTE] = colour<uint8_t>;
  table.colour[TH_FLOAT] = colour<float>;
  table.colour[TH_DOUBLE] = colour<double>;
}

}  // namespace th::image::TH_ISA
