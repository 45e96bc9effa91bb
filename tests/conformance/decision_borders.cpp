#include "conformance/decision_borders.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "boxes.hpp"
#include "broadside/contact/collide.hpp"
#include "broadside/contact/mask_overlap.hpp"
#include "broadside/world/world.hpp"
#include "contact/masks.hpp"
#include "fnv_hash.hpp"
#include "random_shapes.hpp"

namespace broadside::test {

namespace {

constexpr std::size_t borders_per_chunk = 100;
constexpr std::size_t mask_kind = convex_kinds;

/// Two shapes, their scale, and where they stand when the search begins.
struct Drawn {
  Shape a;
  Shape b;
  Transform at_a;
  Transform at_b;
  Vec2 motion;
  double scale = 1.0;
  double origin = 0.0;  ///< how far from the origin they are
  bool is_fine = true;  ///< `at_b.position.x` is about 0, so that it can move in steps of doubles
};

float times(double scale, float number) {
  return static_cast<float>(scale * static_cast<double>(number));
}
Vec2 times(double scale, Vec2 v) {
  return {times(scale, v.x), times(scale, v.y)};
}

std::optional<Shape> scaled(const Shape& shape, double scale) {
  if (const auto* circle = std::get_if<Circle>(&shape)) {
    return Circle{times(scale, circle->center), times(scale, circle->radius)};
  }
  if (const auto* box = std::get_if<Box>(&shape)) {
    return Box::of_half_size(times(scale, box->half_size), times(scale, box->center), box->rotation);
  }
  if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    return Capsule{times(scale, capsule->a), times(scale, capsule->b), times(scale, capsule->radius)};
  }
  if (const auto* segment = std::get_if<Segment>(&shape)) {
    return Segment{times(scale, segment->a), times(scale, segment->b)};
  }
  const auto* polygon = std::get_if<Polygon>(&shape);
  std::vector<Vec2> corners;
  for (const Vec2 corner : polygon->vertices()) {
    corners.push_back(times(scale, corner));
  }
  Result<Polygon> made = Polygon::hull(corners, times(scale, polygon->radius()));
  return made.has_value() ? std::optional<Shape>(made.value()) : std::nullopt;
}

Shape draw_shape(Family family, std::size_t kind, double scale, Random& random) {
  for (;;) {
    if (kind == mask_kind) {
      const std::uint32_t width = 1 + random.below(10);
      const std::uint32_t height = 1 + random.below(10);
      return random_mask(width, height, {.pixel_size = times(scale, 0.5F), .origin = {}}, random);
    }
    if (auto shape = scaled(random_shape(family, kind, random), scale)) {
      return *std::move(shape);
    }
  }
}

std::size_t draw_kind(Random& random) {
  return random.below(12) == 0 ? mask_kind : random.below(convex_kinds);
}

/// Returns a power of ten, a number near it, or a power of two.
double draw_scale(int least, int most, Random& random) {
  const int exponent = least + static_cast<int>(random.below(static_cast<std::uint32_t>(most - least + 1)));
  double scale = 1.0;
  for (int i = 0; i < std::abs(exponent); ++i) {
    scale = exponent > 0 ? scale * 10.0 : scale / 10.0;
  }
  switch (random.below(3)) {
    case 0:
      return scale;
    case 1:
      return scale * static_cast<double>(random.between(0.5F, 2.0F));
    default:
      return std::ldexp(1.0, 3 * exponent);
  }
}

Rotation nudged(Rotation rotation, float by) {
  const double c = static_cast<double>(rotation.cos) - static_cast<double>(by * rotation.sin);
  const double s = static_cast<double>(rotation.sin) + static_cast<double>(by * rotation.cos);
  const double length = std::sqrt(c * c + s * s);
  return {static_cast<float>(c / length), static_cast<float>(s / length)};
}

Rotation draw_rotation_of_b(Rotation of_a, Rotation drawn, Random& random) {
  constexpr std::array nudges = {1e-7F, -1e-7F, 1e-6F, 1e-5F, -1e-4F};
  switch (random.below(8)) {
    case 0:
      return of_a;
    case 1:
      return {-of_a.sin, of_a.cos};
    case 2:
      return nudged(of_a, nudges[random.below(nudges.size())]);
    case 3:
      return nudged(Rotation{-of_a.sin, of_a.cos}, nudges[random.below(nudges.size())]);
    default:
      return drawn;
  }
}

Drawn draw_pair(Random& random, bool is_ordinary) {
  constexpr std::array some = {Family::ordinary, Family::lattice, Family::degenerate, Family::needle};
  const Family family = is_ordinary ? Family::ordinary : some[random.below(some.size())];
  const double scale = random.below(3) == 0 ? 1.0 : draw_scale(-3, 6, random);
  const double ratio = random.below(4) == 0 ? draw_scale(-3, 3, random) : 1.0;
  const std::size_t kind_a = is_ordinary ? 1 + random.below(convex_kinds - 1) : draw_kind(random);
  const std::size_t kind_b = is_ordinary ? 1 + random.below(convex_kinds - 1) : draw_kind(random);
  Drawn drawn{draw_shape(family, kind_a, scale, random),
              draw_shape(family, kind_b, scale * ratio, random),
              random_transform(family, random),
              random_transform(family, random),
              {},
              scale,
              0.0,
              true};
  drawn.at_a.position = times(scale, drawn.at_a.position);
  drawn.at_b.position = times(scale, drawn.at_b.position);
  drawn.at_b.rotation = draw_rotation_of_b(drawn.at_a.rotation, drawn.at_b.rotation, random);
  drawn.at_a.position.x = drawn.at_a.position.x - drawn.at_b.position.x;
  drawn.at_b.position.x = 0.0F;
  const Vec2 beyond = times(scale, random_transform(family, random).position);
  drawn.motion = (drawn.at_b.position - drawn.at_a.position) + times(0.5, beyond);
  if (random.below(4) == 0) {
    drawn.origin = scale * draw_scale(1, 4, random);
    const Vec2 far{random.below(2) == 0 ? 0.0F : static_cast<float>(drawn.origin),
                   static_cast<float>(drawn.origin)};
    drawn.is_fine = far.x == 0.0F;
    drawn.at_a.position = drawn.at_a.position + far;
    drawn.at_b.position = drawn.at_b.position + far;
  }
  return drawn;
}

/// The input that is moved until an answer changes.
enum class Moved : std::uint8_t { position, rotation, motion, little };

/// The answer that the search compares.
enum class Asked : std::uint8_t { overlaps, collide, distance, cast, ray, contains };
constexpr std::uint32_t asked_count = 6;

/// A way from one placement to another, t in [0, 1].
struct PlacementPath {
  Decision from;
  Moved moved = Moved::position;
  Vec2 way;               ///< displacement of a position or a motion
  double begin_x = 0.0;   ///< of `Moved::little`
  double length_x = 0.0;  ///< of `Moved::little`

  [[nodiscard]] Decision at(double t) const {
    Decision decision = from;
    const auto along = [t](float start, float length) {
      return static_cast<float>(static_cast<double>(start) + t * static_cast<double>(length));
    };
    switch (moved) {
      case Moved::position:
        decision.at_a.position = {along(from.at_a.position.x, way.x), along(from.at_a.position.y, way.y)};
        break;
      case Moved::rotation:
        decision.at_a.rotation = nudged(from.at_a.rotation, along(0.0F, way.x));
        break;
      case Moved::motion:
        decision.motion = {along(from.motion.x, way.x), along(from.motion.y, way.y)};
        break;
      case Moved::little:
        decision.at_b.position.x = static_cast<float>(begin_x + t * length_x);
        break;
    }
    return decision;
  }
};

bool is_same(const Decision& a, const Decision& b) {
  return a.at_a == b.at_a && a.at_b == b.at_b && a.motion == b.motion;
}

/// An answer: a discrete part, and numbers that may jump.
struct Sample {
  std::uint64_t kind = 0;
  Vec2 normal;
  Vec2 point;
};

Sample ask(const Drawn& drawn, const Decision& d, Asked asked) {
  switch (asked) {
    case Asked::overlaps:
      return {overlaps(drawn.a, d.at_a, drawn.b, d.at_b) ? 1U : 0U, {}, {}};
    case Asked::collide: {
      const Manifold m = collide(drawn.a, d.at_a, drawn.b, d.at_b);
      FnvHash kind;
      kind.add(m.size);
      for (const ManifoldPoint& point : m.in_use()) {
        kind.add(point.feature);
      }
      return {kind.value(), m.normal, m.points[0].position};
    }
    case Asked::distance: {
      const Distance found = distance(drawn.a, d.at_a, drawn.b, d.at_b);
      return {found.distance > 0.0F ? 1U : 0U, found.normal, found.point_a};
    }
    case Asked::cast: {
      const auto hit = cast(drawn.a, d.at_a, d.motion, drawn.b, d.at_b);
      return hit ? Sample{1, hit->normal, hit->point} : Sample{};
    }
    case Asked::ray: {
      const auto hit = cast_ray(d.at_a.position, d.motion, drawn.b, d.at_b);
      return hit ? Sample{1, hit->normal, hit->point} : Sample{};
    }
    case Asked::contains:
      return {contains(drawn.b, d.at_b, d.at_a.position) ? 1U : 0U, {}, {}};
  }
  return {};
}

double length_of(Vec2 v) {
  return std::abs(static_cast<double>(v.x)) + std::abs(static_cast<double>(v.y));
}

/// Returns how much two answers differ: as a share of the shapes' size, or more if the discrete part differs.
double jump(const Sample& a, const Sample& b, double scale) {
  const double jumped = length_of(a.normal - b.normal) + length_of(a.point - b.point) / scale;
  return (a.kind != b.kind ? 1e6 : 0.0) + jumped;
}

struct Found {
  double low = 0.0;
  double high = 0.0;
  double jump = 0.0;
};

/// Halves a way, keeping the half in which the answer jumps by more, down to neighboring inputs.
Found bisect(const Drawn& drawn, const PlacementPath& path, Asked asked, double low, double high) {
  Sample at_low = ask(drawn, path.at(low), asked);
  Sample at_high = ask(drawn, path.at(high), asked);
  for (int i = 0; i < 80; ++i) {
    const double middle = low + 0.5 * (high - low);
    const Decision d = path.at(middle);
    if (!(middle > low && middle < high) || is_same(d, path.at(low)) || is_same(d, path.at(high))) {
      break;
    }
    const Sample at_middle = ask(drawn, d, asked);
    if (jump(at_low, at_middle, drawn.scale) >= jump(at_middle, at_high, drawn.scale)) {
      high = middle;
      at_high = at_middle;
    } else {
      low = middle;
      at_low = at_middle;
    }
  }
  return {low, high, jump(at_low, at_high, drawn.scale)};
}

constexpr double least_jump = 1e-4;

/// Scans a short way around a border for a jump of the point under one normal, as `distance` has one where
/// two faces of overlapping shapes are as good as each other. Returns whether there is one.
bool scan(const Drawn& drawn, const PlacementPath& path, Found& found) {
  constexpr int steps = 400;
  const double middle = found.low;
  const double reach = 2e-6 * drawn.scale / std::max(length_of(path.way), 1e-30);
  double before = middle - reach;
  Sample last = ask(drawn, path.at(before), Asked::distance);
  for (int i = 1; i <= steps; ++i) {
    const double t = middle - reach + 2.0 * reach * i / steps;
    const Sample sample = ask(drawn, path.at(t), Asked::distance);
    const bool is_one_normal = length_of(sample.normal - last.normal) < 1e-4;
    if (is_one_normal && sample.kind == last.kind &&
        length_of(sample.point - last.point) > 1e-3 * drawn.scale) {
      found = {before, t, 1.0};
      return true;
    }
    last = sample;
    before = t;
  }
  return false;
}

/// Moves b by so little that the border of a search in floats is found to the last bit of a double.
std::optional<PlacementPath> make_fine(const Drawn& drawn, const Decision& at, Asked asked) {
  if (!drawn.is_fine) {
    return std::nullopt;
  }
  for (double reach = 1e-8 * (drawn.scale + drawn.origin); reach < 1e-3 * drawn.scale; reach *= 8.0) {
    const PlacementPath path{at, Moved::little, {}, -reach, 2.0 * reach};
    const Sample low = ask(drawn, path.at(0.0), asked);
    const Sample high = ask(drawn, path.at(1.0), asked);
    if (jump(low, high, drawn.scale) > least_jump + 1e2 * reach / drawn.scale) {
      return path;
    }
  }
  return std::nullopt;
}

void add_neighbors(const PlacementPath& path, const Found& found, double step, DecisionChunk& chunk) {
  const auto add = [&](double offset) { chunk.decisions.push_back(path.at(found.low + offset * step)); };
  for (int k = -10; k <= 10; ++k) {
    add(k);
  }
  for (int exponent = 4; exponent <= 22; exponent += 2) {
    add(std::ldexp(1.0, exponent));
    add(-std::ldexp(1.0, exponent));
  }
}

PlacementPath draw_path(const Drawn& drawn, const Decision& from, Asked asked, Random& random) {
  const Vec2 way = times(drawn.scale, {random.between(-4.0F, 4.0F), random.between(-4.0F, 4.0F)});
  const std::uint32_t most = asked == Asked::cast || asked == Asked::ray ? 3 : 2;
  switch (asked == Asked::contains ? 0 : random.below(most)) {
    case 0:
      // Often across the other shape, so that the path crosses the border of touching.
      return {from, Moved::position,
              random.below(2) == 0 ? way : times(1.5, drawn.at_b.position - drawn.at_a.position)};
    case 1:
      return {from, Moved::rotation, {random.between(-2.0F, 2.0F), 0.0F}};
    default:
      return {from, Moved::motion, way};
  }
}

/// A border, and the pair of shapes that it belongs to.
struct Border {
  Drawn drawn;
  PlacementPath path;
  Asked asked = Asked::distance;
  Found found;
};

Decision start_of(const Drawn& drawn, const DecisionChunk& chunk) {
  return {static_cast<std::uint32_t>(chunk.shapes.size()), drawn.at_a, drawn.at_b, drawn.motion};
}

/// Draws two overlapping shapes, and moves one until the normal of `distance` changes and, close to that, the
/// common point jumps under one normal.
std::optional<Border> find_jump_of_point(Random& random, const DecisionChunk& chunk) {
  Border border{draw_pair(random, true), {}, Asked::distance, {}};
  Drawn& drawn = border.drawn;
  const Vec2 apart = drawn.at_a.position - drawn.at_b.position;
  drawn.at_a.position = drawn.at_b.position + times(0.3, apart);
  border.path = {start_of(drawn, chunk), Moved::position,
                 times(drawn.scale, {random.between(-0.5F, 0.5F), random.between(-0.5F, 0.5F)})};
  for (const double t : {0.0, 1.0}) {
    const Decision d = border.path.at(t);
    if (!overlaps(drawn.a, d.at_a, drawn.b, d.at_b)) {
      return std::nullopt;
    }
  }
  border.found = bisect(drawn, border.path, Asked::distance, 0.0, 1.0);
  return scan(drawn, border.path, border.found) ? std::optional(border) : std::nullopt;
}

std::optional<Border> find_border(Random& random, const DecisionChunk& chunk) {
  Border border{draw_pair(random, false), {}, static_cast<Asked>(random.below(asked_count)), {}};
  border.path = draw_path(border.drawn, start_of(border.drawn, chunk), border.asked, random);
  border.found = bisect(border.drawn, border.path, border.asked, 0.0, 1.0);
  return border.found.jump >= least_jump ? std::optional(border) : std::nullopt;
}

void add_border(Random& random, DecisionChunk& chunk) {
  const bool is_directed = random.below(4) == 0;
  std::optional<Border> border;
  for (int tries = 0; tries < 100 && !border; ++tries) {
    border = is_directed ? find_jump_of_point(random, chunk) : find_border(random, chunk);
  }
  if (!border) {
    return;
  }
  const auto& [drawn, path, asked, found] = *border;
  chunk.shapes.push_back(drawn.a);
  chunk.shapes.push_back(drawn.b);
  if (const auto fine = make_fine(drawn, path.at(found.low), asked)) {
    ++chunk.borders;
    chunk.directed += is_directed ? 1 : 0;
    add_neighbors(*fine, bisect(drawn, *fine, asked, 0.0, 1.0), std::ldexp(drawn.scale, -55) / fine->length_x,
                  chunk);
  } else {
    ++chunk.coarse;
    add_neighbors(path, found, std::max(found.high - found.low, 0x1p-60), chunk);
  }
}

Vec2 middle_of(const Aabb& box) {
  return times(0.5, box.min) + times(0.5, box.max);
}

std::uint64_t hash_of(const Manifold& manifold) {
  FnvHash hash;
  hash.add(manifold.size);
  hash.add(manifold.normal);
  for (const ManifoldPoint& point : manifold.points) {
    hash.add(point.position);
    hash.add(point.separation);
    hash.add(point.feature);
  }
  return hash.value();
}

template <class Hit>
std::uint64_t hash_of(const std::optional<Hit>& hit) {
  FnvHash hash;
  if (hit) {
    hash.add(hit->fraction);
    hash.add(hit->normal);
    hash.add(hit->point);
  }
  return hash.value();
}

std::uint64_t ask_world(const Shape& a, const Shape& b, const Decision& d) {
  FnvHash hash;
  World world;
  const Result<BodyId> body =
      world.add({.shape = b, .position = d.at_b.position, .rotation = d.at_b.rotation});
  if (!body.has_value()) {
    return hash.value();
  }
  const Aabb box = world.bounds(body.value()).value();
  hash.add(box.min);
  hash.add(box.max);
  const auto met = world.cast_shape(a, d.at_a, d.motion);
  if (met.has_value() && met.value()) {
    hash.add(met.value()->fraction);
    hash.add(met.value()->normal);
    hash.add(met.value()->point);
  }
  const auto ray = world.cast_ray(d.at_a.position, d.motion);
  if (ray.has_value() && ray.value()) {
    hash.add(ray.value()->fraction);
    hash.add(ray.value()->normal);
    hash.add(ray.value()->point);
  }
  const auto near = world.nearest(d.at_a.position);
  if (near.has_value() && !near.value().empty()) {
    hash.add(near.value()[0].distance);
    hash.add(near.value()[0].point);
  }
  const auto inside = world.query_point(d.at_a.position);
  hash.add(static_cast<std::uint32_t>(inside.has_value() ? inside.value().size() : 9));
  return hash.value();
}

std::uint64_t ask_masks(const Shape& a, const Shape& b, const Decision& d) {
  FnvHash hash;
  if (const auto* mask = std::get_if<Mask>(&a)) {
    const MaskOverlap found = overlap(*mask, d.at_a, b, d.at_b);
    hash.add(found.touching ? 1U : 0U);
    hash.add(found.column);
    hash.add(found.row);
    hash.add(found.area);
  }
  return hash.value();
}

std::size_t count_unused_bytes(const Manifold& manifold) {
  std::size_t count = 0;
  for (std::size_t i = manifold.size; i < manifold.points.size(); ++i) {
    std::array<unsigned char, sizeof(ManifoldPoint)> bytes;
    std::memcpy(bytes.data(), &manifold.points[i], bytes.size());
    count += static_cast<std::size_t>(
        std::count_if(bytes.begin(), bytes.end(), [](unsigned char byte) { return byte != 0; }));
  }
  return count;
}

}  // namespace

DecisionChunk draw_decisions(std::uint32_t chunk) {
  Random random(0x9e3779b97f4a7c15U + chunk);
  DecisionChunk drawn;
  for (std::size_t i = 0; i < borders_per_chunk; ++i) {
    add_border(random, drawn);
  }
  return drawn;
}

DecisionAnswers answer_decisions(const DecisionChunk& chunk) {
  DecisionAnswers answers;
  std::vector<Shape> shapes;
  std::vector<Transform> transforms;
  std::vector<Pair> pairs;
  std::vector<Contact> expected;
  for (std::size_t i = 0; i < chunk.decisions.size(); ++i) {
    const Decision& d = chunk.decisions[i];
    const Shape& a = chunk.shapes[d.shapes];
    const Shape& b = chunk.shapes[d.shapes + 1];
    const auto first = static_cast<BoxIndex>(shapes.size());
    const Pair pair = i % 2 == 0 ? Pair{first, first + 1} : Pair{first + 1, first};
    shapes.push_back(a);
    shapes.push_back(b);
    transforms.push_back(d.at_a);
    transforms.push_back(d.at_b);
    pairs.push_back(pair);

    FnvHash touches;
    touches.add(overlaps(a, d.at_a, b, d.at_b) ? 1U : 0U);
    const Manifold manifold = collide(shapes[pair.a], transforms[pair.a], shapes[pair.b], transforms[pair.b]);
    answers.unused_bytes_in_use += count_unused_bytes(manifold);
    if (manifold.touching()) {
      expected.push_back({pair, manifold});
    }
    const Distance apart = distance(a, d.at_a, b, d.at_b);
    FnvHash distances;
    distances.add(apart.distance);
    distances.add(apart.point_a);
    distances.add(apart.point_b);
    distances.add(apart.normal);
    FnvHash inside;
    const Aabb box = bounds(b, d.at_b);
    inside.add(contains(b, d.at_b, d.at_a.position) ? 1U : 0U);
    inside.add(contains(a, d.at_a, middle_of(box)) ? 1U : 0U);
    FnvHash boxes;
    for (const Aabb& of : {bounds(a, d.at_a), box}) {
      boxes.add(of.min);
      boxes.add(of.max);
    }
    // A world for each decision would take longer than everything else.
    const std::uint64_t of_world = i % 16 == 0 ? ask_world(a, b, d) : 0;
    answers.hashes.push_back({touches.value(), hash_of(manifold), distances.value(),
                              hash_of(cast(a, d.at_a, d.motion, b, d.at_b)),
                              hash_of(cast_ray(d.at_a.position, d.motion, b, d.at_b)), inside.value(),
                              boxes.value(), ask_masks(a, b, d), of_world});
  }
  NarrowPhase narrow_phase;
  const auto contacts = narrow_phase.find_contacts(pairs, shapes, transforms).value();
  answers.contacts.assign(contacts.begin(), contacts.end());
  answers.bulk_differences =
      std::max(contacts.size(), expected.size()) - std::min(contacts.size(), expected.size());
  for (std::size_t i = 0; i < std::min(contacts.size(), expected.size()); ++i) {
    answers.bulk_differences += std::memcmp(&contacts[i], &expected[i], sizeof(Contact)) != 0 ? 1U : 0U;
    answers.unused_bytes_in_use += count_unused_bytes(contacts[i].manifold);
  }
  return answers;
}

std::uint64_t DecisionAnswers::hash() const {
  FnvHash hash;
  const auto add = [&](std::uint64_t value) {
    hash.add(static_cast<std::uint32_t>(value));
    hash.add(static_cast<std::uint32_t>(value >> 32U));
  };
  for (const auto& of_decision : hashes) {
    for (const std::uint64_t value : of_decision) {
      add(value);
    }
  }
  for (const Contact& contact : contacts) {
    std::array<std::uint32_t, sizeof(Contact) / 4> words;
    std::memcpy(words.data(), &contact, sizeof words);
    for (const std::uint32_t word : words) {
      hash.add(word);
    }
  }
  return hash.value();
}

std::string to_text(const DecisionChunk& chunk, const Decision& decision) {
  const auto digits = [](float value) {
    std::array<char, 40> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%aF ", static_cast<double>(value));
    return std::string(buffer.data());
  };
  return "a: " + to_text(Standing{chunk.shapes[decision.shapes], decision.at_a}) +
         "\nb: " + to_text(Standing{chunk.shapes[decision.shapes + 1], decision.at_b}) + "\nmotion " +
         digits(decision.motion.x) + digits(decision.motion.y) + "\n";
}

}  // namespace broadside::test
