// Chooses rows, and measures how well boxes fit into them.

#include <algorithm>

#include "row_index.hpp"
#include "sample.hpp"

namespace broadside::inline v0_2::detail {

// For nearly all scenes the first layout is good. Where it is not, a larger sample may find a better one.
// What is still too dense has regions that are very much denser than their surroundings: knots make rows and
// columns follow the boxes. The layout that needs the least work stays: knots may suit the boxes of each
// level, and cost much where larger boxes search the level.
void RowIndex::build_in_rows(const BoxSet& set, Workers& workers) {
  constexpr std::uint32_t measure_again_after = 256;
  constexpr double much = 16.0;
  constexpr double too_much = 48.0;
  constexpr std::size_t samples = 128;
  const std::size_t n = set.size();
  levels_.resize(max_levels);
  if (planner_ == nullptr) {
    planner_ = std::make_unique<RowPlanner>(row_height_);
  }
  const bool as_many = 3 * n <= 4 * measured_.boxes && 3 * measured_.boxes <= 4 * n;
  if (as_many && measured_.builds > 0 && measured_.builds < measure_again_after) {
    build_with(set, workers);
    measured_.builds = still_fits() ? measured_.builds + 1 : 0;
    return;
  }
  const auto waste_in = [&](const RowLayout& layout) {
    use(layout);
    build_with(set, workers);
    return mean_waste(samples);
  };
  double waste = waste_in(planner_->plan(set, RowPlanner::Sample::usual));
  if (waste > much && !row_height_) {
    RowLayout best = planner_->layout();
    double least = mean_work(samples);
    bool is_best = true;
    const auto try_plan = [&] {
      waste = waste_in(planner_->layout());
      const double work = mean_work(samples);
      is_best = work < least;
      if (is_best) {
        least = work;
        best = planner_->layout();
      }
    };
    planner_->plan(set, RowPlanner::Sample::large);
    try_plan();
    if (waste > too_much && planner_->plan_with_knots(set, std::min(waste / too_much, 64.0), waste)) {
      try_plan();
    }
    if (!is_best) {
      planner_->choose(best);
      waste = waste_in(best);
    }
  }
  measured_ = {.boxes = n, .waste = waste, .crossing = crossing_share(), .builds = 1};
}

bool RowIndex::still_fits() const {
  constexpr std::size_t samples = 32;
  return mean_waste(samples) <= 1.5 * measured_.waste + 2.0 &&
         crossing_share() <= 1.25 * measured_.crossing + 0.1;
}

double RowIndex::crossing_share() const {
  return size_ == 0 ? 0.0 : static_cast<double>(crossing_begin_.back()) / static_cast<double>(size_);
}

// Returns how many boxes to the right of box i its row holds in its reach: it is tested with them.
std::size_t RowIndex::run_of(std::size_t i) const {
  const auto place = [this](std::size_t position) {
    return keys_.begin() + static_cast<std::ptrdiff_t>(position);
  };
  return static_cast<std::size_t>(std::upper_bound(place(i + 1), place(size_), highest_keys_[i]) -
                                  place(i + 1));
}

// Returns how many misses a box has in its own row, on average over a sample. Hits do not count: no better
// rows could avoid them.
double RowIndex::mean_waste(std::size_t samples) const {
  const std::size_t tested = 2 * samples;
  return mean_of_sample(size_, samples, [&](std::size_t i) {
    const std::size_t run = run_of(i);
    std::size_t misses = 0;
    const std::size_t tests = std::min(run, tested);
    for (std::size_t j = i + 1; j <= i + tests; ++j) {
      misses += overlaps(box_at(i), box_at(j)) ? 0U : 1U;
    }
    return tests == 0 ? 0.0
                      : static_cast<double>(run) * static_cast<double>(misses) / static_cast<double>(tests);
  });
}

// Returns how many tests a box has, and visits of rows as so many tests, on average over a sample.
double RowIndex::mean_work(std::size_t samples) const {
  return mean_of_sample(size_, samples, [&](std::size_t i) {
    std::size_t own = 0;
    while (levels_[own].end <= i) {
      ++own;
    }
    double work = static_cast<double>(run_of(i));
    for (std::size_t l = 0; l <= own; ++l) {
      work += work_in(levels_[l], i, l == own);
    }
    return work;
  });
}

// Returns the work of box i in the rows of a finer level, or of its own level above its own row. Of many
// rows, some stand for all.
double RowIndex::work_in(const Level& level, std::size_t i, bool is_own) const {
  constexpr std::uint32_t many = 16;
  if (level.begin == level.end) {
    return 0.0;
  }
  const std::uint32_t column = level.columns.cell(min_x_[i]);
  const std::uint32_t lowest_column = column - std::min(column, level.max_columns);
  const std::uint32_t highest_column = level.columns.cell(max_x_[i]);
  const std::uint32_t row = level.rows.cell(min_y_[i]);
  const std::uint32_t first = is_own ? row + 1 : row - std::min(row, level.max_rows);
  const std::uint32_t last = level.rows.cell(max_y_[i]);
  const std::uint32_t step = first > last ? 1 : (last - first) / many + 1;
  double work = 0.0;
  for (std::uint32_t r = first; r <= last; r += step) {
    const std::uint32_t number = level.first_row + r;
    const std::uint32_t base = number << column_bits_;
    const auto* const end = keys_.data() + row_begin_[number + 1];
    const auto* const run = std::lower_bound(keys_.data() + row_begin_[number], end, base | lowest_column);
    const auto tests = static_cast<double>(std::upper_bound(run, end, base | highest_column) - run);
    work += step * (RowPlanner::cost_of_visit + tests);
  }
  return work;
}

void RowIndex::use(const RowLayout& layout) {
  transposed_ = layout.transposed;
  column_bits_ = layout.column_bits;
  small_size_ = planner_->small_size();
  std::uint32_t row = 0;
  for (std::size_t l = 0; l < max_levels; ++l) {
    const auto& [rows, columns] = layout.levels[l];
    levels_[l] = {.rows = rows, .columns = columns, .first_row = row};
    row += static_cast<std::uint32_t>(rows.last) + 1;
  }
}

}  // namespace broadside::inline v0_2::detail
