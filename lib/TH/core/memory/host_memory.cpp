#include "core/memory/host_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

#include <unistd.h>

namespace th {
namespace {

constexpr int64_t kUnknown = std::numeric_limits<int64_t>::max();

/// The number in a file that holds one; nothing for a missing file or "max".
std::optional<int64_t> number_in(const std::string& path) {
  std::ifstream in(path);
  int64_t value = 0;
  return in >> value ? std::optional(value) : std::nullopt;
}

/// The number behind `key` in a file of lines "key value".
std::optional<int64_t> number_of(const std::string& path, std::string_view key) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string name;
    int64_t value = 0;
    if (fields >> name >> value && name == key) {
      return value;
    }
  }
  return std::nullopt;
}

/// File names of one version of control groups.
struct GroupFiles {
  const char *limit, *usage, *reclaimable;
};
constexpr GroupFiles kVersion1{"/memory.limit_in_bytes", "/memory.usage_in_bytes",
                               "total_inactive_file"};
constexpr GroupFiles kVersion2{"/memory.max", "/memory.current", "inactive_file"};

/// The least that a group and those above it have left. Inside a container the path may be the
/// host's and not exist; the mount's root then is the container's own group.
int64_t left_in_group(const std::string& mount, std::string path, const GroupFiles& files) {
  int64_t left = kUnknown;
  while (true) {
    const std::string folder = mount + path;
    const auto limit = number_in(folder + files.limit), usage = number_in(folder + files.usage);
    if (limit && usage) {
      const auto reclaimable = number_of(folder + "/memory.stat", files.reclaimable);
      left = std::min(left, std::max<int64_t>(0, *limit - *usage + reclaimable.value_or(0)));
    }
    if (path.empty() || path == "/") {
      return left;
    }
    path.resize(path.rfind('/'));
  }
}

/// Whether a list like "cpu,cpuacct,memory" names the memory controller.
bool has_memory(const std::string& controllers) {
  std::istringstream names(controllers);
  for (std::string name; std::getline(names, name, ',');) {
    if (name == "memory") {
      return true;
    }
  }
  return false;
}

int64_t left_in_groups(const std::string& root) {
  int64_t left = kUnknown;
  std::ifstream in(root + "/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {  // number:controllers:path
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1), mount = root + "/sys/fs/cgroup";
    if (controllers.empty()) {
      left = std::min(left, left_in_group(mount, path, kVersion2));
    } else if (has_memory(controllers)) {
      left = std::min(left, left_in_group(mount + "/memory", path, kVersion1));
    }
  }
  return left;
}

}  // namespace

int64_t available_memory(const std::string& root) {
  const auto kibibytes = number_of(root + "/proc/meminfo", "MemAvailable:");
  return std::min(kibibytes ? *kibibytes * 1024 : kUnknown, left_in_groups(root));
}

int64_t resident_memory(const std::string& root) {
  std::ifstream in(root + "/proc/self/statm");
  int64_t total = 0, resident = 0;
  return in >> total >> resident ? resident * sysconf(_SC_PAGESIZE) : 0;
}

}  // namespace th
