#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "broadside/broad_phase/broad_phase.hpp"

namespace broadside {

/// Options of a technique that is chosen by name. A technique ignores the options that it does not use, so
/// that one set of options fits all; but each refuses an invalid value (`invalid_argument`, `not_finite`,
/// `inverted_box`).
struct TechniqueOptions {
  /// Width and height of a cell, for the two grids; positive and finite (unit: length).
  std::optional<Vec2> cell_size = {};
  std::optional<Aabb> bounds = {};  ///< for `UniformGrid`, which needs them if a cell size is given
  /// Of the finest rows of a `HierarchicalGrid`; positive and finite (unit: length).
  std::optional<float> row_height = {};
  bool neighbor_lists = true;  ///< whether a `HierarchicalGrid` may keep neighbor lists
};

/// A broad-phase technique, with the name that the command line and files use.
struct Technique {
  std::string_view name;
  std::string_view summary;
  bool has_cell_size;
  Result<std::unique_ptr<BroadPhase>> (*make)(const TechniqueOptions& options);
};

/// Returns all techniques: the brute force first, the default last.
[[nodiscard]] std::span<const Technique> techniques();

/// Returns the technique that is used by default.
[[nodiscard]] const Technique& default_technique();

/// Returns the technique of that name; the error lists all names.
[[nodiscard]] Result<const Technique*> find_technique(std::string_view name);

}  // namespace broadside
