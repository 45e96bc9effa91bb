#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "broadside/scene/file.hpp"
#include "commands.hpp"
#include "contact_lines.hpp"
#include "measure.hpp"
#include "pair_lines.hpp"
#include "picture.hpp"
#include "progress.hpp"
#include "shared/parts.hpp"
#include "shared/quantile.hpp"
#include "shared/technique_option.hpp"

namespace broadside::app {

namespace {

/// Opens an output file before the work begins, so that nothing is computed for a file that cannot be
/// written.
Result<std::optional<OutputFile>> open_target(const std::string& path) {
  if (path.empty()) {
    return std::optional<OutputFile>();
  }
  auto file = OutputFile::open(path);
  if (!file.has_value()) {
    return file.error();
  }
  return std::optional<OutputFile>(std::move(*file));
}

/// Makes a part of the world of four numbers; returns none if there are no numbers.
Result<std::optional<Aabb>> read_area(const std::string& option, const std::vector<float>& sides) {
  if (sides.empty()) {
    return std::optional<Aabb>();
  }
  const Aabb area{{sides[0], sides[1]}, {sides[2], sides[3]}};
  if (!is_valid(area) || area.min.x == area.max.x || area.min.y == area.max.y) {
    return Error{ErrorCode::invalid_argument,
                 option + ": expected MIN_X MIN_Y MAX_X MAX_Y, finite, each min below its max"};
  }
  return std::optional<Aabb>(area);
}

/// What finds the pairs: a technique, or the parts of a distributed broad phase.
class PairFinder {
 public:
  virtual ~PairFinder() = default;
  /// Finds the pairs of a step, sorted.
  virtual Result<std::span<const Pair>> step(const Frames& frames) = 0;
  /// Returns the pairs of the last step.
  [[nodiscard]] virtual const std::vector<Pair>& pairs() const = 0;
  [[nodiscard]] virtual const std::vector<double>& milliseconds() const = 0;
  /// Adds the counters to a summary that has those of all finders.
  virtual void add_to(nlohmann::ordered_json& summary) const = 0;
  /// Prints the lines of counters, without those for times.
  virtual void print_counters(double pairs_per_step) const = 0;
  /// Prints the lines after those for times.
  virtual void print_memory() const {}
  virtual void add_to(PictureContents& contents) const = 0;
};

class TechniqueFinder final : public PairFinder {
 public:
  explicit TechniqueFinder(Contender contender) : contender_(std::move(contender)) {}

  Result<std::span<const Pair>> step(const Frames& frames) override {
    return std::span<const Pair>(contender_.step(frames));
  }
  [[nodiscard]] const std::vector<Pair>& pairs() const override { return contender_.pairs(); }
  [[nodiscard]] const std::vector<double>& milliseconds() const override { return contender_.milliseconds(); }

  void add_to(nlohmann::ordered_json& summary) const override {
    const Statistics statistics = contender_.broad_phase().statistics();
    summary["tests"] = contender_.tests();
    summary["hits"] = contender_.hits();
    summary["false_positives"] = contender_.tests() - contender_.hits();
    auto& last_step = summary["last_step"];
    last_step["cells"] = statistics.cells;
    last_step["occupied_cells"] = statistics.occupied_cells;
    last_step["entries"] = statistics.entries;
    last_step["cells_visited"] = statistics.cells_visited;
    last_step["owner_checks"] = statistics.owner_checks;
    summary["tuning"] = contender_.broad_phase().tuning();
    summary["bytes"] = statistics.bytes;
    summary["milliseconds"]["update_total"] = 1e3 * contender_.update_seconds();
    summary["milliseconds"]["pairs_total"] = 1e3 * contender_.pairs_seconds();
  }

  void print_counters(double pairs) const override {
    const Statistics statistics = contender_.broad_phase().statistics();
    const double tests = contender_.per_step(contender_.tests());
    fmt::print("  tests     {:.1f} a step, {:.2f} a pair\n", tests, pairs > 0.0 ? tests / pairs : 0.0);
    if (statistics.cells > 0) {
      fmt::print("  cells     {} occupied of {}, {} entries\n", statistics.occupied_cells, statistics.cells,
                 statistics.entries);
    }
    if (const std::string tuning = contender_.broad_phase().tuning(); !tuning.empty()) {
      fmt::print("  choice    {}\n", tuning);
    }
  }

  void print_memory() const override {
    const auto bytes = static_cast<double>(contender_.broad_phase().statistics().bytes);
    const auto boxes = static_cast<double>(std::max<std::size_t>(contender_.broad_phase().size(), 1));
    fmt::print("  memory    {:.2f} MB, {:.0f} bytes a body\n", bytes / 1e6, bytes / boxes);
  }

  void add_to(PictureContents& contents) const override { contents.cells = contender_.broad_phase().cells(); }

 private:
  Contender contender_;
};

class PartsFinder final : public PairFinder {
 public:
  explicit PartsFinder(int parts) : parts_(parts) {}

  Result<std::span<const Pair>> step(const Frames& frames) override { return parts_.step(frames); }
  [[nodiscard]] const std::vector<Pair>& pairs() const override { return parts_.pairs(); }
  [[nodiscard]] const std::vector<double>& milliseconds() const override { return parts_.milliseconds(); }

  void add_to(nlohmann::ordered_json& summary) const override {
    summary["parts"] = {{"count", parts_.count()},
                        {"ghosts", per_step(parts_.sums().ghosts)},
                        {"migrants", per_step(parts_.sums().migrants)},
                        {"bytes", per_step(parts_.sums().bytes)},
                        {"imbalance", imbalance()},
                        {"rebalances", parts_.sums().rebalances}};
    summary["last_step"]["ghosts"] = parts_.last().ghosts;
    summary["last_step"]["migrants"] = parts_.last().migrants;
  }

  void print_counters(double) const override {
    fmt::print("  parts     {}, with {:.1f} ghosts, {:.1f} migrants and {:.0f} bytes a step\n",
               parts_.count(), per_step(parts_.sums().ghosts), per_step(parts_.sums().migrants),
               per_step(parts_.sums().bytes));
    fmt::print("  cuts      moved {} time{}; the slowest part worked {:.2f} times the mean\n",
               parts_.sums().rebalances, parts_.sums().rebalances == 1 ? "" : "s", imbalance());
  }

  void add_to(PictureContents& contents) const override { contents.parts = &parts_; }

 private:
  /// The first step, which distributes the boxes, does not count unless it is the only one.
  [[nodiscard]] double steps() const { return static_cast<double>(milliseconds().size()) - 1.0; }
  template <typename Sum>
  [[nodiscard]] double per_step(Sum sum) const {
    return static_cast<double>(sum) / std::max(steps(), 1.0);
  }
  [[nodiscard]] double imbalance() const { return steps() < 1.0 ? 1.0 : per_step(parts_.sums().imbalance); }

  Parts parts_;
};

struct Outcome {
  const Frames& frames;
  const PairFinder& pairs;
  const ContactFinder& finder;
  std::string_view technique;  ///< or what finds the pairs instead
  std::size_t steps = 0;
  std::uint64_t pair_count = 0;

  [[nodiscard]] double per_step(std::uint64_t total) const {
    return static_cast<double>(total) / static_cast<double>(std::max<std::size_t>(steps, 1));
  }
  [[nodiscard]] double median_ms() const { return median(pairs.milliseconds()); }
  [[nodiscard]] double p99_ms() const { return quantile(pairs.milliseconds(), 0.99); }
  [[nodiscard]] double contacts_ms(double share) const { return quantile(finder.milliseconds(), share); }
  [[nodiscard]] std::size_t static_bodies() const {
    const auto types = frames.types();
    return static_cast<std::size_t>(std::count(types.begin(), types.end(), BodyType::static_body));
  }
};

std::string summary_json(const Outcome& outcome) {
  nlohmann::ordered_json summary = {
      {"input", outcome.frames.name()},
      {"technique", outcome.technique},
      {"bodies", outcome.frames.boxes().size()},
      {"static_bodies", outcome.static_bodies()},
      {"steps", outcome.steps},
      {"pairs", outcome.pair_count},
      {"contacts", outcome.finder.counted_contacts()},
      {"last_step",
       {{"pairs", outcome.pairs.pairs().size()}, {"contacts", outcome.finder.contacts().size()}}},
      {"milliseconds",
       {{"median", outcome.median_ms()},
        {"p99", outcome.p99_ms()},
        {"contacts_median", outcome.contacts_ms(0.5)},
        {"contacts_p99", outcome.contacts_ms(0.99)}}},
  };
  outcome.pairs.add_to(summary);
  return summary.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void print_table(const Outcome& outcome) {
  const double pairs = outcome.per_step(outcome.pair_count);
  fmt::print("{} with {}, {} step{}\n", outcome.frames.name(), outcome.technique, outcome.steps,
             outcome.steps == 1 ? "" : "s");
  fmt::print("  bodies    {} ({} static)\n", outcome.frames.boxes().size(), outcome.static_bodies());
  fmt::print("  pairs     {:.1f} a step, boxes that touch\n", pairs);
  fmt::print("  contacts  {:.1f} a step, shapes that touch\n",
             outcome.per_step(outcome.finder.counted_contacts()));
  outcome.pairs.print_counters(pairs);
  fmt::print("  time      {:.3f} ms a step (median), {:.3f} ms (p99) for the pairs,\n", outcome.median_ms(),
             outcome.p99_ms());
  fmt::print("            {:.3f} ms a step (median), {:.3f} ms (p99) for the contacts\n",
             outcome.contacts_ms(0.5), outcome.contacts_ms(0.99));
  outcome.pairs.print_memory();
}

/// The outputs that are written at each step.
struct Recorders {
  std::optional<PairLines> pairs;
  std::optional<ContactLines> contacts;
  std::optional<Animation> animation;
};

/// Counts of all steps.
struct Played {
  std::size_t steps = 0;
  std::uint64_t pairs = 0;
};

/// Runs all steps. @param picture returns the contents of a step's picture
template <typename Picture>
Result<Played> play(Frames& frames, PairFinder& pair_finder, ContactFinder& finder, Recorders& recorders,
                    Picture picture, bool quiet) {
  const bool is_one_step = frames.step_count() == 1;
  Progress progress(frames.name(), frames.step_count(), quiet || is_one_step);
  const Notice notice("finding pairs and contacts of " + frames.name(), quiet || !is_one_step);
  Played played;
  do {
    const auto pairs = pair_finder.step(frames);
    if (!pairs.has_value()) {
      return pairs.error();
    }
    played.pairs += pairs->size();
    if (recorders.pairs) {
      recorders.pairs->write(std::to_string(played.steps) + ",", *pairs,
                             [&frames](BoxIndex box) { return frames.id(box); });
    }
    const auto contacts = finder.step(frames, *pairs);
    if (recorders.contacts) {
      recorders.contacts->write(played.steps, contacts, frames);
    }
    if (recorders.animation && played.steps % Animation::steps_each == 0) {
      recorders.animation->add(picture(played.steps));
    }
    frames.respond(contacts);
    progress.advance_to(++played.steps);
  } while (frames.advance());
  return played;
}

/// Refuses options of the technique if there is none.
Result<void> check_parts(const RunOptions& options) {
  const std::pair<const char*, bool> given[] = {{"--technique", !options.technique.empty()},
                                                {"--cell-size", !options.cell_size.empty()},
                                                {"--bounds", !options.bounds.empty()},
                                                {"--row-height", options.row_height.has_value()},
                                                {"--no-neighbor-lists", options.no_neighbor_lists}};
  for (const auto& [option, is_given] : given) {
    if (options.parts && is_given) {
      return Error{
          ErrorCode::invalid_argument,
          std::string(option) + ": not with --parts, where each part has a hierarchical grid of its own"};
    }
  }
  return {};
}

}  // namespace

int run(const RunOptions& options) {
  if (auto checked = check_parts(options); !checked.has_value()) {
    return fail(bad_usage, checked.error());
  }
  const auto technique = options.technique.empty() ? Result(&default_technique())
                                                   : find_technique_of("--technique", options.technique);
  if (!technique.has_value()) {
    return fail(bad_usage, technique.error());
  }
  const std::string technique_name((*technique)->name);
  const std::string name = options.parts
                               ? fmt::format("{} part{}", *options.parts, *options.parts == 1 ? "" : "s")
                               : technique_name;
  if (!options.cell_size.empty() && !(*technique)->has_cell_size) {
    return fail(bad_usage, "--cell-size: " + name + " has no cell size to choose");
  }
  if ((options.row_height || options.no_neighbor_lists) && technique_name != "hierarchical-grid") {
    return fail(bad_usage, std::string(options.row_height ? "--row-height" : "--no-neighbor-lists") +
                               ": an option of hierarchical-grid");
  }
  if (!options.bounds.empty() && technique_name != "uniform-grid") {
    return fail(bad_usage, "--bounds: an option of uniform-grid");
  }
  const auto bounds = read_area("--bounds", options.bounds);
  if (!bounds.has_value()) {
    return fail(bad_usage, bounds.error());
  }
  TechniqueOptions technique_options{
      .bounds = *bounds, .row_height = options.row_height, .neighbor_lists = !options.no_neighbor_lists};
  if (!options.cell_size.empty()) {
    technique_options.cell_size = Vec2{options.cell_size.front(), options.cell_size.back()};
  }
  if (!options.picture_file.empty()) {
    if (auto checked = check_picture_name(options.picture_file); !checked.has_value()) {
      return fail(bad_usage, checked.error());
    }
  }
  const auto view = read_area("--view", options.view);
  if (!view.has_value()) {
    return fail(bad_usage, view.error());
  }
  auto frames = [&options] {
    const Notice notice("reading " + options.input, options.quiet);
    return open_frames(options.input, options.origin);
  }();
  if (!frames.has_value()) {
    return fail(bad_data, frames.error());
  }
  if (options.steps) {
    (*frames)->limit_steps(*options.steps);
  }
  if (!options.animation_file.empty()) {
    if (auto checked = check_animation(options.animation_file, (*frames)->step_count());
        !checked.has_value()) {
      return fail(bad_usage, checked.error());
    }
  }
  (*frames)->advance();
  ThreadPool threads(options.threads);
  std::unique_ptr<PairFinder> pair_finder;
  if (options.parts) {
    pair_finder = std::make_unique<PartsFinder>(*options.parts);
  } else {
    auto contender = Contender::make(**technique, technique_options, **frames);
    if (!contender.has_value()) {
      return fail(bad_usage, contender.error());
    }
    contender->use_threads(threads);
    pair_finder = std::make_unique<TechniqueFinder>(std::move(*contender));
  }
  auto pairs_file = open_target(options.pairs_file);
  auto contacts_file = open_target(options.contacts_file);
  auto picture_file = open_target(options.picture_file);
  auto animation_file = open_target(options.animation_file);
  auto summary_file = open_target(options.summary_file);
  for (const auto* file : {&pairs_file, &contacts_file, &picture_file, &animation_file, &summary_file}) {
    if (!file->has_value()) {
      return fail(bad_data, file->error());
    }
  }

  Recorders recorders;
  if (*pairs_file) {
    (*pairs_file)->write("step,a,b\n");
    recorders.pairs.emplace(**pairs_file);
  }
  if (*contacts_file) {
    recorders.contacts.emplace(**contacts_file);
  }
  if (*animation_file) {
    recorders.animation.emplace();
  }
  ContactFinder finder;
  finder.use_threads(threads);
  const auto picture = [&](std::size_t step) {
    PictureContents contents{
        .frames = **frames,
        .cells = {},
        .pairs = pair_finder->pairs(),
        .contacts = finder.contacts(),
        .title =
            fmt::format("{}, step {}", std::filesystem::path((*frames)->name()).filename().string(), step),
        .technique = name,
        .width = options.picture_width,
        .view = *view,
        .parts = nullptr};
    pair_finder->add_to(contents);
    return contents;
  };
  const auto played = play(**frames, *pair_finder, finder, recorders, picture, options.quiet);
  if (!played.has_value()) {
    return fail(bad_data, played.error());
  }

  const Outcome outcome{**frames, *pair_finder, finder, name, played->steps, played->pairs};
  if (*picture_file) {
    (*picture_file)->write(draw_picture(options.picture_file, picture(played->steps - 1)));
  }
  if (*animation_file) {
    (*animation_file)->write(recorders.animation->finish());
  }
  if (*summary_file) {
    (*summary_file)->write(summary_json(outcome));
  }
  for (auto* file : {&pairs_file, &contacts_file, &picture_file, &animation_file, &summary_file}) {
    if (!file->has_value() || !**file) {
      continue;
    }
    if (auto committed = (**file)->commit(); !committed.has_value()) {
      return fail(bad_data, committed.error());
    }
  }
  if (!options.quiet) {
    print_table(outcome);
  }
  return ok;
}

}  // namespace broadside::app
