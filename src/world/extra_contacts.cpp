#include <algorithm>
#include <limits>
#include <tuple>

#include "world/state.hpp"

namespace broadside::inline v0_2 {

// Adds contacts of bodies whose shapes do not touch, or whose types make no pair: contacts of the last step
// whose gap is within the end margin, and ground that `move_and_slide` put a body on since the last step.
void World::State::add_extra() {
  const auto& records = slide_memory.records();
  const bool any_on_ground = std::any_of(records.begin(), records.end(),
                                         [this](const auto& record) { return is_on_ground(record); });
  if (options.end_margin == 0.0F && !any_on_ground) {
    return;
  }
  extra.reset(finder.found(), [this](const Contact& contact) { return bodies.owners(contact.pair); });
  const auto locked = lock();  // the rules call the predicate
  for (const detail::SlideRecord& record : records) {
    if (is_on_ground(record)) {
      const Pair pair = ordered_pair(record.body.index, record.ground->body.index);
      if (!extra.is_found(pair) && !rules.is_filtered(pair)) {
        extra.add(nearest_contact(pair));
      }
    }
  }
  if (options.end_margin > 0.0F) {
    add_within_margin();
  }
  finder.add(extra.sorted());
}

/// Adds the contacts of the last step that this step did not find, and whose gap is within the end margin.
void World::State::add_within_margin() {
  contacts().for_each([&](const Contact& before) {
    const Pair pair = before.pair;
    const auto [a, b] = pair;
    const bool is_kept = !searched.contains(a) && !searched.contains(b);
    if (!is_kept && !extra.is_found(pair) && !changes.has(pair, reassigned) && !rules.keeps_apart(pair)) {
      const Contact nearest = nearest_contact(pair);
      const float gap = nearest.manifold.points[0].separation;
      if (gap > 0.0F && gap <= options.end_margin) {
        extra.add(nearest);
      }
    }
  });
}

/// Tells whether `move_and_slide` put a body on ground since the last step, and it was not moved since.
bool World::State::is_on_ground(const detail::SlideRecord& record) const {
  return record.is_dirty && bodies.transform(record.body.index) == record.at &&
         bodies.contains(record.ground->body);
}

/// Returns the deepest contact of the shapes of two bodies. If none of them touch, returns the closest points
/// of the nearest two as a contact: its point is on the first shape, and its separation is the distance.
Contact World::State::nearest_contact(Pair pair) const {
  float min_separation = std::numeric_limits<float>::infinity();
  Contact nearest;
  bodies.for_each_part(pair.a, [&](Place i) {
    bodies.for_each_part(pair.b, [&](Place j) {
      const Pair shapes{std::min(i, j), std::max(i, j)};
      const auto& [shape_a, at_a] = std::tie(bodies.shape(shapes.a), bodies.transform(shapes.a));
      const auto& [shape_b, at_b] = std::tie(bodies.shape(shapes.b), bodies.transform(shapes.b));
      Manifold manifold = collide(shape_a, at_a, shape_b, at_b);
      if (!manifold.touching()) {
        const Distance apart = distance(shape_a, at_a, shape_b, at_b);
        manifold.normal = apart.normal;
        manifold.size = 1;
        manifold.points[0] = {apart.point_a, apart.distance};
      }
      if (deepest(manifold) < min_separation) {
        min_separation = deepest(manifold);
        nearest = {shapes, manifold};
      }
    });
  });
  return nearest;
}

}  // namespace broadside::inline v0_2
