#include "broadside/query/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rounding.hpp"
#include "contact/circle/point_distance.hpp"
#include "query/checks.hpp"
#include "query/prefetch_object.hpp"
#include "query/scratch.hpp"

namespace broadside {

namespace {

// Distances are rounded to float: a shape that is farther by more than this factor stays farther after
// rounding.
constexpr double rounding = 0x1p-22;

// A function object instead of a function, so that sort and heap functions can inline it.
constexpr auto is_before = [](const NearestShape& a, const NearestShape& b) {
  return a.distance < b.distance || (a.distance == b.distance && a.index < b.index);
};

/// Returns the squared distance of a point from a box: a lower bound for the shape in it, up to rounding.
double squared_distance(const Aabb& box, Vec2 point) {
  const auto apart = [](float low, float high, float at) {
    const double before = static_cast<double>(low) - static_cast<double>(at);
    const double beyond = static_cast<double>(at) - static_cast<double>(high);
    const double most = before > beyond ? before : beyond;
    return most > 0.0 ? most : 0.0;
  };
  const double x = apart(box.min.x, box.max.x, point.x);
  const double y = apart(box.min.y, box.max.y, point.y);
  return x * x + y * y;
}

Aabb square_around(Vec2 point, double radius) {
  const auto low = [radius](float at) { return detail::round_down(static_cast<double>(at) - radius); };
  const auto high = [radius](float at) { return detail::round_up(static_cast<double>(at) + radius); };
  return {{low(point.x), low(point.y)}, {high(point.x), high(point.y)}};
}

struct Candidate {
  double distance2;  ///< of the box, squared
  BoxIndex index;

  friend bool operator<(const Candidate& a, const Candidate& b) { return a.distance2 < b.distance2; }
};

/// The best hits so far: sorted if `count` is small, otherwise a heap with the worst on top once it is full.
class Best {
 public:
  Best(std::size_t count, float max_distance, std::vector<NearestShape>& hits) : count_(count), hits_(hits) {
    set_limit(max_distance);
  }

  /// Returns the distance beyond which hits are no longer wanted.
  [[nodiscard]] double limit() const { return limit_; }
  [[nodiscard]] bool is_full() const { return hits_.size() == count_; }
  /// Returns whether a shape with this index would be among the best at distance 0.
  [[nodiscard]] bool would_accept(BoxIndex index) const {
    return !is_full() || worst().distance > 0.0F || index < worst().index;
  }

  void take(const NearestShape& one) {
    if (one.distance > most_ || (is_full() && !is_before(one, worst()))) {
      return;
    }
    if (count_ > few) {
      insert_in_heap(one);
    } else {
      insert_sorted(one);
    }
    if (is_full()) {
      set_limit(worst().distance);
    }
  }

  /// Sorts the hits.
  void sort() {
    if (count_ > few) {
      std::sort(hits_.begin(), hits_.end(), is_before);
    }
  }

 private:
  static constexpr std::size_t few = 16;

  [[nodiscard]] const NearestShape& worst() const { return count_ > few ? hits_.front() : hits_.back(); }

  void set_limit(float most) {
    most_ = most;
    // Distances beyond the largest float are reported as that float.
    limit_ = most == std::numeric_limits<float>::max()
                 ? std::numeric_limits<double>::infinity()
                 : static_cast<double>(most) * (1.0 + rounding) +
                       static_cast<double>(std::numeric_limits<float>::min());
  }

  void insert_in_heap(const NearestShape& one) {
    if (is_full()) {
      std::pop_heap(hits_.begin(), hits_.end(), is_before);
      hits_.back() = one;
      std::push_heap(hits_.begin(), hits_.end(), is_before);
    } else {
      hits_.push_back(one);
      if (is_full()) {
        std::make_heap(hits_.begin(), hits_.end(), is_before);
      }
    }
  }

  // Hits arrive by the distance of their boxes, so most of them go last.
  void insert_sorted(const NearestShape& one) {
    if (!is_full()) {
      hits_.push_back(one);
    }
    std::size_t at = hits_.size() - 1;
    for (; at > 0 && is_before(one, hits_[at - 1]); --at) {
      hits_[at] = hits_[at - 1];
    }
    hits_[at] = one;
  }

  std::size_t count_;
  float most_ = 0.0F;   ///< the largest distance that is still wanted
  double limit_ = 0.0;  ///< a little more, for rounding
  std::vector<NearestShape>& hits_;
};

/// Tests the shapes in boxes around a point.
class Search {
 public:
  Search(const ShapeSet& set, Vec2 point, std::size_t count, Accept accept, Best& best)
      : set_(set), point_(point), at_{point, {}}, count_(count), accept_(accept), best_(best) {}

  void run() {
    const auto take = [this](std::span<const detail::Near> found) {
      for (const detail::Near& one : found.first(std::min<std::size_t>(found.size(), soon))) {
        detail::prefetch_object(set_.shapes[one.index]);
        detail::prefetch_object(set_.transforms[one.index]);
      }
      for (const detail::Near& one : found) {
        if (one.distance2 > squared_limit()) {
          break;
        }
        look_at(one.index);
      }
      return best_.limit();
    };
    detail::Scratch<detail::NearestScratch> scratch;
    if (!set_.boxes.visit_nearest({point_, count_, best_.limit()}, *scratch, take)) {
      search_squares();
    }
  }

 private:
  /// Tests the shapes in a square, and in ever larger squares until the search is complete.
  void search_squares() {
    // As a share of the side of a square that holds a few boxes: two small squares cost less than one too
    // large.
    constexpr double first_share = 0.5;
    constexpr double growth = 1.5;
    const std::size_t all = set_.boxes.size();
    const float look = set_.boxes.initial_search_radius();
    double beyond =
        look < std::numeric_limits<float>::max()
            ? first_share * std::sqrt(static_cast<double>(std::min(count_, all))) * static_cast<double>(look)
            : most;
    detail::Scratch<std::vector<BoxIndex>> names;
    detail::Scratch<std::vector<Candidate>> candidates;
    for (;; beyond *= growth) {
      const double radius = std::min(beyond, std::min(best_.limit(), most));
      names->clear();
      set_.boxes.append_area(square_around(point_, radius), *names);
      const bool is_all = radius >= most || names->size() == all;
      const double radius2 = is_all ? std::numeric_limits<double>::infinity() : radius * radius;
      test_boxes(*names, radius2, *candidates);
      if (best_.limit() <= radius || is_all) {
        return;
      }
      searched_radius2_ = radius2;
      // A square with a quarter of all boxes was not enough: test all boxes next, not many of them many
      // times.
      beyond = 4 * names->size() > all ? most : beyond;
    }
  }

  /// Tests the boxes in a circle that were not in the one before. NearestShape first: their hits often lower
  /// the limit below the distance of the others.
  void test_boxes(std::span<const BoxIndex> names, double radius2, std::vector<Candidate>& candidates) {
    candidates.clear();
    const double limit2 = std::min(squared_limit(), radius2);
    for (const BoxIndex index : names) {
      const double distance2 = squared_distance(set_.boxes.box_of(index), point_);
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
    for (const Candidate& one : candidates) {
      if (one.distance2 <= squared_limit()) {
        look_at(one.index);
      }
    }
  }

  void look_at(BoxIndex index) {
    if (best_.would_accept(index) && accept_(index)) {
      const auto found = detail::distance_to_point(set_.shapes[index], set_.transforms[index], at_);
      best_.take({index, found.distance, found.on_shape});
    }
  }

  [[nodiscard]] double squared_limit() const { return best_.limit() * best_.limit(); }

  static constexpr std::size_t soon = 16;
  static constexpr double most = 4.0 * static_cast<double>(std::numeric_limits<float>::max());

  const ShapeSet& set_;
  Vec2 point_;
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
  Search(set, point, count, accept, best).run();
  best.sort();
  return {};
}

}  // namespace broadside
