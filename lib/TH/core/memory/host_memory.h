// How much memory the machine can still give to this process.
#pragma once

#include <cstdint>
#include <string>

namespace th {

/// Bytes that can be used without swapping or being killed: what the kernel estimates
/// (MemAvailable), or less where a control group (version 1 or 2, a container's limit) has less
/// left. Caches that the kernel would drop count as available. INT64_MAX where nothing is known.
/// `root` is prepended to /proc and /sys (for tests).
int64_t available_memory(const std::string& root = "");

/// Bytes of this process that are in memory now; 0 where unknown.
int64_t resident_memory(const std::string& root = "");

}  // namespace th
