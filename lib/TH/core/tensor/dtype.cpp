#include "core/tensor/dtype.h"

namespace th {

const char* class_name(int dtype) {
  return dtype >= 0 && dtype < TH_NUM_DTYPES ? detail::dtype_rows[dtype].name : "Unknown";
}

}  // namespace th
