#include "distributed/programs.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace broadside::test::distributed {

namespace {

/// Answers questions with one world, those that may be answered with several bodies by id.
class OneWorld {
 public:
  OneWorld(const World& world, std::span<const BodyId> bodies) : world_(world), bodies_(bodies) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      ids_[bodies[i]] = id_of(i);
    }
  }

  [[nodiscard]] Answers answer(const Questions& questions) const {
    Answers answers;
    for (const Aabb& area : questions.areas) {
      auto& ids = answers.found.emplace_back();
      for (const BodyId body : world_.query_area(area).value()) {
        ids.push_back(id(body));
      }
      std::sort(ids.begin(), ids.end());
    }
    for (const RayQuery& ray : questions.rays) {
      answers.hits.push_back(first(
          world_.cast_ray(ray.start, ray.motion, filter(ray.except)).value(), [&](World::HitVisitor visit) {
            world_.visit_ray(ray.start, ray.motion, visit, filter(ray.except)).value();
          }));
    }
    for (const CastQuery& cast : questions.casts) {
      answers.hits.push_back(first(
          world_.cast_shape(cast.shape, cast.transform, cast.motion, filter(cast.except)).value(),
          [&](World::HitVisitor visit) {
            world_.visit_cast(cast.shape, cast.transform, cast.motion, visit, filter(cast.except)).value();
          }));
    }
    for (const NearestQuery& query : questions.points) {
      answers.near.push_back(nearest(query));
    }
    return answers;
  }

 private:
  [[nodiscard]] GlobalId id(BodyId body) const { return ids_.at(body); }
  [[nodiscard]] QueryFilter filter(std::optional<GlobalId> except) const {
    const bool is_known = except && except->counter() < bodies_.size();
    return {.except = is_known ? bodies_[static_cast<std::size_t>(except->counter())] : BodyId{}};
  }
  template <typename VisitAll>
  [[nodiscard]] Struck first(const std::optional<BodyHit>& earliest, const VisitAll& visit_all) const {
    Struck first;
    if (earliest) {
      first.fraction = earliest->fraction;
      const auto visit = [&](const BodyHit& hit) {
        const GlobalId of_hit = id(hit.body);
        const bool is_less = !first.body || of_hit < *first.body;
        first.body = hit.fraction == first.fraction && is_less ? of_hit : first.body;
        return hit.fraction == first.fraction;
      };
      visit_all(World::HitVisitor(visit));
    }
    return first;
  }
  [[nodiscard]] std::vector<Near> nearest(const NearestQuery& query) const {
    std::vector<Near> all;
    for (const Nearest& one :
         world_.nearest(query.point, world_.size(), query.max_distance, filter(query.except)).value()) {
      all.push_back({id(one.body), one.distance});
    }
    std::sort(all.begin(), all.end(), [](const Near& a, const Near& b) {
      return std::pair(a.distance, a.body) < std::pair(b.distance, b.body);
    });
    all.resize(std::min(all.size(), query.count));
    return all;
  }

  const World& world_;
  std::span<const BodyId> bodies_;
  std::map<BodyId, GlobalId> ids_;
};

/// Asks the parts, together.
Answers ask(DistributedWorld& part, const Questions& questions) {
  Answers answers;
  answers.found = part.query_areas(questions.areas).value();
  const auto keep = [&](const std::vector<std::optional<GlobalHit>>& hits) {
    for (const auto& hit : hits) {
      answers.hits.push_back(hit ? Struck{hit->body, hit->hit.fraction} : Struck());
    }
  };
  keep(part.cast_rays(questions.rays).value());
  keep(part.cast_shapes(questions.casts).value());
  for (const auto& bodies : part.nearest(questions.points).value()) {
    auto& near = answers.near.emplace_back();
    for (const GlobalNearest& one : bodies) {
      near.push_back({one.body, one.distance});
    }
  }
  return answers;
}

/// Makes a change if it falls to this part; returns its error.
ErrorCode make(DistributedWorld& part, int rank, const Parts& parts, const Change& change) {
  const GlobalId id = id_of(change.number);
  if (change.what == Change::What::add) {
    const auto count = static_cast<std::size_t>(parts.count);
    const int born_at = parts.add_in_one ? 0 : static_cast<int>(change.number % count);
    return born_at == rank ? part.add(id, change.body).error().code : change.refused;
  }
  const bool is_of_nobody = change.refused == ErrorCode::stale_id;
  if (!part.owns(id) && !(is_of_nobody && rank == 0)) {
    return change.refused;
  }
  return change.what == Change::What::remove ? part.remove(id).error().code
                                             : part.change(id, change.change).error().code;
}

/// Makes the changes of a step. After one that is refused, a step returns its error to all parts.
std::string make_all(DistributedWorld& part, int rank, const Parts& parts, const Step& step) {
  for (const Change& change : step.changes) {
    if (const ErrorCode code = make(part, rank, parts, change); code != change.refused) {
      return "a change returned " + std::string(name(code)) + ", not " + std::string(name(change.refused));
    }
    if (change.refused != ErrorCode::none && part.step(step.seconds).error().code != change.refused) {
      return "a step after a change with the error " + std::string(name(change.refused)) +
             " did not return it";
    }
  }
  return {};
}

}  // namespace

GlobalId id_of(std::size_t number) {
  return GlobalId::of(static_cast<int>(number % 3), number);
}

Outcome outcome_of(const World& world, std::span<const BodyId> bodies, const Questions& questions) {
  std::vector<GlobalId> ids;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    ids.push_back(id_of(i));
  }
  return {DistributedWorld::hash_of(world, bodies, ids).value(), OneWorld(world, bodies).answer(questions)};
}

Parts draw_parts(int count, Random& random) {
  Parts parts{.count = count};
  parts.add_in_one = random.below(3) == 0;
  parts.rebalance.max_imbalance = random.below(2) == 0 ? 1.0F : 1.25F;
  parts.rebalance.interval = 1 + random.below(3);
  parts.rebalance.max_share = 0.05F + 0.9F * random.unit();
  return parts;
}

std::string run_steps(DistributedWorld& part, Communicator& others, const Parts& parts,
                      std::span<const Step> steps, std::span<const Outcome> outcomes) {
  for (std::size_t at = 0; at < steps.size(); ++at) {
    const auto where = [&] {
      return ": step " + std::to_string(at) + " of " + std::to_string(steps.size()) + " in " +
             std::to_string(parts.count) + " parts";
    };
    if (std::string wrong = make_all(part, others.rank(), parts, steps[at]); !wrong.empty()) {
      return wrong + where();
    }
    if (const auto stepped = part.step(steps[at].seconds); !stepped.has_value()) {
      return stepped.error().message + where();
    }
    if (part.hash().value() != outcomes[at].hash) {
      return "other bodies, contacts or events" + where();
    }
    if (ask(part, steps[at].questions) != outcomes[at].answers) {
      return "other answers" + where();
    }
  }
  return {};
}

}  // namespace broadside::test::distributed
