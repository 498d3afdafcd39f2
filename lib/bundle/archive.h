// The files behind a program in one executable. At the end of that:
//
//   the files' bytes, one after another, as one raw deflate stream
//   index: for each file u64 size, u32 CRC-32, u16 executable, u16 length of its name, the name
//   trailer: u64 where the stream begins, u64 its length, u64 the index's length, u32 the index's
//            CRC-32, u32 that of the trailer up to here, "THBUNDL1"
//
// Numbers are little-endian. lua/trepl/bundle/archive.lua writes it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace bundle {

/// What the user has to be told; the launcher ends.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// "Permission denied", of errno.
std::string system_reason();

struct File {
  std::string name;  // relative, without "..": checked
  uint64_t size;
  uint32_t crc;
  bool executable;
};

class Archive {
 public:
  /// Opens the executable and reads the index. Failure: it is cut or damaged.
  explicit Archive(const std::string& path);
  ~Archive();
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  const std::vector<File>& files() const { return files_; }
  uint64_t unpacked_size() const;
  /// 16 hexadecimal digits that are others for other files.
  std::string identity() const;

  /// Unpacks everything: begin(file) when its bytes come next, data(bytes, n), end(file) when they
  /// have come and are those that were packed.
  struct Sink {
    virtual ~Sink() = default;
    virtual void begin(const File& file) = 0;
    virtual void data(const char* bytes, size_t n) = 0;
    virtual void end(const File& file) = 0;
  };
  void unpack(Sink& sink) const;

 private:
  void read_index();
  void read(void* to, uint64_t at, size_t n) const;
  [[noreturn]] void damaged(const char* what) const;

  std::string path_;
  int descriptor_ = -1;
  uint64_t stream_at_ = 0;
  uint64_t stream_size_ = 0;
  std::string index_;
  std::vector<File> files_;
};

}  // namespace bundle
