#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "broadside/broad_phase/cell_size.hpp"
#include "broadside/scene/file.hpp"
#include "commands.hpp"
#include "compare_chart.hpp"
#include "race.hpp"
#include "shared/quantile.hpp"
#include "shared/technique_option.hpp"

namespace broadside::app {

namespace {

constexpr std::size_t max_brute_force_boxes = 100'000;
constexpr std::size_t steps_of_single_frame = 30;
constexpr std::chrono::seconds time_of_single_frame{4};  // for large inputs: then no further step is begun

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

/// Returns whether frames are those of a list of boxes, or of a trace with one frame.
bool is_single_frame(Frames& frames) {
  const std::size_t steps = frames.step_count();
  frames.limit_steps(2);  // which makes a scene longer, but not a recording
  const bool single = frames.step_count() == 1;
  frames.limit_steps(steps);
  return single;
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
                                 reference.per_step(reference.counted_pairs()), agree));
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
  double best = rows.front().contender.mean_ms();
  for (const Row& row : rows) {
    best = std::min(best, row.contender.mean_ms());
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
    const double mean_ms = row.contender.mean_ms();
    fmt::print("{:<18}", row.technique->name);
    if (one_step) {
      fmt::print("{:>13.4f}", mean_ms);
    } else {
      fmt::print("{:>13.4f}{:>13.4f}{:>13.4f}", row.contender.worst_ms(), mean_ms,
                 median(row.contender.milliseconds()));
    }
    fmt::print("{:>17.1f}x{}\n", best > 0.0 ? mean_ms / best : 1.0, best_mark(mean_ms == best, rows.size()));
  }
}

void print_work(const Race& race) {
  fmt::print("\n{:<18}{:>13}{:>17}{:>15}{:>14}{:>11}{:>12}\n", "technique", "tests/step", "false positives",
             "cells visited", "owner checks", "bytes/box", "grown bytes");
  for (const Row& row : race.printed_rows()) {
    const Contender& contender = row.contender;
    const std::uint64_t tests = contender.all_tests();
    fmt::print("{:<18}{:>13.1f}{:>17.1f}{:>15.1f}{:>14.1f}{:>11}{:>12}\n", row.technique->name,
               contender.per_step(tests), contender.per_step(tests - contender.hits()),
               contender.per_step(contender.cells_visited()), contender.per_step(contender.owner_checks()),
               contender.bytes_per_box(), contender.grown_bytes());
  }
}

// The documents' figures 6 to 9 as numbers: cells that are too small or too large both cost, and where sizes
// vary no cell size is right.
void print_cell_sizes(const std::vector<CostCurve>& curves, float suggested) {
  fmt::print("\nThe cost of the cell size, over the first {} steps at most; suggested: {:.4g}\n",
             max_steps_of_cell_size, suggested);
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
    chart.bars.push_back({row.technique->name, row.contender.mean_ms(), row.contender.worst_ms()});
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
  const auto time = swaying && !options.steps ? std::optional<std::chrono::nanoseconds>(time_of_single_frame)
                                              : std::nullopt;
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
