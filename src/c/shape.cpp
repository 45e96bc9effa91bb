#include "broadside/body/shape.hpp"

#include <optional>
#include <string>

#include "body/convex.hpp"
#include "broadside/contact/collide.hpp"
#include "call.hpp"
#include "convert.hpp"

using broadside::Box;
using broadside::Capsule;
using broadside::Circle;
using broadside::Error;
using broadside::ErrorCode;
using broadside::Hit;
using broadside::Mask;
using broadside::Polygon;
using broadside::Result;
using broadside::Rotation;
using broadside::Segment;
using broadside::Shape;
using broadside::Transform;
using broadside::detail::as_points;
using broadside::detail::as_shape;
using broadside::detail::as_transform;
using broadside::detail::as_vec2;
using broadside::detail::find_null;
using broadside::detail::in_c;
using broadside::detail::status_of;

namespace broadside::inline v0_2::detail {

namespace {

Result<Shape> make(const bs_shape& shape) {
  switch (shape.kind) {
    case BS_CIRCLE:
      return Shape(Circle{as_vec2(shape.center), shape.radius});
    case BS_BOX:
      return Shape(Box::of_half_size(as_vec2(shape.half_size), as_vec2(shape.center),
                                     {shape.rotation.cos, shape.rotation.sin}));
    case BS_CAPSULE:
      return Shape(Capsule{as_vec2(shape.a), as_vec2(shape.b), shape.radius});
    case BS_SEGMENT:
      return Shape(Segment{as_vec2(shape.a), as_vec2(shape.b)});
    case BS_POLYGON: {
      if (shape.points == nullptr && shape.point_count > 0) {
        return Error{ErrorCode::invalid_argument, "its points are null"};
      }
      auto polygon = Polygon::hull(as_points(shape.points, shape.point_count), shape.radius);
      return polygon.has_value() ? Result<Shape>(Shape(*std::move(polygon))) : polygon.error();
    }
    case BS_MASK:
      return shape.mask == nullptr ? Result<Shape>(Error{ErrorCode::invalid_argument, "its mask is null"})
                                   : Shape(shape.mask->mask);
  }
  return Error{ErrorCode::invalid_argument, "there is no kind of shape with the number " +
                                                std::to_string(static_cast<long long>(shape.kind))};
}

}  // namespace

Result<Shape> as_shape(const char* function, const char* name, const bs_shape* shape) {
  const auto where = std::string(function) + ": " + name;
  if (shape == nullptr) {
    return Error{ErrorCode::invalid_argument, where + " is null"};
  }
  auto made = make(*shape);
  Error error = made.error();
  if (!error) {
    error = validate(*made).error();
  }
  if (error) {
    return Error{error.code, where + ": " + error.message};
  }
  return made;
}

bs_manifold in_c(const Manifold& manifold) {
  bs_manifold result{in_c(manifold.normal), {}, manifold.size};
  for (std::size_t i = 0; i < manifold.points.size(); ++i) {
    const ManifoldPoint& point = manifold.points[i];
    result.points[i] = {in_c(point.position), point.separation, point.feature};
  }
  return result;
}

bs_hit in_c(const Hit& hit) {
  return {hit.fraction, in_c(hit.normal), in_c(hit.point)};
}

}  // namespace broadside::inline v0_2::detail

namespace {

constexpr bs_rotation no_rotation{1.0F, 0.0F};

/// Returns a shape whose other members are zero.
bs_shape shape_of_kind(bs_shape_kind kind) {
  bs_shape shape{};
  shape.kind = kind;
  shape.rotation = no_rotation;
  return shape;
}

Error check_transform(const char* function, const char* name, const Transform& at) {
  if (!is_finite(at.position)) {
    return {ErrorCode::not_finite, std::string(function) + ": the position of " + name + " is not finite"};
  }
  if (!broadside::detail::is_unit(at.rotation)) {
    return {ErrorCode::invalid_argument,
            std::string(function) + ": the cosine and sine of " + name + " are those of no angle"};
  }
  return {};
}

/// Calls `use` with two shapes and their transforms; it returns an error.
template <typename Use>
Error with_shapes(const char* function, const bs_shape* a, bs_transform at_a, const bs_shape* b,
                  bs_transform at_b, const Use& use) {
  const auto first = as_shape(function, "a", a);
  const auto second = first.has_value() ? as_shape(function, "b", b) : first;
  if (!second.has_value()) {
    return second.error();
  }
  const Transform of_a = as_transform(at_a);
  const Transform of_b = as_transform(at_b);
  Error error = check_transform(function, "at_a", of_a);
  error = error ? error : check_transform(function, "at_b", of_b);
  if (!error) {
    use(*first, of_a, *second, of_b);
  }
  return error;
}

/// Writes what `test` returns for two shapes to `result`, an argument with a name.
template <typename Answer, typename Test>
bs_status test_two(const char* function, const bs_shape* a, bs_transform at_a, const bs_shape* b,
                   bs_transform at_b, const char* name, Answer* result, const Test& test) {
  return status_of([&] {
    Error error = find_null(function, {{result, name}});
    return error ? error : with_shapes(function, a, at_a, b, at_b, [&](const auto&... shapes) {
      *result = test(shapes...);
    });
  });
}

/// Calls `use` with one shape and its transform.
template <typename Use>
Error with_shape(const char* function, const bs_shape* shape, bs_transform at, const Use& use) {
  const auto made = as_shape(function, "shape", shape);
  if (!made.has_value()) {
    return made.error();
  }
  const Transform of_shape = as_transform(at);
  Error error = check_transform(function, "at", of_shape);
  if (!error) {
    use(*made, of_shape);
  }
  return error;
}

Error check_vector(const char* function, const char* name, bs_vec2 v) {
  return is_finite(as_vec2(v))
             ? Error{}
             : Error{ErrorCode::not_finite, std::string(function) + ": " + name + " is not finite"};
}

void give(const std::optional<Hit>& hit, bool* found, bs_hit* result) {
  *found = hit.has_value();
  if (hit) {
    *result = in_c(*hit);
  }
}

}  // namespace

bs_rotation bs_rotation_by(float angle) {
  const Rotation rotation = Rotation::by(angle);
  return {rotation.cos, rotation.sin};
}

bs_transform bs_transform_at(float x, float y) {
  return {{x, y}, no_rotation};
}

bs_status bs_mask_create(const uint8_t* alpha, uint32_t width, uint32_t height, float pixel_size,
                         bs_vec2 origin, uint8_t threshold, bs_mask** mask) {
  return status_of([&]() -> Error {
    const std::size_t pixels = std::size_t{width} * height;
    if (Error error = find_null("bs_mask_create", {{alpha, "alpha", pixels}, {mask, "mask"}})) {
      return error;
    }
    auto made =
        Mask::from_alpha({alpha, pixels}, width, height,
                         {.pixel_size = pixel_size, .origin = as_vec2(origin), .threshold = threshold});
    if (made.has_value()) {
      *mask = new bs_mask{*made};
    }
    return made.error();
  });
}

void bs_mask_destroy(bs_mask* mask) {
  delete mask;
}

bs_shape bs_circle(float radius) {
  bs_shape shape = shape_of_kind(BS_CIRCLE);
  shape.radius = radius;
  return shape;
}

bs_shape bs_box(float width, float height) {
  bs_shape shape = shape_of_kind(BS_BOX);
  shape.half_size = {0.5F * width, 0.5F * height};
  return shape;
}

bs_shape bs_capsule(bs_vec2 a, bs_vec2 b, float radius) {
  bs_shape shape = shape_of_kind(BS_CAPSULE);
  shape.a = a;
  shape.b = b;
  shape.radius = radius;
  return shape;
}

bs_shape bs_segment(bs_vec2 a, bs_vec2 b) {
  bs_shape shape = shape_of_kind(BS_SEGMENT);
  shape.a = a;
  shape.b = b;
  return shape;
}

bs_shape bs_polygon(const bs_vec2* points, size_t point_count) {
  bs_shape shape = shape_of_kind(BS_POLYGON);
  shape.points = points;
  shape.point_count = point_count;
  return shape;
}

bs_shape bs_shape_of_mask(const bs_mask* mask) {
  bs_shape shape = shape_of_kind(BS_MASK);
  shape.mask = mask;
  return shape;
}

bs_status bs_shape_bounds(const bs_shape* shape, bs_transform at, bs_aabb* bounds) {
  constexpr const char* function = "bs_shape_bounds";
  return status_of([&] {
    Error error = find_null(function, {{bounds, "bounds"}});
    return error ? error : with_shape(function, shape, at, [&](const Shape& made, const Transform& where) {
      *bounds = in_c(broadside::bounds(made, where));
    });
  });
}

bs_status bs_shape_contains(const bs_shape* shape, bs_transform at, bs_vec2 point, bool* contains) {
  constexpr const char* function = "bs_shape_contains";
  return status_of([&] {
    Error error = find_null(function, {{contains, "contains"}});
    error = error ? error : check_vector(function, "point", point);
    return error ? error : with_shape(function, shape, at, [&](const Shape& made, const Transform& where) {
      *contains = broadside::contains(made, where, as_vec2(point));
    });
  });
}

bs_status bs_overlaps(const bs_shape* a, bs_transform at_a, const bs_shape* b, bs_transform at_b,
                      bool* overlaps) {
  return test_two("bs_overlaps", a, at_a, b, at_b, "overlaps", overlaps,
                  [](const auto&... shapes) { return broadside::overlaps(shapes...); });
}

bs_status bs_collide(const bs_shape* a, bs_transform at_a, const bs_shape* b, bs_transform at_b,
                     bs_manifold* manifold) {
  return test_two("bs_collide", a, at_a, b, at_b, "manifold", manifold,
                  [](const auto&... shapes) { return in_c(broadside::collide(shapes...)); });
}

bs_status bs_shape_distance(const bs_shape* a, bs_transform at_a, const bs_shape* b, bs_transform at_b,
                            bs_distance* distance) {
  return test_two("bs_shape_distance", a, at_a, b, at_b, "distance", distance, [](const auto&... shapes) {
    const broadside::Distance found = broadside::distance(shapes...);
    return bs_distance{found.distance, in_c(found.point_a), in_c(found.point_b), in_c(found.normal)};
  });
}

bs_status bs_cast(const bs_shape* a, bs_transform at_a, bs_vec2 motion, const bs_shape* b, bs_transform at_b,
                  bool* found, bs_hit* hit) {
  constexpr const char* function = "bs_cast";
  return status_of([&] {
    Error error = find_null(function, {{found, "found"}, {hit, "hit"}});
    error = error ? error : check_vector(function, "motion", motion);
    return error ? error
                 : with_shapes(function, a, at_a, b, at_b,
                               [&](const Shape& first, const Transform& of_first, const Shape& second,
                                   const Transform& of_second) {
                                 give(broadside::cast(first, of_first, as_vec2(motion), second, of_second),
                                      found, hit);
                               });
  });
}

bs_status bs_cast_ray(bs_vec2 start, bs_vec2 motion, const bs_shape* shape, bs_transform at, bool* found,
                      bs_hit* hit) {
  constexpr const char* function = "bs_cast_ray";
  return status_of([&] {
    Error error = find_null(function, {{found, "found"}, {hit, "hit"}});
    error = error ? error : check_vector(function, "start", start);
    error = error ? error : check_vector(function, "motion", motion);
    return error ? error : with_shape(function, shape, at, [&](const Shape& made, const Transform& where) {
      give(broadside::cast_ray(as_vec2(start), as_vec2(motion), made, where), found, hit);
    });
  });
}
