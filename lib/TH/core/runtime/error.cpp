#include "core/runtime/error.h"

#include <cctype>
#include <new>
#include <string>
#include <string_view>

#include "core/memory/host_allocator.h"

namespace th {
namespace {

thread_local std::string last_error;
thread_local int last_status = TH_OK;

/// An operation as the user typed it: rows that are forms of one operation carry a suffix, and Lua
/// spells index_copy as indexCopy.
std::string user_name(std::string_view row) {
  for (std::string_view suffix : {"_value", "_scaled", "_all", "_tensor", "_range"}) {
    if (row.ends_with(suffix)) {
      row.remove_suffix(suffix.size());
      break;
    }
  }
  std::string name;
  for (size_t i = 0; i < row.size(); ++i) {
    const bool hump = row[i] == '_' && i + 1 < row.size();
    name += hump ? static_cast<char>(std::toupper(static_cast<unsigned char>(row[++i]))) : row[i];
  }
  return name;
}

/// Not more than these words where there is no memory for a text.
std::string shortage() noexcept {
  try {
    return HostAllocator::instance().describe_shortage();
  } catch (...) {
    return "out of memory";  // short enough to need none
  }
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
    return record(TH_OUT_OF_MEMORY, operation, shortage().c_str());
  } catch (const std::exception& e) {
    return record(TH_ERROR, operation, e.what());
  } catch (...) {
    return record(TH_ERROR, operation, "unknown C++ exception");
  }
}

}  // namespace th

const char* TH_lastError() { return th::last_error.c_str(); }
int TH_lastStatus() { return th::last_status; }
