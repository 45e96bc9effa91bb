#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "distributed/messages.hpp"
#include "distributed/world_state.hpp"

namespace broadside::inline v0_2 {

using detail::ByteReader;
using detail::ByteWriter;

namespace {

/// Returns a box around a ray, with a margin for the rounding of its end and of hits.
Aabb box_of(const RayQuery& ray) {
  const auto side = [](float start, float motion, double sign) {
    constexpr double max_float = std::numeric_limits<float>::max();
    const auto from = static_cast<double>(start);
    const double to = from + static_cast<double>(motion);
    const double margin = 1e-6 * (std::abs(from) + std::abs(to));
    const double end = sign < 0.0 ? std::min(from, to) - margin : std::max(from, to) + margin;
    return static_cast<float>(std::clamp(end, -max_float, max_float));
  };
  return {{side(ray.start.x, ray.motion.x, -1.0), side(ray.start.y, ray.motion.y, -1.0)},
          {side(ray.start.x, ray.motion.x, 1.0), side(ray.start.y, ray.motion.y, 1.0)}};
}

GlobalHit take_hit(ByteReader& in) {
  GlobalHit hit;
  hit.body = {in.take<std::uint64_t>()};
  hit.hit.fraction = in.take_float();
  hit.hit.normal = in.take_vec2();
  hit.hit.point = in.take_vec2();
  return hit;
}

bool is_earlier(const GlobalHit& a, const GlobalHit& b) {
  return a.hit.fraction != b.hit.fraction ? a.hit.fraction < b.hit.fraction : a.body < b.body;
}

const Error damaged{ErrorCode::parse, "query: a damaged message"};

/// Which questions were sent to which part, in their order.
class Asked {
 public:
  Asked(const Partition& partition, int parts)
      : partition_(partition), by_part_(static_cast<std::size_t>(parts)), questions_(by_part_.size()) {}

  /// Sends a question to the parts that a box meets.
  template <typename Write>
  void add(std::size_t number, const Aabb& box, const Write& write) {
    partition_.parts_of(box, [&](int part) {
      by_part_[static_cast<std::size_t>(part)].push_back(number);
      write(questions_[static_cast<std::size_t>(part)]);
    });
  }
  [[nodiscard]] std::vector<ByteWriter>& questions() { return questions_; }
  /// Reads the answers: calls `take(in, number)` for each question of each part.
  template <typename Take>
  [[nodiscard]] bool read(const std::vector<Communicator::Message>& answers, const Take& take) const {
    for (std::size_t part = 0; part < answers.size(); ++part) {
      ByteReader in(answers[part]);
      for (const std::size_t number : by_part_[part]) {
        take(in, number);
      }
      if (in.failed()) {
        return false;
      }
    }
    return true;
  }

 private:
  const Partition& partition_;
  std::vector<std::vector<std::size_t>> by_part_;
  std::vector<ByteWriter> questions_;
};

}  // namespace

bool DistributedWorld::State::answers(const Aabb& area, const Aabb& box) const {
  const Vec2 corner{std::max(area.min.x, box.min.x), std::max(area.min.y, box.min.y)};
  return halo.partition().part_of(corner) == others.rank();
}

Result<void> DistributedWorld::State::prepare_query(Error error) {
  if (error) {
    static_cast<void>(refuse(std::move(error)));
  }
  if (auto agreement = agree(); !agreement.has_value()) {
    return agreement.error();
  }
  return settle();  // bodies may have moved since contacts were found
}

Result<std::vector<Communicator::Message>> DistributedWorld::State::ask(
    std::vector<ByteWriter>& questions, FunctionRef<void(ByteReader&, ByteWriter&)> answer) {
  auto asked = others.exchange(detail::take_all(questions));
  if (!asked.has_value()) {
    return asked;
  }
  std::vector<ByteWriter> outgoing(asked->size());
  auto is_read = detail::read_all(*asked, "query",
                                  [&](ByteReader& in, std::size_t from) { answer(in, outgoing[from]); });
  return is_read.has_value() ? others.exchange(detail::take_all(outgoing)) : is_read.error();
}

void DistributedWorld::State::answer_area(const Aabb& area, ByteWriter& out) const {
  std::vector<std::uint64_t> found;
  if (is_valid(area)) {
    for (const BodyId body : local.query_area(area).value()) {
      if (answers(area, local.bounds(body).value())) {
        found.push_back(held.ids()[body.index].value);
      }
    }
  }
  out.put_count(found.size());
  for (const std::uint64_t id : found) {
    out.put(id);
  }
}

void DistributedWorld::State::answer_ray(const RayQuery& ray, ByteWriter& out) const {
  std::optional<GlobalHit> first;
  const auto visited = local.visit_ray(ray.start, ray.motion, [&](const BodyHit& hit) {
    const GlobalHit global{held.ids()[hit.body.index], hit};
    if (!first || is_earlier(global, *first)) {
      first = global;
    }
    return hit.fraction <= first->hit.fraction;  // several bodies may be hit at the same time
  });
  out.put(static_cast<std::uint8_t>(visited.has_value() && first ? 1 : 0));
  if (visited.has_value() && first) {
    out.put(first->body.value);
    out.put(first->hit.fraction);
    out.put(first->hit.normal);
    out.put(first->hit.point);
  }
}

Result<std::vector<std::vector<GlobalId>>> DistributedWorld::query_areas(std::span<const Aabb> areas) {
  State& state = *state_;
  Error error;
  for (std::size_t i = 0; i < areas.size() && !error; ++i) {
    error = is_valid(areas[i]) ? Error{} : state.local.query_area(areas[i]).error();
  }
  if (auto prepared = state.prepare_query(std::move(error)); !prepared.has_value()) {
    return prepared.error();
  }
  Asked asked(state.halo.partition(), state.others.size());
  for (std::size_t i = 0; i < areas.size(); ++i) {
    asked.add(i, areas[i], [&](ByteWriter& out) { out.put_words(areas[i]); });
  }
  const auto answers = state.ask(asked.questions(), [&](ByteReader& in, ByteWriter& out) {
    state.answer_area(in.take_words<Aabb>(), out);
  });
  if (!answers.has_value()) {
    return answers.error();
  }
  std::vector<std::vector<GlobalId>> found(areas.size());
  const bool is_read = asked.read(*answers, [&](ByteReader& in, std::size_t number) {
    for (std::size_t left = in.take_count(sizeof(std::uint64_t)); left > 0; --left) {
      found[number].push_back({in.take<std::uint64_t>()});
    }
  });
  for (std::vector<GlobalId>& ids : found) {
    std::sort(ids.begin(), ids.end());
  }
  return is_read ? Result<std::vector<std::vector<GlobalId>>>(std::move(found)) : damaged;
}

Result<std::vector<std::optional<GlobalHit>>> DistributedWorld::cast_rays(std::span<const RayQuery> rays) {
  State& state = *state_;
  Error error;
  for (std::size_t i = 0; i < rays.size() && !error; ++i) {
    const bool is_valid = is_finite(rays[i].start) && is_finite(rays[i].motion);
    error = is_valid ? Error{} : state.local.cast_ray(rays[i].start, rays[i].motion).error();
  }
  if (auto prepared = state.prepare_query(std::move(error)); !prepared.has_value()) {
    return prepared.error();
  }
  Asked asked(state.halo.partition(), state.others.size());
  for (std::size_t i = 0; i < rays.size(); ++i) {
    asked.add(i, box_of(rays[i]), [&](ByteWriter& out) { out.put_words(rays[i]); });
  }
  const auto answers = state.ask(asked.questions(), [&](ByteReader& in, ByteWriter& out) {
    state.answer_ray(in.take_words<RayQuery>(), out);
  });
  if (!answers.has_value()) {
    return answers.error();
  }
  std::vector<std::optional<GlobalHit>> first(rays.size());
  const bool is_read = asked.read(*answers, [&](ByteReader& in, std::size_t number) {
    if (in.take_below<std::uint8_t>(2) != 0) {
      const GlobalHit hit = take_hit(in);
      if (!first[number] || is_earlier(hit, *first[number])) {
        first[number] = hit;
      }
    }
  });
  return is_read ? Result<std::vector<std::optional<GlobalHit>>>(std::move(first)) : damaged;
}

}  // namespace broadside::inline v0_2
