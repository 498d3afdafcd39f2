// What a pool tells about itself: statistics, the text of a failure, the JSON snapshot.
#include <algorithm>
#include <cstdio>
#include <map>

#include "core/memory/block_pool/pool.h"
#include "core/runtime/error.h"

namespace th {
namespace {

/// Just enough of a JSON writer: commas where they belong.
class Json {
 public:
  explicit Json(std::string& out) : out_(out) {}

  Json& open(char bracket) {
    separate();
    out_ += bracket;
    first_ = true;
    return *this;
  }
  Json& close(char bracket) {
    out_ += bracket;
    first_ = false;
    return *this;
  }
  Json& key(const char* name) {
    separate();
    out_.append("\"").append(name).append("\":");
    first_ = true;
    return *this;
  }
  Json& value(int64_t number) {
    separate();
    out_ += std::to_string(number);
    return *this;
  }
  Json& value(double number) {
    separate();
    char text[32];
    std::snprintf(text, sizeof text, "%.6f", number);
    out_ += text;
    return *this;
  }
  /// Addresses as text: a number of 64 bits loses digits in most readers.
  Json& address(const void* ptr) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%zx", reinterpret_cast<size_t>(ptr));
    return value(std::string_view(text));
  }
  Json& value(std::string_view text) {
    separate();
    out_ += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') {
        (out_ += '\\') += c;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\u%04x", unsigned(c));
        out_ += escape;
      } else {
        out_ += c;
      }
    }
    out_ += '"';
    return *this;
  }

 private:
  void separate() {
    if (!first_) {
      out_ += ',';
    }
    first_ = false;
  }

  std::string& out_;
  bool first_ = true;
};

void write(Json& json, const char* name, const Counter& counter) {
  json.key(name).open('{');
  json.key("current").value(counter.current);
  json.key("peak").value(counter.peak);
  json.key("total").value(counter.total);
  json.close('}');
}

void write(Json& json, const PoolStatistics& s) {
  json.key("statistics").open('{');
  write(json, "requested", s.requested);
  write(json, "allocated", s.allocated);
  write(json, "reserved", s.reserved);
  write(json, "inactive", s.inactive);
  write(json, "blocks", s.blocks);
  write(json, "segments", s.segments);
  write(json, "inactive_blocks", s.inactive_blocks);
  json.key("retries").value(s.retries);
  json.key("failures").value(s.failures);
  json.key("limit").value(s.limit);
  json.key("by_class").open('[');
  for (const ClassStatistics& c : s.by_class) {
    json.open('{').key("bytes").value(int64_t(c.bytes));
    write(json, "blocks", c.blocks);
    json.close('}');
  }
  json.close(']').close('}');
}

const char* name_of(const Block& block) {
  switch (block.state) {
    case Block::State::kLive:
      return "live";
    case Block::State::kFree:
      return block.uses.empty() ? "free" : "pending";
    case Block::State::kUnmapped:
      return "unmapped";
  }
  return "";
}

}  // namespace

std::string format_bytes(double bytes) {
  static const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int unit = 0;
  while (bytes >= 1024 && unit < 6) {
    bytes /= 1024;
    ++unit;
  }
  char text[48];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.2f %s", bytes, units[unit]);
  return text;
}

std::string BlockPool::describe_failure(size_t bytes) const {
  return str("asked ", format_bytes(double(bytes)), "; ", describe_use());
}

std::string BlockPool::describe_use() const {
  const std::lock_guard lock(mutex_);
  size_t largest = 0;
  for_each_heap([&](const Heap& heap) {
    if (const Block* block = heap.bins.largest(); block != nullptr) {
      largest = std::max(largest, block->bytes);
    }
  });
  const int64_t in_use = statistics_.allocated.current;
  const int64_t cached = statistics_.reserved.current - in_use;
  return str("in use ", format_bytes(double(in_use)), ", cached ", format_bytes(double(cached)),
             " (largest block ", format_bytes(double(largest)), "), ",
             limit_ == 0 ? "no limit set" : "limit ",
             limit_ == 0 ? "" : format_bytes(double(limit_)));
}

std::string BlockPool::describe_holders(size_t lines) const {
  const std::lock_guard lock(mutex_);
  std::map<uint32_t, size_t> bytes;  // by line
  for_each_heap([&](const Heap& heap) {
    for (const auto& segment : heap.segments) {
      for (const Block* block = segment->first; block != nullptr; block = block->next) {
        if (block->state == Block::State::kLive && block->line != 0) {
          bytes[block->line] += block->bytes;
        }
      }
    }
  });
  std::vector<std::pair<size_t, uint32_t>> largest;
  for (const auto& [line, sum] : bytes) {
    largest.emplace_back(sum, line);
  }
  std::sort(largest.rbegin(), largest.rend());
  std::string text;
  for (size_t i = 0; i < std::min(lines, largest.size()); ++i) {
    text += (i == 0 ? "" : ", ") + format_bytes(double(largest[i].first)) + " by " +
            history_.line(largest[i].second);
  }
  return text;
}

PoolStatistics BlockPool::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_locked();
}

PoolStatistics BlockPool::statistics_locked() const {
  PoolStatistics copy = statistics_;
  copy.limit = int64_t(limit_);
  for (int i = 0; i < SizeClass::kCount; ++i) {
    if (by_class_[i].total != 0) {
      copy.by_class.push_back({size_t(SizeClass::floor_of(i)) * config_.granule, by_class_[i]});
    }
  }
  return copy;
}

void BlockPool::reset_peaks() {
  const std::lock_guard lock(mutex_);
  PoolStatistics& s = statistics_;
  for (Counter* counter : {&s.requested, &s.allocated, &s.reserved, &s.inactive, &s.blocks,
                           &s.segments, &s.inactive_blocks}) {
    counter->reset_peak();
  }
  for (Counter& counter : by_class_) {
    counter.reset_peak();
  }
}

void BlockPool::keep_history(size_t entries) {
  const std::lock_guard lock(mutex_);
  history_.start(entries);
}

void BlockPool::mark() {
  const std::lock_guard lock(mutex_);
  note(PoolHistory::Kind::kMark, nullptr, 0, nullptr, 0);
}

void BlockPool::note(PoolHistory::Kind kind, void* ptr, size_t bytes, Stream stream,
                     uint32_t line) {
  if (history_.is_on()) {
    history_.add(kind, ptr, bytes, stream, line);
  }
}

std::string BlockPool::snapshot() const {
  const std::lock_guard lock(mutex_);
  std::string out;
  Json json(out);
  json.open('{');
  write(json, statistics_locked());
  json.key("segments").open('[');
  for_each_heap([&](const Heap& heap) {
    for (const auto& segment : heap.segments) {
      json.open('{');
      json.key("address").address(segment->first->ptr);
      json.key("bytes").value(int64_t(segment->bytes));
      json.key("stream").address(heap.stream);
      json.key("kind").value(std::string_view(heap.is_small ? "small" : "large"));
      json.key("paged").value(int64_t(segment->paged));
      json.key("blocks").open('[');
      for (const Block* block = segment->first; block != nullptr; block = block->next) {
        json.open('{');
        json.key("address").address(block->ptr);
        json.key("bytes").value(int64_t(block->bytes));
        json.key("state").value(std::string_view(name_of(*block)));
        if (block->state == Block::State::kLive) {
          json.key("requested").value(int64_t(block->requested));
          if (block->line != 0) {
            json.key("line").value(std::string_view(history_.line(block->line)));
          }
        }
        json.close('}');
      }
      json.close(']').close('}');
    }
  });
  json.close(']').key("history").open('[');
  for (const PoolHistory::Entry& entry : history_.entries()) {
    json.open('{');
    json.key("seconds").value(entry.seconds);
    json.key("event").value(std::string_view(PoolHistory::name(entry.kind)));
    json.key("address").address(entry.ptr);
    json.key("bytes").value(int64_t(entry.bytes));
    json.key("stream").address(entry.stream);
    json.key("line").value(std::string_view(history_.line(entry.line)));
    json.close('}');
  }
  json.close(']').close('}');
  return out;
}

}  // namespace th
