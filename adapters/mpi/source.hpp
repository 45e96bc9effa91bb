#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "broadside/broad_phase/box_kind.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "broadside/scene/frames.hpp"

namespace broadside::mpi {

/// Boxes that change from step to step. All ranks have the same, and each uses those that it owns.
class Source {
 public:
  virtual ~Source() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  /// Advances to the next step, at first to step 0; returns false if there is none.
  virtual bool advance() = 0;
  /// Returns the number of boxes, which never changes.
  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] virtual Aabb box(BoxIndex index) const = 0;
  [[nodiscard]] virtual BoxKind kind(BoxIndex index) const = 0;
  /// Tells whether a box differs from the step before.
  [[nodiscard]] virtual bool has_changed(BoxIndex index) const = 0;
  /// Returns what else than the boxes decides about contacts, for scenes whose bodies respond to them;
  /// null if nothing responds.
  [[nodiscard]] virtual Frames* responding() { return nullptr; }
};

/// Opens a scene, a trace or a list of boxes, or makes a workload if `boxes` is not 0.
Result<std::unique_ptr<Source>> open_source(const std::string& input, std::uint64_t boxes, std::size_t steps);

}  // namespace broadside::mpi
