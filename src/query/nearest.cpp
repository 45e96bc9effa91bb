#include "broadside/query/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/rounding.hpp"
#include "broadside/contact/collide.hpp"
#include "query/checks.hpp"
#include "query/scratch.hpp"

namespace broadside {

namespace {

// A distance is rounded to a float; what is farther by more than this share is not nearer by rounding.
constexpr double rounding = 0x1p-22;

bool is_before(const Nearest& a, const Nearest& b) {
  return a.distance < b.distance || (a.distance == b.distance && a.index < b.index);
}

double distance_from(const Aabb& box, Vec2 point) {
  const auto apart = [](float low, float high, float at) {
    return std::max({0.0, static_cast<double>(low) - static_cast<double>(at),
                     static_cast<double>(at) - static_cast<double>(high)});
  };
  const double x = apart(box.min.x, box.max.x, point.x);
  const double y = apart(box.min.y, box.max.y, point.y);
  return std::sqrt(x * x + y * y);
}

Aabb square_around(Vec2 point, double radius) {
  const auto low = [radius](float at) { return detail::round_down(static_cast<double>(at) - radius); };
  const auto high = [radius](float at) { return detail::round_up(static_cast<double>(at) + radius); };
  return {{low(point.x), low(point.y)}, {high(point.x), high(point.y)}};
}

struct Candidate {
  double distance;  ///< of the box
  BoxIndex index;

  friend bool operator<(const Candidate& a, const Candidate& b) { return a.distance < b.distance; }
};

/// The best so far, the worst of them on top of a heap.
class Best {
 public:
  Best(std::size_t count, float max_distance, std::vector<Nearest>& hits)
      : count_(count), limit_(max_distance), hits_(hits) {}

  /// Returns the distance beyond which nothing is wanted any more.
  [[nodiscard]] double limit() const {
    // Distances beyond the largest float are that float.
    return limit_ == std::numeric_limits<float>::max()
               ? std::numeric_limits<double>::infinity()
               : static_cast<double>(limit_) * (1.0 + rounding) +
                     static_cast<double>(std::numeric_limits<float>::min());
  }
  [[nodiscard]] bool is_full() const { return hits_.size() == count_; }

  void take(const Nearest& one) {
    if (one.distance > limit_) {
      return;
    }
    if (is_full()) {
      if (!is_before(one, hits_.front())) {
        return;
      }
      std::pop_heap(hits_.begin(), hits_.end(), is_before);
      hits_.back() = one;
    } else {
      hits_.push_back(one);
    }
    std::push_heap(hits_.begin(), hits_.end(), is_before);
    limit_ = is_full() ? hits_.front().distance : limit_;
  }

 private:
  std::size_t count_;
  float limit_;
  std::vector<Nearest>& hits_;
};

void find_nearest(const ShapeSet& set, Vec2 point, Accept accept, Best& best) {
  const Shape spot = Circle{};
  const Transform at{point, {}};
  const std::size_t all = set.boxes.size();
  constexpr double most = 4.0 * static_cast<double>(std::numeric_limits<float>::max());
  detail::Scratch<std::vector<BoxIndex>> names;
  detail::Scratch<std::vector<Candidate>> candidates;
  bool has_looked = false;
  Aabb seen;
  double radius = std::max(static_cast<double>(set.boxes.first_look()),
                           static_cast<double>(std::numeric_limits<float>::denorm_min()));
  for (;; radius *= 2.0) {
    radius = std::min(radius, std::min(best.limit(), most));
    const Aabb square = square_around(point, radius);
    names->clear();
    set.boxes.append_area(square, *names);
    candidates->clear();
    for (const BoxIndex index : *names) {
      const Aabb& box = set.boxes.box_of(index);
      const double distance = distance_from(box, point);
      if (distance <= best.limit() && !(has_looked && overlaps(box, seen))) {
        candidates->push_back({distance, index});
      }
    }
    std::sort(candidates->begin(), candidates->end());
    for (const Candidate& one : *candidates) {
      if (one.distance > best.limit()) {
        break;
      }
      if (accept(one.index)) {
        const Distance found = distance(set.shapes[one.index], set.transforms[one.index], spot, at);
        best.take({one.index, found.distance, found.point_a});
      }
    }
    if (best.limit() <= radius || radius >= most || names->size() == all) {
      return;
    }
    seen = square;
    has_looked = true;
    // Where many were looked at in vain, all are looked at rather than many for many times.
    radius = 4 * names->size() > all ? most : radius;
  }
}

}  // namespace

Result<void> nearest(const ShapeSet& set, Vec2 point, std::size_t count, float max_distance, Accept accept,
                     std::vector<Nearest>& hits) {
  hits.clear();
  if (Error error = detail::find_error(set)) {
    return error;
  }
  if (Error error = detail::find_error(point, "point")) {
    return error;
  }
  if (!is_finite(max_distance)) {
    return Error{ErrorCode::not_finite, "max_distance must be a finite number; the largest for any distance"};
  }
  if (max_distance < 0.0F) {
    return Error{ErrorCode::invalid_argument, "max_distance must be 0 or more"};
  }
  if (count == 0) {
    return {};
  }
  Best best(count, max_distance, hits);
  find_nearest(set, point, accept, best);
  std::sort_heap(hits.begin(), hits.end(), is_before);
  return {};
}

}  // namespace broadside
