// The same operation on the CPU and on a device, with the same tensors.
#pragma once

#include <functional>

#include "THC/support/devices.h"

namespace thc::test {

/// As OnDevices, in the order of work that THC_SIM_SEED draws.
class AgainstCpu : public OnDevices {
 protected:
  void SetUp() override {
    OnDevices::SetUp();
#ifdef THC_SIMULATED
    sim::set_seed(sim::machine().seed);
#endif
  }

  std::mt19937 rng_{17};

  int64_t draw(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(rng_);
  }
  Layout draw_layout() { return th::test::kLayouts[draw(0, 3)]; }
  /// One to `most` dimensions of sizes up to `largest`.
  Sizes draw_sizes(int most, int64_t largest) {
    Sizes sizes(static_cast<size_t>(draw(1, most)));
    for (int64_t& size : sizes) {
      size = draw(1, largest);
    }
    return sizes;
  }
  Tensor draw_tensor(int dtype, const Sizes& sizes) { return th::test::random(dtype, sizes, rng_); }
};

inline Tensor copy_of(const TH_Tensor& t) {
  Tensor copy = th::test::make(t.dtype, th::test::sizes(t));
  if (t.ndim > 0) {
    th::copy(copy, t);
  }
  return copy;
}

/// The text with the CPU's names of types: CudaTensor is FloatTensor, CudaIntTensor IntTensor.
inline std::string sideless(std::string text) {
  for (size_t at = text.find("Cuda"); at != std::string::npos; at = text.find("Cuda")) {
    text.replace(at, 4, text.compare(at, 10, "CudaTensor") == 0 ? "Float" : "");
  }
  return text;
}

/// Two numbers, NaN being equal to NaN and an infinity to itself alone.
inline bool near(double a, double b, double tolerance) {
  if (std::isinf(a) || std::isinf(b)) {
    return a == b;
  }
  return (std::isnan(a) && std::isnan(b)) ||
         std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

/// What an operation answers besides tensors.
using Numbers = std::vector<double>;
/// Results first, then operands; may append to the numbers.
using Operation = std::function<int(std::vector<Tensor>& t, Numbers& numbers)>;

/// Run the operation on copies of `tensors` on the CPU and, in that layout, on a device. Status,
/// error text, numbers and all tensors, operands too, must agree; the error's text is returned.
inline std::string compare(const std::vector<Tensor>& tensors, Layout layout, double tolerance,
                           const Operation& operation, int device) {
  std::vector<Tensor> expected;
  std::vector<Tensor> t;
  for (const Tensor& each : tensors) {
    expected.push_back(copy_of(each));
    if (each.ndim > 0) {
      t.push_back(upload(each, layout, device));
    } else {
      t.push_back(on_device(each.dtype, {}, Layout::Compact, device));
    }
  }
  Numbers expected_numbers;
  Numbers numbers;
  const std::string text = error_of(operation(expected, expected_numbers));
  EXPECT_EQ(sideless(error_of(operation(t, numbers))), text);
  EXPECT_EQ(numbers.size(), expected_numbers.size());
  for (size_t i = 0; i < std::min(numbers.size(), expected_numbers.size()); ++i) {
    EXPECT_TRUE(near(numbers[i], expected_numbers[i], tolerance))
        << numbers[i] << ", wanted " << expected_numbers[i];
  }
  for (size_t k = 0; k < t.size(); ++k) {
    EXPECT_EQ(th::test::sizes(t[k]), th::test::sizes(expected[k])) << "tensor " << k;
    if (th::test::sizes(t[k]) != th::test::sizes(expected[k])) {
      continue;
    }
    const std::vector<double> a = th::test::values(download(t[k]));
    const std::vector<double> b = th::test::values(expected[k]);
    for (size_t i = 0; i < a.size(); ++i) {
      const bool zeros = a[i] == 0 && b[i] == 0;  // both zeros have one sign
      const bool equal =
          near(a[i], b[i], tolerance) && (!zeros || std::signbit(a[i]) == std::signbit(b[i]));
      EXPECT_TRUE(equal) << "tensor " << k << ", element " << i << ": " << a[i] << ", wanted "
                         << b[i];
      if (!equal) {
        break;
      }
    }
  }
  return text;
}

/// The operation succeeds, and both sides agree.
inline void expect_agreement(const std::vector<Tensor>& tensors, Layout layout, double tolerance,
                             const Operation& operation, int device = 0) {
  EXPECT_EQ(compare(tensors, layout, tolerance, operation, device), "");
}

/// The operation refuses these tensors, on both sides in the same words.
inline void expect_refusal(const std::vector<Tensor>& tensors, Layout layout, double tolerance,
                           const Operation& operation, int device = 0) {
  EXPECT_NE(compare(tensors, layout, tolerance, operation, device), "");
}

/// Either of the two: for walks over types and shapes of which the operation refuses some.
inline void expect_same_answer(const std::vector<Tensor>& tensors, Layout layout, double tolerance,
                               const Operation& operation, int device = 0) {
  compare(tensors, layout, tolerance, operation, device);
}

inline std::string describe(const char* name, int dtype, const Sizes& sizes, Layout layout) {
  return th::str(name, " of a ", class_name(dtype), "Tensor of ",
                 th::shape(std::span<const int64_t>(sizes)), ", layout ", static_cast<int>(layout));
}

inline std::vector<Tensor> list(Tensor a) {
  std::vector<Tensor> result;
  result.push_back(std::move(a));
  return result;
}
template <class... Rest>
std::vector<Tensor> list(Tensor a, Rest... rest) {
  std::vector<Tensor> result = list(std::move(a));
  (result.push_back(std::move(rest)), ...);
  return result;
}

/// An operation of the C ABI over t[0], t[1], ...; `more` are its arguments after the tensors.
#define THC_CALL(...) \
  [=](std::vector<Tensor>& t, [[maybe_unused]] Numbers& numbers) { return __VA_ARGS__; }

}  // namespace thc::test
