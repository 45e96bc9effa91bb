#include "world/body_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <new>
#include <utility>
#include <vector>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broadside/contact/collide.hpp"
#include "each_allocation.hpp"

namespace broadside::test::body_table_test {
namespace {

using Place = BodyTable::Place;

/// The expected record of a body in a table.
struct Known {
  BodyId id;
  std::vector<Place> places;
  std::vector<float> radii;
  Vec2 position;
  std::uint64_t user_data;
  float own_mass;  ///< 0 if the mass is computed from the shapes
};

/// A table and its expected contents. Free places are reused in last-in-first-out order, as in a
/// `BroadPhase`.
struct Pairing {
  BodyTable table{7};
  std::vector<Known> known;
  std::vector<Place> free_places;
  std::map<Place, std::uint32_t> generations;

  int failed = 0;

  /// Calls a function with every number of allowed allocations until it succeeds; the table stays the same.
  template <typename Call>
  void with_failures(Call call) {
    failed += fail_each_allocation(call, [this] { check(); });
  }

  Place next_place() {
    if (free_places.empty()) {
      return static_cast<Place>(generations.size());
    }
    const Place place = free_places.back();
    free_places.pop_back();
    return place;
  }

  void add(Random& random) {
    Known one;
    BodyDef body;
    const std::uint32_t shapes = random.below(4) == 0 ? 1 + random.below(4) : 1;
    for (std::uint32_t i = 0; i < shapes; ++i) {
      one.radii.push_back(random.between(0.1F, 2.0F));
      const Circle circle{.radius = one.radii.back()};
      if (i == 0) {
        body.shape = circle;
      } else {
        body.more_shapes.emplace_back(circle);
      }
    }
    const float x = random.between(-50.0F, 50.0F);
    one.position = {x, random.between(-50.0F, 50.0F)};
    one.user_data = random.below(3) == 0 ? random.bits() : 0;
    one.own_mass = random.below(3) == 0 ? random.between(0.5F, 3.0F) : 0.0F;
    body.position = one.position;
    body.user_data = one.user_data;
    body.type = random.below(2) == 0 ? BodyType::static_body : BodyType::dynamic;
    if (one.own_mass > 0.0F) {
      body.mass = one.own_mass;
    }
    ASSERT_NO_FATAL_FAILURE(with_failures([&] { table.reserve({&body, 1}, shapes); }));
    for (std::uint32_t i = 0; i < shapes; ++i) {
      one.places.push_back(next_place());
      ++generations[one.places.back()];
    }
    {
      const AllocationLimit none(0);
      table.add(body, {.type = body.type, .used = true, .has_own_mass = body.mass.has_value()}, one.places);
    }
    one.id = {one.places.front(), generations[one.places.front()], 7};
    known.push_back(one);
  }

  void remove(Random& random) {
    const std::size_t at = random.below(static_cast<std::uint32_t>(known.size()));
    ASSERT_NO_FATAL_FAILURE(with_failures([&] { table.reserve_free(known[at].places.size()); }));
    {
      const AllocationLimit none(0);
      table.remove(known[at].id.index);
    }
    free_places.insert(free_places.end(), known[at].places.begin(), known[at].places.end());
    known.erase(known.begin() + static_cast<std::ptrdiff_t>(at));
  }

  void move(Random& random) {
    Known& one = known[random.below(static_cast<std::uint32_t>(known.size()))];
    const float x = random.between(-100.0F, 100.0F);
    one.position = {x, random.between(-100.0F, 100.0F)};
    std::vector<Place> moved;
    table.set_transform(one.id.index, {one.position, {}}, [&](Place place) { moved.push_back(place); });
    EXPECT_EQ(moved, one.places);
  }

  void set_properties(Random& random) {
    Known& one = known[random.below(static_cast<std::uint32_t>(known.size()))];
    one.radii.front() = random.between(0.1F, 2.0F);
    table.set_shape(one.id.index, Circle{.radius = one.radii.front()});
    one.user_data = random.below(2) == 0 ? random.bits() : 0;
    const std::uint64_t user_data = std::exchange(one.user_data, table.user_data(one.id.index));
    ASSERT_NO_FATAL_FAILURE(with_failures([&] { table.reserve_user_data(); }));
    one.user_data = user_data;
    const AllocationLimit none(0);
    table.set_user_data(one.id.index, one.user_data);
  }

  void check() const {
    ASSERT_EQ(table.size(), known.size());
    ASSERT_EQ(table.places(), generations.size());
    ASSERT_TRUE(std::equal(free_places.begin(), free_places.end(), table.free_places().begin(),
                           table.free_places().end()));
    for (const Place place : free_places) {
      // The shape of a removed body may be a large mask, whose memory is released with it.
      ASSERT_EQ(table.shape(place), Shape(Circle{}));
    }
    std::size_t moving = 0;
    std::vector<Place> bodies;
    float farthest = 0.0F;
    for (const Known& one : known) {
      const Place body = one.id.index;
      ASSERT_TRUE(table.contains(one.id));
      ASSERT_EQ(table.id(body), one.id);
      ASSERT_FALSE(table.contains({body, one.id.generation - 1, 7}));
      ASSERT_FALSE(table.contains({body, one.id.generation, 8}));
      std::vector<Place> parts;
      table.for_each_part(body, [&](Place place) { parts.push_back(place); });
      ASSERT_EQ(parts, one.places);
      float mass = 0.0F;
      Aabb box;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        ASSERT_EQ(table.owner(parts[i]), body);
        ASSERT_EQ(table.is_body(parts[i]), i == 0);
        ASSERT_EQ(table.transform(parts[i]).position, one.position);
        const Shape circle = Circle{.radius = one.radii[i]};
        ASSERT_EQ(table.shape(parts[i]), circle);
        ASSERT_NEAR(table.shorter_side(parts[i]), 2.0F * one.radii[i], 1e-4);
        const Aabb of_part = bounds(circle, table.transform(parts[i]));
        box = i == 0 ? of_part : merge(box, of_part);
        mass += area(circle);
      }
      ASSERT_EQ(table.bounds(body), box);
      ASSERT_EQ(table.mass(body), one.own_mass > 0.0F ? one.own_mass : mass);
      ASSERT_EQ(table.user_data(body), one.user_data);
      moving += table.slot(body).type == BodyType::static_body ? 0 : parts.size();
      bodies.push_back(body);
      farthest = std::max({farthest, std::abs(one.position.x), std::abs(one.position.y)});
    }
    ASSERT_EQ(table.moving_shapes(), moving);
    ASSERT_GE(table.farthest(), farthest);
    std::sort(bodies.begin(), bodies.end());
    std::vector<Place> visited;
    table.for_each_body([&](Place body) { visited.push_back(body); });
    ASSERT_EQ(visited, bodies);
  }
};

TEST(BodyTable, reports_what_was_added_changed_and_removed) {
  int failed = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    Pairing pairing;
    for (int i = 0; i < 120 && !testing::Test::HasFatalFailure(); ++i) {
      const std::uint32_t what = random.below(8);
      if (pairing.known.empty() || what < 3) {
        pairing.add(random);
      } else if (what < 5) {
        pairing.remove(random);
      } else if (what < 7) {
        pairing.move(random);
      } else {
        pairing.set_properties(random);
      }
      ASSERT_NO_FATAL_FAILURE(pairing.check()) << "seed " << seed << ", call " << i;
    }
    failed += pairing.failed;
  }
  EXPECT_GT(failed, 1000);
}

TEST(BodyTable, joins_each_part_to_one_body_or_says_that_it_cannot) {
  // Three bodies; the first has two further shapes.
  const std::vector<bool> is_part{false, true, false, true, false};
  const auto appended = [&] {
    BodyTable table(1);
    for (const bool part : is_part) {
      BodyTable::Record record;
      record.slot.used = true;
      record.slot.is_part = part;
      record.generation = 1;
      table.append(record);
    }
    return table;
  };
  const auto count = static_cast<Place>(is_part.size());
  constexpr Place none = BodyTable::none;
  // All 6^5 possible lists of successors: each of the 5 places has one of 5 successors, or none.
  std::size_t joined = 0;
  for (std::uint32_t way = 0; way < 7776; ++way) {
    std::vector<Place> nexts;
    for (std::uint32_t rest = way, i = 0; i < count; ++i, rest /= 6) {
      nexts.push_back(rest % 6 == count ? none : rest % 6);
    }
    // A list is valid if following it from the bodies reaches every part exactly once.
    std::vector<int> times(count);
    bool is_right = true;
    for (Place place = 0; place < count; ++place) {
      if (nexts[place] != none) {
        is_right = is_right && is_part[nexts[place]];
        ++times[nexts[place]];
      }
    }
    std::size_t reached = 0;
    for (Place body = 0; body < count; ++body) {
      std::size_t steps = 0;
      for (Place at = is_part[body] ? none : nexts[body]; at != none && steps < count; at = nexts[at]) {
        ++steps;
      }
      reached += steps;
    }
    is_right = is_right && times[1] == 1 && times[3] == 1 && reached == 2;
    BodyTable table = appended();
    ASSERT_EQ(table.join(nexts), is_right) << way;
    joined += is_right ? 1 : 0;
  }
  EXPECT_EQ(joined, 12U);  // both parts on one of 3 bodies in 2 orders, or on 2 of the 3
}

TEST(BodyTable, counts_what_may_move_among_records) {
  test::Random random(77);
  for (int round = 0; round < 20; ++round) {
    BodyTable table{1};
    std::size_t moving = 0;
    std::size_t used = 0;
    for (std::uint32_t i = random.below(8); i > 0; --i) {
      constexpr std::array types{BodyType::static_body, BodyType::kinematic, BodyType::dynamic};
      const BodyType type = types[random.below(3)];
      const bool is_used = random.below(4) != 0;
      table.append(
          {.slot = {.type = type, .used = is_used}, .shape = Circle{.radius = 1.0F}, .transform = {}});
      moving += is_used && type != BodyType::static_body ? 1U : 0U;
      used += is_used ? 1U : 0U;
    }
    EXPECT_EQ(table.moving_shapes(), moving);
    EXPECT_EQ(table.size(), used);
  }
}

TEST(BodyTable, accepts_only_a_list_of_exactly_the_free_places) {
  const auto appended = [] {
    BodyTable table(1);
    for (int i = 0; i < 4; ++i) {
      BodyTable::Record record;
      record.slot = BodyTable::free_slot(i == 2);
      record.slot.used = i == 0;
      record.generation = 1;
      table.append(record);
    }
    return table;  // place 0 is used, 2 is retired
  };
  const std::vector<std::vector<Place>> right{{1, 3}, {3, 1}};
  for (std::uint32_t drawn = 0; drawn < 256; ++drawn) {
    std::vector<Place> places;
    for (std::uint32_t rest = drawn; rest != 0; rest /= 4) {
      places.push_back(rest % 4);
    }
    BodyTable table = appended();
    const bool is_right = std::find(right.begin(), right.end(), places) != right.end();
    EXPECT_EQ(table.set_free_places(places), is_right) << drawn;
  }
}

}  // namespace
}  // namespace broadside::test::body_table_test
