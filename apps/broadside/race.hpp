#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/broad_phase/techniques.hpp"
#include "broadside/scene/frames.hpp"
#include "measure.hpp"

// `broadside compare` without its output: techniques run side by side, and grids with several cell sizes.

namespace broadside::app {

/// The most steps that a grid takes with one cell size.
constexpr std::size_t max_steps_of_cell_size = 6;

struct Row {
  const TechniqueEntry* technique;
  Contender contender;
};

/// All techniques after the same steps.
struct Race {
  std::vector<Row> rows;      ///< those to print; then the reference if it is not one of them
  std::size_t printed = 0;    ///< number of rows to print
  std::size_t reference = 0;  ///< the row whose pairs the others must find
  std::size_t steps = 0;      ///< the warm-up included
  std::vector<Pair> first_pairs;

  [[nodiscard]] std::span<const Row> printed_rows() const { return std::span(rows).first(printed); }
};

/// The cost of a technique with one cell size.
struct CellSizeCost {
  Vec2 cell_size;
  std::string_view why_not = {};  ///< why it was not measured; the rest is then 0
  double tests = 0.0;
  double cells_visited = 0.0;
  double owner_checks = 0.0;
  std::uint64_t entries = 0;
  std::size_t bytes_per_box = 0;
  double mean_ms = 0.0;
};

struct CostCurve {
  std::string_view technique;
  std::vector<CellSizeCost> costs;  ///< one for each cell size
};

/// Returns a cell size as text: SIDE or WIDTHxHEIGHT.
[[nodiscard]] std::string size_text(Vec2 cell_size);

/// Creates the techniques, and a reference if neither brute force nor the default is among them.
[[nodiscard]] Result<Race> make_race(const std::vector<const TechniqueEntry*>& selected,
                                     const Frames& frames);

/// Takes all steps, or as many as `time` allows, with all techniques side by side, so that a busy moment of
/// the machine slows all of them alike. The first step is a warm-up unless it is the only one. Returns where
/// a technique disagreed with the reference.
[[nodiscard]] Result<void> run_race(Frames& frames, Race& race, std::optional<std::chrono::nanoseconds> time);

/// Runs each grid with these cell sizes, all of them in this order, or with multiples of the suggested one:
/// those that are not measured within some seconds are left out.
[[nodiscard]] Result<std::vector<CostCurve>> run_cell_sizes(Frames& frames, const Race& race,
                                                            const std::vector<Vec2>& given, float suggested);

}  // namespace broadside::app
