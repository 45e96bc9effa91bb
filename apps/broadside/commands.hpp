#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "broadside/base/result.hpp"
#include "broadside/scene/box_list.hpp"

namespace broadside::app {

/// How a command ended.
enum Exit : int {
  ok = 0,
  bad_data = 1,   ///< a file that cannot be read, understood or written; techniques that disagree
  bad_usage = 2,  ///< an invalid option, or one that cannot be combined with the others
};

/// Prints one line to standard error, without control characters, and returns the exit code.
int fail(Exit code, const Error& error);
int fail(Exit code, const std::string& sentence);

/// The arguments of `run`.
struct RunOptions {
  std::string input = "circles";  ///< an argument of `open_frames`
  BoxList::Origin origin;
  std::string technique;         ///< empty for the default
  std::vector<float> cell_size;  ///< a side, or width and height; empty for the technique's own choice
  std::vector<float> bounds;     ///< min_x, min_y, max_x, max_y; empty for the technique's own choice
  std::optional<float> row_height;
  bool no_neighbor_lists = false;
  std::size_t threads = 1;           ///< 0 for as many as the machine has
  std::optional<int> parts;          ///< of a distributed broad phase, instead of a technique
  std::optional<std::size_t> steps;  ///< absent for those of the input
  // Files to write; none if empty.
  std::string pairs_file;
  std::string contacts_file;
  std::string picture_file;
  std::string animation_file;
  int picture_width = 1200;  ///< (unit: pixel)
  std::vector<float> view;   ///< min_x, min_y, max_x, max_y; empty for all
  std::string summary_file;
  bool quiet = false;
};
/// Steps a scene, replays a trace, or takes a list of boxes as one step, and writes the files asked for.
/// @return the exit code; the same for the commands below
int run(const RunOptions& options);

/// The arguments of `pairs`.
struct PairsOptions {
  std::string left = "-";  ///< a file of boxes as CSV; "-" is the standard input
  std::string right;       ///< another one; empty for the pairs within `left`
  BoxList::Origin origin;
  std::size_t threads = 1;  ///< 0 for as many as the machine has
  bool unsorted = false;
  bool header = false;  ///< prints "a,b" first
};
/// Prints the pairs of boxes that touch, a line each.
int pairs(const PairsOptions& options);

/// The arguments of `compare`.
struct CompareOptions {
  std::string input = "circles";  ///< an argument of `open_frames`
  BoxList::Origin origin;
  std::vector<std::string> techniques;  ///< names; empty for all
  std::optional<std::size_t> steps;     ///< absent for those of the input
  std::vector<std::string> cell_sizes;  ///< sides, or WIDTHxHEIGHT; empty for multiples of the suggested one
  bool no_cell_sizes = false;           ///< leaves out the cost of the cell size
  std::string chart_file;               ///< to write; none if empty
};
/// Runs techniques on the same steps, checks that all agree, and prints the cost of each.
int compare(const CompareOptions& options);

/// The arguments of `generate`.
struct GenerateOptions {
  std::string name;              ///< a name of `workload_kinds`
  std::uint64_t count = 10'000;  ///< number of boxes
  std::uint64_t seed = 1;
  std::uint32_t frames = 60;  ///< frames of a trace
  std::string output = "-";   ///< a trace if it ends with .b2tr or .xz, else CSV; "-" is the standard output
};
/// Writes the boxes of a workload as CSV or as a trace.
int generate(const GenerateOptions& options);

/// Lists the built-in scenes and the workloads.
int scenes();

/// Returns the path of the viewer, which is a separate program; empty if it is not installed.
/// @param program the path by which this program was started
std::string find_viewer(const std::string& program);

/// Replaces this process with the viewer.
int view(const std::string& viewer, const std::vector<std::string>& arguments);

}  // namespace broadside::app
