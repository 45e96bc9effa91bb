#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "broadside/broad_phase/broad_phase.hpp"
#include "oracle.hpp"

namespace broadside::test {

Rect rect_of(const Aabb& box, BodyType type = BodyType::dynamic);
std::vector<Rect> rects_of(std::span<const Aabb> boxes);

/// The expected content of a broad phase, updated call by call.
class Model {
 public:
  struct Body {
    Aabb box;
    BodyType type;
  };

  void add(BoxIndex index, const Aabb& box, BodyType type) { bodies_[index] = {box, type}; }
  void move(BoxIndex index, const Aabb& box) { bodies_.at(index).box = box; }
  void remove(BoxIndex index) { bodies_.erase(index); }

  [[nodiscard]] const std::map<BoxIndex, Body>& bodies() const { return bodies_; }

  /// Returns the index of the n-th body, modulo their number, which must not be 0.
  [[nodiscard]] BoxIndex pick(std::size_t n) const;

  [[nodiscard]] std::vector<IndexPair> pairs() const;
  [[nodiscard]] std::vector<BoxIndex> in_area(const Aabb& area) const;

  /// Returns how many pairs brute force would test.
  [[nodiscard]] std::uint64_t pairs_that_can_touch() const;

 private:
  [[nodiscard]] std::vector<Rect> rects() const;

  std::map<BoxIndex, Body> bodies_;
};

/// Returns the pairs, repetitions included, sorted and as plain pairs of indices.
std::vector<IndexPair> sorted_pairs_of(std::span<const Pair> pairs);

/// Checks everything that can be queried without a change: size, membership, boxes, and a query.
testing::AssertionResult holds_the_same(const BroadPhase& phase, const Model& model);

/// Finds pairs, and checks them, the counters and `holds_the_same`.
testing::AssertionResult agrees(BroadPhase& phase, const Model& model);

/// Checks a query against the model.
testing::AssertionResult query_agrees(const BroadPhase& phase, const Model& model, const Aabb& area);

/// Adds boxes to both, with types that `random` chooses.
void fill(BroadPhase& phase, Model& model, std::span<const Aabb> boxes, Random& random);

/// Adds dynamic boxes to both.
void fill(BroadPhase& phase, Model& model, std::span<const Aabb> boxes);

}  // namespace broadside::test
