#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "broadside/base/result.hpp"

namespace broadside::app {

/// How a command ended.
enum Exit : int {
  ok = 0,
  bad_data = 1,   ///< a file that cannot be read, understood or written; techniques that disagree
  bad_usage = 2,  ///< an option that makes no sense
};

/// Prints one line to standard error, and returns the exit code.
int fail(Exit code, const Error& error);
int fail(Exit code, const std::string& sentence);

struct RunOptions {
  std::string input = "circles";
  std::string technique;
  std::vector<float> cell_size;  ///< a side, or width and height; empty for the technique's own choice
  std::vector<float> bounds;     ///< min_x, min_y, max_x, max_y; empty for the technique's own choice
  std::optional<float> row_height;
  bool no_neighbor_lists = false;
  std::optional<std::size_t> steps;
  std::string pairs_file;
  std::string contacts_file;
  std::string picture_file;
  std::string animation_file;
  int picture_width = 1200;  ///< (unit: pixel)
  std::vector<float> view;   ///< min_x, min_y, max_x, max_y; empty for all
  std::string summary_file;
  bool quiet = false;
};
int run(const RunOptions& options);

struct PairsOptions {
  std::string input = "-";
  bool header = false;
};
int pairs(const PairsOptions& options);

struct CompareOptions {
  std::string input = "circles";
  std::optional<std::size_t> steps;
  bool no_cell_sizes = false;
};
int compare(const CompareOptions& options);

struct GenerateOptions {
  std::string name;
  std::uint64_t count = 10'000;
  std::uint64_t seed = 1;
  std::uint32_t frames = 60;
  std::string output = "-";
};
int generate(const GenerateOptions& options);

int scenes();

/// Replaces this process with the viewer, which is a separate program.
/// @param program the path by which this program was started
int view(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace broadside::app
