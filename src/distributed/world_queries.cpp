#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/rounding.hpp"
#include "body/convex.hpp"
#include "broad_phase/swept_box.hpp"
#include "distributed/messages.hpp"
#include "distributed/world_state.hpp"
#include "world/shape_bytes.hpp"

// A query is one round of questions, or two for `nearest`. Each question goes to the parts that its box
// meets. They hold all bodies that the answer may have, owned or as ghosts: a body that meets the box shares
// a point with it, and the part of this point holds the body and is asked.

namespace broadside::inline v0_2 {

using detail::ByteReader;
using detail::ByteWriter;
using detail::SweptBox;

namespace {

// The bytes of questions and answers.

void write(ByteWriter& out, std::optional<GlobalId> except) {
  out.put(except.value_or(detail::Holdings::no_id).value);
}

std::optional<GlobalId> read_except(ByteReader& in) {
  const GlobalId id{in.take<std::uint64_t>()};
  return id == detail::Holdings::no_id ? std::nullopt : std::optional(id);
}

void write(ByteWriter& out, const Aabb& area) {
  out.put_words(area);
}

void read(ByteReader& in, Aabb& area) {
  area = in.take_words<Aabb>();
}

void write(ByteWriter& out, const RayQuery& ray) {
  out.put(ray.start);
  out.put(ray.motion);
  write(out, ray.except);
}

void read(ByteReader& in, RayQuery& ray) {
  ray.start = in.take_vec2();
  ray.motion = in.take_vec2();
  ray.except = read_except(in);
}

void write(ByteWriter& out, const CastQuery& cast) {
  detail::write_shape(out, cast.shape);
  out.put_words(cast.transform);
  out.put(cast.motion);
  write(out, cast.except);
}

void read(ByteReader& in, CastQuery& cast) {
  cast.shape = detail::read_shape(in);
  cast.transform = in.take_words<Transform>();
  cast.motion = in.take_vec2();
  cast.except = read_except(in);
}

void write(ByteWriter& out, const NearestQuery& query) {
  out.put(query.point);
  out.put_count(query.count);
  out.put(query.max_distance);
  write(out, query.except);
}

void read(ByteReader& in, NearestQuery& query) {
  query.point = in.take_vec2();
  query.count = static_cast<std::size_t>(in.take<std::uint64_t>());
  query.max_distance = in.take_float();
  query.except = read_except(in);
}

void write(ByteWriter& out, GlobalId id) {
  out.put(id.value);
}

void read(ByteReader& in, GlobalId& id) {
  id.value = in.take<std::uint64_t>();
}

void write(ByteWriter& out, const GlobalHit& hit) {
  write(out, hit.body);
  out.put_words(hit.hit);
}

void read(ByteReader& in, GlobalHit& hit) {
  read(in, hit.body);
  hit.hit = in.take_words<Hit>();
}

void write(ByteWriter& out, const GlobalNearest& found) {
  write(out, found.body);
  out.put(found.distance);
  out.put(found.point);
}

void read(ByteReader& in, GlobalNearest& found) {
  read(in, found.body);
  found.distance = in.take_float();
  found.point = in.take_vec2();
}

/// One round of questions to parts, and their answers, which are lists.
template <typename Question, typename Answer>
class Round {
 public:
  Round(Communicator& others, const Partition& partition)
      : others_(others),
        partition_(partition),
        numbers_(static_cast<std::size_t>(others.size())),
        questions_(numbers_.size()) {}

  /// Sends a question to the parts that a box meets, except one.
  void add(std::size_t number, const Question& question, const Aabb& box, int except = -1) {
    partition_.parts_of(box, [&](int part) {
      if (part != except) {
        numbers_[static_cast<std::size_t>(part)].push_back(number);
        write(questions_[static_cast<std::size_t>(part)], question);
      }
    });
  }

  /// Calls `answer(question)` for each question that this part gets, and `take(number, answer)` for each
  /// answer to a question of this part. Collective.
  template <typename Answering, typename Take>
  Result<void> run(const Answering& answer, const Take& take) {
    auto asked = others_.exchange(detail::take_all(questions_));
    if (!asked.has_value()) {
      return asked.error();
    }
    std::vector<ByteWriter> outgoing(asked->size());
    auto is_read = detail::read_all(*asked, "query", [&](ByteReader& in, std::size_t from) {
      Question question;
      read(in, question);
      const std::vector<Answer> answers = in.failed() ? std::vector<Answer>() : answer(question);
      outgoing[from].put_count(answers.size());
      for (const Answer& one : answers) {
        write(outgoing[from], one);
      }
    });
    if (!is_read.has_value()) {
      return is_read;
    }
    auto answered = others_.exchange(detail::take_all(outgoing));
    if (!answered.has_value()) {
      return answered.error();
    }
    std::vector<std::size_t> next(numbers_.size());
    return detail::read_all(*answered, "query", [&](ByteReader& in, std::size_t from) {
      in.fail_if(next[from] >= numbers_[from].size());
      for (std::size_t left = in.take_count(sizeof(GlobalId)); left > 0 && !in.failed(); --left) {
        Answer one;
        read(in, one);
        take(numbers_[from][next[from]], one);
      }
      ++next[from];
    });
  }

 private:
  Communicator& others_;
  const Partition& partition_;
  std::vector<std::vector<std::size_t>> numbers_;  ///< of the questions, by the part that is asked
  std::vector<ByteWriter> questions_;
};

bool is_earlier(const GlobalHit& a, const GlobalHit& b) {
  return std::tie(a.hit.fraction, a.body) < std::tie(b.hit.fraction, b.body);
}

bool is_nearer(const GlobalNearest& a, const GlobalNearest& b) {
  return std::tie(a.distance, a.body) < std::tie(b.distance, b.body);
}

/// Sorts the bodies, leaves out repetitions, and keeps the first `count`.
void keep_nearest(std::vector<GlobalNearest>& found, std::size_t count) {
  std::sort(found.begin(), found.end(), is_nearer);
  const auto is_same = [](const GlobalNearest& a, const GlobalNearest& b) { return a.body == b.body; };
  found.erase(std::unique(found.begin(), found.end(), is_same), found.end());
  found.resize(std::min(found.size(), count));
}

/// Returns a box that contains all points within a distance, and those whose distance rounds to it.
Aabb square_around(Vec2 point, float distance) {
  constexpr double rounding = 1e-6;
  const double radius = static_cast<double>(distance) * (1.0 + rounding) +
                        static_cast<double>(std::numeric_limits<float>::min());
  const auto low = [radius](float at) { return detail::round_down(static_cast<double>(at) - radius); };
  const auto high = [radius](float at) { return detail::round_up(static_cast<double>(at) + radius); };
  return {{low(point.x), low(point.y)}, {high(point.x), high(point.y)}};
}

/// Returns the first hit that `visit_hits` visits, if any.
template <typename VisitHits>
std::vector<GlobalHit> first_hit(std::span<const GlobalId> ids, const VisitHits& visit_hits) {
  std::vector<GlobalHit> first;
  const auto visit = [&](const BodyHit& hit) {
    const GlobalHit global{ids[hit.body.index], hit};
    if (first.empty()) {
      first.push_back(global);
    } else if (is_earlier(global, first.front())) {
      first.front() = global;
    }
    return hit.fraction <= first.front().hit.fraction;  // several bodies may be hit at the same time
  };
  return visit_hits(World::HitVisitor(visit)).has_value() ? first : std::vector<GlobalHit>();
}

/// Returns the first hit for each of some paths.
/// @param box_of returns the box around a path
/// @param answer returns the first hit of a path in this part
template <typename Question, typename BoxOf, typename Answering>
Result<std::vector<std::optional<GlobalHit>>> find_first(Communicator& others, const Partition& partition,
                                                         std::span<const Question> paths, const BoxOf& box_of,
                                                         const Answering& answer) {
  Round<Question, GlobalHit> round(others, partition);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    round.add(i, paths[i], box_of(paths[i]));
  }
  std::vector<std::optional<GlobalHit>> first(paths.size());
  const auto done = round.run(answer, [&](std::size_t number, const GlobalHit& hit) {
    if (!first[number] || is_earlier(hit, *first[number])) {
      first[number] = hit;
    }
  });
  return done.has_value() ? Result<std::vector<std::optional<GlobalHit>>>(std::move(first)) : done.error();
}

/// Returns the first error that `find_error` finds.
template <typename Question, typename FindError>
Error first_error(std::span<const Question> questions, const FindError& find_error) {
  for (const Question& question : questions) {
    if (Error error = find_error(question)) {
      return error;
    }
  }
  return {};
}

}  // namespace

bool DistributedWorld::State::answers(const Aabb& area, const Aabb& box) const {
  const Vec2 corner{std::max(area.min.x, box.min.x), std::max(area.min.y, box.min.y)};
  return halo.partition().part_of(corner) == others.rank();
}

QueryFilter DistributedWorld::State::filter_of(std::optional<GlobalId> except) const {
  const auto place = except ? held.find(*except) : std::nullopt;
  return {.except = place ? bodies[*place] : BodyId{}};
}

Result<void> DistributedWorld::State::prepare_query(Error error) {
  if (error) {
    static_cast<void>(balance.refuse(std::move(error)));
  }
  if (auto agreement = agree(); !agreement.has_value()) {
    return agreement.error();
  }
  return settle();  // bodies may have moved since contacts were found
}

/// Returns the bodies of this part that are the nearest to a point, those at equal distances by id.
std::vector<GlobalNearest> DistributedWorld::State::nearest_here(const NearestQuery& query) const {
  const QueryFilter filter = filter_of(query.except);
  auto found = local.nearest(query.point, query.count, query.max_distance, filter);
  if (found.has_value() && !found->empty() && found->size() == query.count) {
    // Of bodies as far as the last one, `World` chose by other ids.
    found = local.nearest(query.point, local.size(), found->back().distance, filter);
  }
  std::vector<GlobalNearest> here;
  for (const Nearest& one : found.value_or(std::vector<Nearest>())) {
    here.push_back({held.ids()[one.body.index], one.distance, one.point});
  }
  keep_nearest(here, query.count);
  return here;
}

Result<std::vector<std::vector<GlobalId>>> DistributedWorld::query_areas(std::span<const Aabb> areas) {
  State& state = *state_;
  auto prepared = state.prepare_query(first_error(areas, [&](const Aabb& area) {
    return is_valid(area) ? Error() : state.local.query_area(area).error();
  }));
  if (!prepared.has_value()) {
    return prepared.error();
  }
  Round<Aabb, GlobalId> round(state.others, state.halo.partition());
  for (std::size_t i = 0; i < areas.size(); ++i) {
    round.add(i, areas[i], areas[i]);
  }
  const auto answer = [&](const Aabb& area) {
    std::vector<GlobalId> ids;
    for (const BodyId body : state.local.query_area(area).value_or(std::vector<BodyId>())) {
      if (state.answers(area, state.local.bounds(body).value())) {
        ids.push_back(state.held.ids()[body.index]);
      }
    }
    return ids;
  };
  std::vector<std::vector<GlobalId>> found(areas.size());
  const auto done = round.run(answer, [&](std::size_t number, GlobalId id) { found[number].push_back(id); });
  for (std::vector<GlobalId>& ids : found) {
    std::sort(ids.begin(), ids.end());
  }
  return done.has_value() ? Result<std::vector<std::vector<GlobalId>>>(std::move(found)) : done.error();
}

Result<std::vector<std::optional<GlobalHit>>> DistributedWorld::cast_rays(std::span<const RayQuery> rays) {
  State& state = *state_;
  auto prepared = state.prepare_query(first_error(rays, [&](const RayQuery& ray) {
    return is_finite(ray.start) && is_finite(ray.motion)
               ? Error()
               : state.local.cast_ray(ray.start, ray.motion).error();
  }));
  if (!prepared.has_value()) {
    return prepared.error();
  }
  const auto box_of = [](const RayQuery& ray) {
    return SweptBox({ray.start, ray.start}, ray.motion).bounds(0.0, 1.0);
  };
  return find_first(state.others, state.halo.partition(), rays, box_of, [&](const RayQuery& ray) {
    return first_hit(state.held.ids(), [&](World::HitVisitor visit) {
      return state.local.visit_ray(ray.start, ray.motion, visit, state.filter_of(ray.except));
    });
  });
}

Result<std::vector<std::optional<GlobalHit>>> DistributedWorld::cast_shapes(
    std::span<const CastQuery> casts) {
  State& state = *state_;
  auto prepared = state.prepare_query(first_error(casts, [&](const CastQuery& cast) {
    const bool is_good = validate(cast.shape).has_value() && is_finite(cast.transform.position) &&
                         detail::is_unit(cast.transform.rotation) && is_finite(cast.motion);
    return is_good ? Error() : state.local.cast_shape(cast.shape, cast.transform, cast.motion).error();
  }));
  if (!prepared.has_value()) {
    return prepared.error();
  }
  const auto box_of = [](const CastQuery& cast) {
    return SweptBox(bounds(cast.shape, cast.transform), cast.motion).bounds(0.0, 1.0);
  };
  return find_first(state.others, state.halo.partition(), casts, box_of, [&](const CastQuery& cast) {
    return first_hit(state.held.ids(), [&](World::HitVisitor visit) {
      return state.local.visit_cast(cast.shape, cast.transform, cast.motion, visit,
                                    state.filter_of(cast.except));
    });
  });
}

// First the part of each point is asked. The distance of the last body that it finds, if it finds enough, is
// a bound: then the other parts within it are asked.
Result<std::vector<std::vector<GlobalNearest>>> DistributedWorld::nearest(
    std::span<const NearestQuery> points) {
  State& state = *state_;
  auto prepared = state.prepare_query(first_error(points, [&](const NearestQuery& query) {
    const bool is_good =
        is_finite(query.point) && is_finite(query.max_distance) && query.max_distance >= 0.0F;
    return is_good ? Error() : state.local.nearest(query.point, query.count, query.max_distance).error();
  }));
  if (!prepared.has_value()) {
    return prepared.error();
  }
  const Partition& partition = state.halo.partition();
  std::vector<std::vector<GlobalNearest>> found(points.size());
  const auto answer = [&](const NearestQuery& query) { return state.nearest_here(query); };
  const auto take = [&](std::size_t number, const GlobalNearest& one) { found[number].push_back(one); };
  Round<NearestQuery, GlobalNearest> first(state.others, partition);
  for (std::size_t i = 0; i < points.size(); ++i) {
    first.add(i, points[i], {points[i].point, points[i].point});
  }
  if (auto done = first.run(answer, take); !done.has_value()) {
    return done.error();
  }
  Round<NearestQuery, GlobalNearest> rest(state.others, partition);
  for (std::size_t i = 0; i < points.size(); ++i) {
    NearestQuery query = points[i];
    if (query.count > 0 && found[i].size() == query.count) {
      query.max_distance = found[i].back().distance;
    }
    if (query.count > 0) {
      rest.add(i, query, square_around(query.point, query.max_distance), partition.part_of(query.point));
    }
  }
  const auto done = rest.run(answer, take);
  for (std::size_t i = 0; i < points.size(); ++i) {
    keep_nearest(found[i], points[i].count);
  }
  return done.has_value() ? Result<std::vector<std::vector<GlobalNearest>>>(std::move(found)) : done.error();
}

}  // namespace broadside::inline v0_2
