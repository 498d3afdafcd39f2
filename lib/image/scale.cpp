// Another size: weights of both axes, then rows on several threads.
#include <vector>

#include "cpu/parallel.h"
#include "picture.h"

namespace th::image {
namespace {

/// Weights of an axis as they are found out, and as the kernels want them.
class Weights {
 public:
  Weights(int64_t old_size, int64_t size, int interpolation) : old_(old_size), size_(size) {
    int64_t taps = interpolation == TH_IMAGE_BICUBIC ? 4 : 2;
    if (interpolation == TH_IMAGE_BILINEAR && size < old_size) {
      taps = old_size / size + 2;
    }
    taps_ = (taps + 3) / 4 * 4;
    // A picture made from many millions of columns has as many weights as those, not more.
    TH_CHECK(taps_ * size < int64_t{1} << 31, "from ", old_size, " to ", size,
             " pixels is too far");
    first_.resize(static_cast<size_t>(size));
    exact_.resize(static_cast<size_t>(size * taps_));
    for (int64_t i = 0; i < size; ++i) {
      if (interpolation == TH_IMAGE_BICUBIC) {
        weigh_cubic(i);
      } else if (size < old_size) {
        weigh_area(i);
      } else {
        weigh_linear(i);
      }
    }
    rounded_.assign(exact_.begin(), exact_.end());
  }

  Axis axis() const { return {old_, size_, taps_, first_.data(), rounded_.data(), exact_.data()}; }

 private:
  double* at(int64_t i, int64_t first) {
    first_[static_cast<size_t>(i)] = static_cast<int32_t>(first);
    return exact_.data() + i * taps_;
  }

  void weigh_one(int64_t i, int64_t old) { at(i, old)[0] = 1; }

  /// The first element lies on the first old one, the last on the last. `den` is never 0.
  void position(int64_t i, int64_t* whole, double* part) const {
    const int64_t num = size_ > 1 ? i * (old_ - 1) : old_ - 1;
    const int64_t den = size_ > 1 ? size_ - 1 : 2;
    *whole = num / den;
    *part = static_cast<double>(num % den) / static_cast<double>(den);
  }

  void weigh_linear(int64_t i) {
    int64_t p;
    double t;
    position(i, &p, &t);
    double* w = at(i, p);
    w[0] = 1 - t;
    w[1] = t;
  }

  /// What element i covers of the old ones, in parts of 1 / size_.
  void weigh_area(int64_t i) {
    const int64_t begin = i * old_;
    const int64_t end = begin + old_;
    const int64_t first = begin / size_;
    double* w = at(i, first);
    for (int64_t p = first; p * size_ < end; ++p) {
      const int64_t covered = std::min(end, (p + 1) * size_) - std::max(begin, p * size_);
      w[p - first] = static_cast<double>(covered) / static_cast<double>(old_);
    }
  }

  /// Catmull-Rom; beyond an end the line through the last two goes on.
  void weigh_cubic(int64_t i) {
    int64_t p;
    double t;
    position(i, &p, &t);
    if (t == 0 || old_ == 1) {
      return weigh_one(i, p);
    }
    const double before = t * (-0.5 + t * (1 - 0.5 * t));
    const double after = t * t * (-0.5 + 0.5 * t);
    double w[4] = {before, 1 + t * t * (-2.5 + 1.5 * t), t * (0.5 + t * (2 - 1.5 * t)), after};
    if (p == 0) {  // 2 x[0] - x[1]
      w[1] += 2 * before;
      w[2] -= before;
    }
    if (p + 2 == old_) {
      w[2] += 2 * after;
      w[1] -= after;
    }
    const int64_t first = p == 0 ? 0 : p - 1;
    const int64_t last = std::min(p + 2, old_ - 1);
    double* to = at(i, first);
    for (int64_t k = first; k <= last; ++k) {
      to[k - first] = w[k - p + 1];
    }
  }

  int64_t old_, size_, taps_;
  std::vector<int32_t> first_;
  std::vector<double> exact_;
  std::vector<float> rounded_;
};

/// Pixels as they are: n elements of the old ones at those places.
template <class T>
void pick(char* r, const char* x, const int32_t* places, int64_t n) {
  T* const to = reinterpret_cast<T*>(r);
  const T* const from = reinterpret_cast<const T*>(x);
  for (int64_t i = 0; i < n; ++i) {
    to[i] = from[places[i]];
  }
}

int64_t nearest(int64_t i, int64_t old_size, int64_t size) { return i * old_size / size; }

void scale_nearest(TH_Tensor* r, const Picture& x, int64_t height, int64_t width) {
  const int64_t size = element_size(x.tensor.dtype);
  const auto run = size == 1   ? pick<uint8_t>
                   : size == 2 ? pick<uint16_t>
                   : size == 4 ? pick<uint32_t>
                               : pick<uint64_t>;
  std::vector<int32_t> places(static_cast<size_t>(width));
  for (int64_t i = 0; i < width; ++i) {
    places[static_cast<size_t>(i)] = static_cast<int32_t>(nearest(i, x.width, width));
  }
  const Sizes sizes(x.tensor, height, width);
  Result result(r, sizes.span(), Result::Compact, {&x.tensor});
  char* const to = result.data<char>();
  const char* const from = bytes(x.tensor);
  cpu::parallel_items(x.planes * height, width, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t row = i / height * x.height + nearest(i % height, x.height, height);
      run(to + i * width * size, from + row * x.width * size, places.data(), width);
    }
  });
  result.finish();
}

void scale(TH_Tensor* r, const TH_Tensor* t, int64_t height, int64_t width, int interpolation) {
  const Picture x(t);
  check_result(r, x.tensor);
  check_size(height, width);
  check_size(x.height, x.width);
  TH_CHECK(interpolation >= TH_IMAGE_NEAREST && interpolation <= TH_IMAGE_BICUBIC,
           "unknown interpolation ", interpolation);
  const auto run = for_type(kernels().scale_rows, x.tensor, kNumbers);
  if (interpolation == TH_IMAGE_NEAREST) {
    return scale_nearest(r, x, height, width);
  }
  const Sizes sizes(x.tensor, height, width);
  const Weights rows(x.height, height, interpolation);
  const Weights columns(x.width, width, interpolation);
  const Axis down = rows.axis();
  const Axis across = columns.axis();
  const int64_t scratch_size = (scratch_bytes(across) + 63) / 64 * 64;
  const int64_t cost = down.taps * x.width + across.taps * width;
  const int64_t workers = cpu::workers_for(x.planes * height, cost);
  std::vector<char> scratch(static_cast<size_t>(scratch_size * workers + 64));
  Result result(r, sizes.span(), Result::Compact, {&x.tensor});
  char* const to = result.data<char>();
  const char* const from = bytes(x.tensor);
  const int64_t plane = height * width * element_size(x.tensor.dtype);
  const auto work = [&](int64_t begin, int64_t end) {
    char* const own = scratch.data() + (threads::inside() ? threads::part() : 0) * scratch_size;
    while (begin < end) {
      const int64_t p = begin / height;
      const int64_t stop = std::min(end, (p + 1) * height);
      run(to + p * plane, from + p * x.plane_bytes(), down, across, begin - p * height,
          stop - p * height, own);
      begin = stop;
    }
  };
  cpu::parallel_items(x.planes * height, cost, work, workers);
  result.finish();
}

}  // namespace
}  // namespace th::image

int THImage_scale(TH_Tensor* r, const TH_Tensor* x, int64_t height, int64_t width,
                  int interpolation) {
  return th::guarded("image.scale", [&] { th::image::scale(r, x, height, width, interpolation); });
}
