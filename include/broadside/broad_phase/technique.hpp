#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "broadside/broad_phase/broad_phase.hpp"

namespace broadside {

/// Options of a technique chosen by name. Techniques that have no use for an option ignore it, so that one
/// set of options fits all; a value without meaning is refused by each (`invalid_argument`, `not_finite`,
/// `inverted_box`).
struct TechniqueOptions {
  std::optional<float> cell_size = {};  ///< side of a square cell, for the two grids; positive and finite
                                        ///< (unit: length)
  std::optional<Aabb> bounds = {};      ///< for `UniformGrid`, which needs them where a cell size is given
};

/// One way to find pairs, by the name that the command line and files use.
struct Technique {
  std::string_view name;
  std::string_view summary;
  bool has_cell_size;
  Result<std::unique_ptr<BroadPhase>> (*make)(const TechniqueOptions& options);
};

/// Returns all techniques: the brute force first, the default last.
[[nodiscard]] std::span<const Technique> techniques();

/// Returns the technique that is used where none is named.
[[nodiscard]] const Technique& default_technique();

/// Returns the technique of that name; the error lists the names there are.
[[nodiscard]] Result<const Technique*> find_technique(std::string_view name);

}  // namespace broadside
