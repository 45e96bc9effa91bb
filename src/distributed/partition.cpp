#include "broadside/distributed/partition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

namespace broadside::inline v0_2 {

namespace {

float coordinate(Vec2 point, bool is_on_y) {
  return is_on_y ? point.y : point.x;
}

double total(std::span<const WorkSample> samples) {
  double sum = 0.0;
  for (const WorkSample& sample : samples) {
    sum += static_cast<double>(sample.work);
  }
  return sum;
}

Error check(std::span<const WorkSample> samples) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::string name = "sample " + std::to_string(i);
    if (!is_finite(samples[i].point) || !is_finite(samples[i].work)) {
      return {ErrorCode::not_finite, name + ": the point and the work must be finite"};
    }
    if (samples[i].work < 0.0F) {
      return {ErrorCode::invalid_argument, name + ": the work must be 0 or more"};
    }
  }
  return {};
}

/// A node of the tree of cuts. The cuts of its left parts follow it, then those of its right parts.
struct Node {
  std::size_t cut = 0;    ///< index of its cut
  std::size_t first = 0;  ///< its first part
  std::size_t parts = 1;

  [[nodiscard]] Node left() const { return {cut + 1, first, parts / 2}; }
  [[nodiscard]] Node right() const { return {cut + parts / 2, first + parts / 2, parts - parts / 2}; }
};

}  // namespace

/// Chooses the cuts of a tree from the root to the leaves.
class Partition::Builder {
 public:
  Builder(std::span<const WorkSample> samples, std::size_t parts) : samples_(samples.begin(), samples.end()) {
    if (total(samples_) == 0.0) {
      for (WorkSample& sample : samples_) {
        sample.work = 1.0F;
      }
    }
    cuts_.resize(parts - 1);
  }

  /// Moves the cuts of another partition instead of choosing new ones.
  void start_from(const std::vector<Cut>& cuts, double max_share) {
    cuts_ = cuts;
    keeps_axes_ = true;
    max_share_ = max_share;
  }

  std::vector<Cut> build() {
    build(samples_, {0, 0, cuts_.size() + 1});
    return std::move(cuts_);
  }

 private:
  void build(std::span<WorkSample> samples, const Node& node) {
    if (node.parts == 1) {
      return;
    }
    Cut& cut = cuts_[node.cut];
    if (!samples.empty()) {
      cut.is_on_y = keeps_axes_ ? cut.is_on_y : is_higher_than_wide(samples);
      sort(samples, cut.is_on_y);
      cut.at = choose(samples, cut, static_cast<double>(node.left().parts) / static_cast<double>(node.parts));
    }
    const auto middle = static_cast<std::size_t>(below(samples, cut) - samples.begin());
    build(samples.first(middle), node.left());
    build(samples.subspan(middle), node.right());
  }

  static bool is_higher_than_wide(std::span<const WorkSample> samples) {
    Aabb bounds{samples[0].point, samples[0].point};
    for (const WorkSample& sample : samples) {
      bounds = merge(bounds, {sample.point, sample.point});
    }
    // In double: the width of all floats exceeds their range.
    return static_cast<double>(bounds.max.y) - static_cast<double>(bounds.min.y) >
           static_cast<double>(bounds.max.x) - static_cast<double>(bounds.min.x);
  }

  /// Sorts by all values, so that the sums of work do not depend on the order of equal coordinates.
  static void sort(std::span<WorkSample> samples, bool is_on_y) {
    const auto key = [is_on_y](const WorkSample& sample) {
      return std::tuple(coordinate(sample.point, is_on_y), coordinate(sample.point, !is_on_y), sample.work);
    };
    std::sort(samples.begin(), samples.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  }

  static std::span<WorkSample>::iterator below(std::span<WorkSample> samples, const Cut& cut) {
    return std::partition_point(samples.begin(), samples.end(), [&cut](const WorkSample& sample) {
      return coordinate(sample.point, cut.is_on_y) < cut.at;
    });
  }

  /// Returns the coordinate that leaves about `share` of the work on its left.
  [[nodiscard]] float choose(std::span<WorkSample> samples, const Cut& cut, double share) const {
    const double all = total(samples);
    if (keeps_axes_ && all > 0.0) {
      const auto left = static_cast<std::size_t>(below(samples, cut) - samples.begin());
      const double now = total(samples.first(left)) / all;
      share = std::clamp(share, now - max_share_, now + max_share_);
    }
    double before = 0.0;
    std::size_t at = 0;
    while (at + 1 < samples.size() && before + static_cast<double>(samples[at].work) <= share * all) {
      before += static_cast<double>(samples[at].work);
      ++at;
    }
    return nearest_value(samples, at, before, share * all, cut.is_on_y);
  }

  /// All samples with the coordinate of sample `at` are on one side of a cut: returns the cut that leaves the
  /// work on its left nearer to `wanted`.
  static float nearest_value(std::span<const WorkSample> samples, std::size_t at, double before,
                             double wanted, bool is_on_y) {
    const float value = coordinate(samples[at].point, is_on_y);
    std::size_t first = at;
    for (; first > 0 && coordinate(samples[first - 1].point, is_on_y) == value; --first) {
      before -= static_cast<double>(samples[first - 1].work);
    }
    double with = before;
    std::size_t end = first;
    for (; end < samples.size() && coordinate(samples[end].point, is_on_y) == value; ++end) {
      with += static_cast<double>(samples[end].work);
    }
    const bool includes_them = end < samples.size() && with - wanted < wanted - before;
    return includes_them ? coordinate(samples[end].point, is_on_y) : value;
  }

  std::vector<WorkSample> samples_;
  std::vector<Cut> cuts_;
  bool keeps_axes_ = false;
  double max_share_ = 1.0;
};

Result<Partition> Partition::bisect(std::span<const WorkSample> samples, int parts) {
  if (parts < 1 || parts > max_parts) {
    return Error{ErrorCode::invalid_argument, "bisect: parts must be in [1, 65536]"};
  }
  if (Error error = check(samples)) {
    return error;
  }
  Partition result;
  result.cuts_ = Builder(samples, static_cast<std::size_t>(parts)).build();
  return result;
}

Result<Partition> Partition::rebalanced(std::span<const WorkSample> samples, float max_share) const {
  if (!(max_share > 0.0F && max_share <= 1.0F)) {
    return Error{ErrorCode::invalid_argument, "rebalanced: max_share must be above 0 and at most 1"};
  }
  if (Error error = check(samples)) {
    return error;
  }
  Builder builder(samples, cuts_.size() + 1);
  builder.start_from(cuts_, static_cast<double>(max_share));
  Partition result;
  result.cuts_ = builder.build();
  return result;
}

int Partition::part_of(Vec2 point) const {
  Node node{0, 0, cuts_.size() + 1};
  while (node.parts > 1) {
    const Cut& cut = cuts_[node.cut];
    node = coordinate(point, cut.is_on_y) < cut.at ? node.left() : node.right();
  }
  return static_cast<int>(node.first);
}

// A cut may lie outside of its node: so that no part without points is visited, the box is clipped at each
// cut.
void Partition::parts_of(const Aabb& box, FunctionRef<void(int)> visit) const {
  const auto descend = [&](const auto& self, Node node, Aabb clipped) -> void {
    while (node.parts > 1) {
      const Cut& cut = cuts_[node.cut];
      float& low = cut.is_on_y ? clipped.min.y : clipped.min.x;
      float& high = cut.is_on_y ? clipped.max.y : clipped.max.x;
      const bool is_left = low < cut.at;
      const bool is_right = high >= cut.at;
      if (is_left && is_right) {
        const float all =
            std::exchange(high, std::nextafter(cut.at, -std::numeric_limits<float>::infinity()));
        self(self, node.left(), clipped);
        high = all;
        low = cut.at;
      }
      node = is_right ? node.right() : node.left();
    }
    visit(static_cast<int>(node.first));
  };
  descend(descend, {0, 0, cuts_.size() + 1}, box);
}

Aabb Partition::region(int part) const {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  Aabb region{{-infinity, -infinity}, {infinity, infinity}};
  Node node{0, 0, cuts_.size() + 1};
  while (node.parts > 1) {
    const Cut& cut = cuts_[node.cut];
    const bool is_left = static_cast<std::size_t>(part) < node.right().first;
    Vec2& corner = is_left ? region.max : region.min;
    float& side = cut.is_on_y ? corner.y : corner.x;
    // A cut may lie outside of its node, which has then an empty side.
    side = is_left ? std::min(side, cut.at) : std::max(side, cut.at);
    node = is_left ? node.left() : node.right();
  }
  return region;
}

}  // namespace broadside::inline v0_2
