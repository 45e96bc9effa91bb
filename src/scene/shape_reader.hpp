#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "broadside/base/result.hpp"
#include "broadside/body/shape.hpp"
#include "json_reader.hpp"

namespace broadside {

/// The fields that say what shape a body has; it has exactly one of them.
inline constexpr std::array<std::string_view, 6> shape_fields = {"size",    "radius",  "capsule",
                                                                 "segment", "polygon", "mask"};

/// The pictures of one scene: each is read once, and all bodies that name it share its mask.
class Pictures {
 public:
  /// @param directory where they are looked for; empty where none may be read
  explicit Pictures(std::string directory) : directory_(std::move(directory)) {}

  [[nodiscard]] bool allowed() const { return !directory_.empty(); }

  /// Returns a picture as a mask whose middle, not its corner, is where the body is.
  [[nodiscard]] Result<Mask> read(const std::string& file, const Mask::Options& options);

 private:
  std::string directory_;
  std::map<std::tuple<std::string, float, std::uint8_t>, Mask> masks_;
};

/// Returns the one field of the object that says what shape it has; an empty string, and an error, where
/// there is none or more than one.
std::string shape_field(JsonObject& object);

/// Reads the shape that the field describes; a point, and an error, where it makes no sense.
Shape read_shape(JsonObject& object, const std::string& field, Pictures& pictures);

/// Returns a box of that width and height, or a circle of that radius.
Shape sized_shape(const std::string& field, Vec2 size);

}  // namespace broadside
