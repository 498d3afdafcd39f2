#include "core/dtype.h"

namespace th {

const char* class_name(int dtype) {
  constexpr const char* names[] = {
      "Byte", "Char", "Short", "Int", "Long", "Half", "BFloat16", "Float", "Double"};
  return dtype >= 0 && dtype < TH_NUM_DTYPES ? names[dtype] : "Unknown";
}

}  // namespace th
