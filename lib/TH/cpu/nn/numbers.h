// Vectors of parameters, one number for each plane or feature, as layers compute with them.
#pragma once

#include <algorithm>
#include <vector>

#include "cpu/operands.h"

namespace th::cpu {

/// A number for each plane or feature, read from and written to tensors of any floating type.
using Numbers = std::vector<double>;

inline Numbers read(const TH_Tensor* t, int64_t count, double otherwise) {
  Numbers numbers(static_cast<size_t>(count), otherwise);
  if (t != nullptr) {
    const Tensor plain = compact(*t);
    RealTypes::dispatch(plain.dtype,
                        [&]<class T>() { std::copy_n(data<T>(plain), count, numbers.begin()); });
  }
  return numbers;
}

/// Numbers on their way to a tensor: room for them is made first.
class NumbersResult {
 public:
  NumbersResult(TH_Tensor* t, int64_t count) : t_(t) {
    if (t != nullptr) {
      plain_ = Tensor::like(*t, compute_dtype(t->dtype), {&count, 1});
    }
  }

  void write(const Numbers& numbers) {
    RealTypes::dispatch(plain_.dtype, [&]<class T>() {
      std::copy(numbers.begin(), numbers.end(), data<T>(plain_));
    });
    th::copy(*t_, plain_);
  }

 protected:
  TH_Tensor* t_;
  Tensor plain_;
};

/// Numbers that are added to those of a tensor, if there is one.
class Added : NumbersResult {
 public:
  Added(TH_Tensor* t, int64_t count) : NumbersResult(t, count), numbers_(read(t, count, 0)) {}

  void add(double scale, const Numbers& more) {
    if (t_ == nullptr) {
      return;
    }
    for (size_t c = 0; c < numbers_.size(); ++c) {
      numbers_[c] += scale * more[c];
    }
    write(numbers_);
  }

 private:
  Numbers numbers_;
};

}  // namespace th::cpu
