#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "box_set.hpp"
#include "broadside/base/aabb.hpp"
#include "row_layout.hpp"

namespace broadside::inline v0_2::detail {

/// Chooses a layout for boxes from a sample of them, so that the user need not choose a cell size.
///
/// It measures the sample, makes some layouts, tries each of them on the sample and keeps the one with the
/// least work.
class RowPlanner {
 public:
  /// @param row_height see `RowIndex`
  explicit RowPlanner(std::optional<float> row_height) : row_height_(row_height) {}

  enum class Sample : std::uint8_t { usual, large };
  static constexpr double cost_of_visit = 3.0;  ///< of a row (unit: test), as measured

  /// Returns the best layout; valid until the next call.
  /// @pre the boxes are too many for one row
  const RowLayout& plan(const BoxSet& set, Sample sample);

  /// Replaces the plan by one for boxes that are very much denser in some places: rows and columns have
  /// knots, and there are `row_factor` times as many rows as would hold equally many boxes each. Returns
  /// false, and keeps the plan, if a box would need this much work or more (unit: test).
  bool plan_with_knots(const BoxSet& set, double row_factor, double work);

  /// Replaces the plan by one that was returned before for the same boxes, without knots.
  void choose(const RowLayout& layout) { layout_ = layout; }

  /// Returns the plan.
  [[nodiscard]] const RowLayout& layout() const { return layout_; }

  /// Returns the size of a typical box in the last plan: see `RowIndex::small_size`.
  [[nodiscard]] float small_size() const { return small_size_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  /// An interval of coordinates (unit: length).
  struct Range {
    double low;
    double high;

    [[nodiscard]] double length() const { return high - low; }
    /// Returns the length of the part that an interval covers.
    [[nodiscard]] double covered(double from, double to) const;
  };
  /// What is known of the boxes of a level from the sample, and of the boxes of coarser levels.
  struct LevelSample {
    double size = 0.0;        ///< a power of two among the larger sizes of the level (unit: length)
    std::size_t members = 0;  ///< boxes of the level
    double in_line = 0.0;     ///< pairs of them, the second one to the right within the width of the first
    double near = 0.0;        ///< of these, pairs that are not far above or below each other
    double widths = 0.0;      ///< of the members, added up
    Range across{};           ///< of the rows
    Range along{};            ///< of the columns
    std::size_t coarser = 0;  ///< boxes of coarser levels
    double coarser_height = 0.0;  ///< their heights within the range of the rows, added up
    double share_sum = 0.0;       ///< what one pair adds to `below_coarser`, summed over all coarser boxes
    double below_coarser = 0.0;   ///< tests that coarser boxes add per unit of row height, within the sample

    /// Returns the vertical distance up to which boxes count as near.
    [[nodiscard]] double reach() const { return 4.0 * size; }
    /// Returns the mean width of a member, or the size that counts in its place if that is 0.
    [[nodiscard]] double width() const { return widths > 0.0 ? widths / static_cast<double>(members) : size; }
  };
  /// Where a box of the sample is in a layout.
  struct Spot {
    std::uint32_t level;
    std::uint32_t row;
    std::uint32_t last_row;
    std::uint32_t column;
    std::uint32_t last_column;
  };
  /// How far the boxes of a level reach at most.
  struct Reach {
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
  };
  enum class Rows : std::uint8_t {
    even,
    one,      ///< one for each level, and as many columns as a float can tell apart
    knotted,  ///< closer together where boxes are denser
  };

  void draw(const BoxSet& set, Sample sample, bool is_transposed);
  template <typename Of>
  std::vector<float>& take_values(const Of& of);
  void measure(int finest_exponent);
  void make(Rows rows, double row_factor);
  [[nodiscard]] double pitch_of(const LevelSample& level) const;
  [[nodiscard]] Range range_of_level(std::vector<float>& values, Range all) const;
  template <typename Visit>
  void visit_until(std::size_t i, float limit, const Visit& visit) const;
  [[nodiscard]] double work_in_sample();
  [[nodiscard]] bool is_tested(std::size_t i, std::size_t j) const;
  void try_rows(Rows rows, double better_by);
  [[nodiscard]] bool separates_others(int finest_exponent, int other) const;

  std::optional<float> row_height_;
  RowLayout layout_;    ///< the best one
  double work_ = 0.0;   ///< in it, for each box (unit: test)
  double pairs_ = 0.0;  ///< for each box, as seen in the last layout that was tried
  RowLayout tried_;
  float small_size_ = 0.0F;
  std::vector<float> knots_x_;
  std::vector<float> knots_y_;

  // The sample:
  double count_ = 0.0;            ///< of all boxes
  double each_stands_for_ = 0.0;  ///< a box of the sample, for so many
  std::vector<Aabb> sample_;      ///< sorted by min x
  std::vector<int> exponents_;    ///< of the sizes, by position in the sample
  Range all_across_{};
  Range all_along_{};
  int usual_exponent_ = 0;     ///< of the median size
  int smallest_exponent_ = 0;  ///< of sizes of which there are enough
  int largest_exponent_ = 0;   ///< the same
  double spacing_ = 0.0;       ///< mean distance between boxes (unit: length)
  std::array<LevelSample, RowLayout::max_levels> levels_;

  // Scratch:
  std::vector<std::uint32_t> places_;
  std::vector<std::uint64_t> order_;
  std::vector<float> values_;
  std::vector<Spot> spots_;
  std::array<Reach, RowLayout::max_levels> reaches_;
};

}  // namespace broadside::inline v0_2::detail
