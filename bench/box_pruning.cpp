#include <xmmintrin.h>

#include <bit>
#include <cstdint>
#include <limits>

#include "contender.hpp"
#include "radix_sort.hpp"

namespace broadside::bench {

namespace {

// Box pruning: boxes sorted by min x, each tested with those that follow it until one begins beyond its end.
// Four tests at once with SSE2, like the last parts of its author's series.
//
// Source: P. Terdiman, "Sweep-and-prune", 2007, and "Box pruning revisited", parts 1 to 17, 2017-2018.
// Written from the articles.
class SortedBoxes {
 public:
  /// Takes boxes, and sorts them by min x.
  void set(std::span<const Aabb> boxes, BoxIndex first_name) {
    const std::size_t n = boxes.size();
    for (auto* array : {&keys_, &names_, &spare_keys_, &spare_names_}) {
      array->resize(n);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const auto bits = std::bit_cast<std::uint32_t>(boxes[i].min.x);
      keys_[i] = bits ^ ((bits >> 31U) != 0 ? ~std::uint32_t{0} : std::uint32_t{1} << 31U);
      names_[i] = static_cast<std::uint32_t>(i);
    }
    radix_sort(keys_, names_, spare_keys_, spare_names_);
    for (auto* side : {&min_x_, &max_x_, &min_y_, &max_y_}) {
      side->assign(n + at_once, std::numeric_limits<float>::infinity());
    }
    for (std::size_t i = 0; i < n; ++i) {
      const Aabb& box = boxes[names_[i]];
      min_x_[i] = box.min.x;
      max_x_[i] = box.max.x;
      min_y_[i] = box.min.y;
      max_y_[i] = box.max.y;
      names_[i] += first_name;
    }
  }

  [[nodiscard]] std::size_t size() const { return names_.size(); }

  void find_pairs(std::vector<Pair>& pairs) const {
    for (std::size_t i = 0; i < size(); ++i) {
      sweep(*this, i, i + 1, pairs);
    }
  }

  /// Two passes: those of `other` that begin within a box, and those of this set that begin after one of
  /// `other`.
  void find_pairs_with(const SortedBoxes& other, std::vector<Pair>& pairs) const {
    pass(
        other, [](float begin, float from) { return begin < from; }, pairs);
    other.pass(
        *this, [](float begin, float from) { return begin <= from; }, pairs);
  }

 private:
  static constexpr std::size_t at_once = 4;

  template <typename IsBefore>
  void pass(const SortedBoxes& other, const IsBefore& is_before, std::vector<Pair>& pairs) const {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      while (begin < other.size() && is_before(other.min_x_[begin], min_x_[i])) {
        ++begin;
      }
      sweep(other, i, begin, pairs);
    }
  }

  /// Tests box i of this set with those of another from a position on.
  void sweep(const SortedBoxes& other, std::size_t i, std::size_t position, std::vector<Pair>& pairs) const {
    const float end = max_x_[i];
    const __m128 right = _mm_set1_ps(end);
    const __m128 bottom = _mm_set1_ps(min_y_[i]);
    const __m128 top = _mm_set1_ps(max_y_[i]);
    for (std::size_t j = position; other.min_x_[j] <= end; j += at_once) {
      const __m128 begins = _mm_cmple_ps(_mm_loadu_ps(&other.min_x_[j]), right);
      const __m128 above = _mm_cmple_ps(_mm_loadu_ps(&other.min_y_[j]), top);
      const __m128 below = _mm_cmple_ps(bottom, _mm_loadu_ps(&other.max_y_[j]));
      auto hits = static_cast<unsigned>(_mm_movemask_ps(_mm_and_ps(begins, _mm_and_ps(above, below))));
      for (; hits != 0; hits &= hits - 1) {
        pairs.push_back(
            ordered_pair(names_[i], other.names_[j + static_cast<unsigned>(std::countr_zero(hits))]));
      }
    }
  }

  std::vector<std::uint32_t> keys_;
  std::vector<std::uint32_t> names_;
  std::vector<std::uint32_t> spare_keys_;
  std::vector<std::uint32_t> spare_names_;
  std::vector<float> min_x_;
  std::vector<float> max_x_;
  std::vector<float> min_y_;
  std::vector<float> max_y_;
};

class BoxPruning final : public Contender {
 public:
  [[nodiscard]] std::string name() const override { return "box pruning"; }

  void load(const Trace& trace) override {
    static_.set(trace.static_boxes, 0);
    first_moving_ = static_cast<BoxIndex>(trace.static_boxes.size());
  }
  std::span<const Pair> step(std::span<const Aabb> moving) override {
    moving_.set(moving, first_moving_);
    pairs_.clear();
    moving_.find_pairs(pairs_);
    moving_.find_pairs_with(static_, pairs_);
    return pairs_;
  }

 private:
  SortedBoxes static_;
  SortedBoxes moving_;
  BoxIndex first_moving_ = 0;
  std::vector<Pair> pairs_;
};

}  // namespace

std::unique_ptr<Contender> make_box_pruning() {
  return std::make_unique<BoxPruning>();
}

}  // namespace broadside::bench
