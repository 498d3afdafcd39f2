// Every operation with its result in the handle of each operand in turn, and in other views of the
// operand's memory: the outcome is that of a result elsewhere.
#pragma once

#include <algorithm>
#include <iterator>

#include <gtest/gtest.h>

#include "TH/support/operations.h"

namespace th::test {

/// How a backend makes tensors and brings them back.
struct Side {
  std::function<Tensor(const TH_Tensor& host, Layout layout)> place;
  std::function<Tensor(const TH_Tensor& t)> fetch;
  std::function<TH_Generator*()> fresh_generator;  // always in the same state
};

/// What a tensor is, apart from where it lies.
struct Content {
  Sizes sizes;
  std::vector<double> numbers;
};

inline Content content(const Side& side, const TH_Tensor& t) {
  return {sizes(t), t.ndim == 0 ? std::vector<double>{} : values(side.fetch(t))};
}

inline bool agrees(const Content& a, const Content& b, int dtype) {
  if (a.sizes != b.sizes) {
    return false;
  }
  for (size_t i = 0; i < a.numbers.size(); ++i) {
    const double x = a.numbers[i], y = b.numbers[i];
    // The same work, but into memory that lies otherwise: sums may go by another path.
    const double room = 16 * precision(dtype) * std::max(1.0, std::abs(y));
    if (x != y && !(std::isnan(x) && std::isnan(y)) && !(std::abs(x - y) <= room)) {
      return false;
    }
  }
  return true;
}

inline std::string text(const Content& c) {
  std::string s = str(shape(std::span<const int64_t>(c.sizes)), ":");
  for (const double x : c.numbers) {
    s += str(' ', x);
  }
  return s;
}

/// Where the result lies.
enum class Under {
  Handle,      ///< it is the operand's handle
  View,        ///< another handle of the same elements
  Transposed,  ///< the operand's memory, the last two dimensions exchanged
  Shifted,     ///< one element of the operand's memory, not its first, that grows over the others
};
inline constexpr Under kUnder[] = {Under::Handle, Under::View, Under::Transposed, Under::Shifted};

/// Makes r a view of t's memory. False where there is no such view.
inline bool lay(Tensor& r, const TH_Tensor& t, Under under, bool keeps_shape) {
  alias(r, t);
  if (under == Under::Transposed) {
    if (t.ndim < 2) {
      return false;
    }
    transpose(r, r, t.ndim - 2, t.ndim - 1);
  }
  if (under == Under::Shifted) {
    if (keeps_shape || numel(t) < 2) {
      return false;
    }
    r.offset += r.strides[r.ndim - 1] * (r.sizes[r.ndim - 1] > 1 ? 1 : 0);
    r.ndim = 1;
    r.sizes[0] = 1;
  }
  return true;
}

/// Why an operation may refuse a result that lies under an operand. Everything else is to work.
inline bool may_be_refused(const std::string& message) {
  constexpr const char* kReasons[] = {
      "shares memory with",
      "share memory",
      "cannot go into",
      "needs memory of its own",
  };
  return std::any_of(std::begin(kReasons), std::end(kReasons),
                     [&](const char* reason) { return message.find(reason) != std::string::npos; });
}

class AliasedResults {
 public:
  explicit AliasedResults(Side side) : side_(std::move(side)) {}

  /// All results of a case under all of its operands, for tensors of that layout.
  void walk(const Case& c, Layout layout) {
    for (size_t i = 0; i < c.arguments.size(); ++i) {
      if (c.arguments[i].role == Argument::Operand) {
        continue;
      }
      for (size_t j = 0; j < c.arguments.size(); ++j) {
        if (c.arguments[j].role == Argument::Operand &&
            c.arguments[i].dtype == c.arguments[j].dtype) {
          for (const Under under : kUnder) {
            compare(c, layout, i, j, under);
          }
        }
      }
    }
  }

  int compared() const { return compared_; }

 private:
  std::vector<Tensor> make(const Case& c, Layout layout) {
    std::mt19937 rng(23);
    std::vector<Tensor> tensors;
    for (const Argument& a : c.arguments) {
      const Tensor host = elements_of(a, rng);
      tensors.push_back(side_.place(host, a.role == Argument::Result ? Layout::Compact : layout));
    }
    return tensors;
  }

  void compare(const Case& c, Layout layout, size_t i, size_t j, Under under) {
    const bool keeps_shape = c.arguments[i].role == Argument::ReadResult;
    std::vector<Tensor> t = make(c, layout);
    Tensor laid;
    if (under != Under::Handle && !lay(laid, t[j], under, keeps_shape)) {
      return;
    }
    SCOPED_TRACE(str(c.name, ", result ", i, " under operand ", j, ", a ",
                     class_name(c.arguments[i].dtype), "Tensor, layout ", static_cast<int>(layout),
                     ", way ", static_cast<int>(under)));
    // The same, with a result elsewhere.
    std::vector<Tensor> expected = make(c, layout);
    if (keeps_shape) {
      const Tensor host = side_.fetch(under == Under::Handle ? t[j] : laid);
      expected[i] = side_.place(host, Layout::Compact);
    }
    std::vector<TH_Tensor*> pointers;
    for (Tensor& each : expected) {
      pointers.push_back(&each);
    }
    if (c.call(pointers.data(), side_.fresh_generator()) != TH_OK) {
      ASSERT_FALSE(under == Under::View && keeps_shape == false)
          << "the case itself fails: " << TH_lastError();
      return;  // it cannot be that tensor, for another reason
    }
    std::vector<Content> before;
    for (size_t k = 0; k < t.size(); ++k) {
      pointers[k] = &t[k];
      before.push_back(content(side_, t[k]));
    }
    pointers[i] = under == Under::Handle ? &t[j] : &laid;
    const Content result_before = content(side_, *pointers[i]);
    if (c.call(pointers.data(), side_.fresh_generator()) != TH_OK) {
      EXPECT_TRUE(may_be_refused(TH_lastError())) << "refused: " << TH_lastError();
      EXPECT_TRUE(agrees(content(side_, *pointers[i]), result_before, c.arguments[i].dtype))
          << "refused (" << TH_lastError() << "), but the result changed";
      for (size_t k = 0; k < t.size(); ++k) {
        EXPECT_TRUE(agrees(content(side_, t[k]), before[k], c.arguments[k].dtype))
            << "refused (" << TH_lastError() << "), but tensor " << k << " changed";
      }
      return;
    }
    ++compared_;
    for (size_t k = 0; k < t.size(); ++k) {
      if (k == j && i != j) {
        continue;  // it lies under the result
      }
      const Content got = content(side_, *pointers[k]);
      const Content wanted = content(side_, expected[k]);
      EXPECT_TRUE(agrees(got, wanted, c.arguments[k].dtype))
          << "tensor " << k << " is " << text(got) << "\nwanted " << text(wanted);
    }
  }

  Side side_;
  int compared_ = 0;
};

}  // namespace th::test
