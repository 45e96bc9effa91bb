#include <algorithm>
#include <map>

#include "world/world_model.hpp"

namespace broadside::test {

bool WorldModel::is_asked_for(const OneBody& body, const QueryFilter& query) const {
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

std::vector<BodyId> WorldModel::find_all(const QueryFilter& filter, const Test& test) const {
  std::vector<BodyId> found;
  for (const auto& [index, body] : bodies_) {
    const auto fits = [&test, &at = body.at](const Shape& shape) { return test(shape, at); };
    if (is_asked_for(body, filter) && std::any_of(body.shapes.begin(), body.shapes.end(), fits)) {
      found.push_back(body.id);
    }
  }
  return found;
}

std::vector<WorldModel::Met> WorldModel::find_in_order(const QueryFilter& filter, const Time& time) const {
  std::vector<Met> found;
  for (const auto& [index, body] : bodies_) {
    std::optional<float> first;
    for (const Shape& shape : body.shapes) {
      const auto one = is_asked_for(body, filter) ? time(shape, body.at) : std::nullopt;
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

}  // namespace broadside::test
