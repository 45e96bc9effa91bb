#include <fmt/core.h>

#include <algorithm>

#include "broadside/broad_phase/cell_size.hpp"
#include "commands.hpp"
#include "measure.hpp"
#include "progress.hpp"
#include "shared/quantile.hpp"

namespace broadside::app {

namespace {

constexpr std::size_t steps_of_cell_sizes = 5;

struct Row {
  const TechniqueEntry* technique;
  Contender contender;
};

double per_step(std::uint64_t total, std::size_t steps) {
  return static_cast<double>(total) / static_cast<double>(steps);
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

Result<std::vector<Row>> make_rows(const Frames& frames) {
  std::vector<Row> rows;
  for (const TechniqueEntry& technique : techniques()) {
    auto contender = Contender::make(technique, {}, frames);
    if (!contender.has_value()) {
      return contender.error();
    }
    rows.push_back({&technique, std::move(*contender)});
  }
  return rows;
}

/// Runs all techniques side by side, step by step, so that a busy moment of the machine slows all of them
/// alike. Returns the number of steps, or where a technique disagreed with the first.
Result<std::size_t> race(Frames& frames, std::vector<Row>& rows) {
  Progress progress("comparing " + frames.name(), frames.step_count(), false);
  ContactFinder finder;
  std::size_t step = 0;
  do {
    for (Row& row : rows) {
      row.contender.step(frames);
      const std::string wrong = difference(rows[0].contender.pairs(), row.contender.pairs(), frames);
      if (!wrong.empty()) {
        return Error{ErrorCode::parse,
                     fmt::format("{} and {} disagree at step {} of {}: the latter {}",
                                 rows[0].technique->name, row.technique->name, step, frames.name(), wrong)};
      }
    }
    frames.respond(finder.step(frames, rows[0].contender.pairs()));
    progress.advance_to(++step);
  } while (frames.advance());
  return step;
}

void print_race(const std::vector<Row>& rows, std::size_t steps) {
  double best = median(rows[0].contender.milliseconds());
  for (const Row& row : rows) {
    best = std::min(best, median(row.contender.milliseconds()));
  }
  fmt::print("{:<18} {:>14} {:>15} {:>10} {:>10} {:>8} {:>12} {:>9}\n", "technique", "tests/step",
             "false positives", "ms (median)", "ms (p99)", "ratio", "bytes", "bytes/box");
  for (const Row& row : rows) {
    const Contender& contender = row.contender;
    const Statistics statistics = contender.broad_phase().statistics();
    const double median_ms = median(contender.milliseconds());
    fmt::print("{:<18} {:>14.1f} {:>15.1f} {:>10.4f} {:>10.4f} {:>7.1f}x {:>12} {:>9}\n", row.technique->name,
               per_step(contender.tests(), steps), per_step(contender.tests() - contender.hits(), steps),
               median_ms, quantile(contender.milliseconds(), 0.99), median_ms / best, statistics.bytes,
               statistics.bytes / std::max<std::size_t>(statistics.boxes, 1));
  }
}

/// Runs a grid with one cell size over the first steps, and prints its row of the cost curve.
Result<void> print_cell_size(const TechniqueEntry& technique, float cell_size, bool suggested, Frames& frames,
                             const std::vector<Pair>& expected) {
  frames.rewind();
  frames.advance();
  auto contender = Contender::make(technique, {.cell_size = Vec2{cell_size, cell_size}}, frames);
  if (contender.error().code == ErrorCode::too_large) {
    fmt::print("{:<18} {:>12.5g} {:>14}\n", technique.name, cell_size, "refused: more cells than the limit");
    return {};
  }
  if (!contender.has_value()) {
    return contender.error();
  }
  ContactFinder finder;
  std::size_t steps = 0;
  do {
    const std::vector<Pair> pairs = contender->step(frames);
    if (steps == 0) {
      if (const std::string wrong = difference(expected, pairs, frames); !wrong.empty()) {
        return Error{ErrorCode::parse,
                     fmt::format("{} with cell size {} disagrees: it {}", technique.name, cell_size, wrong)};
      }
    }
    frames.respond(finder.step(frames, pairs));
  } while (++steps < steps_of_cell_sizes && frames.advance());
  const Statistics statistics = contender->broad_phase().statistics();
  fmt::print("{:<18} {:>12.5g} {:>14.1f} {:>15.1f} {:>12} {:>12} {:>12} {:>12} {:>10.4f}{}\n", technique.name,
             cell_size, per_step(contender->tests(), steps),
             per_step(contender->tests() - contender->hits(), steps), statistics.cells,
             statistics.occupied_cells, statistics.entries, statistics.bytes,
             median(contender->milliseconds()), suggested ? "  <- suggested" : "");
  return {};
}

// The documents' figures 6 to 9 as numbers: cells that are too small or too large both cost, and where sizes
// vary no cell size is right.
Result<void> print_cell_sizes(Frames& frames) {
  frames.rewind();
  frames.advance();
  auto truth = Contender::make(default_technique(), {}, frames);
  if (!truth.has_value()) {
    return truth.error();
  }
  const std::vector<Pair> expected = truth->step(frames);
  const float suggested = suggest_cell_size(frames.boxes()).value();
  fmt::print("\nThe cost of the cell size (first steps, at most {})\n", steps_of_cell_sizes);
  fmt::print("{:<18} {:>12} {:>14} {:>15} {:>12} {:>12} {:>12} {:>12} {:>10}\n", "technique", "cell size",
             "tests/step", "false positives", "cells", "occupied", "entries", "bytes", "ms (median)");
  for (const TechniqueEntry& technique : techniques()) {
    if (!technique.has_cell_size) {
      continue;
    }
    for (const float factor : {0.125F, 0.25F, 0.5F, 1.0F, 2.0F, 4.0F, 8.0F, 16.0F}) {
      const float cell_size = factor * suggested;
      if (!is_finite(cell_size) || cell_size <= 0.0F) {
        continue;
      }
      if (auto printed = print_cell_size(technique, cell_size, factor == 1.0F, frames, expected);
          !printed.has_value()) {
        return printed;
      }
    }
  }
  return {};
}

}  // namespace

int compare(const CompareOptions& options) {
  auto frames = open_frames(options.input, options.origin);
  if (!frames.has_value()) {
    return fail(bad_data, frames.error());
  }
  if (options.steps) {
    (*frames)->limit_steps(*options.steps);
  }
  (*frames)->advance();
  auto rows = make_rows(**frames);
  if (!rows.has_value()) {
    return fail(bad_data, rows.error());
  }
  const auto steps = race(**frames, *rows);
  if (!steps.has_value()) {
    return fail(bad_data, steps.error());
  }
  fmt::print("{}: {} boxes, {} step{}, {:.1f} pairs a step; all {} techniques agree\n\n", (*frames)->name(),
             (*frames)->boxes().size(), *steps, *steps == 1 ? "" : "s",
             per_step((*rows)[0].contender.counted_pairs(), *steps), rows->size());
  print_race(*rows, *steps);
  if (!options.no_cell_sizes) {
    std::fflush(stdout);
    if (auto printed = print_cell_sizes(**frames); !printed.has_value()) {
      return fail(bad_data, printed.error());
    }
  }
  return ok;
}

}  // namespace broadside::app
