// Sequences of allocations, and the text files they are kept in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace replay {

/// Something that happens to block `id` (numbered in the order of allocations), or a mark: the end
/// of a step of the program.
struct Step {
  enum class Kind : uint8_t { kAllocate, kFree, kUse, kMark };
  Kind kind;
  int64_t id;
  size_t bytes;  // of an allocation
  int stream;    // the allocation's or the use's
};

struct Trace {
  std::string name;
  bool fixed_shapes = false;
  std::vector<Step> steps{};
};

/// Reads what BlockPool::trace() writes; lines of "#" are comments, "# name: NAME" names the trace
/// and "# shapes: fixed" says that every step of the program does the same.
inline Trace read(std::istream& in, const std::string& name) {
  Trace trace{name};
  int64_t blocks = 0;
  int line_number = 0;
  for (std::string line; std::getline(in, line);) {
    ++line_number;
    size_t bytes = 0;
    long long id = 0;
    int stream = 0;
    if (line.rfind("# name: ", 0) == 0) {
      trace.name = line.substr(8);
    } else if (line == "# shapes: fixed") {
      trace.fixed_shapes = true;
    } else if (line.empty() || line[0] == '#') {
      continue;
    } else if (line == "m") {
      trace.steps.push_back({Step::Kind::kMark, -1, 0, 0});
    } else if (std::sscanf(line.c_str(), "a %zu %d", &bytes, &stream) >= 1) {
      trace.steps.push_back({Step::Kind::kAllocate, blocks++, bytes, stream});
    } else if (std::sscanf(line.c_str(), "f %lld", &id) == 1 && id >= 0 && id < blocks) {
      trace.steps.push_back({Step::Kind::kFree, id, 0, 0});
    } else if (std::sscanf(line.c_str(), "u %lld %d", &id, &stream) == 2 && id >= 0 &&
               id < blocks) {
      trace.steps.push_back({Step::Kind::kUse, id, 0, stream});
    } else {
      throw std::runtime_error(name + ", line " + std::to_string(line_number) +
                               ": not an event of a trace: " + line);
    }
  }
  return trace;
}

/// The most bytes that were asked for and not freed yet.
inline size_t peak_live(const Trace& trace) {
  std::unordered_map<int64_t, size_t> live;
  size_t bytes = 0;
  size_t peak = 0;
  for (const Step& step : trace.steps) {
    if (step.kind == Step::Kind::kAllocate) {
      live[step.id] = step.bytes;
      bytes += step.bytes;
      peak = bytes > peak ? bytes : peak;
    } else if (step.kind == Step::Kind::kFree) {
      bytes -= live.at(step.id);
      live.erase(step.id);
    }
  }
  return peak;
}

}  // namespace replay
