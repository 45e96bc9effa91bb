#include "shape_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "broadside/scene/mask_file.hpp"

namespace broadside::inline v0_2 {

namespace {

constexpr float min_pixel = 1e-9F;
constexpr float max_pixel = 1e9F;

/// Returns the path of a list element for error messages.
std::string element(const JsonObject& object, const char* list, std::size_t i) {
  return object.path_of(list) + "[" + std::to_string(i) + "]";
}

/// Removes the prefix of a message of the library: the path of the field names the place already.
std::string reason(const Error& error) {
  const std::size_t end = error.message.find(": ");
  return end == std::string::npos ? error.message : error.message.substr(end + 2);
}

/// Reads two end points, both required.
Segment read_ends(JsonObject& object) {
  object.require("a");
  object.require("b");
  return {object.vec2("a", {}), object.vec2("b", {})};
}

Shape read_capsule(JsonObject& object) {
  object.allow_only({"a", "b", "radius"});
  object.require("radius");
  const Segment ends = read_ends(object);
  return Capsule{ends.a, ends.b, object.number("radius", 0.0F, 0.0F)};
}

Shape read_segment(JsonObject& object) {
  object.allow_only({"a", "b"});
  return read_ends(object);
}

Shape read_polygon(JsonObject& object) {
  object.allow_only({"points", "radius"});
  const float radius = object.number("radius", 0.0F, 0.0F);
  if (!object.require("points")) {
    return {};
  }
  const Json& list = object.at("points");
  if (!list.is_array() || list.size() < 3) {
    object.fail("points", "is " + described(list) + "; expected a list of at least three points [x, y]");
    return {};
  }
  std::vector<Vec2> points;
  for (std::size_t i = 0; i < list.size() && !object.errors().error(); ++i) {
    points.push_back(object.to_vec2(list[i], element(object, "points", i)));
  }
  if (object.errors().error()) {
    return {};
  }
  auto polygon = Polygon::hull(points, radius);
  if (!polygon.has_value()) {
    object.fail("points", reason(polygon.error()));
    return {};
  }
  return std::move(*polygon);
}

/// Moves the origin of the mask so that its center, not its corner, is at the position of the body.
MaskOptions centered(MaskOptions options, std::size_t width, std::size_t height) {
  options.origin = -0.5F * options.pixel_size * Vec2{static_cast<float>(width), static_cast<float>(height)};
  return options;
}

Shape read_rows(JsonObject& object, const MaskOptions& options) {
  const Json& list = object.at("rows");
  if (!list.is_array()) {
    object.fail("rows", "is " + described(list) + "; expected a list of strings, such as \"..##\"");
    return {};
  }
  std::vector<std::string_view> rows;
  std::size_t width = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_string()) {
      object.errors().report(element(object, "rows", i),
                             "is " + described(list[i]) + "; expected a string, such as \"..##\"");
      return {};
    }
    rows.emplace_back(list[i].get_ref<const std::string&>());
    width = std::max(width, rows.back().size());
  }
  auto mask = Mask::from_rows(rows, centered(options, width, rows.size()));
  if (!mask.has_value()) {
    object.fail("rows", reason(mask.error()));
    return {};
  }
  return std::move(*mask);
}

Shape read_picture(JsonObject& object, const MaskOptions& options, Pictures& pictures) {
  const std::string file = object.text("file", "");
  if (!pictures.allowed()) {
    object.fail("file", "needs a scene that is a file: its picture is looked for beside it");
  }
  if (object.errors().error()) {
    return {};
  }
  auto mask = pictures.read(file, options);
  if (!mask.has_value()) {
    object.fail("file", "cannot be taken: " + mask.error().message);
    return {};
  }
  return std::move(*mask);
}

Shape read_pixels(JsonObject& object, Pictures& pictures) {
  MaskOptions options;
  options.pixel_size = object.number("pixel_size", 1.0F, min_pixel, max_pixel);
  if (object.has("rows")) {
    object.allow_only({"rows", "pixel_size"});
    return read_rows(object, options);
  }
  object.allow_only({"file", "pixel_size", "threshold"});
  options.threshold = static_cast<std::uint8_t>(object.whole("threshold", options.threshold, 0, 255));
  if (!object.has("file")) {
    object.fail("rows", "must be given, or else file (a PNG picture)");
    return {};
  }
  return read_picture(object, options, pictures);
}

}  // namespace

Result<Mask> Pictures::read(const std::string& file, const MaskOptions& options) {
  const std::tuple key(file, options.pixel_size, options.threshold);
  if (const auto known = masks_.find(key); known != masks_.end()) {
    return known->second;
  }
  const std::string path = (std::filesystem::path(directory_) / file).string();
  // Read twice: the center is known only after the size was read.
  auto mask = read_mask(path, options);
  if (mask.has_value()) {
    mask = read_mask(path, centered(options, mask->width(), mask->height()));
  }
  if (mask.has_value()) {
    masks_.emplace(key, *mask);
  }
  return mask;
}

std::string shape_field(JsonObject& object) {
  std::string found;
  for (const std::string_view name : shape_fields) {
    const std::string field(name);
    if (!object.has(field.c_str())) {
      continue;
    }
    if (!found.empty()) {
      object.fail(field.c_str(), "stands beside " + found + "; a body has one shape");
      return {};
    }
    found = field;
  }
  if (found.empty()) {
    object.fail("size",
                "must be given (a box), or else radius (a circle), capsule, segment, polygon or mask");
  }
  return found;
}

Shape sized_shape(const std::string& field, Vec2 size) {
  if (field == "radius") {
    return Circle{{}, size.x};
  }
  return Box::of_size(size);
}

Shape read_shape(JsonObject& object, const std::string& field, Pictures& pictures) {
  if (field.empty()) {
    return {};
  }
  if (field == "size") {
    return sized_shape(field, object.size("size"));
  }
  if (field == "radius") {
    const float radius = object.number("radius", 0.0F, 0.0F);
    return sized_shape(field, {radius, radius});
  }
  JsonObject shape(object.at(field.c_str()), object.path_of(field), object.errors());
  if (object.errors().error()) {
    return {};
  }
  return field == "capsule"   ? read_capsule(shape)
         : field == "segment" ? read_segment(shape)
         : field == "polygon" ? read_polygon(shape)
                              : read_pixels(shape, pictures);
}

}  // namespace broadside::inline v0_2
