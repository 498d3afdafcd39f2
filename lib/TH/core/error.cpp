#include "core/error.h"

#include <cstring>
#include <new>
#include <string_view>

namespace th {
namespace {

thread_local std::string last_error;
thread_local int last_status = TH_OK;

/// Rows that are forms of one user-visible operation carry a suffix the user never typed.
std::string_view user_name(std::string_view row) {
  for (std::string_view suffix : {"_value", "_scaled", "_all", "_tensor", "_range"}) {
    if (row.ends_with(suffix)) {
      return row.substr(0, row.size() - suffix.size());
    }
  }
  return row;
}

int record(int status, const char* operation, const char* text) noexcept {
  try {
    last_error.clear();
    if (operation != nullptr) {
      last_error.append(user_name(operation)).append(": ");
    }
    last_error.append(text);
  } catch (...) {
    last_error.clear();  // no memory even for the text
  }
  last_status = status;
  return status;
}

}  // namespace

int record_error(const char* operation) noexcept {
  try {
    throw;
  } catch (const OutOfMemory& e) {
    return record(TH_OUT_OF_MEMORY, operation, e.what());
  } catch (const std::bad_alloc&) {
    return record(TH_OUT_OF_MEMORY, operation, "out of memory");
  } catch (const std::exception& e) {
    return record(TH_ERROR, operation, e.what());
  } catch (...) {
    return record(TH_ERROR, operation, "unknown C++ exception");
  }
}

}  // namespace th

const char* TH_lastError() { return th::last_error.c_str(); }
int TH_lastStatus() { return th::last_status; }
