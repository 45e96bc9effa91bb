#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "broadside/base/pair.hpp"
#include "broadside/scene/file.hpp"

namespace broadside::app {

/// Writes pairs as lines `a,b` with the names that the input gives its boxes: a < b, sorted by (a, b).
class PairLines {
 public:
  explicit PairLines(OutputFile& file) : file_(file) {}

  /// @param prefix begins each line
  /// @param id returns the name of a box
  void write(std::string_view prefix, std::span<const Pair> pairs,
             const std::function<std::uint64_t(BoxIndex)>& id);

 private:
  OutputFile& file_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> named_;
  std::string text_;
};

}  // namespace broadside::app
