#include <algorithm>

#include "simulator/model.hpp"

namespace broadside::test::simulator {

/// Returns whether a query may find a body.
bool Model::can_hit(const OneBody& body, const QueryFilter& query) const {
  const std::map<BodyType, bool> wanted{{BodyType::static_body, query.static_bodies},
                                        {BodyType::kinematic, query.kinematic_bodies},
                                        {BodyType::dynamic, query.dynamic_bodies}};
  if (!body.enabled || !wanted.at(body.type) || (body.sensor && !query.sensors) || body.id == query.except) {
    return false;
  }
  if (body.filter.group != 0 && body.filter.group == query.filter.group) {
    return body.filter.group > 0;
  }
  return (body.filter.mask & query.filter.layer) != 0 && (query.filter.mask & body.filter.layer) != 0;
}

std::vector<Model::Found> Model::find_all(const QueryFilter& filter, const Solid& asked) const {
  std::vector<Found> found;
  for (const auto& [index, body] : bodies_) {
    if (!can_hit(body, filter)) {
      continue;
    }
    const Verdict verdict = gap_of({asked}, solids(body)).within(0);
    if (verdict != Verdict::apart) {
      found.push_back({body.id, verdict});
    }
  }
  return found;
}

std::vector<Model::Met> Model::find_in_order(const QueryFilter& filter, const Time& time) const {
  std::vector<Met> found;
  for (const auto& [index, body] : bodies_) {
    if (!can_hit(body, filter)) {
      continue;
    }
    std::optional<float> first;
    for (const Shape& shape : body.shapes) {
      const auto one = time(shape, body.at);
      if (one && (!first || *one < *first)) {
        first = one;
      }
    }
    if (first) {
      found.push_back({body.id, *first});
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Met& x, const Met& y) { return x.time < y.time; });
  return found;
}

}  // namespace broadside::test::simulator
