// Tensors on devices, and a machine that each test finds as new.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "TH.h"
#include "TH/support/tensors.h"
#include "THC.h"
#include "core/device.h"
#include "core/memory/allocator.h"
#include "core/stream.h"
#ifdef THC_SIMULATED
#include "sim/control.h"
#endif

namespace thc::test {

using th::test::Layout;
using th::test::Sizes;

/// Uninitialised, of any layout. Not inlined: gcc 12 then sees writes past the end of `sizes`.
[[gnu::noinline]] inline Tensor on_device(int dtype, Sizes sizes, Layout layout = Layout::Compact,
                                          int device = 0) {
  const int n = static_cast<int>(sizes.size());
  Tensor t;
  const auto plain = [&] {
    init(t, dtype, TH_CUDA, device);
    resize(t, sizes);
  };
  if (layout == Layout::Transposed && n >= 2) {
    std::swap(sizes[static_cast<size_t>(n - 1)], sizes[static_cast<size_t>(n - 2)]);
    plain();
    transpose(t, t, n - 1, n - 2);
  } else if (layout == Layout::Narrowed) {
    const Sizes wanted = sizes;
    for (int64_t& size : sizes) {
      size += 3;
    }
    plain();
    for (int d = 0; d < n; ++d) {
      narrow(t, t, d, 1, wanted[static_cast<size_t>(d)]);
    }
  } else if (layout == Layout::Compact) {
    plain();
  } else {
    sizes.push_back(2);
    plain();
    select(t, t, n, 1);
  }
  return t;
}

inline Tensor upload(const TH_Tensor& host, Layout layout = Layout::Compact, int device = 0) {
  Tensor t = on_device(host.dtype, Sizes(host.sizes, host.sizes + host.ndim), layout, device);
  th::copy(t, host);
  return t;
}

inline Tensor download(const TH_Tensor& t) {
  Tensor host = th::test::make(t.dtype, Sizes(t.sizes, t.sizes + t.ndim));
  if (t.ndim > 0) {
    th::copy(host, t);
  }
  return host;
}

/// A device beside the first, where the machine has one.
inline int another_device() { return device_count() - 1; }

/// What a call of the C ABI failed with, "" when it did not.
inline std::string error_of(int status) { return status == TH_OK ? "" : TH_lastError(); }

/// No faults, rules or streams left over from the test before.
class OnDevices : public testing::Test {
 protected:
  void SetUp() override { clean(); }
  void TearDown() override { clean(); }

 private:
  static void clean() {
#ifdef THC_SIMULATED
    sim::reset();
    sim::set_driver(CUDART_VERSION);
    sim::set_seed(1);
#endif
    for (int d = device_count() - 1; d >= 0; --d) {
      set_current_stream(d, 0);
      device_pool(d).set_limit(0);
      device_pool(d).keep_history(0);
    }
    set_current_device(0);
    empty_cache();
  }
};

}  // namespace thc::test
