#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "broadside/base/result.hpp"

namespace broadside {

class World;

/// A world as it was at first, and everything that was done to it since: enough to live through it again, bit
/// for bit.
///
///     Recording recording;
///     world.record(&recording).value();   // from here on
///     ... play ...
///     World again;
///     replay(recording, again).value();   // again.hash() == world.hash()
///
/// What listeners did is among it; they take no part when it is played again. With `Interest::listeners` what
/// they waited for is found until the replay ends, and then what the world's own listeners wait for: compare
/// hashes in `after_step` there. A predicate is not among it: who uses one sets it in the other world before.
/// Memory: a snapshot, and some 10 to 50 bytes for each call.
class Recording {
 public:
  Recording() = default;
  /// Takes the bytes of a recording that was kept somewhere; whether they make sense shows when it is played.
  explicit Recording(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }

 private:
  friend class World;
  std::vector<std::byte> bytes_;
};

/// Has `world` become what the recorded one was at first, and does to it what was done to that. Its own
/// listeners hear nothing of it.
///
/// @param after_step is called after the last stage of each step; false ends the replay
/// Errors: `parse` for bytes that are no recording or are damaged, and `version_mismatch` as with snapshots:
/// nothing changes then. `parse` also for a call that the world refuses; the world is then left as it was at
/// that call.
Result<void> replay(const Recording& recording, World& world, const std::function<bool()>& after_step = {});

}  // namespace broadside
