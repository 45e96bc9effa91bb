#include "broadside/query/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/by_key.hpp"
#include "base/rounding.hpp"
#include "base/tolerances.hpp"
#include "body/prefetch.hpp"
#include "broad_phase/box_search.hpp"
#include "broadside/contact/collide.hpp"
#include "query/checks.hpp"
#include "query/scratch.hpp"

namespace broadside::inline v0_2 {

namespace {

// Distances are rounded to float: a shape that is farther by more than this factor stays farther after
// rounding.
constexpr double rounding = 2.0 * detail::epsilon_of_float;

// A function object instead of a function, so that sort and heap functions can inline it.
constexpr auto is_nearer = [](const NearestShape& a, const NearestShape& b) {
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

/// Tests the shapes in boxes around a point. The best `count` hits so far are a heap with the worst on top.
class Search {
 public:
  Search(const ShapeSet& set, Vec2 point, std::size_t count, float max_distance, Accept accept,
         std::vector<NearestShape>& hits)
      : set_(set), boxes_(set.boxes), at_{point, {}}, count_(count), accept_(accept), hits_(hits) {
    set_max_distance(max_distance);
  }

  /// Fills the hits, sorted.
  void run() {
    const auto test_found = [this](std::span<const detail::Near> found) {
      for (const detail::Near& box : found.first(std::min<std::size_t>(found.size(), prefetched))) {
        detail::Prefetch::line_of(set_.shapes.data(), box.index);
        detail::Prefetch::line_of(set_.transforms.data(), box.index);
      }
      for (const detail::Near& box : found) {
        if (box.distance2 > squared_limit()) {
          break;
        }
        test_shape(box.index);
      }
      return limit_;
    };
    detail::Scratch<detail::NearestScratch> scratch;
    if (!boxes_.visit_nearest({at_.position, count_, limit_, set_.layers}, *scratch, test_found)) {
      search_squares();
    }
    std::sort(hits_.begin(), hits_.end(), is_nearer);
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
    detail::Scratch<std::vector<detail::Near>> candidates;
    for (;; next_radius *= growth) {
      const double radius = std::min(next_radius, std::min(limit_, max_radius));
      found->clear();
      boxes_.append(square_around(at_.position, radius), *found);
      const bool is_all = radius >= max_radius || found->size() == all;
      const double radius2 = is_all ? std::numeric_limits<double>::infinity() : radius * radius;
      test_boxes(*found, radius2, *candidates);
      if (limit_ <= radius || is_all) {
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
  void test_boxes(std::span<const BoxIndex> found, double radius2, std::vector<detail::Near>& candidates) {
    candidates.clear();
    const double limit2 = std::min(squared_limit(), radius2);
    for (const BoxIndex index : found) {
      const double distance2 = squared_distance(boxes_.box(index), at_.position);
      if (distance2 <= limit2 && distance2 > searched_radius2_) {
        candidates.push_back({distance2, index});
      }
    }
    const std::size_t nearest = std::min(count_, candidates.size());
    std::nth_element(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(nearest),
                     candidates.end(), detail::by_key(&detail::Near::distance2));
    for (const detail::Near& candidate : candidates) {
      if (candidate.distance2 <= squared_limit()) {
        test_shape(candidate.index);
      }
    }
  }

  /// Inserts a shape if it is among the best; the worst is dropped if there are too many.
  void test_shape(BoxIndex index) {
    const bool is_full = hits_.size() == count_;
    // If all hits are at distance 0, another shape can only replace one of a larger index: skip the tests.
    if ((is_full && hits_.front().distance == 0.0F && index > hits_.front().index) ||
        !boxes_.is_on(index, set_.layers) || !accept_(index)) {
      return;
    }
    const Distance found = distance(set_.shapes[index], set_.transforms[index], circle_, at_);
    const NearestShape hit{index, found.distance, found.point_a};
    if (hit.distance > max_distance_ || (is_full && !is_nearer(hit, hits_.front()))) {
      return;
    }
    if (is_full) {
      std::pop_heap(hits_.begin(), hits_.end(), is_nearer);
      hits_.pop_back();
    }
    hits_.push_back(hit);
    std::push_heap(hits_.begin(), hits_.end(), is_nearer);
    if (hits_.size() == count_) {
      set_max_distance(hits_.front().distance);
    }
  }

  /// Sets the distance beyond which hits are no longer wanted.
  void set_max_distance(float distance) {
    max_distance_ = distance;
    // Distances beyond the largest float are reported as that float.
    limit_ = distance == std::numeric_limits<float>::max()
                 ? std::numeric_limits<double>::infinity()
                 : static_cast<double>(distance) * (1.0 + rounding) +
                       static_cast<double>(std::numeric_limits<float>::min());
  }
  [[nodiscard]] double squared_limit() const { return limit_ * limit_; }

  static constexpr std::size_t prefetched = 16;
  // A circle of this radius around any point contains all boxes: no two points are farther apart than 2.83
  // times the largest float.
  static constexpr double max_radius = 4.0 * static_cast<double>(std::numeric_limits<float>::max());

  const ShapeSet& set_;
  const detail::BoxSearch boxes_;
  Transform at_;  ///< a member: wide loads of one just written would stall on store forwarding
  std::size_t count_;
  Accept accept_;
  std::vector<NearestShape>& hits_;
  Shape circle_ = Circle{};
  float max_distance_ = 0.0F;       ///< the largest distance that is still wanted
  double limit_ = 0.0;              ///< a little more, for rounding
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
  if (count > 0) {
    Search(set, point, count, max_distance, accept, hits).run();
  }
  return {};
}

}  // namespace broadside::inline v0_2
