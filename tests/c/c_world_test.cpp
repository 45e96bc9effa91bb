// The worlds of the C interface do what `World` does, for drawn calls, and report memory that runs out.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broadside/broadside.h"
#include "broadside/world/world.hpp"

namespace broadside::test::c_world_test {
namespace {

bs_vec2 in_c(Vec2 v) {
  return {v.x, v.y};
}

/// A shape of both languages.
struct BothShapes {
  Shape cpp;
  bs_shape c;
};

constexpr std::array<Vec2, 4> corners{{{0, 0}, {2, 0.5F}, {1.5F, 2}, {-0.5F, 1}}};

BothShapes draw_shape(Random& random) {
  const float size = random.below(12) == 0 ? -1.0F : random.between(0.1F, 2.0F);
  const Vec2 a{random.between(-1, 1), random.between(-1, 1)};
  const Vec2 b{random.between(-1, 1), random.between(-1, 1)};
  BothShapes both;
  switch (random.below(5)) {
    case 0:
      both = {Circle{a, size}, bs_circle(size)};
      both.c.center = in_c(a);
      break;
    case 1:
      both = {Box::of_size({size, 1.0F}, b, {0, 1}), bs_box(size, 1.0F)};
      both.c.center = in_c(b);
      both.c.rotation = {0, 1};
      break;
    case 2:
      both = {Capsule{a, b, size}, bs_capsule(in_c(a), in_c(b), size)};
      break;
    case 3:
      both = {Segment{a, b}, bs_segment(in_c(a), in_c(b))};
      break;
    default:
      both = {Polygon::hull(corners, 0.25F).value(),
              bs_polygon(reinterpret_cast<const bs_vec2*>(corners.data()), corners.size())};
      both.c.radius = 0.25F;
  }
  return both;
}

/// Two worlds that get the same calls, one of C.
class Worlds {
 public:
  explicit Worlds(std::uint64_t seed) : random_(seed) {
    WorldOptions options;
    bs_world_options same = bs_world_options_default();
    same.only_listeners = random_.below(3) == 0;
    options.interest = same.only_listeners ? Interest::listeners : Interest::all;
    if (random_.below(2) == 0) {
      options.response = Response::bounce;
      same.response = BS_BOUNCE;
    } else if (random_.below(2) == 0) {
      options.order = StepOrder::motion_first;
      same.order = BS_MOTION_FIRST;
    }
    options.gravity = {0, random_.between(-5, 5)};
    options.end_margin = random_.below(2) == 0 ? 0.0F : 0.1F;
    same.gravity = in_c(options.gravity);
    same.end_margin = options.end_margin;
    same.threads = 1 + random_.below(2);
    cpp_ = World::create(options).value();
    EXPECT_EQ(bs_world_create(&same, &c_), BS_OK);
    const auto count = [](void* user, const bs_contact* contact) {
      *static_cast<std::uint64_t*>(user) += contact->a.index + 1;
    };
    EXPECT_EQ(bs_world_listen(c_, BS_ON_CONTACT, "a", "b", count, &sum_c_, nullptr), BS_OK);
    cpp_.on_contact("a", "b", [this](const BodyContact& contact) { sum_cpp_ += contact.a.index + 1; });
  }
  ~Worlds() { bs_world_destroy(c_); }
  Worlds(const Worlds&) = delete;
  Worlds& operator=(const Worlds&) = delete;

  void do_one() {
    switch (random_.below(9)) {
      case 0:
      case 1:
        return add();
      case 2:
        return remove();
      case 3:
        return move();
      case 4:
        return change();
      case 5:
        return query();
      default:
        return step();
    }
  }

  void compare() {
    std::uint64_t hash = 0;
    ASSERT_EQ(bs_world_hash(c_, &hash), BS_OK);
    ASSERT_EQ(hash, cpp_.hash());
    ASSERT_EQ(sum_c_, sum_cpp_);
    compare_places();
    const bs_contact* contacts = nullptr;
    std::size_t count = 0;
    ASSERT_EQ(bs_world_contacts(c_, BS_ALL_CONTACTS, &contacts, &count), BS_OK);
    const auto expected = cpp_.contacts();
    ASSERT_EQ(count, expected.size());
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(contacts[i].a.index, expected[i].a.index);
      ASSERT_EQ(contacts[i].b.index, expected[i].b.index);
      ASSERT_EQ(contacts[i].manifold.size, expected[i].manifold.size);
      ASSERT_EQ(contacts[i].manifold.normal.x, expected[i].manifold.normal.x);
      ASSERT_EQ(contacts[i].manifold.points[1].feature, expected[i].manifold.points[1].feature);
      ASSERT_EQ(contacts[i].begun, expected[i].begun);
      ASSERT_EQ(contacts[i].approach_speed, expected[i].approach_speed);
    }
  }

 private:
  /// Compares where bodies are and how they move: of those that exist, and of all, of which some may be
  /// removed.
  void compare_places() {
    std::vector<BodyId> bodies;
    std::vector<bs_body_id> in_c;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      if (cpp_.contains(ids_[i])) {
        bodies.push_back(ids_[i]);
        in_c.push_back(ids_in_c_[i]);
      }
    }
    compare_places(bodies, in_c);
    compare_places(ids_, ids_in_c_);
  }

  void compare_places(const std::vector<BodyId>& bodies, const std::vector<bs_body_id>& in_c) {
    const std::size_t count = bodies.size();
    std::vector<Vec2> positions(count);
    std::vector<Vec2> velocities(count);
    std::vector<Transform> transforms(count);
    std::vector<bs_vec2> positions_c(count);
    std::vector<bs_vec2> velocities_c(count);
    std::vector<bs_transform> transforms_c(count, bs_transform_at(0, 0));
    expect_same_error(bs_world_positions(c_, in_c.data(), count, positions_c.data()),
                      cpp_.positions(bodies, positions).error());
    expect_same_error(bs_world_velocities(c_, in_c.data(), count, velocities_c.data()),
                      cpp_.velocities(bodies, velocities).error());
    expect_same_error(bs_world_transforms(c_, in_c.data(), count, transforms_c.data()),
                      cpp_.transforms(bodies, transforms).error());
    for (std::size_t i = 0; i < count; ++i) {  // as they were made if the calls failed
      ASSERT_EQ((Vec2{positions_c[i].x, positions_c[i].y}), positions[i]);
      ASSERT_EQ((Vec2{velocities_c[i].x, velocities_c[i].y}), velocities[i]);
      ASSERT_EQ(transforms_c[i].position.x, transforms[i].position.x);
      ASSERT_EQ(transforms_c[i].position.y, transforms[i].position.y);
      ASSERT_EQ(transforms_c[i].rotation.cos, transforms[i].rotation.cos);
      ASSERT_EQ(transforms_c[i].rotation.sin, transforms[i].rotation.sin);
    }
  }

  static void expect_same_error(bs_status status, const Error& error) {
    ASSERT_EQ(status == BS_OK, error.code == ErrorCode::none) << bs_last_error() << error.message;
    if (error) {
      ASSERT_EQ(bs_status_name(status), name(error.code)) << error.message;
    }
  }

  Vec2 point() { return {random_.between(-8, 8), random_.between(-8, 8)}; }
  /// The place in the lists of a body, or that of a removed one.
  std::size_t any() { return ids_.empty() ? 0 : random_.below(static_cast<std::uint32_t>(ids_.size())); }

  void add() {
    bs_body_def body = bs_body_def_default();
    BodyDef same;
    std::vector<bs_shape> shapes;
    for (std::uint32_t i = 0; i <= random_.below(2); ++i) {
      const BothShapes both = draw_shape(random_);
      shapes.push_back(both.c);
      if (i == 0) {
        same.shape = both.cpp;
      } else {
        same.more_shapes.push_back(both.cpp);
      }
    }
    body.shapes = shapes.data();
    body.shape_count = shapes.size();
    const std::uint32_t type = random_.below(4);
    body.type = static_cast<bs_body_type>(type);
    same.type = static_cast<BodyType>(type);
    same.position = point();
    same.velocity = type == 0 ? Vec2{} : point();
    body.transform.position = in_c(same.position);
    body.velocity = in_c(same.velocity);
    same.tag = random_.below(2) == 0 ? "a" : "b";
    body.tag = same.tag.c_str();
    same.filter.layer = 1 + random_.below(3);
    same.filter.group = -static_cast<std::int32_t>(random_.below(3));
    body.filter.layer = same.filter.layer;
    body.filter.group = same.filter.group;
    body.sensor = same.sensor = random_.below(5) == 0;
    body.bullet = same.bullet = random_.below(5) == 0;
    body.enabled = same.enabled = random_.below(9) != 0;
    if (random_.below(2) == 0) {
      same.mass = body.mass = 2.5F;
    }
    bs_body_id id{};
    const bs_status status = bs_world_add(c_, &body, 1, &id);
    const auto added = cpp_.add(same);
    ASSERT_NO_FATAL_FAILURE(expect_same_error(status, added.error()));
    if (added.has_value()) {
      ids_.push_back(*added);
      ids_in_c_.push_back(id);
      ASSERT_EQ(id.index, added->index);
      ASSERT_EQ(id.generation, added->generation);
    }
  }

  void remove() {
    if (!ids_.empty() && random_.below(2) == 0) {
      const std::size_t at = any();
      ASSERT_NO_FATAL_FAILURE(
          expect_same_error(bs_world_remove(c_, &ids_in_c_[at], 1), cpp_.remove(ids_[at]).error()));
    }
  }

  void move() {
    std::vector<BodyId> ids;
    std::vector<bs_body_id> in_c_too;
    std::vector<Vec2> places;
    for (std::uint32_t left = random_.below(4); left > 0 && !ids_.empty(); --left) {
      const std::size_t at = any();
      ids.push_back(ids_[at]);
      in_c_too.push_back(ids_in_c_[at]);
      places.push_back(point());
    }
    ASSERT_NO_FATAL_FAILURE(expect_same_error(
        bs_world_move_to(c_, in_c_too.data(), reinterpret_cast<const bs_vec2*>(places.data()), ids.size()),
        cpp_.move(ids, places).error()));
  }

  void change() {
    if (ids_.empty()) {
      return;
    }
    const std::size_t at = any();
    const BodyId id = ids_[at];
    const bs_body_id same = ids_in_c_[at];
    const Vec2 v = point();
    const bool flag = random_.below(2) == 0;
    bs_status status = BS_OK;
    Error error;
    switch (random_.below(9)) {
      case 0:
        status = bs_world_set_velocity(c_, same, in_c(v));
        error = cpp_.set_velocity(id, v).error();
        break;
      case 1:
        status = bs_world_push(c_, same, in_c(v));
        error = cpp_.push(id, v).error();
        break;
      case 2:
        status = bs_world_set_enabled(c_, same, flag);
        error = cpp_.set_enabled(id, flag).error();
        break;
      case 3:
        status = bs_world_set_sensor(c_, same, flag);
        error = cpp_.set_sensor(id, flag).error();
        break;
      case 4:
        status = bs_world_set_tag(c_, same, flag ? "a" : nullptr);
        error = cpp_.set_tag(id, flag ? "a" : "").error();
        break;
      case 5: {
        const BothShapes both = draw_shape(random_);
        status = bs_world_set_shape(c_, same, &both.c);
        error = cpp_.set_shape(id, both.cpp).error();
        ASSERT_EQ(status == BS_OK,
                  error.code == ErrorCode::none);  // of two errors, C reports that of the shape
        return;
      }
      case 6: {
        const std::size_t other = any();
        status = bs_world_set_ignored(c_, same, ids_in_c_[other], flag);
        error = cpp_.set_ignored(id, ids_[other], flag).error();
        break;
      }
      case 7: {
        bs_slide_result result{};
        status = bs_world_move_and_slide(c_, same, in_c(v), nullptr, &result);
        const auto slid = cpp_.move_and_slide(id, v);
        error = slid.error();
        if (slid.has_value()) {
          ASSERT_EQ(result.position.x, slid->position.x);
          ASSERT_EQ(result.hit_count, slid->hits.size());
          ASSERT_EQ(result.has_ground, slid->ground.has_value());
        }
        break;
      }
      default:
        status = bs_world_set_technique(c_, flag ? "uniform-grid" : "hierarchical-grid");
        break;
    }
    ASSERT_NO_FATAL_FAILURE(expect_same_error(status, error));
  }

  void query() {
    const Vec2 start = point();
    const Vec2 way = point();
    const bs_body_hit* hits = nullptr;
    std::size_t count = 0;
    ASSERT_EQ(bs_world_cast_ray_all(c_, in_c(start), in_c(way), nullptr, &hits, &count), BS_OK);
    std::size_t seen = 0;
    cpp_.visit_ray(start, way,
                   [&](const BodyHit& hit) {
                     EXPECT_TRUE(seen < count && hits[seen].body.index == hit.body.index &&
                                 hits[seen].hit.fraction == hit.fraction &&
                                 hits[seen].hit.point.y == hit.point.y);
                     ++seen;
                     return true;
                   })
        .value();
    ASSERT_EQ(seen, count);
    const bs_nearest* nearest = nullptr;
    ASSERT_EQ(bs_world_nearest(c_, in_c(start), 3, 5.0F, nullptr, &nearest, &count), BS_OK);
    const auto expected = cpp_.nearest(start, 3, 5.0F).value();
    ASSERT_EQ(count, expected.size());
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(nearest[i].body.index, expected[i].body.index);
      ASSERT_EQ(nearest[i].distance, expected[i].distance);
    }
  }

  void step() {
    const float seconds = random_.below(20) == 0 ? -1.0F : random_.between(0, 0.1F);
    ASSERT_NO_FATAL_FAILURE(expect_same_error(bs_world_step(c_, seconds), cpp_.step(seconds).error()));
  }

  Random random_;
  World cpp_;
  bs_world* c_ = nullptr;
  std::vector<BodyId> ids_;
  std::vector<bs_body_id> ids_in_c_;
  std::uint64_t sum_cpp_ = 0;
  std::uint64_t sum_c_ = 0;
};

TEST(CInterface, has_the_worlds_of_cpp) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Worlds worlds(seed);
    for (int call = 0; call < 80; ++call) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", call " << call);
      ASSERT_NO_FATAL_FAILURE(worlds.do_one());
      ASSERT_NO_FATAL_FAILURE(worlds.compare());
    }
  }
}

TEST(CInterface, reports_that_the_memory_of_a_world_ran_out) {
#if defined(__cpp_exceptions)
  const bs_shape circle = bs_circle(1.0F);
  std::vector<bs_body_def> bodies(50, bs_body_def_default());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].shapes = &circle;
    bodies[i].shape_count = 1;
    bodies[i].transform.position.x = 1.5F * static_cast<float>(i);
  }
  std::size_t failed = 0;
  for (std::size_t allowed = 0; allowed < 600; ++allowed) {
    bs_world* world = nullptr;
    std::vector<bs_body_id> ids(bodies.size());
    const std::uint8_t* bytes = nullptr;
    const bs_body_id* found = nullptr;
    std::size_t count = 0;
    bs_status status = BS_OK;
    {
      const SharedAllocationLimit limit(allowed, Failing::once);
      status = bs_world_create(nullptr, &world);
      status = status == BS_OK ? bs_world_add(world, bodies.data(), bodies.size(), ids.data()) : status;
      status = status == BS_OK ? bs_world_step(world, 0.01F) : status;
      status = status == BS_OK ? bs_world_snapshot(world, &bytes, &count) : status;
      status = status == BS_OK ? bs_world_query_area(world, {0, 0, 9, 9}, nullptr, &found, &count) : status;
      ASSERT_TRUE(status == BS_OK || (status == BS_OUT_OF_MEMORY && limit.struck())) << allowed;
    }
    failed += status == BS_OUT_OF_MEMORY ? 1 : 0;
    bs_world_destroy(world);
  }
  EXPECT_GT(failed, 100U);
#endif
}

}  // namespace
}  // namespace broadside::test::c_world_test
