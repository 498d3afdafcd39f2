// Tables of kernels, compiled once per instruction set: each set's namespace defines
// set_kernels(Table&) for the tables declared here, and cpu/select.h picks one.
#pragma once

#ifdef __x86_64__
#define TH_KERNEL_TABLE(TABLE) \
  namespace v2 {               \
  void set_kernels(TABLE&);    \
  }                            \
  namespace v3 {               \
  void set_kernels(TABLE&);    \
  }                            \
  namespace v4 {               \
  void set_kernels(TABLE&);    \
  }
#else
#define TH_KERNEL_TABLE(TABLE) \
  namespace generic {          \
  void set_kernels(TABLE&);    \
  }
#endif

namespace th::cpu {

/// A row of kernels for each type that layers and products compute in.
template <template <class> class Row>
struct RealKernels {
  Row<float> of_float;
  Row<double> of_double;

  template <class T>
  const Row<T>& row() const {
    if constexpr (sizeof(T) == sizeof(float)) {
      return of_float;
    } else {
      return of_double;
    }
  }
};

}  // namespace th::cpu
