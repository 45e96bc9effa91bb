#pragma once

// Reads fields of a JSON object and keeps the first error. A wrong field reads as a default, so the reading
// code need not check for an error after each field.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/result.hpp"

namespace broadside::inline v0_2 {

using Json = nlohmann::ordered_json;

/// The first error of a document, with its path.
class JsonErrors {
 public:
  explicit JsonErrors(std::string document) : document_(std::move(document)) {}

  void report(const std::string& path, const std::string& what) {
    if (!error_) {
      error_ = Error{ErrorCode::parse, document_ + ": " + (path.empty() ? "the scene" : path) + ": " + what};
    }
  }
  [[nodiscard]] const Error& error() const { return error_; }

 private:
  std::string document_;
  Error error_;
};

/// Describes a value for a message, in at most a few words.
inline std::string described(const Json& value) {
  if (value.is_object() || value.is_array()) {
    return std::string("an ") + value.type_name() + " of " + std::to_string(value.size());
  }
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() > 40 ? text.substr(0, 40) + "..." : text;
}

/// One object of the document.
class JsonObject {
 public:
  JsonObject(const Json& value, std::string path, JsonErrors& errors)
      : value_(value.is_object() ? value : empty()), path_(std::move(path)), errors_(errors) {
    if (!value.is_object()) {
      errors_.report(path_, "is " + described(value) + "; expected an object");
    }
  }

  /// Reports fields that are not in the list, so that a misspelled name is an error.
  void allow_only(const std::vector<std::string_view>& names) {
    for (const auto& item : value_.items()) {
      if (std::find(names.begin(), names.end(), item.key()) == names.end()) {
        std::string list;
        for (const std::string_view name : names) {
          list += (list.empty() ? "" : ", ") + std::string(name);
        }
        errors_.report(path_of(item.key().substr(0, 40)), "is not a field there; expected one of " + list);
        return;
      }
    }
  }

  [[nodiscard]] bool has(const char* name) const { return value_.contains(name); }
  [[nodiscard]] const Json& at(const char* name) const { return *value_.find(name); }
  [[nodiscard]] std::string path_of(const std::string& name) const {
    return path_.empty() ? name : path_ + "." + name;
  }

  void fail(const char* name, const std::string& what) { errors_.report(path_of(name), what); }

  bool require(const char* name) {
    if (!has(name)) {
      errors_.report(path_of(name), "is missing");
      return false;
    }
    return true;
  }

  float number(const char* name, float fallback, float low = -max_float, float high = max_float) {
    return has(name) ? to_number(at(name), path_of(name), low, high) : fallback;
  }

  std::uint64_t whole(const char* name, std::uint64_t fallback, std::uint64_t low, std::uint64_t high) {
    if (!has(name)) {
      return fallback;
    }
    const Json& value = at(name);
    if (value.is_number_unsigned() && value.get<std::uint64_t>() >= low &&
        value.get<std::uint64_t>() <= high) {
      return value.get<std::uint64_t>();
    }
    errors_.report(path_of(name), "is " + described(value) + "; expected a whole number from " +
                                      std::to_string(low) + " to " + std::to_string(high));
    return fallback;
  }

  bool boolean(const char* name, bool fallback) {
    if (!has(name)) {
      return fallback;
    }
    if (!at(name).is_boolean()) {
      errors_.report(path_of(name), "is " + described(at(name)) + "; expected true or false");
      return fallback;
    }
    return at(name).get<bool>();
  }

  std::string text(const char* name, const std::string& fallback) {
    if (!has(name)) {
      return fallback;
    }
    if (!at(name).is_string()) {
      errors_.report(path_of(name), "is " + described(at(name)) + "; expected a string");
      return fallback;
    }
    return at(name).get<std::string>();
  }

  std::string choice(const char* name, const std::string& fallback,
                     std::initializer_list<std::string_view> choices) {
    std::string chosen = text(name, fallback);
    if (std::find(choices.begin(), choices.end(), chosen) == choices.end()) {
      std::string list;
      for (const std::string_view one : choices) {
        list += (list.empty() ? "\"" : ", \"") + std::string(one) + "\"";
      }
      errors_.report(path_of(name), "is " + described(Json(chosen)) + "; expected one of " + list);
      return fallback;
    }
    return chosen;
  }

  Vec2 vec2(const char* name, Vec2 fallback) {
    return has(name) ? to_vec2(at(name), path_of(name)) : fallback;
  }

  /// Returns width and height: one number for a square, or two, none negative.
  Vec2 size(const char* name) {
    const Json& value = at(name);
    const Vec2 result = value.is_array() ? to_vec2(value, path_of(name)) : [&] {
      const float side = to_number(value, path_of(name), 0.0F, max_float);
      return Vec2{side, side};
    }();
    if (result.x < 0.0F || result.y < 0.0F) {
      errors_.report(path_of(name), "is negative; expected a width and a height of at least 0");
    }
    return result;
  }

  Aabb box(const char* name) {
    const Json& value = at(name);
    const std::string path = path_of(name);
    if (!value.is_array() || value.size() != 4) {
      errors_.report(path, "is " + described(value) + "; expected [min_x, min_y, max_x, max_y]");
      return {};
    }
    const auto part = [&](std::size_t i) {
      return to_number(value[i], path + "[" + std::to_string(i) + "]");
    };
    const Aabb result{{part(0), part(1)}, {part(2), part(3)}};
    if (result.min.x > result.max.x || result.min.y > result.max.y) {
      errors_.report(path, "is inverted; expected [min_x, min_y, max_x, max_y] with min <= max");
      return {};
    }
    return result;
  }

  float to_number(const Json& value, const std::string& path, float low = -max_float,
                  float high = max_float) {
    const double number = value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
    if (number >= double{low} && number <= double{high}) {
      return static_cast<float>(number);
    }
    errors_.report(path, "is " + described(value) + "; expected a number" + range_text(low, high));
    return 0.0F;
  }

  Vec2 to_vec2(const Json& value, const std::string& path) {
    if (!value.is_array() || value.size() != 2) {
      errors_.report(path, "is " + described(value) + "; expected two numbers [x, y]");
      return {};
    }
    return {to_number(value[0], path + "[0]"), to_number(value[1], path + "[1]")};
  }

  [[nodiscard]] JsonErrors& errors() { return errors_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  static constexpr float max_float = std::numeric_limits<float>::max();

  static const Json& empty() {
    static const Json object = Json::object();
    return object;
  }
  static std::string range_text(float low, float high) {
    if (low == -max_float && high == max_float) {
      return " that a float can hold";
    }
    if (high == max_float) {
      return " of at least " + text_of(low);
    }
    return " from " + text_of(low) + " to " + text_of(high);
  }
  static std::string text_of(float number) {
    std::array<char, 32> digits{};
    return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
  }

  const Json& value_;
  std::string path_;
  JsonErrors& errors_;
};

}  // namespace broadside::inline v0_2
