#include "broadside/broad_phase/brute_force.hpp"

namespace broadside {

void BruteForce::update_structure() {
  order_.clear();
  for (BoxIndex i = 0; i < slot_count(); ++i) {
    if (is_used(i) && type_at(i) == BodyType::dynamic) {
      order_.push_back(i);
    }
  }
  dynamic_count_ = order_.size();
  for (BoxIndex i = 0; i < slot_count(); ++i) {
    if (is_used(i) && type_at(i) != BodyType::dynamic) {
      order_.push_back(i);
    }
  }
}

void BruteForce::collect_pairs(detail::PairBuffer& pairs) {
  const std::size_t n = order_.size();
  for (std::size_t i = 0; i < dynamic_count_; ++i) {
    const Aabb box = box_at(order_[i]);
    for (std::size_t j = i + 1; j < n; ++j) {
      if (overlaps(box, box_at(order_[j]))) {
        pairs.push_back(ordered_pair(order_[i], order_[j]));
      }
    }
    statistics_.tests += n - i - 1;
  }
}

void BruteForce::collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const {
  for (BoxIndex i = 0; i < slot_count(); ++i) {
    if (is_used(i) && overlaps(box_at(i), area)) {
      hits.push_back(i);
    }
  }
}

std::size_t BruteForce::structure_bytes() const {
  return order_.capacity() * sizeof(BoxIndex);
}

}  // namespace broadside
