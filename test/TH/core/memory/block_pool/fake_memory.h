// Device memory of a fixed size that nobody can touch, and streams that only keep score.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "TH/support/failing_new.h"
#include "core/memory/block_pool/backend.h"
#include "core/memory/mapped_pieces.h"

namespace th::testing_support {

/// Addresses are made up, so a pool that looked into a block would crash. Counts what it is asked
/// for and complains about anything that a real driver would refuse.
class FakeMemory : public PoolBackend {
 public:
  /// in_pieces: what was mapped at once goes back in pieces only; see MappedPieces.
  explicit FakeMemory(size_t capacity, bool has_ranges = false, bool in_pieces = false)
      : capacity_(capacity), has_ranges_(has_ranges), in_pieces_(in_pieces) {}
  ~FakeMemory() override {
    EXPECT_TRUE(pieces_.empty()) << "pieces were not given back";
    EXPECT_TRUE(ranges_.empty()) << "ranges were not given back";
    EXPECT_EQ(in_use_, 0u);
    EXPECT_TRUE(events_.empty()) << "events were not destroyed";
  }

  void* allocate(size_t bytes) noexcept override {
    const WithoutFailures calm;
    if (in_use_ + bytes > capacity_) {
      ++refusals;
      return nullptr;
    }
    ++allocations;
    in_use_ += bytes;
    void* ptr = take_addresses(bytes);
    pieces_[ptr] = bytes;
    return ptr;
  }
  void free(void* ptr, size_t bytes) noexcept override {
    const WithoutFailures calm;
    EXPECT_EQ(pieces_.count(ptr), 1u);
    EXPECT_EQ(pieces_[ptr], bytes);
    pieces_.erase(ptr);
    in_use_ -= bytes;
  }
  void* reserve(size_t bytes, bool /*for_small*/) noexcept override {
    const WithoutFailures calm;
    if (!has_ranges_) {
      return nullptr;
    }
    void* ptr = take_addresses(bytes);
    ranges_[ptr] = bytes;
    return ptr;
  }
  void unreserve(void* ptr, size_t bytes) noexcept override {
    const WithoutFailures calm;
    EXPECT_EQ(ranges_.count(ptr), 1u);
    EXPECT_EQ(ranges_[ptr], bytes);
    EXPECT_TRUE(pages_.lower_bound(ptr) == pages_.lower_bound(static_cast<char*>(ptr) + bytes))
        << "pages are still mapped";
    ranges_.erase(ptr);
  }
  bool map(void* ptr, size_t bytes) noexcept override {
    const WithoutFailures calm;
    EXPECT_EQ(reinterpret_cast<size_t>(ptr) % kPage + bytes % kPage, 0u);
    if (in_use_ + bytes > capacity_) {
      ++refusals;
      return false;
    }
    in_use_ += bytes;
    for (size_t i = 0; i < bytes; i += kPage) {
      EXPECT_TRUE(pages_.insert(static_cast<char*>(ptr) + i).second) << "mapped twice";
    }
    const auto nothing = [](void*, size_t) { return true; };
    return !in_pieces_ || mapped_.map(ptr, bytes, nothing, nothing);
  }
  void unmap(void* ptr, size_t bytes, Stream) noexcept override {
    const WithoutFailures calm;
    EXPECT_EQ(reinterpret_cast<size_t>(ptr) % kPage + bytes % kPage, 0u);
    in_use_ -= bytes;
    ++unmaps;
    for (size_t i = 0; i < bytes; i += kPage) {
      EXPECT_EQ(pages_.erase(static_cast<char*>(ptr) + i), 1u) << "was not mapped";
    }
    size_t unmapped = 0;
    EXPECT_TRUE(is_border(ptr) && is_border(static_cast<char*>(ptr) + bytes)) << "part of a piece";
    mapped_.unmap(ptr, bytes, [&](void*, size_t size) { unmapped += size; });
    EXPECT_EQ(unmapped, in_pieces_ ? bytes : 0);
  }
  bool is_border(const void* page) const noexcept override { return mapped_.is_border(page); }

  Event record(Stream stream) noexcept override {
    const WithoutFailures calm;
    char* event = reinterpret_cast<char*>(++last_event_);
    events_.insert(event);
    log.push_back("record on " + name(stream));
    return event;
  }
  void wait(Stream stream, Event event) noexcept override {
    const WithoutFailures calm;
    EXPECT_EQ(events_.count(event), 1u);
    last_waited = event;
    log.push_back(name(stream) + " waits");
  }
  void synchronize(Event event) noexcept override {
    const WithoutFailures calm;
    EXPECT_EQ(events_.count(event), 1u);
    log.push_back("host waits");
  }
  bool passed(Event event) noexcept override {
    const WithoutFailures calm;
    EXPECT_EQ(events_.count(event), 1u);
    return all_passed;
  }
  void destroy(Event event) noexcept override {
    const WithoutFailures calm;
    EXPECT_EQ(events_.erase(event), 1u);
  }

  size_t in_use() const { return in_use_; }
  size_t live_events() const { return events_.size(); }

  static constexpr size_t kPage = size_t(2) << 20;
  int allocations = 0, unmaps = 0, refusals = 0;
  Event last_waited = nullptr;  // events are numbered from 1
  bool all_passed = false;
  std::vector<std::string> log;

 private:
  static std::string name(Stream stream) {
    return "stream " + std::to_string(reinterpret_cast<size_t>(stream));
  }
  void* take_addresses(size_t bytes) {
    const size_t ptr = next_address_;
    next_address_ += (bytes + 2 * kPage - 1) / kPage * kPage;  // a gap: pieces never touch
    return reinterpret_cast<void*>(ptr);
  }

  const size_t capacity_;
  const bool has_ranges_;
  const bool in_pieces_;
  size_t in_use_ = 0;
  MappedPieces mapped_;
  size_t next_address_ = size_t(1) << 40;
  size_t last_event_ = 0;
  std::map<void*, size_t> pieces_, ranges_;
  std::set<void*> pages_;
  std::set<void*> events_;
};

}  // namespace th::testing_support
