// Errors inside the core are C++ exceptions; `guarded` (api.h) turns them into a status.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

#include "TH_core.h"

#pragma GCC visibility push(default)  // for backends in libraries of their own
namespace th {

/// The caller's mistake: the text says what came, what was wanted and what to do.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// No memory even after the caches were emptied. The caller may free some and try again.
class OutOfMemory : public Error {
 public:
  using Error::Error;
};

template <class... Parts>
std::string str(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

template <class... Parts>
[[noreturn, gnu::cold, gnu::noinline]] void fail(const Parts&... parts) {
  throw Error(str(parts...));
}

/// Record the current exception as the last error of this thread; returns its status.
int record_error(const char* operation) noexcept;

/// Run f; an exception becomes a status and a text that begins with the operation's name.
template <class F>
int guarded(const char* operation, F&& f) noexcept {
  try {
    f();
    return TH_OK;
  } catch (...) {
    return record_error(operation);
  }
}

}  // namespace th

#pragma GCC visibility pop

#define TH_CHECK(condition, ...)     \
  do {                               \
    if (!(condition)) [[unlikely]] { \
      ::th::fail(__VA_ARGS__);       \
    }                                \
  } while (false)
