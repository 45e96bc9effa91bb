#include "world/impacts.hpp"

#include <algorithm>
#include <cmath>

namespace broadside {

void Impacts::reset(std::size_t places) {
  for (const Impact& impact : impacts_) {
    shifts_[impact.pair.a] = {};
    shifts_[impact.pair.b] = {};
  }
  impacts_.clear();
  numbers_.clear();
  shifts_.resize(std::max(places, shifts_.size()));
  corrections_left_ = 1'000'000;  // bounds the time of a step with large piles
}

void Impacts::set(Pair pair, Point normal, double separation, std::pair<double, double> inverse_masses,
                  bool is_reported) {
  const double apart = separation - dot(shift_between(pair), normal);
  if (const auto known = numbers_.find(pair)) {
    impacts_[*known].normal = normal;
    impacts_[*known].apart = apart;
    return;
  }
  const auto [a, b] = inverse_masses;
  impacts_.push_back({pair, normal, apart, a / (a + b), b / (a + b), is_reported});
  numbers_.use(pair);
}

// A projected Gauss-Seidel iteration over all impacts, with their normals as found. Source: E. Catto,
// Iterative dynamics with temporal coherence, 2005.
void Impacts::separate() {
  double deepest = 0.0;
  for (const Impact& impact : impacts_) {
    deepest = std::max(deepest, depth(impact));
  }
  constexpr int max_sweeps = 200;
  double largest = deepest;
  for (int sweep = 0; sweep < max_sweeps && largest > 1e-3 * deepest && may_separate(); ++sweep) {
    corrections_left_ -= impacts_.size();
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
  const Point way = shift.all - shift.taken;
  shift.taken = shift.all;
  return way;
}

std::size_t Impacts::bytes() const {
  return impacts_.capacity() * sizeof(Impact) + shifts_.capacity() * sizeof(Shift) + numbers_.bytes();
}

}  // namespace broadside
