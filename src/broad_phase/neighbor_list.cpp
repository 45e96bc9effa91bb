#include "neighbor_list.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/reserve.hpp"
#include "base/rounding.hpp"
#include "base/scope_guard.hpp"
#include "base/switches.hpp"

namespace broadside::inline v0_2::detail {

namespace {

// A box grows by at most a share of its size, so that it has few more candidates than neighbors. The margin
// is for motion that is not even.
constexpr float farthest = 0.5F;  // as a share of the size
constexpr float min_frames = 4.0F;
constexpr float max_frames = 16.0F;
constexpr float margin_of_size = 0.03F;
constexpr float margin_of_motion = 0.1F;
constexpr float min_aspect = 1.0F / 32.0F;  // of the larger side: the width of a segment
constexpr float huge = 1.0e36F;             // sums of more may overflow
constexpr float largest = std::numeric_limits<float>::max();

}  // namespace

bool grow_box(const Aabb& before, const Aabb& now, float small_size, Aabb& grown) {
  const float larger = std::max(now.max.x - now.min.x, now.max.y - now.min.y);
  const float min_side = larger < 0.5F * small_size ? 0.5F * small_size : min_aspect * larger;
  const float width = std::max(now.max.x - now.min.x, min_side);
  const float height = std::max(now.max.y - now.min.y, min_side);
  const float step_x = std::max(std::abs(now.min.x - before.min.x), std::abs(now.max.x - before.max.x));
  const float step_y = std::max(std::abs(now.min.y - before.min.y), std::abs(now.max.y - before.max.y));
  const auto frames_of = [](float size, float step) {
    const float reach = farthest * size;
    return step * max_frames > reach ? reach / step : max_frames;
  };
  const auto fits = [](float size, float step) {
    return size <= huge && step <= huge && step * min_frames <= farthest * size;
  };
  if (!fits(width, step_x) || !fits(height, step_y)) {
    return false;
  }
  const float frames = std::min(frames_of(width, step_x), frames_of(height, step_y));
  const float motion = frames * std::max(step_x, step_y);
  const auto margin = [motion](float size) {
    return margin_of_size * size + margin_of_motion * std::min(motion, farthest * size);
  };
  const auto low = [frames](float from, float to, float by) {
    return std::max(std::min(to, to + (to - from) * frames) - by, -largest);
  };
  const auto high = [frames](float from, float to, float by) {
    return std::min(std::max(to, to + (to - from) * frames) + by, largest);
  };
  const float margin_x = margin(width);
  const float margin_y = margin(height);
  grown = {{low(before.min.x, now.min.x, margin_x), low(before.min.y, now.min.y, margin_y)},
           {high(before.max.x, now.max.x, margin_x), high(before.max.y, now.max.y, margin_y)}};
  return true;
}

Vec2 common_motion(std::span<const Vec2> sample) {
  constexpr std::size_t max_tries = 8;
  const auto length = [](Vec2 motion) { return std::max(std::abs(motion.x), std::abs(motion.y)); };
  for (std::size_t i = 0; i < std::min(sample.size(), max_tries); ++i) {
    Vec2 sum;
    std::size_t followers = 0;
    std::size_t others = 0;
    for (std::size_t k = 0; k < sample.size() && 4 * others <= sample.size(); ++k) {
      if (length(sample[k] - sample[i]) <= 0.5F * length(sample[k])) {
        sum += sample[k];
        ++followers;
      } else {
        ++others;
      }
    }
    if (decide(Switch::common_motion, 4 * others <= sample.size())) {
      const Vec2 mean = sum / static_cast<float>(std::max<std::size_t>(followers, 1));
      return is_finite(mean) ? mean : Vec2{};
    }
  }
  return {};
}

void NeighborList::reserve(std::size_t members, std::size_t slots) {
  provide(slots, grown_);
  provide(members, leavers_);
  candidates_.provide(3 * members + members / 2);  // as many as in a scene of 1.5 pairs a box
}

// A slot without a grown box has no candidates, and a retired slot is listed already.
void NeighborList::retire(BoxIndex index) {
  if (grown_[index] != no_box && grown_[index] != retired_box) {
    retired_.push_back(index);
    grown_[index] = retired_box;
  }
}

void NeighborList::end_retirement() {
  for (const BoxIndex index : retired_) {
    grown_[index] = is_retired(index) ? no_box : grown_[index];
  }
  retired_.clear();
}

void NeighborList::build(std::span<const BoxIndex> names, std::span<const std::uint16_t> kinds,
                         std::span<const FilterBits> filters, Workers& workers) {
  active_ = !names.empty();
  drift_ = {};
  candidates_.clear();
  end_retirement();
  if (names.empty()) {
    return;
  }
  rows_.build({grown_, names.size() == grown_.size() ? std::span<const BoxIndex>() : names, kinds, filters},
              workers);
}

Aabb NeighborList::in_frame_of_build(const Aabb& box) const {
  if (drift_ == Vec2{}) {
    return box;
  }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto low = [](float side, float by) {
    return round_down(std::nextafter(double{side} - double{by}, -infinity));
  };
  const auto high = [](float side, float by) {
    return round_up(std::nextafter(double{side} - double{by}, infinity));
  };
  return {{low(box.min.x, drift_.x), low(box.min.y, drift_.y)},
          {high(box.max.x, drift_.x), high(box.max.y, drift_.y)}};
}

void NeighborList::find_leavers(const Moves& moves, Vec2 drift, const std::uint8_t* places,
                                std::uint8_t place, const Workers& workers) {
  const std::size_t n = moves.indices.size();
  leavers_.resize(n);
  leavers_of_chunks_.assign(workers.chunks(n, min_boxes_per_task), {});
  workers.for_chunks(
      n, leavers_of_chunks_.size(), [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        const Moves part{moves.indices.subspan(begin, end - begin), moves.boxes.subspan(begin, end - begin),
                         moves.consecutive};
        std::uint32_t* const found = leavers_.data() + begin;
        const std::size_t count = detail::find_leavers(part, grown_.data(), drift, places, place, found);
        std::for_each(found, found + count,
                      [begin](std::uint32_t& i) { i += static_cast<std::uint32_t>(begin); });
        leavers_of_chunks_[chunk] = std::span(found, count);
      });
  leaver_count_ = 0;
  for (const std::span<const std::uint32_t> found : leavers_of_chunks_) {
    std::copy(found.begin(), found.end(), leavers_.begin() + static_cast<std::ptrdiff_t>(leaver_count_));
    leaver_count_ += found.size();
  }
}

void NeighborList::clear() {
  active_ = false;
  drift_ = {};
  candidates_.clear();
  retired_.clear();
}

Work NeighborList::purge() {
  const auto pairs = candidates_.pairs();
  candidates_.shrink(keep_overlapping(pairs, grown_, pairs.data()));
  end_retirement();
  return {.tests = pairs.size()};
}

Work NeighborList::append_touching(std::span<Aabb> boxes, PairBuffer& pairs, PairWorkers& workers) {
  constexpr std::size_t min_chunk = 16384;
  constexpr std::size_t max_part = 16384;
  masked_.resize(retired_.size());
  for (std::size_t i = 0; i < retired_.size(); ++i) {
    masked_[i] = std::exchange(boxes[retired_[i]], no_box);
  }
  const ScopeGuard unmask([&] {
    for (std::size_t i = retired_.size(); i-- > 0;) {
      boxes[retired_[i]] = masked_[i];
    }
  });
  const std::span<const Pair> candidates = candidates_.pairs();
  workers.collect(candidates.size(), min_chunk, pairs,
                  [&](std::size_t, std::size_t begin, std::size_t end, PairBuffer& found) {
                    // In parts, as `found` needs capacity for as many pairs as are tested at once.
                    for (; begin < end; begin += max_part) {
                      const auto part = candidates.subspan(begin, std::min(end - begin, max_part));
                      found.advance(keep_overlapping(part, boxes, found.tail(part.size())));
                    }
                    return Work{};
                  });
  return {.tests = candidates.size()};
}

std::size_t NeighborList::bytes() const {
  return (grown_.capacity() + masked_.capacity()) * sizeof(Aabb) + retired_.capacity() * sizeof(BoxIndex) +
         leavers_.capacity() * sizeof(std::uint32_t) +
         leavers_of_chunks_.capacity() * sizeof(std::span<std::uint32_t>) + rows_.bytes();
}

}  // namespace broadside::inline v0_2::detail
