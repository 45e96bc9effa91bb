#include "broadside/query/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rounding.hpp"
#include "base/tolerances.hpp"
#include "broad_phase/box_search.hpp"
#include "broadside/contact/collide.hpp"
#include "query/checks.hpp"
#include "query/prefetch_object.hpp"
#include "query/scratch.hpp"

namespace broadside {

namespace {

// Distances are rounded to float: a shape that is farther by more than this factor stays farther after
// rounding.
constexpr double rounding = 2.0 * detail::epsilon_of_float;

// A function object instead of a function, so that sort and heap functions can inline it.
constexpr auto is_before = [](const NearestShape& a, const NearestShape& b) {
  return a.distance < b.distance || (a.distance == b.distance && a.index < b.index);
};

/// Returns the squared distance of a point from a box: a lower bound for the shape in it, up to rounding.
double squared_distance(const Aabb& box, Vec2 point) {
  const auto gap = [](float low, float high, float at) {
    const double below = static_cast<double>(low) - static_cast<double>(at);
    const double above = static_cast<double>(at) - static_cast<double>(high);
    const double larger = below > above ? below : above;
    return larger > 0.0 ? larger : 0.0;
  };
  const double x = gap(box.min.x, box.max.x, point.x);
  const double y = gap(box.min.y, box.max.y, point.y);
  return x * x + y * y;
}

/// Returns a square that contains all points within `radius` of a point.
Aabb square_around(Vec2 point, double radius) {
  const auto low = [radius](float at) { return detail::round_down(static_cast<double>(at) - radius); };
  const auto high = [radius](float at) { return detail::round_up(static_cast<double>(at) + radius); };
  return {{low(point.x), low(point.y)}, {high(point.x), high(point.y)}};
}

/// A box whose shape may be a hit.
struct Candidate {
  double distance2;  ///< of the box, squared
  BoxIndex index;

  friend bool operator<(const Candidate& a, const Candidate& b) { return a.distance2 < b.distance2; }
};

/// The best `count` hits so far: sorted if `count` is small, else a heap with the worst on top once it is
/// full.
class Best {
 public:
  Best(std::size_t count, float max_distance, std::vector<NearestShape>& hits) : count_(count), hits_(hits) {
    set_max_distance(max_distance);
  }

  /// Returns the distance beyond which hits are no longer wanted.
  [[nodiscard]] double limit() const { return limit_; }
  [[nodiscard]] bool is_full() const { return hits_.size() == count_; }
  /// Returns whether a shape with this index would be among the best at distance 0.
  [[nodiscard]] bool would_accept(BoxIndex index) const {
    return !is_full() || worst().distance > 0.0F || index < worst().index;
  }

  /// Inserts a hit if it is among the best; the worst is dropped if there are too many.
  void offer(const NearestShape& hit) {
    if (hit.distance > max_distance_ || (is_full() && !is_before(hit, worst()))) {
      return;
    }
    if (is_heap()) {
      insert_in_heap(hit);
    } else {
      insert_sorted(hit);
    }
    if (is_full()) {
      set_max_distance(worst().distance);
    }
  }

  /// Sorts the hits.
  void sort() {
    if (is_heap()) {
      std::sort(hits_.begin(), hits_.end(), is_before);
    }
  }

 private:
  static constexpr std::size_t max_sorted = 16;

  [[nodiscard]] bool is_heap() const { return count_ > max_sorted; }
  [[nodiscard]] const NearestShape& worst() const { return is_heap() ? hits_.front() : hits_.back(); }

  void set_max_distance(float distance) {
    max_distance_ = distance;
    // Distances beyond the largest float are reported as that float.
    limit_ = distance == std::numeric_limits<float>::max()
                 ? std::numeric_limits<double>::infinity()
                 : static_cast<double>(distance) * (1.0 + rounding) +
                       static_cast<double>(std::numeric_limits<float>::min());
  }

  void insert_in_heap(const NearestShape& hit) {
    if (is_full()) {
      std::pop_heap(hits_.begin(), hits_.end(), is_before);
      hits_.back() = hit;
      std::push_heap(hits_.begin(), hits_.end(), is_before);
    } else {
      hits_.push_back(hit);
      if (is_full()) {
        std::make_heap(hits_.begin(), hits_.end(), is_before);
      }
    }
  }

  // Hits arrive by the distance of their boxes, so most of them go last.
  void insert_sorted(const NearestShape& hit) {
    if (!is_full()) {
      hits_.push_back(hit);
    }
    std::size_t at = hits_.size() - 1;
    for (; at > 0 && is_before(hit, hits_[at - 1]); --at) {
      hits_[at] = hits_[at - 1];
    }
    hits_[at] = hit;
  }

  std::size_t count_;
  float max_distance_ = 0.0F;  ///< the largest distance that is still wanted
  double limit_ = 0.0;         ///< a little more, for rounding
  std::vector<NearestShape>& hits_;
};

/// Tests the shapes in boxes around a point.
class Search {
 public:
  Search(const ShapeSet& set, Vec2 point, std::size_t count, Accept accept, Best& best)
      : set_(set),
        boxes_(set.boxes),
        point_(point),
        at_{point, {}},
        count_(count),
        accept_(accept),
        best_(best) {}

  void run() {
    const auto test_found = [this](std::span<const detail::Near> found) {
      for (const detail::Near& box : found.first(std::min<std::size_t>(found.size(), prefetched))) {
        detail::prefetch_object(set_.shapes[box.index]);
        detail::prefetch_object(set_.transforms[box.index]);
      }
      for (const detail::Near& box : found) {
        if (box.distance2 > squared_limit()) {
          break;
        }
        test_shape(box.index);
      }
      return best_.limit();
    };
    detail::Scratch<detail::NearestScratch> scratch;
    if (!boxes_.visit_nearest({point_, count_, best_.limit()}, *scratch, test_found)) {
      search_squares();
    }
  }

 private:
  /// Tests the shapes in a square, and in ever larger squares until the search is complete.
  void search_squares() {
    // The first square is small: two small squares cost less than one that is too large.
    constexpr double first_share = 0.5;
    constexpr double growth = 1.5;
    const std::size_t all = boxes_.size();
    const float initial = boxes_.initial_radius();
    double next_radius = initial < std::numeric_limits<float>::max()
                             ? first_share * std::sqrt(static_cast<double>(std::min(count_, all))) *
                                   static_cast<double>(initial)
                             : max_radius;
    detail::Scratch<std::vector<BoxIndex>> found;
    detail::Scratch<std::vector<Candidate>> candidates;
    for (;; next_radius *= growth) {
      const double radius = std::min(next_radius, std::min(best_.limit(), max_radius));
      found->clear();
      boxes_.append(square_around(point_, radius), *found);
      const bool is_all = radius >= max_radius || found->size() == all;
      const double radius2 = is_all ? std::numeric_limits<double>::infinity() : radius * radius;
      test_boxes(*found, radius2, *candidates);
      if (best_.limit() <= radius || is_all) {
        return;
      }
      searched_radius2_ = radius2;
      // If a square with a quarter of all boxes was not enough, all boxes are tested next: growing the square
      // further would find the same boxes many times.
      next_radius = 4 * found->size() > all ? max_radius : next_radius;
    }
  }

  /// Tests those of the boxes `found` that the circle touches and the circle before did not. The nearest come
  /// first: their hits often lower the limit below the distance of the others.
  void test_boxes(std::span<const BoxIndex> found, double radius2, std::vector<Candidate>& candidates) {
    candidates.clear();
    const double limit2 = std::min(squared_limit(), radius2);
    for (const BoxIndex index : found) {
      const double distance2 = squared_distance(boxes_.box(index), point_);
      if (distance2 <= limit2 && distance2 > searched_radius2_) {
        candidates.push_back({distance2, index});
      }
    }
    const auto begin = candidates.begin();
    const auto end = candidates.end();
    const std::size_t nearest = std::min(count_, candidates.size());
    const auto middle = begin + static_cast<std::ptrdiff_t>(nearest);
    if (middle != end) {
      std::nth_element(begin, middle, end);
    }
    for (const Candidate& candidate : candidates) {
      if (candidate.distance2 <= squared_limit()) {
        test_shape(candidate.index);
      }
    }
  }

  void test_shape(BoxIndex index) {
    if (best_.would_accept(index) && accept_(index)) {
      const Distance found = distance(set_.shapes[index], set_.transforms[index], point_shape_, at_);
      best_.offer({index, found.distance, found.point_a});
    }
  }

  [[nodiscard]] double squared_limit() const { return best_.limit() * best_.limit(); }

  static constexpr std::size_t prefetched = 16;
  // A circle of this radius around any point contains all boxes: no two points are farther apart than 2.83
  // times the largest float.
  static constexpr double max_radius = 4.0 * static_cast<double>(std::numeric_limits<float>::max());

  const ShapeSet& set_;
  const detail::BoxSearch boxes_;
  Vec2 point_;
  Shape point_shape_ = Circle{};
  Transform at_;
  std::size_t count_;
  Accept accept_;
  Best& best_;
  double searched_radius2_ = -1.0;  ///< squared radius within which all boxes were tested
};

}  // namespace

Result<void> nearest(const ShapeSet& set, Vec2 point, std::size_t count, float max_distance,
                     std::vector<NearestShape>& hits, Accept accept) {
  hits.clear();
  if (Error error = detail::find_error(set, point, "point")) {
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
  Search(set, point, count, accept, best).run();
  best.sort();
  return {};
}

}  // namespace broadside
