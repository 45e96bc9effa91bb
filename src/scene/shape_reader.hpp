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

namespace broadside::inline v0_2 {

/// The fields that define the shape of a body; it has exactly one of them.
inline constexpr std::array<std::string_view, 6> shape_fields = {"size",    "radius",  "capsule",
                                                                 "segment", "polygon", "mask"};

/// The pictures of one scene: each is read once, and all bodies that refer to it share its mask.
class Pictures {
 public:
  /// @param directory directory of the pictures; empty if none may be read
  explicit Pictures(std::string directory) : directory_(std::move(directory)) {}

  [[nodiscard]] bool allowed() const { return !directory_.empty(); }

  /// Returns a picture as a mask whose center, not its corner, is the origin.
  /// @param options `origin` is not read
  [[nodiscard]] Result<Mask> read(const std::string& file, const MaskOptions& options);

 private:
  std::string directory_;
  std::map<std::tuple<std::string, float, std::uint8_t>, Mask> masks_;
};

/// Returns the field of the object that defines its shape; an empty string, and an error, for none or
/// several.
std::string shape_field(JsonObject& object);

/// Reads the shape that a field defines; a point, and an error, if it is invalid.
Shape read_shape(JsonObject& object, const std::string& field, Pictures& pictures);

/// Returns a box of this size if `field` is "size", else a circle of radius `size.x`.
Shape sized_shape(const std::string& field, Vec2 size);

}  // namespace broadside::inline v0_2
