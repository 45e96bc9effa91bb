#include "query/shape_scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/masks.hpp"

namespace broadside::test {

namespace {

constexpr std::string_view mixed = "mixed";
constexpr std::string_view crowded = "crowded";

float clamped(double value) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -most, most));
}

Standing box_shape(const Aabb& box) {
  const auto middle = [](float a, float b) { return clamped(0.5 * (double{a} + double{b})); };
  const auto half = [](float a, float b) { return clamped(0.5 * (double{b} - double{a})); };
  return {Box::of_half_size({half(box.min.x, box.max.x), half(box.min.y, box.max.y)}),
          {{middle(box.min.x, box.max.x), middle(box.min.y, box.max.y)}, {}}};
}

bool is_family(std::string_view kind, Family& family) {
  for (const Family one : families) {
    if (kind == name(one)) {
      family = one;
      return true;
    }
  }
  return false;
}

float size_of(Family family) {
  return family == Family::tiny ? 0x1p-100F : family == Family::huge ? 0x1p100F : 1.0F;
}

}  // namespace

long double entry(const Aabb& start, Vec2 way, const Aabb& box) {
  using Number = long double;
  const Number size =
      std::max({std::abs(Number{way.x}), std::abs(Number{way.y}), Number{start.max.x} - Number{start.min.x},
                Number{start.max.y} - Number{start.min.y}});
  const Number slack = 0x1p-38L * size;
  Number in = 0;
  Number out = 1;
  const auto clip = [&](float low, float high, float step, float box_low, float box_high) {
    const Number before = Number{box_low} - slack - Number{high};
    const Number after = Number{box_high} + slack - Number{low};
    if (step == 0.0F) {
      out = before <= 0 && after >= 0 ? out : -1;
      return;
    }
    const Number first = (step > 0.0F ? before : after) / Number{step};
    const Number last = (step > 0.0F ? after : before) / Number{step};
    in = std::max(in, first);
    out = std::min(out, last);
  };
  clip(start.min.x, start.max.x, way.x, box.min.x, box.max.x);
  clip(start.min.y, start.max.y, way.y, box.min.y, box.max.y);
  return in <= out ? in : 2;
}

long double distance_from(const Aabb& box, Vec2 point) {
  using Number = long double;
  const Number x = std::max({Number{0}, Number{box.min.x} - point.x, Number{point.x} - box.max.x});
  const Number y = std::max({Number{0}, Number{box.min.y} - point.y, Number{point.y} - box.max.y});
  return std::sqrt(x * x + y * y);
}

std::vector<std::string> shape_scenes() {
  std::vector<std::string> kinds;
  for (const Family family : families) {
    kinds.emplace_back(name(family));
  }
  kinds.emplace_back(mixed);
  kinds.emplace_back(crowded);
  for (const BoxMaker& maker : box_makers()) {
    kinds.emplace_back(maker.name);
  }
  return kinds;
}

ShapeScene::ShapeScene(const Variant& variant, std::string_view kind, std::size_t count, std::uint64_t seed)
    : random_(seed), kind_(kind), phase_(variant.make()) {
  make_shapes(kind, count);
}

Standing ShapeScene::standing(std::string_view kind) {
  Family family = Family::ordinary;
  if (is_family(kind, family)) {
    Standing one = random_standing(family, random_);
    const float spread = 12.0F * size_of(family);
    const float x = std::floor(random_.between(-4.0F, 5.0F));
    const float y = std::floor(random_.between(-4.0F, 5.0F));
    one.at.position = one.at.position + spread * Vec2{x, y};
    return one;
  }
  constexpr std::array mixture = {Family::ordinary, Family::lattice, Family::needle, Family::degenerate};
  Standing one = random_standing(mixture[random_.below(mixture.size())], random_);
  if (random_.below(4) == 0) {
    const std::uint32_t width = 1 + random_.below(9);
    const std::uint32_t height = 1 + random_.below(9);
    one.shape = random_mask(width, height, {.pixel_size = 0.5F, .origin = {}, .threshold = 128}, random_);
  }
  if (kind == mixed) {
    const float x = random_.between(-60.0F, 60.0F);
    one.at.position = one.at.position + Vec2{x, random_.between(-60.0F, 60.0F)};
  }
  return one;
}

void ShapeScene::make_shapes(std::string_view kind, std::size_t count) {
  std::vector<Standing> all;
  const auto makers = box_makers();
  const auto maker =
      std::find_if(makers.begin(), makers.end(), [&](const auto& m) { return m.name == kind; });
  if (maker != makers.end()) {
    for (const Aabb& box : maker->make(count, random_)) {
      all.push_back(box_shape(box));
    }
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      all.push_back(standing(kind));
    }
  }
  for (Standing& one : all) {
    shapes_.push_back(std::move(one.shape));
    transforms_.push_back(one.at);
  }
  for (BoxIndex i = 0; i < shapes_.size(); ++i) {
    const BoxIndex index = phase_->add(loose_bounds(i), random_type(random_)).value();
    indices_.push_back(index);
  }
  phase_->update();
}

// A third of the boxes are tight, the others have a margin.
Aabb ShapeScene::loose_bounds(BoxIndex index) {
  const Aabb tight = bounds(shapes_[index], transforms_[index]);
  if (random_.below(3) == 0) {
    return tight;
  }
  const double margin =
      0.2 * std::max(double{tight.max.x} - double{tight.min.x}, double{tight.max.y} - double{tight.min.y});
  return {{clamped(tight.min.x - margin), clamped(tight.min.y - margin)},
          {clamped(tight.max.x + margin), clamped(tight.max.y + margin)}};
}

void ShapeScene::change(std::size_t frames) {
  const auto move = [&](BoxIndex index, float share) {
    const Aabb box = bounds(shapes_[index], transforms_[index]);
    const Vec2 size{clamped(double{box.max.x} - double{box.min.x}),
                    clamped(double{box.max.y} - double{box.min.y})};
    const Vec2 to = transforms_[index].position + share * size;
    if (is_finite(to.x) && is_finite(to.y)) {
      transforms_[index].position = to;
    }
    EXPECT_TRUE(phase_->move(index, loose_bounds(index)).has_value());
  };
  for (std::size_t i = 0; i < 4 && indices_.size() > 8; ++i) {
    const std::size_t place = random_.below(static_cast<std::uint32_t>(indices_.size()));
    EXPECT_TRUE(phase_->remove(indices_[place]).has_value());
    indices_.erase(indices_.begin() + static_cast<std::ptrdiff_t>(place));
  }
  for (std::size_t i = 0; i < 2 && !indices_.empty(); ++i) {
    // Adds a copy of a shape; it may reuse the index of a removed one.
    const BoxIndex model = indices_[random_.below(static_cast<std::uint32_t>(indices_.size()))];
    const Shape shape = shapes_[model];
    const Transform at = transforms_[model];
    const BoxIndex index = phase_->add(bounds(shape, at), random_type(random_)).value();
    if (index >= shapes_.size()) {
      shapes_.resize(index + 1);
      transforms_.resize(index + 1);
    }
    shapes_[index] = shape;
    transforms_[index] = at;
    indices_.insert(std::lower_bound(indices_.begin(), indices_.end(), index), index);
  }
  for (std::size_t frame = 0; frame < frames; ++frame) {
    for (const BoxIndex index : indices_) {
      if (index % 4 != 0) {
        move(index, 0.01F);
      }
    }
    static_cast<void>(phase_->find_pairs());
  }
  if (frames == 0) {
    for (const BoxIndex index : indices_) {
      if (index % 3 == 0) {
        move(index, random_.between(-1.0F, 1.0F));
      }
    }
  }
}

Vec2 ShapeScene::point() {
  if (indices_.empty()) {
    return {random_.between(-5.0F, 5.0F), random_.between(-5.0F, 5.0F)};
  }
  const BoxIndex index = indices_[random_.below(static_cast<std::uint32_t>(indices_.size()))];
  const Aabb box = bounds(shapes_[index], transforms_[index]);
  const std::uint32_t choice = random_.below(4);
  if (choice == 0) {
    return transforms_[index].position;
  }
  const auto along = [&](float low, float high) {
    if (choice == 1) {
      return random_.below(2) == 0 ? low : high;
    }
    const float out = choice == 2 ? 0.0F : 1.0F;
    const double at = random_.between(-out, 1.0F + out);
    return clamped(double{low} + at * (double{high} - double{low}));
  };
  const float x = along(box.min.x, box.max.x);
  return {x, along(box.min.y, box.max.y)};
}

Vec2 ShapeScene::way(Vec2 from) {
  const Vec2 to = point();
  constexpr std::array<double, 6> factors = {1.0, 1.0, 0.5, 0.01, 3.0, 100.0};
  const double factor = factors[random_.below(factors.size())];
  Vec2 result{clamped(factor * (double{to.x} - double{from.x})),
              clamped(factor * (double{to.y} - double{from.y}))};
  switch (random_.below(6)) {
    case 0:
      result.x = 0.0F;
      break;
    case 1:
      result.y = 0.0F;
      break;
    default:
      break;
  }
  return result;
}

Aabb ShapeScene::area() {
  const Vec2 a = point();
  const Vec2 b = random_.below(8) == 0 ? a : point();
  return {{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
}

Standing ShapeScene::stranger() {
  Family family = Family::ordinary;
  if (indices_.empty() || is_family(kind_, family) || kind_ == mixed || kind_ == crowded) {
    return standing(kind_);
  }
  return box_shape(area());
}

}  // namespace broadside::test
