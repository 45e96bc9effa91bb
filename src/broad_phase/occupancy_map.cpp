#include "broadside/broad_phase/detail/occupancy_map.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/rounding.hpp"

namespace broadside::detail {

namespace {

// In cells. A box is marked in all cells that are nearer than the margin; what rounding and steps across
// corners miss is far less.
constexpr double margin = 0x1p-6;
constexpr double step_across = 0x1p-10;
constexpr std::size_t tile_side = 8;
constexpr double tile_cells = 8.0;

constexpr std::size_t most_words(std::size_t boxes) {
  return 3 * boxes / (tile_side * tile_side) + 4;
}

std::uint64_t bit_of(std::size_t x, std::size_t y) {
  return std::uint64_t{1} << (y % tile_side * tile_side + x % tile_side);
}

/// Returns the cell that a position is in, the nearest one for those outside.
std::size_t cell_of(double position, std::size_t tiles) {
  const double last = tile_cells * static_cast<double>(tiles) - 1.0;
  return static_cast<std::size_t>(std::clamp(position, 0.0, last));
}

}  // namespace

OccupancyMap& OccupancyMap::operator=(const OccupancyMap& other) {
  if (this != &other) {
    words_.resize(other.words_.size());
    state_ = State::useless;
  }
  return *this;
}

void OccupancyMap::reset(std::size_t boxes) {
  // With so few, all are looked at about as fast as the map.
  constexpr std::size_t few = 512;
  if (words_.size() < most_words(boxes)) {
    words_.resize(most_words(boxes));
  }
  paid_.store(0, std::memory_order_relaxed);
  state_.store(boxes < few ? State::useless : State::none, std::memory_order_release);
}

void OccupancyMap::pay(std::size_t rows, std::size_t count, std::span<const Aabb> boxes,
                       std::span<const unsigned char> used) const {
  if (2 * (paid_.fetch_add(rows, std::memory_order_relaxed) + rows) < count) {
    return;
  }
  State none = State::none;
  if (state_.compare_exchange_strong(none, State::in_the_making, std::memory_order_acquire)) {
    state_.store(make(count, boxes, used) ? State::made : State::useless, std::memory_order_release);
  }
}

bool OccupancyMap::make(std::size_t count, std::span<const Aabb> boxes,
                        std::span<const unsigned char> used) const {
  constexpr double most_cells_a_box = 16.0;
  constexpr double most_occupied = 0.5;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double left = infinity;
  double bottom = infinity;
  double right = -infinity;
  double top = -infinity;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (used[i] != 0) {
      left = std::min(left, static_cast<double>(boxes[i].min.x));
      bottom = std::min(bottom, static_cast<double>(boxes[i].min.y));
      right = std::max(right, static_cast<double>(boxes[i].max.x));
      top = std::max(top, static_cast<double>(boxes[i].max.y));
    }
  }
  const auto n = static_cast<double>(count);
  const double size = std::max(std::sqrt((right - left) / n * (top - bottom)),
                               tile_cells / n * std::max(right - left, top - bottom));
  // Coordinates in cells have to be exact to far less than the margin.
  const double reach = std::max({std::abs(left), std::abs(right), std::abs(bottom), std::abs(top)});
  if (!(size > 0x1p-40 * reach)) {
    return false;
  }
  scale_ = 1.0 / size;
  left_ = left - margin * size;
  bottom_ = bottom - margin * size;
  const auto tiles = [&](double length) {
    return static_cast<std::size_t>((length * scale_ + 3.0 * margin) / tile_cells) + 1;
  };
  tiles_x_ = tiles(right - left);
  tiles_y_ = tiles(top - bottom);
  const std::size_t words = tiles_x_ * tiles_y_;
  if (words > words_.size()) {
    return false;
  }
  std::fill_n(words_.begin(), words, 0);
  double marks = 0.0;
  for (std::size_t i = 0; i < boxes.size() && marks <= most_cells_a_box * n; ++i) {
    if (used[i] == 0) {
      continue;
    }
    const auto at = [this](float position, double low) {
      return (static_cast<double>(position) - low) * scale_;
    };
    const std::size_t first_x = cell_of(at(boxes[i].min.x, left_) - margin, tiles_x_);
    const std::size_t last_x = cell_of(at(boxes[i].max.x, left_) + margin, tiles_x_);
    const std::size_t first_y = cell_of(at(boxes[i].min.y, bottom_) - margin, tiles_y_);
    const std::size_t last_y = cell_of(at(boxes[i].max.y, bottom_) + margin, tiles_y_);
    marks += static_cast<double>(last_x - first_x + 1) * static_cast<double>(last_y - first_y + 1);
    for (std::size_t y = first_y; y <= last_y && marks <= most_cells_a_box * n; ++y) {
      for (std::size_t x = first_x; x <= last_x; ++x) {
        words_[y / tile_side * tiles_x_ + x / tile_side] |= bit_of(x, y);
      }
    }
  }
  if (marks > most_cells_a_box * n) {
    return false;
  }
  std::size_t occupied = 0;
  for (std::size_t w = 0; w < words; ++w) {
    occupied += static_cast<std::size_t>(std::popcount(words_[w]));
  }
  return static_cast<double>(occupied) <= most_occupied * static_cast<double>(words * tile_side * tile_side);
}

bool OccupancyMap::shrink(Aabb& area) const {
  constexpr std::size_t many = 64;  // tiles, beyond which it is not worth it
  constexpr std::uint64_t column = 0x0101010101010101U;
  const auto at = [this](float position, double low) {
    return (static_cast<double>(position) - low) * scale_;
  };
  const std::size_t first_x = cell_of(at(area.min.x, left_), tiles_x_);
  const std::size_t last_x = cell_of(at(area.max.x, left_), tiles_x_);
  const std::size_t first_y = cell_of(at(area.min.y, bottom_), tiles_y_);
  const std::size_t last_y = cell_of(at(area.max.y, bottom_), tiles_y_);
  if ((last_x / tile_side - first_x / tile_side + 1) * (last_y / tile_side - first_y / tile_side + 1) >
      many) {
    return true;
  }
  std::size_t low_x = last_x + 1;
  std::size_t high_x = 0;
  std::size_t low_y = last_y + 1;
  std::size_t high_y = 0;
  for (std::size_t y = first_y / tile_side; y <= last_y / tile_side; ++y) {
    // Of the tile's rows and columns, those in the area.
    std::uint64_t rows = ~std::uint64_t{0};
    rows = y == first_y / tile_side ? rows << (first_y % tile_side * tile_side) : rows;
    rows &= y == last_y / tile_side ? ~std::uint64_t{0} >> ((tile_side - 1 - last_y % tile_side) * tile_side)
                                    : rows;
    for (std::size_t x = first_x / tile_side; x <= last_x / tile_side; ++x) {
      std::uint64_t columns = 0xFFU;
      columns = x == first_x / tile_side ? columns << (first_x % tile_side) & 0xFFU : columns;
      columns &= x == last_x / tile_side ? 0xFFU >> (tile_side - 1 - last_x % tile_side) : columns;
      std::uint64_t bits = tile(x, y) & rows & (columns * column);
      if (bits == 0) {
        continue;
      }
      low_y = std::min(low_y, y * tile_side + static_cast<std::size_t>(std::countr_zero(bits)) / tile_side);
      high_y = std::max(high_y,
                        y * tile_side + (63 - static_cast<std::size_t>(std::countl_zero(bits))) / tile_side);
      bits |= bits >> 32U;
      bits |= bits >> 16U;
      bits = (bits | bits >> 8U) & 0xFFU;
      low_x = std::min(low_x, x * tile_side + static_cast<std::size_t>(std::countr_zero(bits)));
      high_x = std::max(high_x, x * tile_side + 63 - static_cast<std::size_t>(std::countl_zero(bits)));
    }
  }
  if (high_x < low_x || high_y < low_y) {
    return false;
  }
  // Cells at the border may hold what lies beyond.
  const double size = 1.0 / scale_;
  const auto low = [&](std::size_t cell, double origin, float at_least) {
    const double side = origin + (static_cast<double>(cell) - margin) * size;
    return std::max(at_least, round_down(side));
  };
  const auto high = [&](std::size_t cell, double origin, float at_most) {
    const double side = origin + (static_cast<double>(cell) + 1.0 + margin) * size;
    return std::min(at_most, round_up(side));
  };
  const Aabb part{{low(low_x, left_, area.min.x), low(low_y, bottom_, area.min.y)},
                  {high(high_x, left_, area.max.x), high(high_y, bottom_, area.max.y)}};
  area = part;
  return part.min.x <= part.max.x && part.min.y <= part.max.y;
}

std::pair<double, double> OccupancyMap::next_stretch(const Path& path, double from) const {
  constexpr int longest = 16;  // cells, which is enough to look at at once
  const std::pair<double, double> anywhere{from, 1.0};
  const Path::Ray ray = path.ray();
  const double x = (ray.x - left_) * scale_;
  const double y = (ray.y - bottom_) * scale_;
  const double way_x = ray.way_x * scale_;
  const double way_y = ray.way_y * scale_;
  const double speed = std::max(std::abs(way_x), std::abs(way_y));
  const double reach =
      std::max({std::abs(x), std::abs(y), std::abs(ray.x) * scale_, std::abs(ray.y) * scale_, speed});
  if (ray.width * scale_ > step_across || !(reach < 0x1p38) || !(speed > 1.0)) {
    return anywhere;
  }
  double begin = from;
  double end = 1.0;
  const double step_x = way_x == 0.0 ? 0.0 : 1.0 / way_x;
  const double step_y = way_y == 0.0 ? 0.0 : 1.0 / way_y;
  const auto clip = [&](double at, double way, double step, std::size_t tiles) {
    const double last = tile_cells * static_cast<double>(tiles);
    if (way == 0.0) {
      end = at < -step_across || at > last + step_across ? -1.0 : end;
      return;
    }
    const double low = (-step_across - at) * step;
    const double high = (last + step_across - at) * step;
    begin = std::max(begin, std::min(low, high));
    end = std::min(end, std::max(low, high));
  };
  clip(x, way_x, step_x, tiles_x_);
  clip(y, way_y, step_y, tiles_y_);
  const double across = step_across / speed;
  const double before = 4.0 * across;
  constexpr double never = Path::never;
  double time = begin;
  double stretch = never;
  // When the side of a square of cells is passed, whose first one is given.
  const auto leave = [&](double first_x, double first_y, double cells) {
    const double out_x = way_x == 0.0 ? never : ((way_x > 0.0 ? first_x + cells : first_x) - x) * step_x;
    const double out_y = way_y == 0.0 ? never : ((way_y > 0.0 ? first_y + cells : first_y) - y) * step_y;
    return std::max(std::min(out_x, out_y), time) + across;
  };
  for (int steps = 0; time <= end;) {
    const std::size_t cell_x = cell_of(x + time * way_x, tiles_x_);
    const std::size_t cell_y = cell_of(y + time * way_y, tiles_y_);
    const std::uint64_t word = tile(cell_x / tile_side, cell_y / tile_side);
    const bool is_occupied = (word & bit_of(cell_x, cell_y)) != 0;
    if (is_occupied && stretch == never) {
      stretch = std::max(from, time - before);
    }
    if (stretch != never && (!is_occupied || ++steps > longest)) {
      return {stretch, std::min(time + before, 1.0)};
    }
    const auto tile_x = cell_x / tile_side * tile_side;
    const auto tile_y = cell_y / tile_side * tile_side;
    time = word == 0 ? leave(static_cast<double>(tile_x), static_cast<double>(tile_y), tile_cells)
                     : leave(static_cast<double>(cell_x), static_cast<double>(cell_y), 1.0);
  }
  return {stretch, 1.0};
}

double OccupancyMap::free_around(Vec2 point) const {
  const double x = (static_cast<double>(point.x) - left_) * scale_;
  const double y = (static_cast<double>(point.y) - bottom_) * scale_;
  const auto tile_x = static_cast<std::ptrdiff_t>(cell_of(x, tiles_x_) / tile_side);
  const auto tile_y = static_cast<std::ptrdiff_t>(cell_of(y, tiles_y_) / tile_side);
  const auto end_x = static_cast<std::ptrdiff_t>(tiles_x_);
  const auto end_y = static_cast<std::ptrdiff_t>(tiles_y_);
  if ((tile(cell_of(x, tiles_x_) / tile_side, cell_of(y, tiles_y_) / tile_side) &
       bit_of(cell_of(x, tiles_x_), cell_of(y, tiles_y_))) != 0) {
    return 0.0;
  }
  double nearest2 = std::numeric_limits<double>::infinity();
  const auto apart = [](double first, double at) { return std::max({first - at, at - first - 1.0, 0.0}); };
  const auto look = [&](std::ptrdiff_t at_x, std::ptrdiff_t at_y) {
    if (at_x < 0 || at_x >= end_x) {
      return;
    }
    const double first_x = tile_cells * static_cast<double>(at_x);
    const double first_y = tile_cells * static_cast<double>(at_y);
    for (std::uint64_t bits = tile(static_cast<std::size_t>(at_x), static_cast<std::size_t>(at_y)); bits != 0;
         bits &= bits - 1) {
      const auto cell = static_cast<std::size_t>(std::countr_zero(bits));
      const std::size_t column = cell % tile_side;
      const std::size_t row = cell / tile_side;
      const double beside_x = apart(first_x + static_cast<double>(column), x);
      const double beside_y = apart(first_y + static_cast<double>(row), y);
      nearest2 = std::min(nearest2, beside_x * beside_x + beside_y * beside_y);
    }
  };
  for (std::ptrdiff_t ring = 0; ring <= std::max(end_x, end_y); ++ring) {
    // Tiles of this ring are at least so far away, of the point or of its place on the map's border.
    const double least = tile_cells * static_cast<double>(ring - 1);
    if (ring > 0 && nearest2 <= least * least) {
      break;
    }
    for (std::ptrdiff_t at_y = std::max<std::ptrdiff_t>(tile_y - ring, 0);
         at_y <= std::min(tile_y + ring, end_y - 1); ++at_y) {
      if (at_y == tile_y - ring || at_y == tile_y + ring) {
        for (std::ptrdiff_t at_x = tile_x - ring; at_x <= tile_x + ring; ++at_x) {
          look(at_x, at_y);
        }
      } else {
        look(tile_x - ring, at_y);
        look(tile_x + ring, at_y);
      }
    }
  }
  return std::max(std::sqrt(nearest2) - margin, 0.0) / scale_;
}

}  // namespace broadside::detail
