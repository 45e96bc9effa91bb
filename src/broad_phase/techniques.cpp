#include "broadside/broad_phase/techniques.hpp"

#include <string>
#include <type_traits>

#include "base/number_text.hpp"
#include "broadside/base/validate.hpp"
#include "broadside/broad_phase/brute_force.hpp"
#include "broadside/broad_phase/hash_grid.hpp"
#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "broadside/broad_phase/sweep_and_prune.hpp"
#include "broadside/broad_phase/uniform_grid.hpp"
#include "create.hpp"
#include "trees_for_comparison.hpp"

namespace broadside::inline v0_2 {

namespace {

Error check(const TechniqueOptions& options) {
  using detail::is_size;
  if (options.cell_size && !(is_size(options.cell_size->x) && is_size(options.cell_size->y))) {
    return {ErrorCode::invalid_argument, "cell size: " + detail::number_text(options.cell_size->x) + " x " +
                                             detail::number_text(options.cell_size->y) +
                                             "; both must be positive and finite"};
  }
  if (options.row_height && !is_size(*options.row_height)) {
    return {ErrorCode::invalid_argument,
            "row height: " + detail::number_text(*options.row_height) + "; must be positive and finite"};
  }
  return options.bounds ? validate(*options.bounds, "bounds").error() : Error();
}

template <typename T>
Result<std::unique_ptr<Technique>> check_and_create(const TechniqueOptions& options) {
  if (Error error = check(options)) {
    return error;
  }
  if constexpr (std::is_same_v<T, UniformGrid>) {
    return T::technique({.bounds = options.bounds, .cell_size = options.cell_size});
  } else if constexpr (std::is_same_v<T, HashGrid>) {
    return T::technique({.cell_size = options.cell_size});
  } else if constexpr (std::is_same_v<T, HierarchicalGrid>) {
    return T::technique({.row_height = options.row_height, .neighbor_lists = options.neighbor_lists});
  } else {
    return T::technique();
  }
}

constexpr TechniqueEntry table[] = {
    {"brute-force", "tests every pair with a dynamic box; the reference for the others", false,
     check_and_create<BruteForce>},
    {"uniform-grid", "dense table of equal cells over bounds, rebuilt each frame", true,
     check_and_create<UniformGrid>},
    {"hash-grid", "sparse cells without bounds; boxes stay in theirs until they leave", true,
     check_and_create<HashGrid>},
    {"sweep-and-prune", "sorted along one axis, updated from frame to frame", false,
     check_and_create<SweepAndPrune>},
    {"quadtree", "squares divided into four while they hold many boxes, rebuilt each frame", false,
     check_and_create<detail::Quadtree>},
    {"kd-tree", "divided at the median, along x or y, rebuilt each frame", false,
     check_and_create<detail::KdTree>},
    {"dynamic-tree", "a balanced tree of grown boxes; a box is inserted again when it leaves its own", false,
     check_and_create<detail::DynamicTree>},
    {"hierarchical-grid", "rows by size, a sweep, lists of neighbors; nothing to tune", false,
     check_and_create<HierarchicalGrid>},
};

}  // namespace

Result<std::unique_ptr<BroadPhase>> TechniqueEntry::create(const TechniqueOptions& options) const {
  return detail::create_with<BroadPhase>(create_technique(options));
}

std::span<const TechniqueEntry> techniques() {
  return table;
}

const TechniqueEntry& default_technique() {
  return techniques().back();
}

Result<const TechniqueEntry*> find_technique(std::string_view name) {
  std::string names;
  for (const TechniqueEntry& technique : techniques()) {
    if (technique.name == name) {
      return &technique;
    }
    names += (names.empty() ? "" : ", ") + std::string(technique.name);
  }
  return Error{ErrorCode::invalid_argument,
               "unknown technique \"" + std::string(name) + "\"; choose one of " + names};
}

}  // namespace broadside::inline v0_2
