#include "world/sweeper.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <new>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broadside/contact/collide.hpp"
#include "each_allocation.hpp"

namespace broadside::test::sweeper_test {
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

/// Bodies of which some are bullets or fast, and what a sweeper should know about them.
class TestedSweeper {
 public:
  explicit TestedSweeper(std::uint64_t seed) : random_(seed), bounces_(seed % 2 == 0) {
    if (bounces_) {
      scene_.options.response = Response::bounce;
    }
    add_body();
  }

  void do_one();
  void expect_same() const;
  void expect_copy_by_bytes();

  int failed = 0;
  int fast = 0;

 private:
  void add_body();
  [[nodiscard]] bool keeps() const { return bounces_ || !bullets_.empty(); }
  [[nodiscard]] Vec2 position(Place body) const { return scene_.table.transform(body).position; }
  /// Returns a point; points near each other are often the same.
  Vec2 drawn_point() {
    return {static_cast<float>(random_.below(8)), static_cast<float>(random_.below(8)) * 0.25F};
  }
  [[nodiscard]] Place drawn_body() {
    std::vector<Place> bodies;
    scene_.table.for_each_body([&](Place body) { bodies.push_back(body); });
    return bodies[random_.below(static_cast<std::uint32_t>(bodies.size()))];
  }
  void reserve(std::size_t bullets) {
    failed += fail_each_allocation([&] { scene_.sweeper.reserve(scene_.table.places(), bullets); },
                                   [this] { expect_same(); });
  }

  Random random_;
  bool bounces_;
  Scene scene_;
  std::vector<float> radii_;  // by place
  std::vector<Vec2> starts_;  // by place; unused if they are not kept
  std::set<Place> bullets_;
  std::set<Place> fast_;
};

void TestedSweeper::add_body() {
  const std::span<const Place> free = scene_.table.free_places();
  const auto place = free.empty() ? static_cast<Place>(scene_.table.places()) : free.back();
  radii_.resize(std::max<std::size_t>(radii_.size(), place + std::size_t{1}));
  starts_.resize(radii_.size());
  radii_[place] = random_.between(0.5F, 6.0F);
  const BodyType type = random_type(random_);
  const BodyDef body{.shape = Circle{.radius = radii_[place]}, .type = type, .position = drawn_point()};
  scene_.table.reserve({&body, 1}, 1);
  scene_.table.add(body, {.type = type, .used = true, .sensor = random_.below(5) == 0}, {&place, 1});
  scene_.sweeper.reserve(scene_.table.places(), 0);
  scene_.sweeper.grow_to(scene_.table.places());
  scene_.sweeper.reset_start(place);
  starts_[place] = body.position;
}

void TestedSweeper::do_one() {
  Sweeper& sweeper = scene_.sweeper;
  const Place body = drawn_body();
  switch (random_.below(14)) {
    case 0:
      if (radii_.size() < 12) {
        add_body();
      }
      break;
    case 1:
      if (!bullets_.contains(body)) {
        ASSERT_NO_FATAL_FAILURE(reserve(1));
        for (Place each = 0; each < starts_.size() && !keeps(); ++each) {
          starts_[each] = position(each);
        }
        bullets_.insert(body);
        starts_[body] = position(body);
        const AllocationLimit none(0);
        sweeper.add_bullet(body);
      }
      break;
    case 2:
      if (bullets_.erase(body) != 0) {
        const AllocationLimit none(0);
        sweeper.remove_bullet(body);
      }
      break;
    case 3:
      ASSERT_EQ(sweeper.reset_start(body), keeps() && starts_[body] != position(body));
      starts_[body] = position(body);
      break;
    case 4: {
      const Vec2 start = drawn_point();
      sweeper.restore_start(body, start);
      starts_[body] = start;
      break;
    }
    case 5:
      sweeper.forget_fast(body);
      fast_.erase(body);
      break;
    case 6: {
      sweeper.save_fast();
      const Place other = drawn_body();
      sweeper.forget_fast(other);
      sweeper.restore_fast();
      break;
    }
    case 7: {
      std::vector<Place> some;
      for (Place each = 0; each < radii_.size(); ++each) {
        if (bounces_ && scene_.table.is_body(each) && random_.below(3) == 0) {
          some.push_back(each);
        }
      }
      fast_ = {some.begin(), some.end()};
      sweeper.set_fast(std::move(some));
      break;
    }
    case 8:
      if (scene_.table.size() > 1 && !bullets_.contains(body) && !fast_.contains(body)) {
        scene_.table.reserve_free(1);
        scene_.table.remove(body);
      }
      break;
    case 9: {  // the end of a step
      std::multiset<Place> marked;
      sweeper.adopt([&](Place one, std::uint8_t bits) {
        EXPECT_EQ(bits, ChangeList::moved);
        marked.insert(one);
      });
      ASSERT_TRUE(std::ranges::equal(marked, fast_)) << "each once";
      fast_.clear();
      break;
    }
    default: {  // the motions of a step, in any order
      for (std::uint32_t moves = random_.below(6); moves > 0; --moves) {
        const Place moved = drawn_body();
        const Vec2 from = position(moved);
        scene_.table.set_transform(moved, {drawn_point(), {}}, [](Place) {});
        const Vec2 to = position(moved);
        const BodyTable::Slot& slot = scene_.table.slot(moved);
        const float way = std::hypot(to.x - from.x, to.y - from.y);
        const bool is_fast =
            bounces_ && slot.type == BodyType::dynamic && !slot.sensor && 2.0F * way > radii_[moved];
        sweeper.reserve_fast(1);
        {
          const AllocationLimit none(0);
          sweeper.note_motion(moved, from);
        }
        if (is_fast) {
          starts_[moved] = from;
          fast_.insert(moved);
          ++fast;
        }
      }
      const AllocationLimit none(0);
      sweeper.sort_fast();
      break;
    }
  }
}

void TestedSweeper::expect_same() const {
  const Sweeper& sweeper = scene_.sweeper;
  ASSERT_EQ(sweeper.keeps_starts(), keeps());
  ASSERT_EQ(sweeper.has_fast(), !fast_.empty());
  ASSERT_EQ(sweeper.sweeps_any(), !fast_.empty() || !bullets_.empty());
  ASSERT_TRUE(
      std::equal(bullets_.begin(), bullets_.end(), sweeper.bullets().begin(), sweeper.bullets().end()));
  for (Place body = 0; body < radii_.size(); ++body) {
    if (!scene_.table.is_body(body)) {
      continue;
    }
    ASSERT_EQ(sweeper.is_fast_listed(body), fast_.contains(body));
    ASSERT_EQ(sweeper.start(body), keeps() ? starts_[body] : Vec2{});
    if (keeps()) {
      ASSERT_EQ(sweeper.is_swept(body), starts_[body] != position(body));
    }
  }
  ASSERT_GE(sweeper.bytes(), (bullets_.size() + fast_.size()) * sizeof(Place));
}

/// Draws the hits of a step, and reads, writes and damages them together with the starts.
void TestedSweeper::expect_copy_by_bytes() {
  const auto places = static_cast<std::uint32_t>(radii_.size());
  std::map<Pair, float> times;
  std::map<Place, Sweeper::Stop> stops;
  for (std::uint32_t i = random_.below(8); i > 0 && places > 1; --i) {
    const Place a = random_.below(places - 1);
    const Pair pair{a, a + 1 + random_.below(places - 1 - a)};
    times[pair] = random_.below(4) == 0 ? 1.0F : random_.unit();
    if (random_.below(2) == 0) {
      const Place body = drawn_body();
      stops[body] = {body, times[pair], drawn_point(), pair};
    }
  }
  detail::ByteWriter out;
  out.put_count(times.size());
  for (const auto& [pair, time] : times) {
    out.put_words(pair);
    out.put(time);
  }
  out.put_count(stops.size());
  for (const auto& [body, stop] : stops) {
    out.put_words(stop);
  }
  const std::vector<std::byte> hits = out.take();
  scene_.sweeper.write_starts(out);
  const std::vector<std::byte> starts = out.take();
  Sweeper copy{scene_.options, scene_.table, scene_.motion, scene_.changes, scene_.contacts};
  copy.reserve(places, bullets_.size());
  copy.grow_to(places);
  for (const Place bullet : bullets_) {
    copy.add_bullet(bullet);
  }
  const auto reads = [&](std::span<const std::byte> of_starts, std::span<const std::byte> of_hits) {
    detail::ByteReader in_starts(of_starts);
    copy.read_starts(in_starts);
    detail::ByteReader in_hits(of_hits);
    copy.read_hits(in_hits);
    return !in_starts.failed() && in_starts.rest() == 0 && !in_hits.failed() && in_hits.rest() == 0;
  };
  const auto rewritten = [&] {
    copy.write_starts(out);
    copy.write_hits(out);
    return out.take();
  };
  const auto joined = [](std::vector<std::byte> bytes, const std::vector<std::byte>& more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return bytes;
  };
  ASSERT_TRUE(reads(starts, hits));
  ASSERT_EQ(rewritten(), joined(starts, hits));
  ASSERT_EQ(copy.stops().size(), stops.size());
  for (const Sweeper::Stop& stop : copy.stops()) {
    ASSERT_EQ(stop.time, stops.at(stop.body).time);
    ASSERT_EQ(stop.from, stops.at(stop.body).from);
    ASSERT_EQ(stop.pair, stops.at(stop.body).pair);
  }
  for (Place a = 0; a < places; ++a) {
    if (scene_.table.is_body(a)) {
      ASSERT_EQ(copy.start(a), scene_.sweeper.start(a));
    }
    for (Place b = a + 1; b < places; ++b) {
      const auto known = times.find({a, b});
      ASSERT_EQ(copy.time({a, b}), known == times.end() ? 1.0F : known->second);
    }
  }
  ASSERT_FALSE(reads(starts, std::span(hits).first(random_.below(static_cast<std::uint32_t>(hits.size())))));
  if (!starts.empty()) {
    ASSERT_FALSE(
        reads(std::span(starts).first(random_.below(static_cast<std::uint32_t>(starts.size()))), hits));
  }
  for (int round = 0; round < 5; ++round) {
    std::vector<std::byte> damaged_starts = starts;
    std::vector<std::byte> damaged_hits = hits;
    std::vector<std::byte>& damaged = starts.empty() || random_.below(3) != 0 ? damaged_hits : damaged_starts;
    damaged[random_.below(static_cast<std::uint32_t>(damaged.size()))] ^= std::byte{1} << random_.below(8);
    if (random_.below(4) == 0 && starts.size() >= 4) {  // not a number
      std::fill_n(damaged_starts.begin() + 4 * random_.below(static_cast<std::uint32_t>(starts.size() / 4)),
                  4, std::byte{0xFF});
    }
    if (reads(damaged_starts, damaged_hits)) {
      scene_.table.for_each_body([&](Place body) {
        ASSERT_TRUE(std::isfinite(copy.start(body).x) && std::isfinite(copy.start(body).y));
      });
      ASSERT_EQ(rewritten(), joined(damaged_starts, damaged_hits));
      for (const Sweeper::Stop& stop : copy.stops()) {
        ASSERT_TRUE(stop.body < places && stop.pair.a < stop.pair.b && stop.pair.b < places);
        ASSERT_TRUE(stop.time >= 0.0F && stop.time <= 1.0F && std::isfinite(stop.from.x));
      }
    }
  }
  // Stops of any bodies in any order.
  std::vector<Sweeper::Stop> any_stops(random_.below(4));
  bool are_valid = places > 1;
  for (Sweeper::Stop& stop : any_stops) {
    const bool is_odd = random_.below(12) == 0;
    stop = {random_.below(places), is_odd ? random_.between(-1, 2) : random_.unit(), drawn_point(), {0, 1}};
    are_valid = are_valid && scene_.table.is_body(stop.body) && stop.time >= 0.0F && stop.time <= 1.0F;
  }
  for (std::size_t i = 1; i < any_stops.size(); ++i) {
    are_valid = are_valid && any_stops[i - 1].body < any_stops[i].body;
  }
  out.put_count(0);
  out.put_count(any_stops.size());
  for (const Sweeper::Stop& stop : any_stops) {
    out.put_words(stop);
  }
  ASSERT_EQ(reads(starts, out.take()), are_valid || any_stops.empty());
  // Later calls forget single stops, or all of them.
  ASSERT_TRUE(reads(starts, hits));
  const Place body = random_.below(places);
  copy.forget_stop(body);
  ASSERT_EQ(copy.stops().size(), stops.size() - stops.count(body));
  ASSERT_TRUE(
      std::ranges::none_of(copy.stops(), [&](const Sweeper::Stop& stop) { return stop.body == body; }));
  copy.clear_stops();
  ASSERT_TRUE(copy.stops().empty());
}

TEST(Sweeper, knows_bullets_fast_bodies_and_starts_over_any_calls) {
  int failed = 0;
  int fast = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    TestedSweeper tested(seed);
    for (int call = 0; call < 100; ++call) {
      ASSERT_NO_FATAL_FAILURE(tested.do_one()) << "seed " << seed << ", call " << call;
      ASSERT_NO_FATAL_FAILURE(tested.expect_same()) << "seed " << seed << ", call " << call;
      if (call % 10 == 0) {
        ASSERT_NO_FATAL_FAILURE(tested.expect_copy_by_bytes()) << "seed " << seed << ", call " << call;
      }
    }
    failed += tested.failed;
    fast += tested.fast;
  }
  EXPECT_GT(failed, 300);
  EXPECT_GT(fast, 1000);
}

}  // namespace
}  // namespace broadside::test::sweeper_test
