// Dropout: zero elements at random and scale up the others (Srivastava et al., JMLR 15, 2014).
#include "core/checks/nn.h"
#include "core/tables/nn.h"
#include "core/tensor/aliasing.h"
#include "cuda/elementwise.cuh"
#include "cuda/random/random.h"
#include "cuda/register.h"

namespace thc {
namespace {

/// Elements that one counter of the generator decides about, whatever their type.
constexpr int kDrawn = 4;

/// Keeps an element when its 32 random bits are below `kept`.
template <class A>
struct Mask {
  PhiloxPosition random;
  uint64_t kept;
  A scale;

  TH_HD void operator()(int64_t i, A* noise) const {
    const Random4 bits = random(static_cast<uint64_t>(i));
    for (int j = 0; j < kDrawn; ++j) {
      noise[j] = bits.x[j] < kept ? scale : A(0);
    }
  }
};

template <class T>
struct DropCompact {
  using Four = Lanes<T, kDrawn>;
  Mask<Compute<T>> mask;
  const T* x;
  T* noise;
  T* r;
  int64_t n;

  bool aligned() const {
    const auto fits = [](const void* p) {
      return reinterpret_cast<uintptr_t>(p) % alignof(Four) == 0;
    };
    return fits(x) && fits(noise) && fits(r);
  }

  TH_HD void operator()(int64_t i) const {
    const int64_t first = i * kDrawn;
    Compute<T> m[kDrawn];
    mask(i, m);
    if (first + kDrawn <= n) {
      const Four in = *reinterpret_cast<const Four*>(x + first);
      Four factors;
      Four out;
      for (int j = 0; j < kDrawn; ++j) {
        factors.v[j] = narrow<T>(m[j]);
        out.v[j] = narrow<T>(widen(in.v[j]) * m[j]);
      }
      *reinterpret_cast<Four*>(noise + first) = factors;
      *reinterpret_cast<Four*>(r + first) = out;
      return;
    }
    for (int j = 0; j < kDrawn; ++j) {  // a fixed count: m stays in registers
      if (first + j < n) {
        noise[first + j] = narrow<T>(m[j]);
        r[first + j] = narrow<T>(widen(x[first + j]) * m[j]);
      }
    }
  }
};

template <class A>
struct DropStrided {
  Mask<A> mask;
  Elements<A> x;
  Elements<A> noise;
  Elements<A> r;
  int64_t n;

  TH_HD void operator()(int64_t i) const {
    const int64_t first = i * kDrawn;
    A m[kDrawn];
    mask(i, m);
    for (int j = 0; j < kDrawn; ++j) {
      if (first + j < n) {
        noise.store(first + j, m[j]);
        r.store(first + j, x.load(first + j) * m[j]);
      }
    }
  }
};

void dropout(TH_Tensor* r, TH_Tensor* noise, const TH_Tensor* x, double p,
             TH_Generator* generator) {
  check_dropout(r, noise, x, p);
  check_noise_apart(r, noise, x, shares_memory);
  check_drawn(r, generator);
  const int64_t n = numel(*x);
  // Element by element: r may be x, but not lie over it in another order.
  const Tensor in = same_elements(*r, *x) ? Tensor(*x) : unaliased(*x, *r);
  Result mask(noise, sizes_of(in), Result::Any, {});
  Result out(r, sizes_of(in), Result::Any, {});
  const TH_Tensor& to_noise = mask.tensor();
  const TH_Tensor& to = out.tensor();
  const cudaStream_t stream = stream_for(in);
  const int64_t counters = (n + kDrawn - 1) / kDrawn;
  const PhiloxPosition random = take_random(in.device, static_cast<uint64_t>(counters));
  const auto kept = static_cast<uint64_t>((1 - p) * 0x1p32);
  Floating::dispatch(in.dtype, [&]<class T>() {
    using A = Compute<T>;
    const Mask<A> drawn{random, kept, static_cast<A>(1 / (1 - p))};
    const DropCompact<T> compact{drawn, data<T>(in), data<T>(to_noise), data<T>(to), n};
    if (is_contiguous(in) && is_contiguous(to_noise) && is_contiguous(to) && compact.aligned()) {
      launch(stream, counters, compact);
    } else {
      launch(stream, counters,
             DropStrided<A>{drawn, Elements<A>(in), Elements<A>(to_noise), Elements<A>(to), n});
    }
  });
}

}  // namespace

void register_dropout(th::NnTable& b) { b.dropout = dropout; }

}  // namespace thc
