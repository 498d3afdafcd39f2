#include "core/types.h"

#include <algorithm>
#include <string>
#include <type_traits>

#include "core/runtime/error.h"
#include "core/tensor/dtype.h"
#include "distributed.h"
#include "functors/numeric.h"

namespace distributed {

void check_mpi(int status, const char* call) {
  if (status != MPI_SUCCESS) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(status, text, &length);
    th::fail(call, ": ", text);
  }
}

namespace {

// Sums of integers come round, which C++ defines of those without a sign.
template <class T>
struct Wrapping {
  using type = std::make_unsigned_t<T>;
};
template <>
struct Wrapping<float> {
  using type = float;
};
template <>
struct Wrapping<double> {
  using type = double;
};
template <>
struct Wrapping<th::Half> {
  using type = float;
};
template <>
struct Wrapping<th::BFloat16> {
  using type = float;
};

template <class T>
void combine_as(int reduction, T* r, const T* x, int64_t count) {
  using Sum = typename Wrapping<T>::type;
  using Order = th::Compute<T>;
  const auto each = [&](auto f) {
    for (int64_t i = 0; i < count; ++i) {
      r[i] = f(r[i], x[i]);
    }
  };
  switch (reduction) {
    case DISTRIBUTED_SUM:
      return each([](T a, T b) {
        return static_cast<T>(static_cast<Sum>(static_cast<Sum>(a) + static_cast<Sum>(b)));
      });
    case DISTRIBUTED_PRODUCT:
      return each([](T a, T b) {
        // 16 bits without a sign would be multiplied as int, which overflows.
        if constexpr (std::is_integral_v<T>) {
          return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
        } else {
          return static_cast<T>(static_cast<Sum>(a) * static_cast<Sum>(b));
        }
      });
    case DISTRIBUTED_MIN:
      return each([](T a, T b) {
        const auto x = static_cast<Order>(a), y = static_cast<Order>(b);
        return y < x || y != y ? b : a;  // a NaN stays, whoever brings it
      });
    default:
      return each([](T a, T b) {
        const auto x = static_cast<Order>(a), y = static_cast<Order>(b);
        return x < y || y != y ? b : a;
      });
  }
}

MPI_Datatype made_16_bit() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_dup(MPI_UINT16_T, &type), "MPI_Type_dup");
  check_mpi(MPI_Type_commit(&type), "MPI_Type_commit");
  return type;
}

template <int DTYPE, int REDUCTION>
void combine_own(void* x, void* r, int* count, MPI_Datatype* /*type*/) {
  combine(DTYPE, REDUCTION, r, x, *count);
}

MPI_Op made_op(MPI_User_function* f) {
  MPI_Op op = MPI_OP_NULL;
  check_mpi(MPI_Op_create(f, 1, &op), "MPI_Op_create");
  return op;
}

template <int DTYPE>
MPI_Op own_op(int reduction) {
  static const MPI_Op ops[] = {made_op(combine_own<DTYPE, DISTRIBUTED_SUM>),
                               made_op(combine_own<DTYPE, DISTRIBUTED_PRODUCT>),
                               made_op(combine_own<DTYPE, DISTRIBUTED_MIN>),
                               made_op(combine_own<DTYPE, DISTRIBUTED_MAX>)};
  return ops[reduction];
}

}  // namespace

MPI_Datatype mpi_type(int dtype) {
  switch (dtype) {
    case TH_BYTE:
      return MPI_UINT8_T;
    case TH_CHAR:
      return MPI_INT8_T;
    case TH_SHORT:
      return MPI_INT16_T;
    case TH_INT:
      return MPI_INT32_T;
    case TH_LONG:
      return MPI_INT64_T;
    case TH_FLOAT:
      return MPI_FLOAT;
    case TH_DOUBLE:
      return MPI_DOUBLE;
    case TH_HALF:
    case TH_BFLOAT16: {
      static const MPI_Datatype type = made_16_bit();
      return type;
    }
    default:
      th::fail("there is no element type ", dtype);
  }
}

MPI_Op mpi_op(int dtype, int reduction) {
  if (dtype == TH_HALF) {
    return own_op<TH_HALF>(reduction);
  }
  if (dtype == TH_BFLOAT16) {
    return own_op<TH_BFLOAT16>(reduction);
  }
  // With a NaN, what MPI's own give depends on which rank has it.
  const bool orders = reduction == DISTRIBUTED_MIN || reduction == DISTRIBUTED_MAX;
  if (orders && dtype == TH_FLOAT) {
    return own_op<TH_FLOAT>(reduction);
  }
  if (orders && dtype == TH_DOUBLE) {
    return own_op<TH_DOUBLE>(reduction);
  }
  const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX};
  return ops[reduction];
}

void combine(int dtype, int reduction, void* r, const void* x, int64_t count) {
  th::AllTypes::dispatch(dtype, [&]<class T>() {
    combine_as(reduction, static_cast<T*>(r), static_cast<const T*>(x), count);
  });
}

}  // namespace distributed
