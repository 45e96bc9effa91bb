#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "broadside/base/pair.hpp"
#include "broadside/scene/box_list.hpp"
#include "broadside/scene/file.hpp"

namespace broadside::app {

/// Writes pairs as lines `a,b` with the names that the input gives its boxes.
class PairLines {
 public:
  /// @param sorted whether each call of `write` writes its lines by ascending (a, b)
  explicit PairLines(OutputFile& file, bool sorted = true) : file_(file), sorted_(sorted) {}

  /// Writes pairs of boxes of one input: a < b.
  /// @param prefix begins each line
  /// @param id returns the name of a box
  void write(std::string_view prefix, std::span<const Pair> pairs,
             const std::function<std::uint64_t(BoxIndex)>& id);

  /// Writes pairs of a box of one list, a, and a box of another, b.
  void write(std::span<const Pair> pairs, const BoxList& left, const BoxList& right);

 private:
  void write_named(std::string_view prefix);

  OutputFile& file_;
  bool sorted_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> named_;
  std::string text_;
};

}  // namespace broadside::app
