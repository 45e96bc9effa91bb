#include <unistd.h>

#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/scene/box_list.hpp"
#include "commands.hpp"
#include "pair_lines.hpp"

namespace broadside::app {

int pairs(const PairsOptions& options) {
  if (options.input == "-" && ::isatty(STDIN_FILENO) != 0) {
    return fail(bad_usage,
                "pairs: standard input is a terminal; name a file, or pipe boxes in, such as "
                "`broadside generate uniform --count 1000 | broadside pairs -`");
  }
  const auto list = read_box_list(options.input, options.origin);
  if (!list.has_value()) {
    return fail(bad_data, list.error());
  }
  const auto found = find_pairs(list->boxes, {.sorted = true});
  if (!found.has_value()) {
    return fail(bad_data, found.error());
  }
  auto output = OutputFile::open("-");
  if (!output.has_value()) {
    return fail(bad_data, output.error());
  }
  if (options.header) {
    output->write("a,b\n");
  }
  PairLines(*output).write("", *found, [&list](BoxIndex box) { return list->ids[box]; });
  if (auto committed = output->commit(); !committed.has_value()) {
    return fail(bad_data, committed.error());
  }
  return ok;
}

}  // namespace broadside::app
