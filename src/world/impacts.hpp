#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/hash_mixer.hpp"
#include "base/numbering.hpp"
#include "body/convex.hpp"
#include "broadside/base/pair.hpp"

namespace broadside::inline v0_2 {

/// The contacts that a step responds to, and how far they separate their bodies.
///
/// The *shift* of a body is the sum of the corrections of its contacts. Each contact divides its correction
/// between its two bodies by their masses, which keeps their common center of mass and potential energy.
/// Bodies are named by their place.
class Impacts {
 public:
  using Place = std::uint32_t;
  using Point = detail::Point;

  /// Two bodies that are separated and bounce.
  struct Impact {
    Pair pair;
    Point normal;               ///< from a to b
    double initial_separation;  ///< without the shifts; negative inside (unit: length)
    double share_a;             ///< of the correction; the shares sum up to 1
    double share_b;
    bool is_reported;         ///< the contact was reported to listeners in this step
    double correction = 0.0;  ///< how far this contact separated them (unit: length)
  };

  /// Removes all impacts and shifts, and renews the budget of work.
  /// @param places number of places in the world
  void reset(std::size_t places);
  /// Adds the contact of two bodies, of which at least one has a mass; if it exists, updates its normal and
  /// separation.
  /// @param inverse_masses of a and b; 0 for a body that contacts do not move
  void add_or_update(Pair pair, Point normal, double separation, std::pair<double, double> inverse_masses,
                     bool is_reported);
  /// Computes the shifts that separate overlapping bodies, from the contacts that `add_or_update` was given.
  void separate();
  /// Tells whether the step may do another sweep over all impacts: its work is limited, except for the first
  /// sweep.
  [[nodiscard]] bool may_separate() const {
    return corrections_left_ == max_corrections || corrections_left_ >= impacts_.size();
  }
  /// Returns by how much `separate` shifted a body since the last call of this function.
  [[nodiscard]] Point take_shift(Place body);

  [[nodiscard]] std::span<const Impact> all() const { return impacts_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  static constexpr std::size_t max_corrections = 1'000'000;  // bounds the time of a step with large piles

  struct Shift {
    Point all;
    Point taken;  ///< the part of it that `take_shift` returned
  };
  struct PairHash {
    std::uint32_t operator()(Pair pair) const {
      return detail::HashMixer().add((std::uint64_t{pair.a} << 32U) | pair.b).short_hash();
    }
  };

  [[nodiscard]] Point shift_between(Pair pair) const { return shifts_[pair.b].all - shifts_[pair.a].all; }
  [[nodiscard]] double depth(const Impact& impact) const {
    return -impact.initial_separation - dot(shift_between(impact.pair), impact.normal);
  }

  std::vector<Impact> impacts_;
  detail::Interner<Pair, PairHash> index_of_pair_;  ///< of pairs: their indices in `impacts_`
  std::vector<Shift> shifts_;                       ///< by place
  std::size_t corrections_left_ = 0;
};

}  // namespace broadside::inline v0_2
