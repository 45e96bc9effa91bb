#include <algorithm>
#include <utility>

#include "broadside/query/area.hpp"
#include "broadside/query/cast.hpp"
#include "broadside/query/nearest.hpp"
#include "broadside/query/ray.hpp"
#include "world/run_query.hpp"

namespace broadside {

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
    if (!bodies.has_parts()) {
      return visit_shapes(set, accept,
                          Visit([&](BoxIndex place) { return visit(bodies.id(place)) && !is_abandoned; }));
    }
    std::vector<Place> found;
    const auto take = [&](BoxIndex place) {
      found.push_back(place);
      return true;
    };
    auto done = visit_shapes(set, accept, Visit(take));
    replace_by_owners(found);
    static_cast<void>(std::all_of(found.begin(), found.end(),
                                  [&](Place body) { return visit(bodies.id(body)) && !is_abandoned; }));
    return done;
  });
}

namespace {

template <typename VisitBodies>
Result<std::vector<BodyId>> collect(VisitBodies visit_bodies) {
  std::vector<BodyId> bodies;
  const auto take = [&](BodyId body) {
    bodies.push_back(body);
    return true;
  };
  if (auto done = visit_bodies(FunctionRef<bool(BodyId)>(take)); !done.has_value()) {
    return done.error();
  }
  return bodies;
}

}  // namespace

Result<void> World::visit_area(const Aabb& area, BodyVisitor visit, const QueryFilter& filter) const {
  const auto state = state_;
  return state->visit_bodies(filter, visit, [&](const ShapeSet& set, Accept accept, Visit visit_all_hits) {
    return broadside::visit_area(set, area, accept, visit_all_hits);
  });
}

Result<std::vector<BodyId>> World::query_area(const Aabb& area, const QueryFilter& filter) const {
  return state_->run_query(filter, [&](const ShapeSet& set, Accept accept) -> Result<std::vector<BodyId>> {
    std::vector<BoxIndex> found;
    if (auto done = collect_area(set, area, accept, found); !done.has_value()) {
      return done.error();
    }
    if (state_->bodies.has_parts()) {
      state_->replace_by_owners(found);
    }
    std::vector<BodyId> bodies(found.size());
    std::transform(found.begin(), found.end(), bodies.begin(),
                   [&](BoxIndex place) { return state_->bodies.id(place); });
    return bodies;
  });
}

Result<void> World::visit_point(Vec2 point, BodyVisitor visit, const QueryFilter& filter) const {
  const auto state = state_;
  return state->visit_bodies(filter, visit, [&](const ShapeSet& set, Accept accept, Visit visit_all_hits) {
    return broadside::visit_point(set, point, accept, visit_all_hits);
  });
}

Result<std::vector<BodyId>> World::query_point(Vec2 point, const QueryFilter& filter) const {
  return collect([&](BodyVisitor visit) { return visit_point(point, visit, filter); });
}

Result<void> World::visit_shape(const Shape& shape, const Transform& transform, BodyVisitor visit,
                                const QueryFilter& filter) const {
  const auto state = state_;
  return state->visit_bodies(filter, visit, [&](const ShapeSet& set, Accept accept, Visit visit_all_hits) {
    return broadside::visit_shape(set, shape, transform, accept, visit_all_hits);
  });
}

Result<std::vector<BodyId>> World::query_shape(const Shape& shape, const Transform& transform,
                                               const QueryFilter& filter) const {
  return collect([&](BodyVisitor visit) { return visit_shape(shape, transform, visit, filter); });
}

namespace {

/// Visits hits by (time, body), each body once; `visit_hits` visits them by (time, place).
template <typename Hit, typename VisitHits, typename Owner, typename Show>
Result<void> show_bodies(VisitHits visit_hits, Owner owner, Show visit_all_hits) {
  std::vector<Hit> hits;
  const auto take = [&](const Hit& hit) {
    hits.push_back(hit);
    return true;
  };
  auto done = visit_hits(FunctionRef<bool(const Hit&)>(take));
  std::stable_sort(hits.begin(), hits.end(), [&](const Hit& x, const Hit& y) {
    return std::pair(x.hit.time, owner(x.index)) < std::pair(y.hit.time, owner(y.index));
  });
  std::vector<BoxIndex> seen;
  for (const Hit& hit : hits) {
    const auto at = std::lower_bound(seen.begin(), seen.end(), owner(hit.index));
    if (at == seen.end() || *at != owner(hit.index)) {
      seen.insert(at, owner(hit.index));
      if (!visit_all_hits(hit)) {
        break;
      }
    }
  }
  return done;
}

}  // namespace

Result<void> World::visit_ray(Vec2 start, Vec2 way, RayVisitor visit, const QueryFilter& filter) const {
  const auto state = state_;
  return state->run_query(filter, [&](const ShapeSet& set, Accept accept) {
    const auto visit_hits = [&](FunctionRef<bool(const RayCastHit&)> visit_all_hits) {
      return broadside::visit_ray(set, start, way, accept, visit_all_hits);
    };
    const auto owner = [&](BoxIndex place) { return state->bodies.owner(place); };
    const auto visit_all_hits = [&](const RayCastHit& hit) {
      return visit({state->bodies.id(owner(hit.index)), hit.hit}) && !state->is_abandoned;
    };
    return state->bodies.has_parts() ? show_bodies<RayCastHit>(visit_hits, owner, visit_all_hits)
                                     : visit_hits(visit_all_hits);
  });
}

Result<std::optional<BodyRayHit>> World::cast_ray(Vec2 start, Vec2 way, const QueryFilter& filter) const {
  const auto first = state_->run_query(filter, [&](const ShapeSet& set, Accept accept) {
    return broadside::cast_ray(set, start, way, accept);
  });
  if (!first.has_value()) {
    return first.error();
  }
  return *first ? std::optional<BodyRayHit>(
                      {state_->bodies.id(state_->bodies.owner((*first)->index)), (*first)->hit})
                : std::optional<BodyRayHit>();
}

Result<void> World::visit_cast(const Shape& shape, const Transform& transform, Vec2 motion, CastVisitor visit,
                               const QueryFilter& filter) const {
  const auto state = state_;
  return state->run_query(filter, [&](const ShapeSet& set, Accept accept) {
    const auto visit_hits = [&](FunctionRef<bool(const ShapeCastHit&)> visit_all_hits) {
      return broadside::visit_cast(set, shape, transform, motion, accept, visit_all_hits);
    };
    const auto owner = [&](BoxIndex place) { return state->bodies.owner(place); };
    const auto visit_all_hits = [&](const ShapeCastHit& hit) {
      return visit({state->bodies.id(owner(hit.index)), hit.hit}) && !state->is_abandoned;
    };
    return state->bodies.has_parts() ? show_bodies<ShapeCastHit>(visit_hits, owner, visit_all_hits)
                                     : visit_hits(visit_all_hits);
  });
}

Result<std::optional<BodyCastHit>> World::cast_shape(const Shape& shape, const Transform& transform,
                                                     Vec2 motion, const QueryFilter& filter) const {
  const auto first = state_->run_query(filter, [&](const ShapeSet& set, Accept accept) {
    return broadside::cast_shape(set, shape, transform, motion, accept);
  });
  if (!first.has_value()) {
    return first.error();
  }
  return *first ? std::optional<BodyCastHit>(
                      {state_->bodies.id(state_->bodies.owner((*first)->index)), (*first)->hit})
                : std::optional<BodyCastHit>();
}

namespace {

/// Sorts bodies by (distance, body) and keeps each once, at its nearest point.
void order_by_body(std::vector<NearBody>& bodies) {
  const auto of_body = [](const NearBody& one) { return std::pair(one.body, one.distance); };
  std::stable_sort(bodies.begin(), bodies.end(),
                   [&](const NearBody& x, const NearBody& y) { return of_body(x) < of_body(y); });
  bodies.erase(std::unique(bodies.begin(), bodies.end(),
                           [](const NearBody& x, const NearBody& y) { return x.body == y.body; }),
               bodies.end());
  std::stable_sort(bodies.begin(), bodies.end(),
                   [](const NearBody& x, const NearBody& y) { return x.distance < y.distance; });
}

}  // namespace

// Several of the nearest shapes may belong to one body, and among equal distances the shape of the lowest
// body may come last. So the search is repeated with twice the count until the result is certain.
Result<std::vector<NearBody>> World::nearest(Vec2 point, std::size_t count, float max_distance,
                                             const QueryFilter& filter) const {
  std::vector<Nearest> hits;
  std::vector<NearBody> bodies;
  for (std::size_t wanted = count;; wanted *= 2) {
    const auto found = state_->run_query(filter, [&](const ShapeSet& set, Accept accept) {
      return broadside::nearest(set, point, wanted, max_distance, accept, hits);
    });
    if (!found.has_value()) {
      return found.error();
    }
    bodies.clear();
    for (const Nearest& hit : hits) {
      bodies.push_back({state_->bodies.id(state_->bodies.owner(hit.index)), hit.distance, hit.point});
    }
    if (!state_->bodies.has_parts()) {
      return bodies;
    }
    order_by_body(bodies);
    const bool is_certain =
        count == 0 || (bodies.size() >= count && bodies[count - 1].distance < hits.back().distance);
    if (hits.size() < wanted || is_certain) {
      bodies.resize(std::min(bodies.size(), count));
      return bodies;
    }
  }
}

}  // namespace broadside
