#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <fmt/core.h>
#include <stb/stb_image_write.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sstream>

#include "broadside/base/tasks.hpp"
#include "broadside/scene/file.hpp"
#include "broadside/scene/messages.hpp"
#include "commands.hpp"
#include "shared/origin_option.hpp"
#include "shared/parts.hpp"
#include "shared/technique_option.hpp"

namespace broadside::app {

// Prints each error of the program. fmt would throw if standard error is closed.
int fail(Exit code, const std::string& sentence) {
  std::fprintf(stderr, "broadside: %s\n", printable(sentence).c_str());
  return code;
}

int fail(Exit code, const Error& error) {
  return fail(code, error.message);
}

namespace {

// CLI11's own validators accept numbers that do not fit, and print limits of 300 digits.

CLI::Range steps_range() {
  return {std::size_t{1}, std::size_t{1'000'000'000}};
}

CLI::Validator above_0() {
  const auto check = [](const std::string& text) {
    double number = 0.0;
    const bool is_number = CLI::detail::lexical_cast(text, number);
    return is_number && number <= 0.0 ? text + " is not above 0" : std::string();
  };
  return {check, "POSITIVE"};
}

CLI::Validator natural() {
  const auto check = [](const std::string& text) {
    const bool fits = text.find_first_not_of("0123456789") == std::string::npos && text.size() <= 19;
    return fits ? std::string() : text + " is no whole number from 0 to 9999999999999999999";
  };
  return {check, "UINT"};
}

CLI::Validator file_name() {
  return {[](const std::string& text) {
            return std::string(text.empty() ? "the name of a file is missing" : "");
          },
          "FILE"};
}

void add_threads(CLI::App& command, std::size_t& threads) {
  command
      .add_option("--threads", threads,
                  "Threads to use, 0 for as many as the machine has; the results are the same")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{0}, ThreadPool::max_threads));
}

void add_run(CLI::App& app, RunOptions& options) {
  CLI::App& command =
      *app.add_subcommand("run", "Step a scene, replay a trace, or take a list of boxes as one step");
  command
      .add_option(
          "INPUT", options.input,
          "Built-in scene, or file: scene .json, trace .b2tr or .b2tr.xz, boxes .csv; - for standard input")
      ->capture_default_str();
  add_origin(command, options.origin);
  command.add_option("--technique", options.technique, technique_names());
  command
      .add_option("--cell-size", options.cell_size,
                  "Side of a cell, or WIDTH,HEIGHT, for the uniform and the hash grid")
      ->expected(1, 2)
      ->allow_extra_args(false)
      ->delimiter(',')
      ->check(above_0());
  command
      .add_option(
          "--bounds", options.bounds,
          "Area of the cells of the uniform grid: MIN_X MIN_Y MAX_X MAX_Y; by default that of all boxes")
      ->expected(4);
  command
      .add_option("--row-height", options.row_height, "Height of the finest rows of the hierarchical grid")
      ->check(above_0());
  command.add_flag("--no-neighbor-lists", options.no_neighbor_lists,
                   "The hierarchical grid keeps no neighbor lists: all steps cost the same");
  add_threads(command, options.threads);
  command
      .add_option("--parts", options.parts,
                  "Divide the plane into this many parts, each with a thread and a hierarchical grid of its "
                  "own; the results are the same. Pictures show the parts")
      ->check(CLI::Range(1, Parts::max_parts));
  command.add_option("--steps", options.steps, "Take this many steps")->check(steps_range());
  command
      .add_option("--pairs", options.pairs_file,
                  "Write the pairs of each step whose boxes touch as CSV: step,a,b")
      ->check(file_name());
  command
      .add_option("--contacts", options.contacts_file,
                  "Write where shapes touch as CSV, a line for each point: "
                  "step,a,b,normal_x,normal_y,point_x,point_y,separation,feature")
      ->check(file_name());
  command
      .add_option("--picture", options.picture_file,
                  "Draw the last step as .svg or .png; up to 500 contacts get points and normals")
      ->check(file_name());
  command
      .add_option("--animation", options.animation_file,
                  "Draw each second step, up to step 600, as a moving .svg that plays 30 a second")
      ->check(file_name());
  command.add_option("--picture-width", options.picture_width, "Width of the picture in pixels")
      ->capture_default_str()
      ->check(CLI::Range(100, 10'000));
  command.add_option("--view", options.view, "Draw this part of the world: MIN_X MIN_Y MAX_X MAX_Y")
      ->expected(4);
  command.add_option("--summary", options.summary_file, "Write the counters and times as JSON")
      ->check(file_name());
  command.add_flag("--quiet", options.quiet, "Print nothing but errors");
  command.footer("Example: broadside run pinball --technique hash-grid --picture pinball.svg");
}

void add_pairs(CLI::App& app, PairsOptions& options) {
  CLI::App& command =
      *app.add_subcommand("pairs", "Read boxes as CSV, print the touching pairs a,b, a line each");
  command
      .add_option("LEFT", options.left,
                  "id,min_x,min_y,max_x,max_y, or a header with these columns; - for standard input")
      ->capture_default_str();
  command
      .add_option("RIGHT", options.right,
                  "A second file: print the pairs of a box a of LEFT and a box b of RIGHT")
      ->check(file_name());
  add_origin(command, options.origin);
  add_threads(command, options.threads);
  command.add_flag("--unsorted", options.unsorted, "Do not sort the lines by (a, b), which takes less time");
  command.add_flag("--header", options.header, "Print the header a,b first");
  command.footer("Example: broadside generate uniform --count 1000 | broadside pairs - | wc -l");
}

void add_compare(CLI::App& app, CompareOptions& options) {
  CLI::App& command = *app.add_subcommand(
      "compare", "Run the techniques on the same steps, check that all agree, and print what each costs");
  command.add_option("INPUT", options.input, "As for run; boxes of a single frame move to and fro")
      ->capture_default_str();
  add_origin(command, options.origin);
  command
      .add_option("--techniques", options.techniques,
                  "Run only these: names with commas between them. By default all run, but brute-force only "
                  "on at most 100000 boxes")
      ->type_name("NAME")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      .add_option(
          "--steps", options.steps,
          "Take this many steps; the first is not counted unless it is the only one. By default those "
          "of the input, and 30 of a single frame, or as many as take 4 seconds")
      ->check(steps_range());
  CLI::Option* cell_sizes =
      command
          .add_option("--cell-sizes", options.cell_sizes,
                      "Cell sizes to try with the grids, as SIDE or WIDTHxHEIGHT, with commas between them; "
                      "by default 1/8 to 16 times the suggested one, as many as take 6 seconds a grid")
          ->type_name("SIZE")
          ->delimiter(',')
          ->allow_extra_args(false);
  command.add_flag("--no-cell-sizes", options.no_cell_sizes, "Leave out the cost of the cell size")
      ->excludes(cell_sizes);
  command.add_option("--chart", options.chart_file, "Draw the times, and the cost of the cell size, as .svg")
      ->check(file_name());
  command.footer(
      "Times are for the pairs alone: taking over the boxes, and finding the pairs.\n"
      "Example: broadside compare rings --steps 60 --cell-sizes 1,14.14,50x20 --chart rings.svg");
}

void add_generate(CLI::App& app, GenerateOptions& options) {
  CLI::App& command = *app.add_subcommand("generate", "Make boxes to measure on, as CSV or as a trace");
  command.add_option("NAME", options.name, "Kind of workload; `broadside scenes` lists them")->required();
  command.add_option("--count", options.count, "Number of boxes")->capture_default_str()->check(natural());
  command.add_option("--seed", options.seed, "The same seed makes the same boxes on every machine")
      ->capture_default_str()
      ->check(natural());
  command
      .add_option("--output", options.output, "Target; a .b2tr or .b2tr.xz gets a trace, anything else CSV")
      ->capture_default_str()
      ->check(file_name());
  command
      .add_option("--frames", options.frames, "Frames of a trace; boxes move by 5 % of their size in each")
      ->capture_default_str()
      ->check(CLI::Range(1U, 1'000'000U));
  command.footer(
      "A CSV holds no body types: what the workload has as static counts as moving there.\n"
      "Example: broadside generate clusters --count 10000 --output clusters.b2tr.xz");
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

bool is_option(const std::string& word) {
  return word.size() > 1 && word.front() == '-';
}

/// Says why words that no option took are wrong, each option in the order typed. Words after an unknown
/// command or option are probably its arguments.
std::string explain_words(const CLI::App& command, const std::vector<std::string>& words) {
  const bool is_program = command.get_parent() == nullptr;
  if (is_program && !is_option(words.front())) {
    const std::vector<std::string> names = command_names(command);
    const std::string near = suggestion(words.front(), names);
    return "\"" + words.front() + "\" is no command" +
           (near.empty() ? "; the commands are " + CLI::detail::join(names, ", ") : near);
  }
  std::string text;
  for (const std::string& word : words) {
    if (is_option(word)) {
      const std::string name = word.substr(0, word.find('='));
      text += text.empty() ? "" : text.back() == '?' ? " " : "; ";
      text += name + " is no option of " + command.get_name() + suggestion(name, option_names(command));
    } else if (is_program) {
      break;
    }
  }
  return text.empty() ? command.get_name() + " has no place for " + CLI::detail::join(words, " ") : text;
}

/// Explains an error of the arguments, and names the help to read.
std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const auto help = [&app](const CLI::App& one) {
    return " (see broadside " + (&one == &app ? "" : one.get_name() + " ") + "--help)";
  };
  for (const CLI::App* one : {&app, &command}) {
    std::vector<std::string> words = one->remaining();
    words.erase(std::remove(words.begin(), words.end(), "--"), words.end());
    if (!words.empty() && !one->get_prefix_command()) {
      return explain_words(*one, words) + help(*one);
    }
  }
  if (chosen.empty() && error.get_name() == "RequiredError") {
    return "a command is missing; the commands are " + CLI::detail::join(command_names(app), ", ") +
           help(app);
  }
  return error.what() + help(command);
}

int dispatch(int argc, char** argv) {
  CLI::App app("Finds which of many boxes touch, by any of several techniques.", "broadside");
  app.set_version_flag("--version", std::string("broadside ") + BROADSIDE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Example: broadside run\n"
      "What is built in: broadside scenes. More on a command: broadside COMMAND --help\n"
      "Exit codes: 0 for success, 1 for bad data or a file that is not readable or writable, 2 for bad "
      "usage;\n"
      "a signal such as that of Ctrl-C ends it as any program (in a shell 128 + its number)");

  RunOptions run_options;
  PairsOptions pairs_options;
  CompareOptions compare_options;
  GenerateOptions generate_options;
  add_run(app, run_options);
  add_pairs(app, pairs_options);
  add_compare(app, compare_options);
  add_generate(app, generate_options);
  const std::string viewer = find_viewer(argv[0]);
  CLI::App& view_command = *app.add_subcommand(
      "view", viewer.empty() ? "Watch INPUT in a window: not installed here, build it with make view"
                             : "Watch INPUT, as for run, in a window, and ask why bodies touch or do not");
  view_command.set_help_flag();  // the viewer has its own
  view_command.prefix_command();
  app.add_subcommand("scenes", "List what is built in")->footer("Example: broadside scenes");

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    std::ostringstream text;
    const int code = app.exit(success, text);
    std::fputs(text.str().c_str(), stdout);  // `main` checks that it is written
    return code;
  } catch (const CLI::ParseError& error) {
    return fail(bad_usage, explain(app, error));
  }
  if (app.got_subcommand("run")) {
    return run(run_options);
  }
  if (app.got_subcommand("pairs")) {
    return pairs(pairs_options);
  }
  if (app.got_subcommand("compare")) {
    return compare(compare_options);
  }
  if (app.got_subcommand("generate")) {
    return generate(generate_options);
  }
  if (app.got_subcommand("view")) {
    return view(viewer, view_command.remaining());
  }
  return scenes();
}

}  // namespace

}  // namespace broadside::app

namespace {

/// Reports output that could not be written, for example because the disk is full.
int checked(int code) {
  const bool is_flushed = std::fflush(stdout) == 0;
  if (std::ferror(stdout) != 0 && code == broadside::app::ok) {
    return broadside::app::fail(
        broadside::app::bad_data,
        std::string("standard output: ") + (is_flushed ? "a part was not written" : std::strerror(errno)));
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  broadside::remove_unfinished_files_on_signals();
  try {
    return checked(broadside::app::dispatch(argc, argv));
  } catch (const std::bad_alloc&) {
    return broadside::app::fail(broadside::app::bad_data, "not enough memory");
  } catch (const std::exception& error) {
    return broadside::app::fail(broadside::app::bad_data, error.what());
  }
}
