#include "cpu/linalg/lapack.h"

#include <string>
#include <type_traits>

#include "cpu/linalg/blas_library.h"

namespace th::cpu {
namespace {

template <class T>
Lapack<T> load() {
  const std::string precision = std::is_same_v<T, float> ? "s" : "d";
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        blas_symbol((precision + name + "_").c_str()));
  };
  Lapack<T> f{};
  find(f.gesv, "gesv");
  find(f.gels, "gels");
  find(f.trtrs, "trtrs");
  find(f.syevd, "syevd");
  find(f.geev, "geev");
  find(f.gesdd, "gesdd");
  find(f.getrf, "getrf");
  find(f.getri, "getri");
  find(f.potrf, "potrf");
  find(f.potrs, "potrs");
  find(f.potri, "potri");
  find(f.pstrf, "pstrf");
  find(f.geqrf, "geqrf");
  find(f.orgqr, "orgqr");
  find(f.ormqr, "ormqr");
  return f;
}

}  // namespace

template <class T>
const Lapack<T>& lapack() {
  static const Lapack<T> functions = load<T>();  // tried again if it threw
  return functions;
}

template const Lapack<float>& lapack<float>();
template const Lapack<double>& lapack<double>();

}  // namespace th::cpu
