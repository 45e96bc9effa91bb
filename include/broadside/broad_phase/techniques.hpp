#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "broadside/base/aabb.hpp"
#include "broadside/base/export.h"
#include "broadside/base/result.hpp"
#include "broadside/base/vec2.hpp"
#include "broadside/broad_phase/broad_phase.hpp"
#include "broadside/broad_phase/technique.hpp"

namespace broadside::inline v0_2 {

/// Options of a technique that is selected by name.
///
/// A technique ignores the options that it does not use, so that one set of options fits all; but each
/// refuses an invalid value (`invalid_argument`, `not_finite`, `inverted_box`). An option without a value is
/// chosen by the technique.
struct TechniqueOptions {
  /// Width and height of a cell of a `UniformGrid` or `HashGrid`; positive and finite (unit: length).
  std::optional<Vec2> cell_size = {};
  /// Area of the cells of a `UniformGrid`, which needs it if a cell size is given (unit: length).
  std::optional<Aabb> bounds = {};
  /// Height of the finest rows of a `HierarchicalGrid`; positive and finite (unit: length).
  std::optional<float> row_height = {};
  bool neighbor_lists = true;  ///< whether a `HierarchicalGrid` may keep neighbor lists
};

/// A technique of the library, with the name that the command line and files use.
struct BROADSIDE_API TechniqueEntry {
  std::string_view name;     ///< such as "hash-grid"
  std::string_view summary;  ///< how it works, in a few words
  bool has_cell_size;        ///< whether it uses `TechniqueOptions::cell_size`
  /// Creates the technique alone, or refuses the options.
  Result<std::unique_ptr<Technique>> (*create_technique)(const TechniqueOptions& options);

  /// Creates a broad phase without boxes that uses the technique, or refuses the options.
  [[nodiscard]] Result<std::unique_ptr<BroadPhase>> create(const TechniqueOptions& options) const;
};

/// Returns all techniques: `BruteForce` first, the default last.
[[nodiscard]] BROADSIDE_API std::span<const TechniqueEntry> techniques();

/// Returns the technique that is used by default.
[[nodiscard]] BROADSIDE_API const TechniqueEntry& default_technique();

/// Returns the technique with a name, which lives as long as the program; an unknown name is refused
/// (`invalid_argument`), with a list of all names.
[[nodiscard]] BROADSIDE_API Result<const TechniqueEntry*> find_technique(std::string_view name);

}  // namespace broadside::inline v0_2
