#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/scene/box_list.hpp"
#include "broadside/scene/file.hpp"
#include "commands.hpp"
#include "pair_lines.hpp"
#include "progress.hpp"

namespace broadside::app {

namespace {

Result<BoxList> read(const std::string& path, BoxList::Origin origin) {
  const Notice notice("reading " + path, false);
  return read_box_list(path, origin);
}

}  // namespace

int pairs(const PairsOptions& options) {
  const bool is_join = !options.right.empty();
  if (options.left == "-" && options.right == "-") {
    return fail(bad_usage, "pairs: only one of the two files can be the standard input");
  }
  if ((options.left == "-" || options.right == "-") && is_terminal(stdin)) {
    return fail(bad_usage,
                "pairs: standard input is a terminal; name a file, or pipe boxes in, such as "
                "`broadside generate uniform --count 1000 | broadside pairs -`");
  }
  const auto left = read(options.left, options.origin);
  if (!left.has_value()) {
    return fail(bad_data, left.error());
  }
  const auto right = is_join ? read(options.right, options.origin) : BoxList();
  if (!right.has_value()) {
    return fail(bad_data, right.error());
  }
  const auto found = [&] {
    const Notice notice(
        "finding the pairs of " + std::to_string(left->boxes.size() + right->boxes.size()) + " boxes", false);
    const FindPairsOptions how{.sorted = !options.unsorted, .threads = options.threads};
    return is_join ? find_pairs(left->boxes, right->boxes, how) : find_pairs(left->boxes, how);
  }();
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
  PairLines lines(*output, !options.unsorted);
  if (is_join) {
    lines.write(*found, *left, *right);
  } else {
    lines.write("", *found, [&left](BoxIndex box) { return left->ids[box]; });
  }
  if (auto committed = output->commit(); !committed.has_value()) {
    return fail(bad_data, committed.error());
  }
  return ok;
}

}  // namespace broadside::app
