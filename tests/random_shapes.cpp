#include "random_shapes.hpp"

#include <cstdio>
#include <type_traits>
#include <vector>

namespace broadside::test {

namespace {

constexpr Vec2 far_place{1.0e6F, -0.75e6F};

float scale_of(Family family) {
  switch (family) {
    case Family::tiny:
      return 0x1p-100F;
    case Family::huge:
      return 0x1p100F;
    default:
      return 1.0F;
  }
}

bool on_lattice(Family family, Random& random) {
  switch (family) {
    case Family::lattice:
    case Family::degenerate:
      return true;
    case Family::far:
      return random.below(2) == 0;
    default:
      return false;
  }
}

/// Numbers of one shape or transform: all on the lattice or none.
class Numbers {
 public:
  Numbers(Family family, Random& random)
      : family_(family), lattice_(on_lattice(family, random)), random_(random) {}

  float coordinate(float reach) {
    if (lattice_) {
      const auto steps = static_cast<std::uint32_t>(4.0F * reach) + 1;
      return 0.5F * static_cast<float>(random_.below(steps)) - reach;
    }
    return scale_of(family_) * random_.between(-reach, reach);
  }

  Vec2 point(float reach) { return {coordinate(reach), coordinate(reach)}; }

  float size(float most) {
    if (family_ == Family::degenerate && random_.below(3) != 0) {
      return 0.0F;
    }
    if (lattice_) {
      return 0.5F * static_cast<float>(1 + random_.below(static_cast<std::uint32_t>(2.0F * most)));
    }
    return scale_of(family_) * random_.between(0.01F, most);
  }

  /// The width of a needle: a random size, divided by up to a million.
  float thin() {
    constexpr std::array widths = {1.0F, 1e-2F, 1e-4F, 1e-6F};
    const float share = widths[random_.below(widths.size())];
    return share * size(1.0F);
  }

  Rotation rotation() {
    constexpr std::array<Rotation, 4> quarters = {Rotation{1.0F, 0.0F}, Rotation{0.0F, 1.0F},
                                                  Rotation{-1.0F, 0.0F}, Rotation{0.0F, -1.0F}};
    return lattice_ || random_.below(4) == 0 ? quarters[random_.below(4)]
                                             : Rotation::by(random_.between(-4.0F, 4.0F));
  }

  bool chance(std::uint32_t one_in) { return random_.below(one_in) == 0; }
  std::uint32_t below(std::uint32_t end) { return random_.below(end); }
  [[nodiscard]] bool needle() const { return family_ == Family::needle; }
  [[nodiscard]] bool degenerate() const { return family_ == Family::degenerate; }

 private:
  Family family_;
  bool lattice_;
  Random& random_;
};

Box make_box(Numbers& numbers) {
  Box box = Box::of_half_size({numbers.size(3.0F), numbers.size(3.0F)});
  if (numbers.needle()) {
    box.half_size = {8.0F, numbers.thin()};
  }
  if (numbers.chance(2)) {
    box.center = numbers.point(2.0F);
    box.rotation = numbers.rotation();
  }
  return box;
}

Segment make_segment(Numbers& numbers) {
  Segment segment{numbers.point(3.0F), numbers.point(3.0F)};
  if (numbers.needle()) {
    segment = {{-8.0F, 0.0F}, {8.0F, numbers.thin()}};
  }
  if (numbers.degenerate() && numbers.chance(2)) {
    segment.b = segment.a;
  }
  return segment;
}

Polygon make_polygon(Numbers& numbers) {
  for (;;) {
    std::vector<Vec2> points;
    if (numbers.needle()) {
      points = {{-8.0F, 0.0F}, {8.0F, 0.0F}, {numbers.coordinate(8.0F), numbers.thin()}};
    } else {
      const std::uint32_t count = numbers.chance(3) ? 3 : 3 + numbers.below(14);
      for (std::uint32_t i = 0; i < count; ++i) {
        points.push_back(numbers.point(3.0F));
      }
    }
    if (numbers.degenerate()) {
      // A corner that bends by hardly more than rounding.
      const Vec2 middle = 0.5F * (points[0] + points[1]);
      points.push_back(middle + Vec2{0x1p-20F, 0x1p-20F});
    }
    const bool rounded = numbers.chance(3);
    const float radius = !rounded ? 0.0F : numbers.needle() ? numbers.thin() : numbers.size(1.0F);
    Result<Polygon> polygon = Polygon::hull(points, radius);
    if (polygon.has_value()) {
      return *std::move(polygon);
    }
  }
}

void append(std::string& text, float value) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.9g (%aF) ", static_cast<double>(value),
                static_cast<double>(value));
  text += buffer.data();
}

template <typename... Floats>
void append_all(std::string& text, Floats... values) {
  (append(text, values), ...);
}

}  // namespace

std::string_view name(Family family) {
  constexpr std::array<std::string_view, families.size()> names = {
      "ordinary", "lattice", "degenerate", "needle", "tiny", "huge", "far"};
  return names[static_cast<std::size_t>(family)];
}

Shape random_shape(Family family, std::size_t kind, Random& random) {
  Numbers numbers(family, random);
  switch (kind) {
    case 0:
      return Circle{numbers.chance(2) ? Vec2{} : numbers.point(2.0F),
                    numbers.needle() ? numbers.thin() : numbers.size(3.0F)};
    case 1:
      return make_box(numbers);
    case 2: {
      const Segment segment = make_segment(numbers);
      return Capsule{segment.a, segment.b, numbers.needle() ? numbers.thin() : numbers.size(2.0F)};
    }
    case 3:
      return make_segment(numbers);
    default:
      return make_polygon(numbers);
  }
}

Transform random_transform(Family family, Random& random) {
  Numbers numbers(family, random);
  Vec2 position = numbers.point(4.0F);
  if (family == Family::far) {
    position = position + far_place;
  }
  return {position, numbers.rotation()};
}

Standing random_standing(Family family, Random& random) {
  const std::size_t kind = random.below(convex_kinds);
  Shape shape = random_shape(family, kind, random);
  return {std::move(shape), random_transform(family, random)};
}

std::string to_text(const Standing& standing) {
  std::string text;
  std::visit(
      [&text](const auto& shape) {
        using S = std::decay_t<decltype(shape)>;
        if constexpr (std::is_same_v<S, Circle>) {
          text += "circle: center, radius ";
          append_all(text, shape.center.x, shape.center.y, shape.radius);
        } else if constexpr (std::is_same_v<S, Box>) {
          text += "box: half size, center, cos, sin ";
          append_all(text, shape.half_size.x, shape.half_size.y, shape.center.x, shape.center.y,
                     shape.rotation.cos, shape.rotation.sin);
        } else if constexpr (std::is_same_v<S, Capsule>) {
          text += "capsule: a, b, radius ";
          append_all(text, shape.a.x, shape.a.y, shape.b.x, shape.b.y, shape.radius);
        } else if constexpr (std::is_same_v<S, Segment>) {
          text += "segment: a, b ";
          append_all(text, shape.a.x, shape.a.y, shape.b.x, shape.b.y);
        } else if constexpr (std::is_same_v<S, Polygon>) {
          text += "polygon: radius, corners ";
          append(text, shape.radius());
          for (const Vec2 vertex : shape.vertices()) {
            append_all(text, vertex.x, vertex.y);
          }
        } else {
          text += "mask ";
        }
      },
      standing.shape);
  text += "at position, cos, sin ";
  append_all(text, standing.at.position.x, standing.at.position.y, standing.at.rotation.cos,
             standing.at.rotation.sin);
  return text;
}

}  // namespace broadside::test
