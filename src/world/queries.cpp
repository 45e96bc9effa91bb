#include <algorithm>

#include "broadside/query/area.hpp"
#include "broadside/query/cast.hpp"
#include "broadside/query/nearest.hpp"
#include "broadside/query/ray.hpp"
#include "world/state.hpp"

namespace broadside {

bool World::State::is_asked_for(Place place, const QueryFilter& query) const {
  const Slot& slot = slots[place];
  const bool type_fits = slot.type == BodyType::static_body ? query.static_bodies
                         : slot.type == BodyType::kinematic ? query.kinematic_bodies
                                                            : query.dynamic_bodies;
  if (!slot.enabled || !type_fits || (slot.sensor && !query.sensors) ||
      (query.except && id(owner(place)) == query.except)) {
    return false;
  }
  const Filter& body = filters[slot.filter];
  if (body.group != 0 && body.group == query.filter.group) {
    return body.group > 0;
  }
  return (query.filter.mask & body.layer) != 0 && (body.mask & query.filter.layer) != 0;
}

/// Asks a query of the shapes as they are now, with the visitors kept from changing anything.
template <typename Ask>
auto World::State::ask(const QueryFilter& filter, Ask query) {
  bring_up_to_date();
  const Lock lock(locks);
  const auto accept = [&](BoxIndex place) { return is_asked_for(place, filter); };
  return query(ShapeSet{*broad_phase, shapes, transforms}, Accept(accept));
}

namespace {

/// Lets each body through once, however many of its shapes are found.
class Once {
 public:
  bool is_first(BoxIndex owner, bool has_parts) {
    if (!has_parts) {
      return true;
    }
    const auto at = std::lower_bound(seen_.begin(), seen_.end(), owner);
    if (at != seen_.end() && *at == owner) {
      return false;
    }
    seen_.insert(at, owner);
    return true;
  }

 private:
  std::vector<BoxIndex> seen_;
};

}  // namespace

/// Has `visit_shapes` visit shapes, and shows the bodies that they are of.
template <typename VisitShapes>
Result<void> World::State::visit_bodies(const QueryFilter& filter, BodyVisitor visit,
                                        VisitShapes visit_shapes) {
  return ask(filter, [&](const ShapeSet& set, Accept accept) {
    Once once;
    const auto show = [&](BoxIndex place) {
      const Place body = owner(place);
      return !once.is_first(body, has_parts()) || visit(id(body));
    };
    return visit_shapes(set, accept, Visit(show));
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
  if (auto done = visit_bodies(FunctionRef<bool(BodyId)>(take)); !done) {
    return done.error();
  }
  std::sort(bodies.begin(), bodies.end());  // of several shapes, the first may stand behind those of others
  return bodies;
}

}  // namespace

Result<void> World::visit_area(const Aabb& area, BodyVisitor visit, const QueryFilter& filter) const {
  return state_->visit_bodies(filter, visit, [&](const ShapeSet& set, Accept accept, Visit show) {
    return broadside::visit_area(set, area, accept, show);
  });
}

Result<std::vector<BodyId>> World::query_area(const Aabb& area, const QueryFilter& filter) const {
  return collect([&](BodyVisitor visit) { return visit_area(area, visit, filter); });
}

Result<void> World::visit_point(Vec2 point, BodyVisitor visit, const QueryFilter& filter) const {
  return state_->visit_bodies(filter, visit, [&](const ShapeSet& set, Accept accept, Visit show) {
    return broadside::visit_point(set, point, accept, show);
  });
}

Result<std::vector<BodyId>> World::query_point(Vec2 point, const QueryFilter& filter) const {
  return collect([&](BodyVisitor visit) { return visit_point(point, visit, filter); });
}

Result<void> World::visit_shape(const Shape& shape, const Transform& transform, BodyVisitor visit,
                                const QueryFilter& filter) const {
  return state_->visit_bodies(filter, visit, [&](const ShapeSet& set, Accept accept, Visit show) {
    return broadside::visit_shape(set, shape, transform, accept, show);
  });
}

Result<std::vector<BodyId>> World::query_shape(const Shape& shape, const Transform& transform,
                                               const QueryFilter& filter) const {
  return collect([&](BodyVisitor visit) { return visit_shape(shape, transform, visit, filter); });
}

Result<void> World::visit_ray(Vec2 start, Vec2 way, RayVisitor visit, const QueryFilter& filter) const {
  return state_->ask(filter, [&](const ShapeSet& set, Accept accept) {
    Once once;
    const auto show = [&](const RayCastHit& hit) {
      const State::Place body = state_->owner(hit.index);
      return !once.is_first(body, state_->has_parts()) || visit({state_->id(body), hit.hit});
    };
    return broadside::visit_ray(set, start, way, accept, show);
  });
}

Result<std::optional<BodyRayHit>> World::cast_ray(Vec2 start, Vec2 way, const QueryFilter& filter) const {
  const auto first = state_->ask(filter, [&](const ShapeSet& set, Accept accept) {
    return broadside::cast_ray(set, start, way, accept);
  });
  if (!first) {
    return first.error();
  }
  return *first ? std::optional<BodyRayHit>({state_->id(state_->owner((*first)->index)), (*first)->hit})
                : std::optional<BodyRayHit>();
}

Result<void> World::visit_cast(const Shape& shape, const Transform& transform, Vec2 motion, CastVisitor visit,
                               const QueryFilter& filter) const {
  return state_->ask(filter, [&](const ShapeSet& set, Accept accept) {
    Once once;
    const auto show = [&](const ShapeCastHit& hit) {
      const State::Place body = state_->owner(hit.index);
      return !once.is_first(body, state_->has_parts()) || visit({state_->id(body), hit.hit});
    };
    return broadside::visit_cast(set, shape, transform, motion, accept, show);
  });
}

Result<std::optional<BodyCastHit>> World::cast_shape(const Shape& shape, const Transform& transform,
                                                     Vec2 motion, const QueryFilter& filter) const {
  const auto first = state_->ask(filter, [&](const ShapeSet& set, Accept accept) {
    return broadside::cast_shape(set, shape, transform, motion, accept);
  });
  if (!first) {
    return first.error();
  }
  return *first ? std::optional<BodyCastHit>({state_->id(state_->owner((*first)->index)), (*first)->hit})
                : std::optional<BodyCastHit>();
}

// Of a body with several shapes more than one may be among the nearest: then more are asked for.
Result<std::vector<NearBody>> World::nearest(Vec2 point, std::size_t count, float max_distance,
                                             const QueryFilter& filter) const {
  std::vector<Nearest> hits;
  std::vector<NearBody> bodies;
  for (std::size_t wanted = count;; wanted *= 2) {
    const auto found = state_->ask(filter, [&](const ShapeSet& set, Accept accept) {
      return broadside::nearest(set, point, wanted, max_distance, accept, hits);
    });
    if (!found) {
      return found.error();
    }
    bodies.clear();
    Once once;
    for (const Nearest& hit : hits) {
      const State::Place body = state_->owner(hit.index);
      if (bodies.size() < count && once.is_first(body, state_->has_parts())) {
        bodies.push_back({state_->id(body), hit.distance, hit.point});
      }
    }
    if (bodies.size() >= count || hits.size() < wanted) {
      return bodies;
    }
  }
}

}  // namespace broadside
