#include "world/sweeper.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "boxes.hpp"
#include "broadside/contact/collide.hpp"

namespace broadside::test {
namespace {

using Place = Sweeper::Place;

/// Circles, one of them a bullet or a fast body, and the objects that a sweeper needs.
struct Scene {
  BodyTable table{1};
  ChangeList changes;
  ContactLog contacts;
  Motion motion{table, {}};
  WorldOptions options;
  Sweeper sweeper{options, table, motion, changes, contacts};

  Place add(Vec2 position, float radius, BodyType type, bool is_bullet = false) {
    const auto place = static_cast<Place>(table.places());
    const BodyDef body{.shape = Circle{.radius = radius}, .type = type, .position = position};
    table.reserve({&body, 1}, 1);
    table.add(body, {.type = type, .used = true, .bullet = is_bullet}, {&place, 1});
    changes.reserve(table.places());
    changes.grow_to(table.places());
    sweeper.reserve(table.places(), 1);
    sweeper.grow_to(table.places());
    sweeper.reset_start(place);
    if (is_bullet) {
      sweeper.add_bullet(place);
    }
    return place;
  }

  void move(Place body, Vec2 to) {
    table.set_transform(body, {to, {}}, [this](Place place) { changes.mark(place, ChangeList::moved); });
  }

  /// Sweeps one body against all others; returns the contacts.
  std::vector<Contact> sweep(Place body) {
    std::vector<Pair> pairs;
    std::vector<Contact> touching;
    for (Place other = 0; other < table.places(); ++other) {
      if (other != body) {
        pairs.push_back(ordered_pair(body, other));
      }
    }
    std::sort(pairs.begin(), pairs.end());
    for (const Pair pair : pairs) {
      const Manifold manifold =
          collide(table.shape(pair.a), table.transform(pair.a), table.shape(pair.b), table.transform(pair.b));
      if (manifold.touching()) {
        touching.push_back({pair, manifold});
      }
    }
    std::vector<Contact> joined;
    return sweeper.sweep(pairs, touching, joined) ? joined : touching;
  }
};

/// Returns the share of the motion at which two circles meet, or infinity; from the roots of a quadratic.
double meeting(Vec2 from, Vec2 to, Vec2 other, double radii) {
  const double way_x = static_cast<double>(to.x) - static_cast<double>(from.x);
  const double way_y = static_cast<double>(to.y) - static_cast<double>(from.y);
  const double x = static_cast<double>(from.x) - static_cast<double>(other.x);
  const double y = static_cast<double>(from.y) - static_cast<double>(other.y);
  const double a = way_x * way_x + way_y * way_y;
  const double b = way_x * x + way_y * y;
  const double inside = b * b - a * (x * x + y * y - radii * radii);
  return inside < 0.0 || b > 0.0 ? std::numeric_limits<double>::infinity() : (-b - std::sqrt(inside)) / a;
}

TEST(Sweeper, stops_a_body_at_the_first_circle_on_its_way) {
  Random random(11);
  int stopped = 0;
  int passed = 0;
  for (int round = 0; round < 3000; ++round) {
    const bool is_bullet = random.below(2) == 0;
    const float far = random.below(3) == 0 ? 1000.0F : 0.0F;
    Scene scene;
    if (!is_bullet) {
      scene.options.response = Response::bounce;
    }
    const auto point = [&](float size) {
      const float x = far + random.between(-size, size);
      return Vec2{x, random.between(-size, size)};
    };
    const Vec2 from = point(20.0F);
    const Vec2 to = point(20.0F);
    const float radius = random.between(0.05F, 0.5F);
    const std::uint32_t place = random.below(4);
    std::vector<Vec2> centers;
    std::vector<double> radii;
    Place body = 0;
    for (std::uint32_t i = 0; i < 12; ++i) {
      if (i == place) {
        body = scene.add(from, radius, BodyType::dynamic, is_bullet);
        continue;
      }
      const float other = random.between(0.1F, 4.0F);
      const Vec2 center = point(20.0F);
      if (std::hypot(center.x - from.x, center.y - from.y) > other + radius + 0.01F) {
        scene.add(center, other, BodyType::static_body);
        centers.push_back(center);
        radii.push_back(static_cast<double>(other) + static_cast<double>(radius));
      }
    }
    scene.move(body, to);
    if (!is_bullet) {
      scene.sweeper.reserve_fast(1);
      scene.sweeper.note_motion(body, from);
      scene.sweeper.sort_fast();
      const double way = std::hypot(static_cast<double>(to.x) - static_cast<double>(from.x),
                                    static_cast<double>(to.y) - static_cast<double>(from.y));
      const bool is_fast = 4.0 * way > static_cast<double>(scene.table.shorter_side(body));
      ASSERT_EQ(scene.sweeper.has_fast(), is_fast);
      if (!is_fast) {
        continue;
      }
    }
    double first = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < centers.size(); ++i) {
      first = std::min(first, meeting(from, to, centers[i], radii[i]));
    }
    const Aabb at_end = bounds(scene.table.shape(body), scene.table.transform(body));
    const Aabb on_way = scene.sweeper.swept_bounds(body, at_end);
    const Aabb at_start = bounds(scene.table.shape(body), {from, {}});
    ASSERT_LE(on_way.min.x, std::min(at_start.min.x, at_end.min.x) + 1e-3F);
    ASSERT_GE(on_way.max.y, std::max(at_start.max.y, at_end.max.y) - 1e-3F);
    ASSERT_TRUE(scene.sweeper.is_swept(body));

    const std::vector<Contact> contacts = scene.sweep(body);
    ASSERT_TRUE(scene.sweeper.stops().empty());  // until `adopt`
    ASSERT_EQ(scene.sweeper.start(body), from);
    std::vector<Place> marked;
    scene.sweeper.adopt([&](Place one, std::uint8_t) { marked.push_back(one); });
    ASSERT_FALSE(marked.empty());
    ASSERT_EQ(scene.sweeper.start(body), to);
    ASSERT_FALSE(scene.sweeper.has_fast());
    if (std::abs(first - 1.0) < 1e-4) {
      continue;
    }
    const bool stops = first < 1.0;
    ASSERT_EQ(scene.sweeper.stops().size(), stops ? 1U : 0U) << "round " << round << ", at " << first;
    (stops ? stopped : passed) += 1;
    if (!stops) {
      continue;
    }
    const Sweeper::Stop stop = scene.sweeper.stops().front();
    ASSERT_EQ(stop.body, body);
    ASSERT_EQ(stop.from, from);
    ASSERT_NEAR(static_cast<double>(stop.time), first, 1e-4) << "round " << round;
    ASSERT_EQ(scene.sweeper.time(stop.pair), stop.time);
    const auto hit = std::find_if(contacts.begin(), contacts.end(),
                                  [&](const Contact& contact) { return contact.pair == stop.pair; });
    ASSERT_NE(hit, contacts.end());
    const detail::Point at = Sweeper::point_between(stop.from, to, static_cast<double>(stop.time));
    for (const Contact& contact : contacts) {  // all circles that the stopped body touches
      const Place other = contact.pair.a == body ? contact.pair.b : contact.pair.a;
      const Vec2 center = scene.table.transform(other).position;
      const double apart =
          std::hypot(at.x - static_cast<double>(center.x), at.y - static_cast<double>(center.y));
      ASSERT_LE(apart, static_cast<double>(scene.table.shorter_side(other)) / 2.0 +
                           static_cast<double>(radius) + 2e-3);
    }
  }
  EXPECT_GT(stopped, 500);
  EXPECT_GT(passed, 500);
}

TEST(Sweeper, is_the_same_after_it_was_written_and_read) {
  Scene scene;
  const Place wall = scene.add({0, 0}, 1.0F, BodyType::static_body);
  const Place bullet = scene.add({-5, 0}, 0.1F, BodyType::dynamic, true);
  scene.move(bullet, {5, 0});
  static_cast<void>(scene.sweep(bullet));
  scene.sweeper.adopt([](Place, std::uint8_t) {});
  ASSERT_EQ(scene.sweeper.stops().size(), 1U);
  detail::ByteWriter out;
  scene.sweeper.write_starts(out);
  scene.sweeper.write_hits(out);
  const std::vector<std::byte> bytes = out.take();
  Scene other;
  other.add({0, 0}, 1.0F, BodyType::static_body);
  other.add({5, 0}, 0.1F, BodyType::dynamic, true);
  detail::ByteReader in(bytes);
  other.sweeper.read_starts(in);
  other.sweeper.read_hits(in);
  ASSERT_FALSE(in.failed());
  ASSERT_EQ(in.rest(), 0U);
  ASSERT_EQ(other.sweeper.start(bullet), scene.sweeper.start(bullet));
  ASSERT_EQ(other.sweeper.stops().size(), 1U);
  EXPECT_EQ(other.sweeper.stops().front().time, scene.sweeper.stops().front().time);
  EXPECT_EQ(other.sweeper.time({wall, bullet}), scene.sweeper.time({wall, bullet}));
  other.sweeper.forget_stop(bullet);
  EXPECT_TRUE(other.sweeper.stops().empty());
  for (std::size_t size = 0; size < bytes.size(); ++size) {  // damaged: shorter
    Scene damaged;
    damaged.add({0, 0}, 1.0F, BodyType::static_body);
    damaged.add({5, 0}, 0.1F, BodyType::dynamic, true);
    detail::ByteReader shorter({bytes.data(), size});
    damaged.sweeper.read_starts(shorter);
    damaged.sweeper.read_hits(shorter);
    EXPECT_TRUE(shorter.failed()) << size;
  }
}

TEST(Sweeper, takes_times_of_pairs_in_order_and_no_other) {
  for (Place first = 0; first < 3; ++first) {
    for (Place second = 0; second < 3; ++second) {
      for (Place third = 0; third < 3; ++third) {
        Scene scene;
        for (int i = 0; i < 4; ++i) {
          scene.add({0, 0}, 1.0F, BodyType::dynamic);
        }
        detail::ByteWriter out;
        out.put_count(3);
        for (const Place a : {first, second, third}) {
          out.put(a);
          out.put(Place{3});
          out.put(0.5F);
        }
        out.put_count(0);
        const std::vector<std::byte> bytes = out.take();
        detail::ByteReader in(bytes);
        scene.sweeper.read_hits(in);
        EXPECT_EQ(in.failed(), !(first < second && second < third)) << first << second << third;
      }
    }
  }
}

TEST(Sweeper, keeps_starts_only_where_something_may_be_swept) {
  Scene scene;
  const Place ball = scene.add({0, 0}, 1.0F, BodyType::dynamic);
  EXPECT_FALSE(scene.sweeper.keeps_starts());
  EXPECT_FALSE(scene.sweeper.sweeps_any());
  EXPECT_EQ(scene.sweeper.start(ball), Vec2{});
  const Place bullet = scene.add({3, 0}, 0.1F, BodyType::dynamic, true);
  EXPECT_TRUE(scene.sweeper.keeps_starts());
  EXPECT_EQ(scene.sweeper.start(bullet), (Vec2{3, 0}));
  scene.move(ball, {1, 0});
  EXPECT_EQ(scene.sweeper.start(ball), Vec2{});
  EXPECT_TRUE(scene.sweeper.reset_start(ball));
  EXPECT_FALSE(scene.sweeper.reset_start(ball));
  EXPECT_EQ(scene.sweeper.start(ball), (Vec2{1, 0}));
  scene.sweeper.remove_bullet(bullet);
  EXPECT_FALSE(scene.sweeper.keeps_starts());
}

}  // namespace
}  // namespace broadside::test
