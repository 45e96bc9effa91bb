#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "distributed/programs.hpp"
#include "simulator/change.hpp"
#include "simulator/draw.hpp"
#include "simulator/setting.hpp"

namespace broadside::test::simulator {

/// Records the changes and steps of a world, and repeats them in a `DistributedWorld`, which must have the
/// same bodies, contacts, events and answers after each step, and refuse the same changes. Does nothing if
/// the setting has no parts.
class InParts {
 public:
  explicit InParts(const Setting& setting) : setting_(setting), draw_(setting) {}

  /// Records a change that was made, or refused with an error.
  void record(const Change& change, std::span<const BodyId> given, ErrorCode code);
  /// Records a step that was made, and the state after it.
  void record_step(const World& world, float seconds);
  /// Repeats all; returns the first difference, or nothing.
  [[nodiscard]] std::string repeat() const;
  /// Returns the number of steps that were recorded.
  [[nodiscard]] std::size_t steps() const { return steps_.size(); }

 private:
  /// Records a change of one body; `change.a` is ignored.
  void record_of(BodyId body, const Change& change, ErrorCode code);
  [[nodiscard]] distributed::Questions draw_questions(Random& random) const;

  Setting setting_;
  Draw draw_;
  std::vector<BodyId> bodies_;                ///< by number, also those that were removed
  std::map<BodyId, std::size_t> numbers_;     ///< of the bodies that exist
  std::vector<distributed::Change> changes_;  ///< since the last step
  std::vector<distributed::Step> steps_;
  std::vector<distributed::Outcome> outcomes_;
};

}  // namespace broadside::test::simulator
