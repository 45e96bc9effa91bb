#include "model.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

namespace broadside::test {

Rect rect_of(const Aabb& box, BodyType type) {
  return {box.min.x, box.min.y, box.max.x, box.max.y, type == BodyType::dynamic};
}

std::vector<Rect> rects_of(std::span<const Aabb> boxes) {
  std::vector<Rect> rects;
  rects.reserve(boxes.size());
  for (const Aabb& box : boxes) {
    rects.push_back(rect_of(box));
  }
  return rects;
}

BoxIndex Model::pick(std::size_t n) const {
  return std::next(bodies_.begin(), static_cast<std::ptrdiff_t>(n % bodies_.size()))->first;
}

std::vector<Rect> Model::rects() const {
  std::vector<Rect> rects;
  rects.reserve(bodies_.size());
  for (const auto& [index, body] : bodies_) {
    rects.push_back(rect_of(body.box, body.type));
  }
  return rects;
}

// The oracle returns positions; the map is ordered by index, so replacing them by indices keeps every order.
std::vector<IndexPair> Model::pairs() const {
  std::vector<BoxIndex> indices;
  for (const auto& [index, body] : bodies_) {
    indices.push_back(index);
  }
  auto pairs = all_pairs(rects());
  for (auto& [a, b] : pairs) {
    a = indices[a];
    b = indices[b];
  }
  return pairs;
}

std::vector<BoxIndex> Model::in_area(const Aabb& area) const {
  std::vector<BoxIndex> found;
  for (const auto& [index, body] : bodies_) {
    if (!disjoint(rect_of(body.box), rect_of(area))) {
      found.push_back(index);
    }
  }
  return found;
}

std::uint64_t Model::pairs_that_can_touch() const {
  std::uint64_t dynamic = 0;
  for (const auto& [index, body] : bodies_) {
    dynamic += body.type == BodyType::dynamic ? 1 : 0;
  }
  const std::uint64_t others = bodies_.size() - dynamic;
  return dynamic * (dynamic > 0 ? dynamic - 1 : 0) / 2 + dynamic * others;
}

std::vector<IndexPair> sorted_pairs_of(std::span<const Pair> pairs) {
  std::vector<IndexPair> result;
  result.reserve(pairs.size());
  for (const Pair& pair : pairs) {
    result.emplace_back(pair.a, pair.b);
  }
  std::sort(result.begin(), result.end());
  return result;
}

namespace {

testing::AssertionResult same_pairs(const std::vector<IndexPair>& found,
                                    const std::vector<IndexPair>& wanted) {
  if (found == wanted) {
    return testing::AssertionSuccess();
  }
  auto failure = testing::AssertionFailure();
  failure << "found " << found.size() << " pairs, there are " << wanted.size();
  std::vector<IndexPair> missing;
  std::vector<IndexPair> surplus;
  std::set_difference(wanted.begin(), wanted.end(), found.begin(), found.end(), std::back_inserter(missing));
  std::set_difference(found.begin(), found.end(), wanted.begin(), wanted.end(), std::back_inserter(surplus));
  if (!missing.empty()) {
    failure << "; missing " << missing[0].first << "-" << missing[0].second;
  }
  if (!surplus.empty()) {
    failure << "; wrong or repeated " << surplus[0].first << "-" << surplus[0].second;
  }
  return failure;
}

}  // namespace

testing::AssertionResult query_agrees(const BroadPhase& phase, const Model& model, const Aabb& area) {
  std::vector<BoxIndex> found{12345};  // must be overwritten
  if (const auto done = phase.query_area(area, found); !done.has_value()) {
    return testing::AssertionFailure() << "query refused: " << done.error().message;
  }
  const std::vector<BoxIndex> wanted = model.in_area(area);
  if (found != wanted) {
    return testing::AssertionFailure()
           << "query of (" << area.min.x << ", " << area.min.y << ")..(" << area.max.x << ", " << area.max.y
           << ") found " << testing::PrintToString(found) << " instead of " << testing::PrintToString(wanted);
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult holds_the_same(const BroadPhase& phase, const Model& model) {
  if (phase.size() != model.bodies().size()) {
    return testing::AssertionFailure() << "size " << phase.size() << " instead of " << model.bodies().size();
  }
  BoxIndex end = 0;
  for (const auto& [index, body] : model.bodies()) {
    const auto box = phase.box(index);
    if (!phase.contains(index) || !box.has_value() || *box != body.box) {
      return testing::AssertionFailure() << "box " << index << " is not what it was set to";
    }
    end = index + 1;
  }
  for (BoxIndex index = 0; index <= end; ++index) {
    if (phase.contains(index) != model.bodies().contains(index)) {
      return testing::AssertionFailure()
             << "box " << index << " is " << (phase.contains(index) ? "" : "not ") << "there";
    }
  }
  if (phase.statistics().boxes != model.bodies().size()) {
    return testing::AssertionFailure() << "statistics count " << phase.statistics().boxes << " boxes";
  }
  constexpr float most = std::numeric_limits<float>::max();
  return query_agrees(phase, model, {{-most, -most}, {most, most}});
}

namespace {

/// Checks the pairs of every n-th box.
testing::AssertionResult pairs_of_some_agree(BroadPhase& phase, const Model& model, std::size_t n) {
  std::set<BoxIndex> asked;
  std::size_t count = 0;
  for (const auto& [index, body] : model.bodies()) {
    if (count++ % n == 0) {
      asked.insert(index);
    }
  }
  std::vector<IndexPair> expected = model.pairs();
  std::erase_if(expected, [&](const IndexPair& pair) {
    return !asked.contains(pair.first) && !asked.contains(pair.second);
  });
  const auto found = phase.find_pairs_of(std::vector<BoxIndex>(asked.begin(), asked.end()));
  if (!found.has_value()) {
    return testing::AssertionFailure() << found.error().message;
  }
  const auto same = same_pairs(sorted_pairs_of(*found), expected);
  return same ? same : testing::AssertionFailure() << "of every " << n << "th: " << same.message();
}

}  // namespace

testing::AssertionResult agrees(BroadPhase& phase, const Model& model) {
  for (const std::size_t n : {1U, 7U}) {
    if (auto same = pairs_of_some_agree(phase, model, n); !same) {
      return same;
    }
  }
  const auto pairs = sorted_pairs_of(phase.find_pairs());
  if (auto same = same_pairs(pairs, model.pairs()); !same) {
    return same;
  }
  const Statistics statistics = phase.statistics();
  if (statistics.hits != pairs.size()) {
    return testing::AssertionFailure() << statistics.hits << " hits for " << pairs.size() << " pairs";
  }
  // The default technique keeps boxes that moved away in its rows for a while, and tests them there; the same
  // holds for candidates of removed boxes, even of the last ones.
  const std::uint64_t n = model.bodies().size();
  const bool leaves_some = phase.name() == "hierarchical-grid";
  const std::uint64_t most =
      leaves_some ? 3 * model.pairs_that_can_touch() + (n + 32) * (n + 32) : model.pairs_that_can_touch();
  if (statistics.tests < statistics.hits || statistics.tests > most) {
    return testing::AssertionFailure() << statistics.tests << " tests for " << statistics.hits << " hits and "
                                       << model.pairs_that_can_touch() << " pairs that can touch";
  }
  return holds_the_same(phase, model);
}

void fill(BroadPhase& phase, Model& model, std::span<const Aabb> boxes, Random& random) {
  for (const Aabb& box : boxes) {
    const BodyType type = random_type(random);
    model.add(phase.add(box, type).value(), box, type);
  }
}

void fill(BroadPhase& phase, Model& model, std::span<const Aabb> boxes) {
  for (const Aabb& box : boxes) {
    model.add(phase.add(box).value(), box, BodyType::dynamic);
  }
}

}  // namespace broadside::test
