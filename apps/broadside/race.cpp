#include "race.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "progress.hpp"

namespace broadside::app {

std::string size_text(Vec2 cell_size) {
  return cell_size.x == cell_size.y ? fmt::format("{:.4g}", cell_size.x)
                                    : fmt::format("{:.4g}x{:.4g}", cell_size.x, cell_size.y);
}

namespace {

using Clock = std::chrono::steady_clock;

// So that large inputs take seconds: when these times are over, no further step or cell size is begun.
constexpr std::size_t min_steps = 3;
constexpr std::size_t min_steps_of_cell_size = 2;
constexpr std::chrono::seconds time_of_cell_size{1};
constexpr std::chrono::seconds time_of_grid{6};

/// Returns multiples of the suggested cell size, those close to it first.
std::vector<Vec2> cell_sizes_around(float suggested) {
  std::vector<Vec2> sizes;
  for (const float factor : {1.0F, 2.0F, 0.5F, 4.0F, 0.25F, 8.0F, 0.125F, 16.0F}) {
    if (const float size = factor * suggested; is_finite(size) && size > 0.0F) {
      sizes.push_back({size, size});
    }
  }
  return sizes;
}

/// Returns where two sorted lists of pairs first differ; empty if they are equal.
std::string difference(const std::vector<Pair>& expected, const std::vector<Pair>& found,
                       const Frames& frames) {
  const auto [a, b] = std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
  if (a == expected.end() && b == found.end()) {
    return {};
  }
  const bool missing = b == found.end() || (a != expected.end() && *a < *b);
  const Pair pair = missing ? *a : *b;
  return fmt::format("{} pair {},{}", missing ? "misses" : "has too many, such as", frames.id(pair.a),
                     frames.id(pair.b));
}

/// Runs a grid with one cell size over the first steps.
Result<CellSizeCost> run_cell_size(const TechniqueEntry& technique, Vec2 cell_size, Frames& frames,
                                   const std::vector<Pair>& first_pairs) {
  frames.rewind();
  frames.advance();
  CellSizeCost cost{.cell_size = cell_size};
  auto contender = Contender::make(technique, {.cell_size = cell_size}, frames);
  if (contender.error().code == ErrorCode::too_large) {
    cost.why_not = "refused: more cells than the limit";
    return cost;
  }
  if (!contender.has_value()) {
    return contender.error();
  }
  const auto start = Clock::now();
  ContactFinder finder;
  std::size_t steps = 0;
  do {
    const std::vector<Pair>& pairs = contender->step(frames);
    frames.respond(finder.step(frames, pairs));
    if (steps == 0) {
      if (const std::string wrong = difference(first_pairs, pairs, frames); !wrong.empty()) {
        return Error{ErrorCode::parse, fmt::format("{} with cell size {} disagrees: it {}", technique.name,
                                                   size_text(cell_size), wrong)};
      }
      if (frames.step_count() > 1) {
        contender->clear_records();
      }
    }
    ++steps;
  } while (steps < max_steps_of_cell_size &&
           (steps < min_steps_of_cell_size || Clock::now() - start < time_of_cell_size) && frames.advance());
  cost.tests = contender->per_step(contender->all_tests());
  cost.cells_visited = contender->per_step(contender->cells_visited());
  cost.owner_checks = contender->per_step(contender->owner_checks());
  cost.entries = contender->broad_phase().statistics().entries;
  cost.bytes_per_box = contender->bytes_per_box();
  cost.mean_ms = contender->mean_ms();
  return cost;
}

}  // namespace

Result<Race> make_race(const std::vector<const TechniqueEntry*>& selected, const Frames& frames) {
  std::vector<const TechniqueEntry*> all = selected;
  auto reference = std::find(all.begin(), all.end(), &techniques().front());
  if (reference == all.end()) {
    reference = std::find(all.begin(), all.end(), &default_technique());
  }
  if (reference == all.end()) {
    reference = all.insert(all.end(), &default_technique());
  }
  Race race;
  race.printed = selected.size();
  race.reference = static_cast<std::size_t>(reference - all.begin());
  for (const TechniqueEntry* technique : all) {
    auto contender = Contender::make(*technique, {}, frames);
    if (!contender.has_value()) {
      return contender.error();
    }
    race.rows.push_back({technique, std::move(*contender)});
  }
  return race;
}

Result<void> run_race(Frames& frames, Race& race, std::optional<std::chrono::nanoseconds> time) {
  Progress progress("comparing", frames.step_count() * race.rows.size(), false);
  const auto start = Clock::now();
  ContactFinder finder;
  do {
    for (std::size_t i = 0; i < race.rows.size(); ++i) {
      progress.begin(race.steps * race.rows.size() + i, race.rows[i].technique->name);
      race.rows[i].contender.step(frames);
    }
    const Row& reference = race.rows[race.reference];
    for (const Row& row : race.rows) {
      const std::string wrong = difference(reference.contender.pairs(), row.contender.pairs(), frames);
      if (!wrong.empty()) {
        return Error{ErrorCode::parse, fmt::format("{} and {} disagree at step {} of {}: the latter {}",
                                                   reference.technique->name, row.technique->name, race.steps,
                                                   frames.name(), wrong)};
      }
    }
    if (race.steps == 0) {
      race.first_pairs = reference.contender.pairs();
      if (frames.step_count() > 1) {
        for (Row& row : race.rows) {
          row.contender.clear_records();
        }
      }
    }
    frames.respond(finder.step(frames, reference.contender.pairs()));
    ++race.steps;
  } while ((!time || race.steps < min_steps || Clock::now() - start < *time) && frames.advance());
  return {};
}

Result<std::vector<CostCurve>> run_cell_sizes(Frames& frames, const Race& race,
                                              const std::vector<Vec2>& given, float suggested) {
  const std::vector<Vec2> cell_sizes = given.empty() ? cell_sizes_around(suggested) : given;
  std::vector<const TechniqueEntry*> grids;
  for (const Row& row : race.printed_rows()) {
    if (row.technique->has_cell_size) {
      grids.push_back(row.technique);
    }
  }
  Progress progress("cell sizes", grids.size() * cell_sizes.size(), false);
  std::size_t done = 0;
  std::vector<CostCurve> curves;
  for (const TechniqueEntry* grid : grids) {
    const auto start = Clock::now();
    std::vector<CellSizeCost> costs;
    for (const Vec2 cell_size : cell_sizes) {
      progress.begin(done++, fmt::format("{}, {}", grid->name, size_text(cell_size)));
      if (given.empty() && Clock::now() - start > time_of_grid) {
        costs.push_back(
            {.cell_size = cell_size, .why_not = "left out to save time; --cell-sizes measures it"});
        continue;
      }
      auto cost = run_cell_size(*grid, cell_size, frames, race.first_pairs);
      if (!cost.has_value()) {
        return cost.error();
      }
      costs.push_back(*cost);
    }
    if (given.empty()) {
      std::sort(costs.begin(), costs.end(),
                [](const auto& a, const auto& b) { return a.cell_size.x < b.cell_size.x; });
    }
    curves.push_back({grid->name, std::move(costs)});
  }
  return curves;
}

}  // namespace broadside::app
