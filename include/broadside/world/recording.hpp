#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "broadside/base/export.h"
#include "broadside/base/result.hpp"

namespace broadside::inline v0_2 {

class World;

/// The start state of a world and every change since: enough to replay it bit for bit.
///
///     Recording recording;
///     world.record(&recording).value();   // from here on
///     // Play the game.
///     World again;
///     replay(recording, again).value();   // again.hash() == world.hash()
///
/// The changes that listeners made are included; a replay calls no listeners. With `Interest::listeners`, a
/// replay finds the contacts that the recorded listeners waited for, until it ends, and those that the
/// world's own listeners wait for. So replay in a world without listeners, and compare hashes in
/// `after_step`. The predicate is not included: set it in the other world before the replay. Memory: a
/// snapshot, and about 10 to 50 bytes per call.
class BROADSIDE_API Recording {
 public:
  Recording() = default;
  /// Takes the bytes of a saved recording; `replay` checks them.
  explicit Recording(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }

 private:
  friend class World;
  std::vector<std::byte> bytes_;
};

/// Replays a recording: sets `world` to the recorded start state and repeats every change.
///
/// The listeners of `world` are not called.
///
/// @param after_step is called after the last stage of each step; false ends the replay
/// @par Errors
/// `parse` for bytes that are damaged or not a recording, and `version_mismatch` as for snapshots: nothing
/// changes then. `parse` also for a call that the world refuses; the world then stays as it was at that call.
BROADSIDE_API Result<void> replay(const Recording& recording, World& world,
                                  const std::function<bool()>& after_step = {});

}  // namespace broadside::inline v0_2
