#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/hash_mixer.hpp"
#include "base/numbering.hpp"
#include "body/convex.hpp"
#include "broadside/base/pair.hpp"

namespace broadside {

/// The contacts that a step responds to, and how far they move their bodies apart.
///
/// The *shift* of a body is the sum of what its contacts move it. Each contact shares what it moves between
/// its two bodies by their masses, so the center of mass of both stays, and so does their potential energy.
/// Bodies are named by their place.
class Impacts {
 public:
  using Place = std::uint32_t;
  using Point = detail::Point;

  /// Two bodies that are moved apart and bounce.
  struct Impact {
    Pair pair;
    Point normal;    ///< from a to b
    double apart;    ///< separation, if nothing were shifted; negative inside (unit: length)
    double share_a;  ///< of what moves them apart; the shares sum up to 1
    double share_b;
    bool is_reported;         ///< the contact was reported to listeners in this step
    double correction = 0.0;  ///< how far this contact moved them apart (unit: length)
  };

  /// Removes all impacts.
  /// @param places number of places in the world
  void reset(std::size_t places);
  /// Adds the contact of two bodies, of which at least one has a mass; gives it the normal and the separation
  /// that it has now if it is there already.
  /// @param inverse_masses of a and b; 0 for a body that nothing moves
  void set(Pair pair, Point normal, double separation, std::pair<double, double> inverse_masses,
           bool is_reported);
  /// Moves bodies apart that are inside each other, as far as `set` knows where they are.
  void separate();
  /// Tells whether `separate` may run once more: its work in one step is limited.
  [[nodiscard]] bool may_separate() const { return corrections_left_ >= impacts_.size(); }
  /// Returns by how much `separate` shifted a body since this was called last.
  [[nodiscard]] Point take_shift(Place body);

  [[nodiscard]] std::span<const Impact> all() const { return impacts_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Shift {
    Point all;
    Point taken;  ///< of these, what `take_shift` returned
  };
  struct PairHash {
    std::uint32_t operator()(Pair pair) const {
      return detail::HashMixer().add((std::uint64_t{pair.a} << 32U) | pair.b).short_hash();
    }
  };

  [[nodiscard]] Point shift_between(Pair pair) const { return shifts_[pair.b].all - shifts_[pair.a].all; }
  [[nodiscard]] double depth(const Impact& impact) const {
    return -impact.apart - dot(shift_between(impact.pair), impact.normal);
  }

  std::vector<Impact> impacts_;
  detail::Numbering<Pair, PairHash> numbers_;  ///< of pairs: their places among `impacts_`
  std::vector<Shift> shifts_;                  ///< by place
  std::size_t corrections_left_ = 0;
};

}  // namespace broadside
