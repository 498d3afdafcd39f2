// Layers on 8 bits and fewer: products against sums of whole numbers, one by one; the rest against
// the CPU.
#include "THC/support/compare.h"

namespace thc::test {
namespace {

using th::test::assign;
using th::test::empty;
using th::test::make;
using th::test::precision;
using th::test::values;

struct Layer {
  int64_t N, C, H, W, K, kernel, stride, padding, dilation, groups;

  int64_t out(int64_t size) const {
    return (size + 2 * padding - (kernel - 1) * dilation - 1) / stride + 1;
  }
  Sizes input() const { return {N, C, H, W}; }
  Sizes weight() const { return {K, C / groups, kernel, kernel}; }
  Sizes result() const { return {N, K, out(H), out(W)}; }
};

class Quantized : public AgainstCpu {
 protected:
  Tensor draw_whole(int dtype, const Sizes& sizes, int64_t low, int64_t high) {
    Tensor t = make(dtype, sizes);
    std::vector<double> numbers(static_cast<size_t>(numel(t)));
    for (double& n : numbers) {
      n = static_cast<double>(draw(low, high));
    }
    assign(t, numbers);
    return t;
  }
  Tensor draw_codes(const Sizes& sizes) { return draw_whole(TH_BYTE, sizes, 0, 255); }
  Tensor draw_weights(const Sizes& sizes) { return draw_whole(TH_CHAR, sizes, -127, 127); }
};

/// Sums of weights times codes for each element of the result.
std::vector<int64_t> sums_of(const Layer& l, const Tensor& x, const Tensor& w, int around) {
  const std::vector<double> codes = values(x);
  const std::vector<double> weights = values(w);
  const int64_t inputs = l.C / l.groups;
  std::vector<int64_t> sums;
  for (int64_t n = 0; n < l.N; ++n) {
    for (int64_t k = 0; k < l.K; ++k) {
      for (int64_t i = 0; i < l.out(l.H); ++i) {
        for (int64_t j = 0; j < l.out(l.W); ++j) {
          int64_t sum = 0;
          for (int64_t c = 0; c < inputs; ++c) {
            const int64_t plane = n * l.C + k / (l.K / l.groups) * inputs + c;
            for (int64_t tap = 0; tap < l.kernel * l.kernel; ++tap) {
              const int64_t h = i * l.stride - l.padding + tap / l.kernel * l.dilation;
              const int64_t v = j * l.stride - l.padding + tap % l.kernel * l.dilation;
              const bool inside = h >= 0 && h < l.H && v >= 0 && v < l.W;
              const int64_t at = (k * inputs + c) * l.kernel * l.kernel + tap;
              sum += static_cast<int64_t>(weights[static_cast<size_t>(at)]) *
                     (inside ? static_cast<int64_t>(
                                   codes[static_cast<size_t>((plane * l.H + h) * l.W + v)])
                             : around);
            }
          }
          sums.push_back(sum);
        }
      }
    }
  }
  return sums;
}

TEST_F(Quantized, ConvolutionsAreSumsOfWholeNumbers) {
  const Layer layers[] = {
      {2, 3, 9, 7, 5, 3, 1, 1, 1, 1},    // taps that are no multiple of four
      {1, 16, 8, 8, 70, 3, 1, 1, 1, 1},  // more outputs than a tile has, and more taps
      {3, 8, 11, 9, 12, 3, 2, 1, 2, 4},  // groups, steps and gaps
      {2, 6, 5, 5, 6, 3, 1, 2, 1, 6},    // a kernel for each plane
      {5, 64, 4, 5, 10, 1, 1, 0, 1, 1},  // kernels of one element
      {1, 2, 1, 1, 1, 3, 1, 1, 1, 1},    // hardly anything inside
      {3, 8, 1, 1, 5, 1, 3, 1, 1, 1},    // one window, beside the pixel
  };
  constexpr float kScale = 0x1p-9f;
  constexpr float kAddendScale = 0.25f;
  for (const Layer& l : layers) {
    for (const int around : {0, 7}) {
      for (const bool adds : {false, true}) {
        const Layout layout = draw_layout();
        SCOPED_TRACE(describe("quantized_conv", TH_BYTE, l.input(), layout));
        const Tensor x = draw_codes(l.input());
        const Tensor w = draw_weights(l.weight());
        const Tensor bias = draw_whole(TH_FLOAT, {l.K}, -1000, 1000);
        const Tensor scale = draw_whole(TH_FLOAT, {l.K}, 1, 3);
        const Tensor addend = draw_codes(l.result());
        Tensor t[] = {upload(x, layout), upload(w, layout), upload(bias), upload(scale),
                      upload(addend, layout)};
        ASSERT_EQ(TH_mul(&t[3], &t[3], kScale), TH_OK);
        const std::vector<int64_t> sums = sums_of(l, x, w, around);
        const int64_t steps[] = {l.stride, l.stride};
        const int64_t paddings[] = {l.padding, l.padding};
        const int64_t gaps[] = {l.dilation, l.dilation};
        for (const int dtype : {TH_FLOAT, TH_BYTE}) {
          Tensor r = on_device(dtype, {});
          ASSERT_EQ(TH_quantized_conv(&r, &t[0], &t[1], &t[2], &t[3], adds ? &t[4] : nullptr,
                                      kAddendScale, around, 2, steps, paddings, gaps,
                                      static_cast<int>(l.groups)),
                    TH_OK)
              << TH_lastError();
          ASSERT_EQ(th::test::sizes(r), l.result());
          const std::vector<double> got = values(download(r));
          const std::vector<double> b = values(bias);
          const std::vector<double> s = values(scale);
          const std::vector<double> more = values(addend);
          const auto outputs = static_cast<size_t>(l.out(l.H) * l.out(l.W));
          for (size_t i = 0; i < got.size(); ++i) {
            const size_t k = i / outputs % static_cast<size_t>(l.K);
            double wanted = s[k] * kScale * (static_cast<double>(sums[i]) + b[k]) +
                            (adds ? kAddendScale * more[i] : 0);
            if (dtype == TH_BYTE) {
              wanted = std::nearbyint(std::clamp(wanted, 0.0, 255.0));
            }
            ASSERT_EQ(got[i], wanted) << "element " << i;
          }
        }
      }
    }
  }
}

// Floats have every integer up to 2^24 alone: sums in floats would have other results than these.
TEST_F(Quantized, LongSumsAreExact) {
  for (const int64_t inputs : {4001, 4000}) {
    const Layer l{67, inputs, 1, 1, 3, 1, 1, 0, 1, 1};
    const Tensor x = draw_whole(TH_BYTE, {l.N, l.C}, 200, 255);
    const Tensor w = draw_whole(TH_CHAR, {l.K, l.C}, 100, 127);
    const Tensor zero = draw_whole(TH_FLOAT, {l.K}, 0, 0);
    const Tensor one = draw_whole(TH_FLOAT, {l.K}, 1, 1);
    const std::vector<int64_t> sums = sums_of(l, x, w, 0);
    const Tensor t[] = {upload(x, draw_layout()), upload(w, draw_layout()), upload(zero),
                        upload(one)};
    Tensor r = on_device(TH_FLOAT, {});
    ASSERT_EQ(TH_quantized_linear(&r, &t[0], &t[1], &t[2], &t[3]), TH_OK) << TH_lastError();
    const std::vector<double> got = values(download(r));
    for (size_t i = 0; i < got.size(); ++i) {
      ASSERT_GT(sums[i], 1 << 24);
      ASSERT_EQ(got[i], static_cast<double>(static_cast<float>(sums[i]))) << "element " << i;
    }
  }
}

TEST_F(Quantized, CodesAreTheCpus) {
  for (const Sizes& sizes : {Sizes{7}, Sizes{1, 3, 5, 6}, Sizes{2, 3, 40, 31}}) {
    for (const int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
      const Layout layout = draw_layout();
      SCOPED_TRACE(describe("quantize", dtype, sizes, layout));
      // Sums of sixteenths: no rounding but the last.
      Tensor x = draw_whole(dtype, sizes, -40, 40);
      expect_agreement(list(empty(TH_BYTE), std::move(x)), layout, 0,
                       THC_CALL(TH_quantize(&t[0], &t[1], 1.0 / 16, 100)));
    }
    const Layout layout = draw_layout();
    SCOPED_TRACE(describe("quantized_add", TH_BYTE, sizes, layout));
    expect_agreement(list(empty(TH_BYTE), draw_codes(sizes), draw_codes(sizes)), layout, 0,
                     THC_CALL(TH_quantized_add(&t[0], &t[1], &t[2], 0.5, 0.25, -3)));
    if (sizes.size() == 4) {
      static constexpr int64_t kThrees[] = {3, 3}, kTwos[] = {2, 2}, kOnes[] = {1, 1};
      expect_agreement(
          list(empty(TH_BYTE), draw_codes(sizes)), layout, 0,
          THC_CALL(TH_quantized_max_pool(&t[0], &t[1], 2, kThrees, kTwos, kOnes, kOnes, false)));
    }
  }
}

TEST_F(Quantized, PackedRowsAreTheCpus) {
  struct Case {
    int64_t columns, groups;
    int bits;
  };
  // The last ones have rows that are no multiple of four bytes.
  const Case cases[] = {{64, 2, 4}, {64, 8, 8}, {2048, 16, 4}, {1040, 5, 8}, {6, 1, 8}, {26, 1, 4}};
  for (const Case& c : cases) {
    for (const int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
      const Layout layout = draw_layout();
      const int64_t rows = 5;
      SCOPED_TRACE(describe("packed_linear", dtype, {rows, c.columns}, layout));
      const auto packed = [&] { return draw_codes({rows, c.columns * c.bits / 8}); };
      const auto scales = [&] { return draw_whole(dtype, {rows, c.groups}, 1, 3); };
      const auto zeros = [&] {
        return draw_whole(TH_BYTE, {rows, c.groups}, 0, c.bits == 4 ? 15 : 255);
      };
      const int bits = c.bits;
      expect_agreement(list(empty(dtype), packed(), scales(), zeros()), layout, 0,
                       THC_CALL(TH_unpack_rows(&t[0], &t[1], &t[2], &t[3], bits)));
      for (const Sizes& x : {Sizes{c.columns}, Sizes{3, c.columns}, Sizes{20, c.columns}}) {
        // Terms of up to 3 x 255; the sums' order differs.
        const double tolerance = 8 * std::sqrt(static_cast<double>(c.columns)) *
                                 (is_half(dtype) ? precision(dtype) : 64 * precision(dtype));
        expect_agreement(
            list(empty(dtype), draw_tensor(dtype, x), packed(), scales(), zeros(),
                 draw_tensor(dtype, {rows})),
            layout, tolerance,
            THC_CALL(TH_packed_linear(&t[0], &t[1], &t[2], &t[3], &t[4], &t[5], bits)));
        expect_agreement(
            list(empty(dtype), draw_tensor(dtype, x), packed(), scales(), zeros()), layout,
            tolerance,
            THC_CALL(TH_packed_linear(&t[0], &t[1], &t[2], &t[3], &t[4], nullptr, bits)));
      }
    }
  }
}

}  // namespace
}  // namespace thc::test
