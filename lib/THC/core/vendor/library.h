// Shared libraries that are opened when first needed, because many machines lack them.
#pragma once

#include <initializer_list>
#include <string>

#include <dlfcn.h>

#include "core/check.h"

namespace thc {

/// A library found under the first of some names; check is_open().
class Library {
 public:
  explicit Library(std::initializer_list<const char*> names) {
    for (const char* name : names) {
      if (handle_ == nullptr) {
        handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
      }
    }
    if (handle_ == nullptr) {
      const char* text = dlerror();
      error_ = text == nullptr ? "" : text;
    }
  }

  bool is_open() const { return handle_ != nullptr; }
  const std::string& error() const { return error_; }

  /// False where the library is too old, or too new, to have the function.
  template <class F>
  bool find(F*& function, const char* name) const {
    function = reinterpret_cast<F*>(dlsym(handle_, name));
    return function != nullptr;
  }

 private:
  void* handle_ = nullptr;  // never closed: handles may outlive every static object
  std::string error_;
};

}  // namespace thc
