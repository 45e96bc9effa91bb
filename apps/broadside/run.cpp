#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "broadside/scene/file.hpp"
#include "commands.hpp"
#include "contact_lines.hpp"
#include "measure.hpp"
#include "pair_lines.hpp"
#include "picture.hpp"
#include "progress.hpp"
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

struct Outcome {
  const Frames& frames;
  const Contender& contender;
  const ContactFinder& finder;
  std::size_t steps = 0;

  [[nodiscard]] double per_step(std::uint64_t total) const {
    return static_cast<double>(total) / static_cast<double>(std::max<std::size_t>(steps, 1));
  }
  [[nodiscard]] double median_ms() const { return median(contender.milliseconds()); }
  [[nodiscard]] double p99_ms() const { return quantile(contender.milliseconds(), 0.99); }
  [[nodiscard]] double contacts_ms(double share) const { return quantile(finder.milliseconds(), share); }
  [[nodiscard]] std::size_t static_bodies() const {
    const auto types = frames.types();
    return static_cast<std::size_t>(std::count(types.begin(), types.end(), BodyType::static_body));
  }
};

std::string summary_json(const Outcome& outcome, std::string_view technique) {
  const Statistics statistics = outcome.contender.broad_phase().statistics();
  const nlohmann::ordered_json summary = {
      {"input", outcome.frames.name()},
      {"technique", technique},
      {"bodies", outcome.frames.boxes().size()},
      {"static_bodies", outcome.static_bodies()},
      {"steps", outcome.steps},
      {"pairs", outcome.contender.counted_pairs()},
      {"contacts", outcome.finder.counted_contacts()},
      {"tests", outcome.contender.tests()},
      {"hits", outcome.contender.hits()},
      {"false_positives", outcome.contender.tests() - outcome.contender.hits()},
      {"last_step",
       {{"pairs", outcome.contender.pairs().size()},
        {"contacts", outcome.finder.contacts().size()},
        {"cells", statistics.cells},
        {"occupied_cells", statistics.occupied_cells},
        {"entries", statistics.entries},
        {"cells_visited", statistics.cells_visited},
        {"owner_checks", statistics.owner_checks}}},
      {"tuning", outcome.contender.broad_phase().tuning()},
      {"bytes", statistics.bytes},
      {"milliseconds",
       {{"median", outcome.median_ms()},
        {"p99", outcome.p99_ms()},
        {"update_total", 1e3 * outcome.contender.update_seconds()},
        {"pairs_total", 1e3 * outcome.contender.pairs_seconds()},
        {"contacts_median", outcome.contacts_ms(0.5)},
        {"contacts_p99", outcome.contacts_ms(0.99)}}},
  };
  return summary.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void print_table(const Outcome& outcome, std::string_view technique) {
  const Statistics statistics = outcome.contender.broad_phase().statistics();
  const double pairs = outcome.per_step(outcome.contender.counted_pairs());
  const double tests = outcome.per_step(outcome.contender.tests());
  const auto boxes = static_cast<double>(std::max<std::size_t>(statistics.boxes, 1));
  fmt::print("{} with {}, {} step{}\n", outcome.frames.name(), technique, outcome.steps,
             outcome.steps == 1 ? "" : "s");
  fmt::print("  bodies    {} ({} static)\n", statistics.boxes, outcome.static_bodies());
  fmt::print("  pairs     {:.1f} a step, boxes that touch\n", pairs);
  fmt::print("  contacts  {:.1f} a step, shapes that touch\n",
             outcome.per_step(outcome.finder.counted_contacts()));
  fmt::print("  tests     {:.1f} a step, {:.2f} a pair\n", tests, pairs > 0.0 ? tests / pairs : 0.0);
  if (statistics.cells > 0) {
    fmt::print("  cells     {} occupied of {}, {} entries\n", statistics.occupied_cells, statistics.cells,
               statistics.entries);
  }
  if (const std::string tuning = outcome.contender.broad_phase().tuning(); !tuning.empty()) {
    fmt::print("  choice    {}\n", tuning);
  }
  fmt::print("  time      {:.3f} ms a step (median), {:.3f} ms (p99) for the pairs,\n", outcome.median_ms(),
             outcome.p99_ms());
  fmt::print("            {:.3f} ms a step (median), {:.3f} ms (p99) for the contacts\n",
             outcome.contacts_ms(0.5), outcome.contacts_ms(0.99));
  fmt::print("  memory    {:.2f} MB, {:.0f} bytes a body\n", static_cast<double>(statistics.bytes) / 1e6,
             static_cast<double>(statistics.bytes) / boxes);
}

/// The outputs that are written at each step.
struct Recorders {
  std::optional<PairLines> pairs;
  std::optional<ContactLines> contacts;
  std::optional<Animation> animation;
};

/// Runs all steps. @param picture returns the contents of a step's picture
template <typename Picture>
std::size_t play(Frames& frames, Contender& contender, ContactFinder& finder, Recorders& recorders,
                 Picture picture, bool quiet) {
  const bool is_one_step = frames.step_count() == 1;
  Progress progress(frames.name(), frames.step_count(), quiet || is_one_step);
  const Notice notice("finding pairs and contacts of " + frames.name(), quiet || !is_one_step);
  std::size_t step = 0;
  do {
    const std::vector<Pair>& pairs = contender.step(frames);
    if (recorders.pairs) {
      recorders.pairs->write(std::to_string(step) + ",", pairs,
                             [&frames](BoxIndex box) { return frames.id(box); });
    }
    const auto contacts = finder.step(frames, pairs);
    if (recorders.contacts) {
      recorders.contacts->write(step, contacts, frames);
    }
    if (recorders.animation && step % Animation::steps_each == 0) {
      recorders.animation->add(picture(step));
    }
    frames.respond(contacts);
    progress.advance_to(++step);
  } while (frames.advance());
  return step;
}

}  // namespace

int run(const RunOptions& options) {
  const auto technique = options.technique.empty() ? Result(&default_technique())
                                                   : find_technique_of("--technique", options.technique);
  if (!technique.has_value()) {
    return fail(bad_usage, technique.error());
  }
  const std::string name((*technique)->name);
  if (!options.cell_size.empty() && !(*technique)->has_cell_size) {
    return fail(bad_usage, "--cell-size: " + name + " has no cell size to choose");
  }
  if ((options.row_height || options.no_neighbor_lists) && name != "hierarchical-grid") {
    return fail(bad_usage, std::string(options.row_height ? "--row-height" : "--no-neighbor-lists") +
                               ": an option of hierarchical-grid");
  }
  if (!options.bounds.empty() && name != "uniform-grid") {
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
  auto contender = Contender::make(**technique, technique_options, **frames);
  if (!contender.has_value()) {
    return fail(bad_usage, contender.error());
  }
  ThreadPool threads(options.threads);
  contender->use_threads(threads);
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
    return PictureContents{
        .frames = **frames,
        .broad_phase = contender->broad_phase(),
        .pairs = contender->pairs(),
        .contacts = finder.contacts(),
        .title =
            fmt::format("{}, step {}", std::filesystem::path((*frames)->name()).filename().string(), step),
        .technique = name,
        .width = options.picture_width,
        .view = *view};
  };
  const std::size_t steps = play(**frames, *contender, finder, recorders, picture, options.quiet);

  const Outcome outcome{**frames, *contender, finder, steps};
  if (*picture_file) {
    (*picture_file)->write(draw_picture(options.picture_file, picture(steps - 1)));
  }
  if (*animation_file) {
    (*animation_file)->write(recorders.animation->finish());
  }
  if (*summary_file) {
    (*summary_file)->write(summary_json(outcome, name));
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
    print_table(outcome, name);
  }
  return ok;
}

}  // namespace broadside::app
