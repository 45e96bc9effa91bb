#include "broadside/broad_phase/broad_phase.hpp"

#include <algorithm>
#include <chrono>

#include "broadside/base/validate.hpp"

namespace broadside {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

BoxIndex BroadPhase::take_slot(const Aabb& box, BodyType type) {
  if (free_.empty()) {
    boxes_.push_back(box);
    types_.push_back(type);
    used_.push_back(1);
    return static_cast<BoxIndex>(boxes_.size() - 1);
  }
  const BoxIndex index = free_.back();
  free_.pop_back();
  boxes_[index] = box;
  types_[index] = type;
  used_[index] = 1;
  return index;
}

Error BroadPhase::stale(BoxIndex index) const {
  return {ErrorCode::stale_id,
          "box " + std::to_string(index) + " is not in this broad phase; it was removed or " + "never added"};
}

Result<BoxIndex> BroadPhase::add(const Aabb& box, BodyType type) {
  if (auto valid = validate(box, "box to add"); !valid) {
    return valid.error();
  }
  const BoxIndex index = take_slot(box, type);
  on_added({&index, 1});
  return index;
}

Result<std::vector<BoxIndex>> BroadPhase::add(std::span<const Aabb> boxes, BodyType type) {
  if (auto valid = validate(boxes); !valid) {
    return valid.error();
  }
  std::vector<BoxIndex> indices;
  indices.reserve(boxes.size());
  if (boxes_.empty()) {
    boxes_.reserve(boxes.size());
    types_.reserve(boxes.size());
    used_.reserve(boxes.size());
  }
  for (const Aabb& box : boxes) {
    indices.push_back(take_slot(box, type));
  }
  on_added(indices);
  return indices;
}

Result<void> BroadPhase::move(BoxIndex index, const Aabb& box) {
  return move({&index, 1}, {&box, 1});
}

Result<void> BroadPhase::move(std::span<const BoxIndex> indices, std::span<const Aabb> boxes) {
  if (indices.size() != boxes.size()) {
    return Error{ErrorCode::invalid_argument, "move: " + std::to_string(indices.size()) + " indices but " +
                                                  std::to_string(boxes.size()) +
                                                  " boxes; there must be as many"};
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (!contains(indices[i])) {
      return stale(indices[i]);
    }
    if (!is_valid(boxes[i])) {
      return validate(boxes[i], "new box of " + std::to_string(indices[i])).error();
    }
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    boxes_[indices[i]] = boxes[i];
  }
  on_moved(indices);
  return {};
}

Result<void> BroadPhase::remove(BoxIndex index) {
  if (!contains(index)) {
    return stale(index);
  }
  used_[index] = 0;
  free_.push_back(index);
  on_removed(index);
  return {};
}

Result<Aabb> BroadPhase::box(BoxIndex index) const {
  if (!contains(index)) {
    return stale(index);
  }
  return boxes_[index];
}

void BroadPhase::update() {
  const auto start = Clock::now();
  bring_up_to_date();
  statistics_.update_seconds = seconds_since(start);
}

std::span<Pair> BroadPhase::find_pairs() {
  update();
  const auto start = Clock::now();
  statistics_.tests = 0;
  pairs_.clear();
  collect_pairs(pairs_);
  statistics_.hits = pairs_.size();
  statistics_.pairs_seconds = seconds_since(start);
  return pairs_.pairs();
}

Result<void> BroadPhase::query_area(const Aabb& area, std::vector<BoxIndex>& hits) const {
  hits.clear();
  if (auto valid = validate(area, "area"); !valid) {
    return valid;
  }
  if (!is_stale()) {
    collect_area(area, hits);
    std::sort(hits.begin(), hits.end());
    return {};
  }
  for (BoxIndex i = 0; i < slots(); ++i) {
    if (is_used(i) && overlaps(boxes_[i], area)) {
      hits.push_back(i);
    }
  }
  return {};
}

Statistics BroadPhase::statistics() const {
  Statistics result = statistics_;
  result.boxes = size();
  result.bytes = structure_bytes() + boxes_.capacity() * sizeof(Aabb) + types_.capacity() * sizeof(BodyType) +
                 used_.capacity() + free_.capacity() * sizeof(BoxIndex);
  return result;
}

}  // namespace broadside
