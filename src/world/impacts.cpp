#include "world/impacts.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/reserve.hpp"

namespace broadside::inline v0_2 {

void Impacts::reset(std::size_t places) {
  for (const Impact& impact : impacts_) {
    shifts_[impact.pair.a] = {};
    shifts_[impact.pair.b] = {};
  }
  impacts_.clear();
  index_of_pair_.clear();
  shifts_.resize(std::max(places, shifts_.size()));
  corrections_left_ = max_corrections;
}

void Impacts::add_or_update(Pair pair, Point normal, double separation,
                            std::pair<double, double> inverse_masses, bool is_reported) {
  const double initial = separation - dot(shift_between(pair), normal);
  if (const auto known = index_of_pair_.find(pair)) {
    impacts_[*known].normal = normal;
    impacts_[*known].initial_separation = initial;
    return;
  }
  const auto [a, b] = inverse_masses;
  assert(a + b > 0.0);
  detail::reserve(impacts_, impacts_.size() + 1);
  index_of_pair_.use(pair);
  impacts_.push_back({pair, normal, initial, a / (a + b), b / (a + b), is_reported});
}

// Projected Gauss-Seidel over all impacts. An update may have changed a normal since the last call; the
// correction of that impact then sums parts along different normals. Source: E. Catto, Iterative dynamics
// with temporal coherence, 2005.
void Impacts::separate() {
  double deepest = 0.0;
  for (const Impact& impact : impacts_) {
    deepest = std::max(deepest, depth(impact));
  }
  constexpr int max_sweeps = 200;
  double largest = deepest;
  for (int sweep = 0; sweep < max_sweeps && largest > 1e-3 * deepest && may_separate(); ++sweep) {
    corrections_left_ -= std::min(corrections_left_, impacts_.size());
    largest = 0.0;
    for (Impact& impact : impacts_) {
      const auto [a, b] = impact.pair;
      const double push = std::max(depth(impact), -impact.correction);
      impact.correction += push;
      shifts_[a].all = shifts_[a].all - (push * impact.share_a) * impact.normal;
      shifts_[b].all = shifts_[b].all + (push * impact.share_b) * impact.normal;
      largest = std::max(largest, std::fabs(push));
    }
  }
}

Impacts::Point Impacts::take_shift(Place body) {
  Shift& shift = shifts_[body];
  const Point remaining = shift.all - shift.taken;
  shift.taken = shift.all;
  return remaining;
}

std::size_t Impacts::bytes() const {
  return detail::bytes_of(impacts_, shifts_) + index_of_pair_.bytes();
}

}  // namespace broadside::inline v0_2
