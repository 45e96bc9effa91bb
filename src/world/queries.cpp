#include <algorithm>
#include <functional>
#include <utility>

#include "base/ordered.hpp"
#include "broadside/query/area.hpp"
#include "broadside/query/cast.hpp"
#include "broadside/query/nearest.hpp"
#include "broadside/query/ray.hpp"
#include "world/collect.hpp"
#include "world/state.hpp"

namespace broadside::inline v0_2 {

bool World::State::matches(Place place, const QueryFilter& query) const {
  const Slot& slot = bodies.slot(place);
  const bool type_fits = slot.type == BodyType::static_body ? query.static_bodies
                         : slot.type == BodyType::kinematic ? query.kinematic_bodies
                                                            : query.dynamic_bodies;
  if (!slot.enabled || !type_fits || (slot.sensor && !query.sensors) ||
      (query.except && bodies.id(bodies.owner(place)) == query.except)) {
    return false;
  }
  const Filter& body = rules.filter(slot);
  if (body.group != 0 && body.group == query.filter.group) {
    return body.group > 0;
  }
  return (query.filter.mask & body.layer) != 0 && (body.mask & query.filter.layer) != 0;
}

/// Replaces shapes by their bodies, sorted: a part may have a lower place than the first shape of its body.
void World::State::replace_by_owners(std::vector<Place>& found) const {
  std::transform(found.begin(), found.end(), found.begin(),
                 [this](Place place) { return bodies.owner(place); });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

/// Visits the bodies of the shapes that `visit_shapes` visits.
template <typename VisitShapes>
Result<void> World::State::visit_bodies(const QueryFilter& filter, BodyVisitor visit,
                                        VisitShapes visit_shapes) {
  return run_query(filter, [&](const ShapeSet& set, Accept accept) -> Result<void> {
    const auto show = [&](Place body) { return visit(bodies.id(body)) && !rules.is_abandoned(); };
    if (!bodies.has_parts()) {
      return visit_shapes(set, Visit(show), accept);
    }
    auto found = collect<Place>([&](Visit take) { return visit_shapes(set, take, accept); });
    if (!found.has_value()) {
      return found.error();
    }
    replace_by_owners(*found);
    static_cast<void>(std::all_of(found->begin(), found->end(), show));
    return {};
  });
}

Result<void> World::visit_area(const Aabb& area, BodyVisitor visit, const QueryFilter& filter) const {
  return std::shared_ptr(state_)->visit_bodies(filter, visit, [&](auto& set, Visit take, Accept accept) {
    return broadside::visit_area(set, area, take, accept);
  });
}

Result<std::vector<BodyId>> World::query_area(const Aabb& area, const QueryFilter& filter) const {
  return collect<BodyId>([&](BodyVisitor visit) { return visit_area(area, visit, filter); });
}

Result<void> World::visit_point(Vec2 point, BodyVisitor visit, const QueryFilter& filter) const {
  return std::shared_ptr(state_)->visit_bodies(filter, visit, [&](auto& set, Visit take, Accept accept) {
    return broadside::visit_point(set, point, take, accept);
  });
}

Result<std::vector<BodyId>> World::query_point(Vec2 point, const QueryFilter& filter) const {
  return collect<BodyId>([&](BodyVisitor visit) { return visit_point(point, visit, filter); });
}

Result<void> World::visit_shape(const Shape& shape, const Transform& transform, BodyVisitor visit,
                                const QueryFilter& filter) const {
  return std::shared_ptr(state_)->visit_bodies(filter, visit, [&](auto& set, Visit take, Accept accept) {
    return broadside::visit_shape(set, shape, transform, take, accept);
  });
}

Result<std::vector<BodyId>> World::query_shape(const Shape& shape, const Transform& transform,
                                               const QueryFilter& filter) const {
  return collect<BodyId>([&](BodyVisitor visit) { return visit_shape(shape, transform, visit, filter); });
}

namespace {

/// Keeps only the first hit of each body, sorted by (key, body). @param hits by key
template <typename HitOfBody, typename Key>
void keep_first_of_each(std::vector<HitOfBody>& hits, Key key) {
  std::vector<std::pair<std::uint32_t, std::size_t>> by_body;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    by_body.emplace_back(hits[i].body.index, i);
  }
  std::sort(by_body.begin(), by_body.end());
  std::vector<detail::Ordered> order;
  for (std::size_t k = 0; k < by_body.size(); ++k) {
    const auto [body, i] = by_body[k];
    if (k == 0 || by_body[k - 1].first != body) {
      order.push_back({{std::invoke(key, hits[i]), static_cast<double>(body)}, i});
    }
  }
  hits = detail::in_order(hits, order);
}

}  // namespace

/// Visits the bodies that a query along a path hits; `visit_path` is the query for shapes.
template <typename VisitPath>
Result<void> World::State::visit_body_hits(const QueryFilter& filter, HitVisitor visit,
                                           VisitPath visit_path) {
  return run_query(filter, [&](const ShapeSet& set, Accept accept) {
    const auto show = [&](const BodyHit& hit) { return visit(hit) && !rules.is_abandoned(); };
    std::vector<BodyHit> hits;  // only with parts
    const auto take = [&](const ShapeHit& hit) {
      const BodyHit of_body{hit, bodies.id(bodies.owner(hit.index))};
      if (!bodies.has_parts()) {
        return show(of_body);
      }
      hits.push_back(of_body);
      return true;
    };
    auto done = visit_path(set, VisitHit(take), accept);
    keep_first_of_each(hits, &BodyHit::fraction);
    static_cast<void>(std::all_of(hits.begin(), hits.end(), show));
    return done;
  });
}

/// Returns the body of the first hit of a query along a path.
Result<std::optional<BodyHit>> World::State::body_hit(const Result<std::optional<ShapeHit>>& first) const {
  if (!first.has_value()) {
    return first.error();
  }
  return *first ? std::optional(BodyHit{**first, bodies.id(bodies.owner((*first)->index))}) : std::nullopt;
}

Result<void> World::visit_ray(Vec2 start, Vec2 motion, HitVisitor visit, const QueryFilter& filter) const {
  return std::shared_ptr(state_)->visit_body_hits(filter, visit, [&](auto& set, auto take, auto accept) {
    return broadside::visit_ray(set, start, motion, take, accept);
  });
}

Result<std::optional<BodyHit>> World::cast_ray(Vec2 start, Vec2 motion, const QueryFilter& filter) const {
  return state_->body_hit(state_->run_query(filter, [&](const ShapeSet& set, Accept accept) {
    return broadside::cast_ray(set, start, motion, accept);
  }));
}

Result<void> World::visit_cast(const Shape& shape, const Transform& transform, Vec2 motion, HitVisitor visit,
                               const QueryFilter& filter) const {
  return std::shared_ptr(state_)->visit_body_hits(filter, visit, [&](auto& set, auto take, auto accept) {
    return broadside::visit_cast(set, shape, transform, motion, take, accept);
  });
}

Result<std::optional<BodyHit>> World::cast_shape(const Shape& shape, const Transform& transform, Vec2 motion,
                                                 const QueryFilter& filter) const {
  return state_->body_hit(state_->run_query(filter, [&](const ShapeSet& set, Accept accept) {
    return broadside::cast_shape(set, shape, transform, motion, accept);
  }));
}

// Several of the nearest shapes may belong to one body, and among equal distances the shape of the lowest
// body may come last. So the search is repeated with twice the count until the result is certain.
Result<std::vector<Nearest>> World::nearest(Vec2 point, std::size_t count, float max_distance,
                                            const QueryFilter& filter) const {
  std::vector<NearestShape> hits;
  std::vector<Nearest> bodies;
  for (std::size_t wanted = count;; wanted *= 2) {
    const auto found = state_->run_query(filter, [&](const ShapeSet& set, Accept accept) {
      return broadside::nearest(set, point, wanted, max_distance, hits, accept);
    });
    if (!found.has_value()) {
      return found.error();
    }
    bodies.clear();
    for (const NearestShape& hit : hits) {
      bodies.push_back({state_->bodies.id(state_->bodies.owner(hit.index)), hit.distance, hit.point});
    }
    if (!state_->bodies.has_parts()) {
      return bodies;
    }
    keep_first_of_each(bodies, &Nearest::distance);
    const bool is_certain =
        count == 0 || (bodies.size() >= count && bodies[count - 1].distance < hits.back().distance);
    if (hits.size() < wanted || is_certain) {
      bodies.resize(std::min(bodies.size(), count));
      return bodies;
    }
  }
}

}  // namespace broadside::inline v0_2
