#include "cpu/linalg/lapack.h"

#include <new>
#include <shared_mutex>
#include <string>
#include <type_traits>

#include <pthread.h>

#include "core/runtime/threads.h"
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

template <class T>
const Lapack<T>& functions() {
  static const Lapack<T> table = load<T>();  // tried again if it threw
  return table;
}

/// Below this order OpenBLAS would use one thread anyway.
constexpr int kManyThreads = 64;

void set_threads(int count) {
  static const auto set = reinterpret_cast<void (*)(int)>(blas_symbol("openblas_set_num_threads"));
  set(count);
}

/// Never destroyed: a thread may be at work when the process ends.
std::shared_mutex& lock() {
  static auto& mutex = *new std::shared_mutex;
  // A child of fork must not inherit a call that will not end. It gets a new lock: it is another
  // thread than the one that holds the old one.
  static const int registered = pthread_atfork([] { lock().lock(); }, [] { lock().unlock(); },
                                               [] { new (&lock()) std::shared_mutex; });
  static_cast<void>(registered);
  return mutex;
}

}  // namespace

template <class T>
LapackCall<T>::LapackCall(int n)
    : functions_(functions<T>()), threads_(n >= kManyThreads && threads::share() > 1) {
  static const bool alone = (set_threads(1), true);
  static_cast<void>(alone);
  if (threads_) {
    lock().lock();
    set_threads(threads::lend());
  } else {
    lock().lock_shared();
  }
}

template <class T>
LapackCall<T>::~LapackCall() {
  if (threads_) {
    set_threads(1);
    lock().unlock();
  } else {
    lock().unlock_shared();
  }
}

template class LapackCall<float>;
template class LapackCall<double>;

}  // namespace th::cpu
