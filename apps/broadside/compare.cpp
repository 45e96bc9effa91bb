#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <string_view>

#include "broadside/broad_phase/cell_size.hpp"
#include "broadside/scene/file.hpp"
#include "commands.hpp"
#include "compare_chart.hpp"
#include "measure.hpp"
#include "progress.hpp"
#include "shared/quantile.hpp"
#include "shared/technique_option.hpp"

namespace broadside::app {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t max_brute_force_boxes = 100'000;
constexpr std::size_t steps_of_single_frame = 30;
constexpr std::size_t steps_of_cell_sizes = 6;
// So that large inputs take seconds: when these times are over, no further step is begun, except for the
// least number of steps; and no further cell size, except for those of the caller.
constexpr std::chrono::seconds time_of_single_frame{4};
constexpr std::size_t min_steps_of_single_frame = 3;
constexpr std::chrono::seconds time_of_cell_size{1};
constexpr std::size_t min_steps_of_cell_size = 2;
constexpr std::chrono::seconds time_of_grid{6};

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

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double worst(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

double per_step(std::uint64_t total, const Contender& contender) {
  return static_cast<double>(total) / static_cast<double>(contender.milliseconds().size());
}

/// Returns all tests, also those for neighbor lists.
std::uint64_t all_tests(const Contender& contender) {
  return contender.tests() + contender.update_tests();
}

std::size_t bytes_per_box(const Contender& contender) {
  const Statistics statistics = contender.broad_phase().statistics();
  return statistics.bytes / std::max<std::size_t>(statistics.boxes, 1);
}

std::string size_text(Vec2 cell_size) {
  return cell_size.x == cell_size.y ? fmt::format("{:.4g}", cell_size.x)
                                    : fmt::format("{:.4g}x{:.4g}", cell_size.x, cell_size.y);
}

/// Returns the techniques with these names; all of them if there are no names.
Result<std::vector<const TechniqueEntry*>> select_techniques(const std::vector<std::string>& names) {
  std::vector<const TechniqueEntry*> selected;
  for (const std::string& name : names) {
    const auto technique = find_technique_of("--techniques", name);
    if (!technique.has_value()) {
      return technique.error();
    }
    if (std::find(selected.begin(), selected.end(), *technique) != selected.end()) {
      return Error{ErrorCode::invalid_argument, "--techniques: " + name + " is named twice"};
    }
    selected.push_back(*technique);
  }
  if (names.empty()) {
    for (const TechniqueEntry& technique : techniques()) {
      selected.push_back(&technique);
    }
  }
  return selected;
}

/// Reads SIDE or WIDTHxHEIGHT.
Result<Vec2> read_cell_size(std::string_view text) {
  const auto read = [](std::string_view number) {
    float value = 0.0F;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    const bool is_size =
        error == std::errc() && end == number.data() + number.size() && is_finite(value) && value > 0.0F;
    return is_size ? value : 0.0F;
  };
  const std::size_t x = text.find('x');
  const float width = read(text.substr(0, x));
  const float height = x == std::string_view::npos ? width : read(text.substr(x + 1));
  if (width == 0.0F || height == 0.0F) {
    return Error{
        ErrorCode::invalid_argument,
        fmt::format("\"{}\" is no cell size; expected SIDE or WIDTHxHEIGHT, finite and above 0", text)};
  }
  return Vec2{width, height};
}

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

/// Returns whether frames are those of a list of boxes, or of a trace with one frame.
bool is_single_frame(Frames& frames) {
  const std::size_t steps = frames.step_count();
  frames.limit_steps(2);  // which makes a scene longer, but not a recording
  const bool single = frames.step_count() == 1;
  frames.limit_steps(steps);
  return single;
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

/// Creates the techniques, and a reference if neither brute force nor the default is among them.
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

/// Takes all steps, or as many as `time` allows, with all techniques side by side, so that a busy moment of
/// the machine slows all of them alike. The first step is a warm-up unless it is the only one. Returns where
/// a technique disagreed with the reference.
Result<void> run_race(Frames& frames, Race& race, std::optional<Clock::duration> time) {
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
  } while ((!time || race.steps < min_steps_of_single_frame || Clock::now() - start < *time) &&
           frames.advance());
  return {};
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
  } while (steps < steps_of_cell_sizes &&
           (steps < min_steps_of_cell_size || Clock::now() - start < time_of_cell_size) && frames.advance());
  cost.tests = per_step(all_tests(*contender), *contender);
  cost.cells_visited = per_step(contender->cells_visited(), *contender);
  cost.owner_checks = per_step(contender->owner_checks(), *contender);
  cost.entries = contender->broad_phase().statistics().entries;
  cost.bytes_per_box = bytes_per_box(*contender);
  cost.mean_ms = mean(contender->milliseconds());
  return cost;
}

/// Runs each grid with these cell sizes, all of them in this order, or with multiples of the suggested one.
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

/// Returns who agrees, to be added to a sentence.
std::string agreement(const Race& race) {
  const std::string_view reference = race.rows[race.reference].technique->name;
  if (race.rows.size() > race.printed) {
    return race.printed == 1
               ? fmt::format("; {} agrees with {}", race.rows.front().technique->name, reference)
               : fmt::format("; all {} techniques agree with {}", race.printed, reference);
  }
  return race.printed == 1 ? std::string() : fmt::format("; all {} techniques agree", race.printed);
}

/// Returns sentences about what was measured.
std::vector<std::string> notes(const Race& race, const Frames& frames, bool swaying) {
  const Contender& reference = race.rows[race.reference].contender;
  std::vector<std::string> result;
  const std::string agree = agreement(race);
  if (swaying) {
    result.push_back(fmt::format("{} boxes, {} pair{}{}", frames.boxes().size(), race.first_pairs.size(),
                                 race.first_pairs.size() == 1 ? "" : "s", agree));
  } else {
    result.push_back(fmt::format("{} boxes, {} step{}, {:.1f} pairs a step{}", frames.boxes().size(),
                                 race.steps, race.steps == 1 ? "" : "s",
                                 per_step(reference.counted_pairs(), reference), agree));
  }
  if (race.steps == 1) {
    result.emplace_back("one step: it includes building what further steps would reuse");
  } else if (swaying) {
    result.push_back(
        fmt::format("one frame: boxes move to and fro by 5 % of their size a step, at most 25 %; {} steps, "
                    "the first is not counted",
                    race.steps));
  } else {
    result.emplace_back("the first step is not counted");
  }
  return result;
}

/// Marks the fastest of several.
std::string_view best_mark(bool is_best, std::size_t count) {
  return is_best && count > 1 ? "  <- best" : "";
}

void print_times(const Race& race) {
  const auto rows = race.printed_rows();
  double best = mean(rows.front().contender.milliseconds());
  for (const Row& row : rows) {
    best = std::min(best, mean(row.contender.milliseconds()));
  }
  const bool one_step = race.steps == 1;  // has no worst and no median
  fmt::print("{:<18}", "technique");
  if (one_step) {
    fmt::print("{:>13}", "ms");
  } else {
    fmt::print("{:>13}{:>13}{:>13}", "worst ms", "mean ms", "median ms");
  }
  fmt::print("{:>18}\n", "x of the fastest");
  for (const Row& row : rows) {
    const std::vector<double>& milliseconds = row.contender.milliseconds();
    const double mean_ms = mean(milliseconds);
    fmt::print("{:<18}", row.technique->name);
    if (one_step) {
      fmt::print("{:>13.4f}", mean_ms);
    } else {
      fmt::print("{:>13.4f}{:>13.4f}{:>13.4f}", worst(milliseconds), mean_ms, median(milliseconds));
    }
    fmt::print("{:>17.1f}x{}\n", best > 0.0 ? mean_ms / best : 1.0, best_mark(mean_ms == best, rows.size()));
  }
}

void print_work(const Race& race) {
  fmt::print("\n{:<18}{:>13}{:>17}{:>15}{:>14}{:>11}{:>12}\n", "technique", "tests/step", "false positives",
             "cells visited", "owner checks", "bytes/box", "grown bytes");
  for (const Row& row : race.printed_rows()) {
    const Contender& contender = row.contender;
    const std::uint64_t tests = all_tests(contender);
    fmt::print("{:<18}{:>13.1f}{:>17.1f}{:>15.1f}{:>14.1f}{:>11}{:>12}\n", row.technique->name,
               per_step(tests, contender), per_step(tests - contender.hits(), contender),
               per_step(contender.cells_visited(), contender), per_step(contender.owner_checks(), contender),
               bytes_per_box(contender), contender.grown_bytes());
  }
}

// The documents' figures 6 to 9 as numbers: cells that are too small or too large both cost, and where sizes
// vary no cell size is right.
void print_cell_sizes(const std::vector<CostCurve>& curves, float suggested) {
  fmt::print("\nThe cost of the cell size, over the first {} steps at most; suggested: {:.4g}\n",
             steps_of_cell_sizes, suggested);
  for (const CostCurve& curve : curves) {
    const CellSizeCost* best = nullptr;
    std::size_t measured = 0;
    for (const CellSizeCost& cost : curve.costs) {
      if (cost.why_not.empty()) {
        ++measured;
        best = best == nullptr || cost.mean_ms < best->mean_ms ? &cost : best;
      }
    }
    fmt::print("\n{:<24}{:>13}{:>15}{:>14}{:>11}{:>11}{:>11}\n", curve.technique, "tests/step",
               "cells visited", "owner checks", "entries", "bytes/box", "mean ms");
    for (const CellSizeCost& cost : curve.costs) {
      const std::string name = "  cells of " + size_text(cost.cell_size);
      if (!cost.why_not.empty()) {
        fmt::print("{:<24}  {}\n", name, cost.why_not);
        continue;
      }
      const bool is_suggested = cost.cell_size == Vec2{suggested, suggested};
      fmt::print("{:<24}{:>13.1f}{:>15.1f}{:>14.1f}{:>11}{:>11}{:>11.4f}{}{}\n", name, cost.tests,
                 cost.cells_visited, cost.owner_checks, cost.entries, cost.bytes_per_box, cost.mean_ms,
                 best_mark(&cost == best, measured), is_suggested ? "  <- suggested" : "");
    }
  }
}

/// Returns what a chart shows of the techniques.
CompareChart chart_of(const Race& race, const std::vector<CostCurve>& curves) {
  CompareChart chart;
  chart.one_step = race.steps == 1;
  for (const Row& row : race.printed_rows()) {
    const std::vector<double>& milliseconds = row.contender.milliseconds();
    chart.bars.push_back({row.technique->name, mean(milliseconds), worst(milliseconds)});
  }
  for (const CostCurve& curve : curves) {
    std::vector<CompareChart::Point> points;
    for (const CellSizeCost& cost : curve.costs) {
      if (cost.why_not.empty()) {
        const double side = std::sqrt(double{cost.cell_size.x}) * std::sqrt(double{cost.cell_size.y});
        points.push_back({side, cost.tests, cost.mean_ms});
      }
    }
    std::stable_sort(points.begin(), points.end(),
                     [](const auto& a, const auto& b) { return a.cell_size < b.cell_size; });
    chart.curves.push_back({curve.technique, std::move(points)});
  }
  return chart;
}

}  // namespace

int compare(const CompareOptions& options) {
  auto selected = select_techniques(options.techniques);
  if (!selected.has_value()) {
    return fail(bad_usage, selected.error());
  }
  std::vector<Vec2> cell_sizes;
  for (const std::string& text : options.cell_sizes) {
    const auto size = read_cell_size(text);
    if (!size.has_value()) {
      return fail(bad_usage, "--cell-sizes: " + size.error().message);
    }
    cell_sizes.push_back(*size);
  }
  const bool has_grid =
      std::any_of(selected->begin(), selected->end(), [](const auto* entry) { return entry->has_cell_size; });
  if (!cell_sizes.empty() && !has_grid) {
    return fail(bad_usage, "--cell-sizes: none of the techniques has a cell size to choose");
  }
  if (!options.chart_file.empty() && !options.chart_file.ends_with(".svg")) {
    return fail(bad_usage, "--chart: \"" + options.chart_file + "\" does not end in .svg");
  }
  auto opened = open_frames(options.input, options.origin);
  if (!opened.has_value()) {
    return fail(bad_data, opened.error());
  }
  std::unique_ptr<Frames> frames = std::move(*opened);
  const bool swaying = is_single_frame(*frames);
  if (swaying) {
    frames = make_swaying_frames(std::move(frames), options.steps.value_or(steps_of_single_frame));
  } else if (options.steps) {
    frames->limit_steps(*options.steps);
  }
  std::optional<OutputFile> chart_file;
  if (!options.chart_file.empty()) {
    auto file = OutputFile::open(options.chart_file);
    if (!file.has_value()) {
      return fail(bad_data, file.error());
    }
    chart_file.emplace(std::move(*file));
  }

  frames->advance();
  const std::size_t boxes = frames->boxes().size();
  const bool without_brute_force = options.techniques.empty() && boxes > max_brute_force_boxes;
  if (without_brute_force) {
    std::erase(*selected, &techniques().front());
  }
  auto race = make_race(*selected, *frames);
  if (!race.has_value()) {
    return fail(bad_data, race.error());
  }
  const auto time =
      swaying && !options.steps ? std::optional<Clock::duration>(time_of_single_frame) : std::nullopt;
  if (auto finished = run_race(*frames, *race, time); !finished.has_value()) {
    return fail(bad_data, finished.error());
  }
  std::vector<std::string> sentences = notes(*race, *frames, swaying);
  if (without_brute_force) {
    sentences.push_back(
        fmt::format("{0} is left out, as {1} boxes are more than {2}; to run it, name it in --techniques",
                    techniques().front().name, boxes, max_brute_force_boxes));
  }
  fmt::print("{}: ", frames->name());
  for (const std::string& sentence : sentences) {
    fmt::print("{}\n", sentence);
  }
  fmt::print("\n");
  print_times(*race);
  print_work(*race);

  std::vector<CostCurve> curves;
  frames->rewind();
  frames->advance();
  const float suggested = suggest_cell_size(frames->boxes()).value();
  if (has_grid && !options.no_cell_sizes) {
    auto measured = run_cell_sizes(*frames, *race, cell_sizes, suggested);
    if (!measured.has_value()) {
      return fail(bad_data, measured.error());
    }
    curves = std::move(*measured);
    print_cell_sizes(curves, suggested);
  }
  if (chart_file) {
    CompareChart chart = chart_of(*race, curves);
    chart.input = std::filesystem::path(frames->name()).filename().string();
    chart.notes = std::move(sentences);
    if (std::any_of(cell_sizes.begin(), cell_sizes.end(), [](Vec2 size) { return size.x != size.y; })) {
      chart.notes.emplace_back("a rectangular cell is drawn as a square of the same area");
    }
    chart.suggested = suggested;
    chart_file->write(draw_chart(chart));
    if (auto committed = chart_file->commit(); !committed.has_value()) {
      return fail(bad_data, committed.error());
    }
  }
  return ok;
}

}  // namespace broadside::app
