// Reads JSON strictly, for tests that look at what we write.
#pragma once

#include <cctype>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace th::testing_support {

struct Json {
  enum class Kind { kNull, kBool, kNumber, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  double number = 0;
  std::string text;
  std::vector<Json> items;
  std::map<std::string, Json> fields;

  const Json& operator[](const std::string& key) const { return fields.at(key); }
  const Json& operator[](size_t i) const { return items.at(i); }
  size_t address() const { return std::stoull(text, nullptr, 16); }
  int64_t integer() const { return int64_t(number); }
};

/// Throws std::runtime_error at the first character that is not JSON (RFC 8259).
class JsonReader {
 public:
  static Json read(std::string_view text) {
    JsonReader reader(text);
    Json value = reader.value();
    reader.skip_space();
    if (!reader.rest_.empty()) {
      reader.fail("text after the value");
    }
    return value;
  }

 private:
  explicit JsonReader(std::string_view text) : rest_(text) {}

  [[noreturn]] void fail(const std::string& what) {
    throw std::runtime_error(what + " at: " + std::string(rest_.substr(0, 40)));
  }
  void skip_space() {
    while (!rest_.empty() && std::string_view(" \t\n\r").find(rest_[0]) != rest_.npos) {
      rest_.remove_prefix(1);
    }
  }
  bool accept(std::string_view token) {
    skip_space();
    if (!rest_.starts_with(token)) {
      return false;
    }
    rest_.remove_prefix(token.size());
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) {
      fail("no " + std::string(token));
    }
  }
  Json value() {
    Json json;
    skip_space();
    if (accept("{")) {
      json.kind = Json::Kind::kObject;
      for (bool first = true; !accept("}"); first = false) {
        if (!first) {
          expect(",");
        }
        skip_space();
        const std::string key = string();
        expect(":");
        if (!json.fields.emplace(key, value()).second) {
          fail("key " + key + " twice before");
        }
      }
    } else if (accept("[")) {
      json.kind = Json::Kind::kArray;
      for (bool first = true; !accept("]"); first = false) {
        if (!first) {
          expect(",");
        }
        json.items.push_back(value());
      }
    } else if (rest_.starts_with('"')) {
      json.kind = Json::Kind::kString;
      json.text = string();
    } else if (accept("true") || accept("false")) {
      json.kind = Json::Kind::kBool;
    } else if (!accept("null")) {
      json.kind = Json::Kind::kNumber;
      json.number = number();
    }
    return json;
  }
  std::string string() {
    expect("\"");
    std::string text;
    while (!rest_.starts_with('"')) {
      if (rest_.empty() || static_cast<unsigned char>(rest_[0]) < 0x20) {
        fail("bad string");
      }
      char c = rest_[0];
      rest_.remove_prefix(1);
      if (c == '\\') {
        const char escape = rest_.empty() ? '?' : rest_[0];
        rest_.remove_prefix(1);
        if (escape == 'u') {
          c = char(std::stoi(std::string(rest_.substr(0, 4)), nullptr, 16));
          rest_.remove_prefix(4);
        } else if (std::string_view("\"\\/").find(escape) != std::string_view::npos) {
          c = escape;
        } else {
          fail("escape");
        }
      }
      text += c;
    }
    rest_.remove_prefix(1);
    return text;
  }
  double number() {
    const std::string text(rest_.substr(0, rest_.find_first_not_of("+-.0123456789eE")));
    char* end = nullptr;
    const double result = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || text[0] == '+') {
      fail("no value");
    }
    rest_.remove_prefix(text.size());
    return result;
  }

  std::string_view rest_;
};

}  // namespace th::testing_support
