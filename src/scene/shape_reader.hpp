#pragma once

#include <array>
#include <string>
#include <string_view>

#include "broadside/base/shape.hpp"
#include "json_reader.hpp"

namespace broadside {

/// The fields that say what shape a body has; it has exactly one of them.
inline constexpr std::array<std::string_view, 6> shape_fields = {"size",    "radius",  "capsule",
                                                                 "segment", "polygon", "mask"};

/// Returns the one field of the object that says what shape it has; an empty string, and an error, where
/// there is none or more than one.
std::string shape_field(JsonObject& object);

/// Reads the shape that the field describes; a point, and an error, where it makes no sense.
///
/// @param directory where the pictures of masks are looked for; empty where none may be read
Shape read_shape(JsonObject& object, const std::string& field, const std::string& directory);

/// Returns a box of that width and height, or a circle of that radius.
Shape sized_shape(const std::string& field, Vec2 size);

}  // namespace broadside
