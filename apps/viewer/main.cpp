#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "broadside/scene/file.hpp"
#include "broadside/scene/messages.hpp"
#include "shared/origin_option.hpp"
#include "shared/technique_option.hpp"
#include "viewer.hpp"

namespace {

int fail(int code, const std::string& sentence) {
  std::fprintf(stderr, "broadside-view: %s\n", broadside::printable(sentence).c_str());
  return code;
}

int run(int argc, char** argv) {
  broadside::view::ViewerOptions options;
  CLI::App app("Shows a scene, a trace or a list of boxes, and what the broad phase makes of it.",
               "broadside view");
  app.add_option(
         "INPUT", options.input,
         "Built-in scene, or file: scene .json, trace .b2tr or .b2tr.xz, boxes .csv; - for standard input")
      ->capture_default_str();
  broadside::app::add_origin(app, options.origin);
  app.add_option("--technique", options.technique, broadside::app::technique_names());
  app.add_option(
         "--parts", options.parts,
         "Divide the plane into this many parts of a distributed broad phase, and show which part owns "
         "each body")
      ->check(CLI::Range(1, broadside::app::Parts::max_parts));
  std::vector<float> cell_size;
  app.add_option("--cell-size", cell_size,
                 "Side of a cell, or WIDTH,HEIGHT, for the uniform and the hash grid")
      ->expected(1, 2)
      ->allow_extra_args(false)
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  app.add_option("--pick", options.pick, "Pick this body, counted from 0");
  app.add_flag("--paused", options.paused, "Wait at the first step");
  app.add_option("--width", options.width, "Width of the window in pixels")
      ->capture_default_str()
      ->check(CLI::Range(broadside::view::smallest_width, 10'000));
  app.add_option("--height", options.height, "Height of the window in pixels")
      ->capture_default_str()
      ->check(CLI::Range(broadside::view::smallest_height, 10'000));
  app.add_option("--frames", options.frames, "End after so many frames, each of one step")
      ->check(CLI::PositiveNumber);
  app.add_option("--screenshot", options.screenshot, "Write the last frame as .png; needs --frames");
  app.footer("Example: broadside view pinball --technique hash-grid");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return fail(2, std::string(error.what()) + "; see broadside view --help");
  }
  if (!options.screenshot.empty() && !options.frames) {
    return fail(2, "--screenshot: of which frame? Please give --frames as well");
  }
  if (!cell_size.empty()) {
    options.cell_size = broadside::Vec2{cell_size.front(), cell_size.back()};
  }
  const auto done = broadside::view::run_viewer(options);
  return done.has_value() ? 0 : fail(1, done.error().message);
}

}  // namespace

int main(int argc, char** argv) {
  broadside::remove_unfinished_files_on_signals();
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    return fail(1, error.what());
  }
}
