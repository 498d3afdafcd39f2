#include "folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace bundle {
namespace {

/// Why one place does not serve; the next one may.
class Unusable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void unusable(const std::string& path) {
  throw Unusable(path + ": " + system_reason());
}

/// The folders of a path from its `from`-th character on, for their owner alone.
void make_folders(const std::string& path, size_t from) {
  for (size_t at = from; (at = path.find('/', at + 1)) != std::string::npos;) {
    const std::string folder = path.substr(0, at);
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
      unusable(folder);
    }
  }
}

/// What others could write to, they could have us run: in /tmp anybody may have made the folder.
void check_owner(const std::string& folder) {
  struct stat status {};
  if (lstat(folder.c_str(), &status) != 0) {
    unusable(folder);
  }
  if (!S_ISDIR(status.st_mode) && !S_ISLNK(status.st_mode)) {
    throw Unusable(folder + ": not a folder");
  }
  if (status.st_uid != geteuid()) {
    throw Unusable(folder + ": belongs to another user");
  }
  if (!S_ISLNK(status.st_mode) && (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    throw Unusable(folder + ": other users may write there");
  }
}

void check_mount(const std::string& folder, uint64_t needed) {
  struct statvfs status {};
  if (statvfs(folder.c_str(), &status) != 0) {
    unusable(folder);
  }
  if ((status.f_flag & ST_NOEXEC) != 0) {
    throw Unusable(folder + ": nothing can be run from there (mounted noexec)");
  }
  const uint64_t room = static_cast<uint64_t>(status.f_bavail) * status.f_frsize;
  if (room < needed) {
    throw Unusable(folder + ": " + std::to_string(room >> 20) + " MiB are free");
  }
}

bool is_there(const std::string& folder, const File& file) {
  struct stat status {};
  return lstat((folder + "/" + file.name).c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         static_cast<uint64_t>(status.st_size) == file.size;
}

bool all_there(const std::string& folder, const Archive& archive) {
  for (const File& file : archive.files()) {
    if (!is_there(folder, file)) {
      return false;
    }
  }
  return true;
}

/// Held while files are written, so that of many first starts one unpacks. A file system that has
/// no locks does as well: each file comes to its name complete.
class Lock {
 public:
  explicit Lock(const std::string& path)
      : descriptor_(open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600)) {
    if (descriptor_ < 0) {
      unusable(path);
    }
    int status;
    while ((status = flock(descriptor_, LOCK_EX)) != 0 && errno == EINTR) {
    }
    held_ = status == 0;
  }
  ~Lock() { close(descriptor_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  bool held() const { return held_; }

 private:
  int descriptor_;
  bool held_;
};

constexpr char kPart[] = ".part-";  // a file on its way to its name, and whose

/// Those of processes that were killed, by who has the lock.
void remove_parts(const std::string& folder) {
  DIR* const entries = opendir(folder.c_str());
  if (entries == nullptr) {
    unusable(folder);
  }
  while (const dirent* entry = readdir(entries)) {
    if (std::strncmp(entry->d_name, kPart, sizeof kPart - 1) == 0) {
      unlink((folder + "/" + entry->d_name).c_str());
    }
  }
  closedir(entries);
}

/// Writes those files that are not there.
class Writer : public Archive::Sink {
 public:
  explicit Writer(std::string folder)
      : folder_(std::move(folder)), part_(folder_ + "/" + kPart + std::to_string(getpid())) {}
  ~Writer() override {
    if (descriptor_ >= 0) {
      close(descriptor_);
      unlink(part_.c_str());
    }
  }

  void begin(const File& file) override {
    if (is_there(folder_, file)) {
      return;
    }
    const std::string path = folder_ + "/" + file.name;
    make_folders(path, folder_.size());
    unlink(part_.c_str());
    descriptor_ =
        open(part_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, file.executable ? 0700 : 0600);
    if (descriptor_ < 0) {
      unusable(path);
    }
  }

  void data(const char* bytes, size_t n) override {
    while (descriptor_ >= 0 && n > 0) {
      const ssize_t put = write(descriptor_, bytes, n);
      if (put < 0 && errno == EINTR) {
        continue;
      }
      if (put < 0) {
        unusable(folder_);
      }
      bytes += put;
      n -= static_cast<size_t>(put);
    }
  }

  void end(const File& file) override {
    if (descriptor_ < 0) {
      return;
    }
    // A name says that the file is complete (is_there), after a power cut, too.
    int reason = fsync(descriptor_) == 0 || errno == EINVAL ? 0 : errno;
    if (close(descriptor_) != 0 && reason == 0) {
      reason = errno;
    }
    descriptor_ = -1;
    if (reason == 0 && rename(part_.c_str(), (folder_ + "/" + file.name).c_str()) != 0) {
      reason = errno;
    }
    if (reason != 0) {
      unlink(part_.c_str());
      errno = reason;
      unusable(folder_ + "/" + file.name);
    }
  }

 private:
  std::string folder_;
  std::string part_;
  int descriptor_ = -1;
};

std::string unpacked_in(const std::string& base, const Archive& archive) {
  const std::string folder = base + "/" + archive.identity();
  make_folders(base + "/", 0);
  check_owner(base);
  make_folders(folder + "/", base.size());
  if (!all_there(folder, archive)) {
    const Lock lock(folder + ".lock");
    if (!all_there(folder, archive)) {
      check_mount(folder, archive.unpacked_size());
      if (lock.held()) {
        remove_parts(folder);
      }
      Writer writer(folder);
      archive.unpack(writer);
    }
  }
  return folder;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::string> places() {
  if (const std::string chosen = variable("LUATORCH_BUNDLES"); !chosen.empty()) {
    return {chosen};
  }
  std::vector<std::string> list;
  if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty() && cache[0] == '/') {
    list.push_back(cache + "/luatorch/bundles");
  } else if (const std::string home = variable("HOME"); !home.empty() && home[0] == '/') {
    list.push_back(home + "/.cache/luatorch/bundles");
  }
  list.push_back("/tmp/luatorch-" + std::to_string(geteuid()));
  return list;
}

}  // namespace

std::string unpacked(const Archive& archive) {
  std::string reasons;
  for (const std::string& base : places()) {
    try {
      return unpacked_in(base, archive);
    } catch (const Unusable& reason) {
      reasons += "\n  " + std::string(reason.what());
    }
  }
  throw Failure("there is no place to unpack " +
                std::to_string((archive.unpacked_size() >> 20) + 1) + " MiB of files:" + reasons +
                "\nLUATORCH_BUNDLES=FOLDER names one that can be written to, and run from.");
}

}  // namespace bundle
