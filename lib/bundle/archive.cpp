#include "archive.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace bundle {
namespace {

constexpr char kMagic[] = "THBUNDL1";
constexpr size_t kTrailer = 40;
constexpr size_t kRecord = 16;  // before the name
constexpr size_t kPiece = 1 << 18;
constexpr uint64_t kMostIndex = 1 << 26;

uint64_t number(const char* bytes, int count) {
  uint64_t n = 0;
  for (int i = count - 1; i >= 0; --i) {
    n = n << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return n;
}

uint32_t crc(uint32_t before, const char* bytes, size_t n) {
  return static_cast<uint32_t>(
      crc32(before, reinterpret_cast<const Bytef*>(bytes), static_cast<uInt>(n)));
}

/// Whether a name stays within the folder.
bool is_inner(const std::string& name) {
  if (name.empty() || name.front() == '/' || name.find('\0') != std::string::npos) {
    return false;
  }
  const std::string around = "/" + name + "/";
  return around.find("/../") == std::string::npos && around.find("/./") == std::string::npos &&
         around.find("//") == std::string::npos;
}

/// What inflate has of zlib's, given back whatever happens.
struct Inflater {
  z_stream z{};
  Inflater() {
    if (inflateInit2(&z, -15) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~Inflater() { inflateEnd(&z); }
};

}  // namespace

std::string system_reason() { return std::strerror(errno); }

Archive::Archive(const std::string& path) : path_(path) {
  descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) {
    throw Failure(path + " cannot be read: " + system_reason());
  }
  try {
    read_index();
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

Archive::~Archive() { close(descriptor_); }

void Archive::damaged(const char* what) const {
  throw Failure(path_ + " is damaged or incomplete (" + what + "); copy it here once more");
}

void Archive::read(void* to, uint64_t at, size_t n) const {
  char* bytes = static_cast<char*>(to);
  while (n > 0) {
    const ssize_t got = pread(descriptor_, bytes, n, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      damaged(got < 0 ? std::strerror(errno) : "it ends early");
    }
    bytes += got;
    at += static_cast<uint64_t>(got);
    n -= static_cast<size_t>(got);
  }
}

void Archive::read_index() {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) {
    damaged(std::strerror(errno));
  }
  const auto size = static_cast<uint64_t>(status.st_size);
  char trailer[kTrailer];
  if (size < kTrailer) {
    damaged("it ends early");
  }
  read(trailer, size - kTrailer, kTrailer);
  if (std::memcmp(trailer + 32, kMagic, 8) != 0) {
    damaged("there is no archive at its end");
  }
  if (crc(0, trailer, 28) != number(trailer + 28, 4)) {
    damaged("its last bytes have changed");
  }
  stream_at_ = number(trailer, 8);
  stream_size_ = number(trailer + 8, 8);
  const uint64_t index_size = number(trailer + 16, 8);
  const uint64_t end = size - kTrailer;
  if (index_size > std::min(end, kMostIndex) || stream_size_ > end - index_size ||
      stream_at_ != end - index_size - stream_size_) {
    damaged("its length has changed");
  }
  index_.resize(index_size);
  read(index_.data(), end - index_size, index_size);
  if (crc(0, index_.data(), index_.size()) != number(trailer + 24, 4)) {
    damaged("its list of files has changed");
  }
  for (size_t at = 0; at < index_.size();) {
    const char* record = index_.data() + at;
    const size_t left = index_.size() - at;
    const size_t length = left < kRecord ? 0 : number(record + 14, 2);
    if (length == 0 || length > left - kRecord) {
      damaged("its list of files is wrong");
    }
    File file{std::string(record + kRecord, length), number(record, 8),
              static_cast<uint32_t>(number(record + 8, 4)), number(record + 12, 2) != 0};
    if (!is_inner(file.name)) {
      damaged("its list of files is wrong");
    }
    files_.push_back(std::move(file));
    at += kRecord + length;
  }
}

uint64_t Archive::unpacked_size() const {
  uint64_t sum = 0;
  for (const File& file : files_) {
    sum += file.size;
  }
  return sum;
}

std::string Archive::identity() const {
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a, 64 bits
  for (const char c : index_) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

void Archive::unpack(Sink& sink) const {
  Inflater inflater;
  z_stream& z = inflater.z;
  std::vector<char> packed(kPiece);
  std::vector<char> bytes(kPiece);
  uint64_t at = stream_at_;
  const uint64_t stream_end = stream_at_ + stream_size_;
  for (const File& file : files_) {
    sink.begin(file);
    uint32_t sum = 0;
    for (uint64_t left = file.size; left > 0;) {
      if (z.avail_in == 0 && at < stream_end) {
        const auto n = static_cast<size_t>(std::min<uint64_t>(kPiece, stream_end - at));
        read(packed.data(), at, n);
        at += n;
        z.next_in = reinterpret_cast<Bytef*>(packed.data());
        z.avail_in = static_cast<uInt>(n);
      }
      const auto room = static_cast<size_t>(std::min<uint64_t>(kPiece, left));
      z.next_out = reinterpret_cast<Bytef*>(bytes.data());
      z.avail_out = static_cast<uInt>(room);
      const int status = inflate(&z, Z_NO_FLUSH);
      const size_t got = room - z.avail_out;
      if ((status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) ||
          (got == 0 && z.avail_in == 0 && at == stream_end) ||
          (got == 0 && status == Z_STREAM_END)) {
        damaged("its files cannot be unpacked");
      }
      sum = crc(sum, bytes.data(), got);
      sink.data(bytes.data(), got);
      left -= got;
    }
    if (sum != file.crc) {
      damaged(("checksum of " + file.name).c_str());
    }
    sink.end(file);
  }
}

}  // namespace bundle
