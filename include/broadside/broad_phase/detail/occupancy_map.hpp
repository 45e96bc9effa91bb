#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/broad_phase/detail/path.hpp"

namespace broadside::detail {

/// Where there is nothing: a grid of bits over the world, so that queries need not cross empty space.
///
///     ┌────────┬────────┬───      A cell has a bit that is set if a box is in it or next to it; 8 x 8 cells
///     │        │  ▒▒    │         are a tile, which is a word. A ray goes from tile to tile as long as they
///     │        │ ▒▒▒▒   │         are 0, and from cell to cell elsewhere.
///     │        │   ▒▒   │
///     ├────────┼────────┼───      There are about as many cells as boxes.
///
/// It is made by the queries of one state of the boxes, once they have looked at so many rows that it
/// would have been worth it: a frame in which nobody asks pays nothing. Calls of const functions may run side
/// by side: one of them makes it, and the others do without meanwhile.
///
/// Source: J. Amanatides and A. Woo, "A fast voxel traversal algorithm for ray tracing", 1987.
class OccupancyMap {
 public:
  OccupancyMap() = default;
  /// A copy knows nothing yet.
  OccupancyMap(const OccupancyMap& other) : words_(other.words_.size()) {}
  OccupancyMap& operator=(const OccupancyMap& other);
  ~OccupancyMap() = default;

  /// Forgets all, and makes room for a map of so many boxes.
  void reset(std::size_t boxes);

  /// Tells whether there is a map that is worth asking.
  [[nodiscard]] bool is_made() const { return state_.load(std::memory_order_acquire) == State::made; }

  /// Tells whether somebody should call `pay`.
  [[nodiscard]] bool is_wanted() const { return state_.load(std::memory_order_relaxed) == State::none; }

  /// Takes note that a query looked at so many rows of boxes, and makes the map if that was enough.
  /// @param count of boxes in use
  void pay(std::size_t rows, std::size_t count, std::span<const Aabb> boxes,
           std::span<const unsigned char> used) const;

  // What follows may be asked where the map is made.

  /// Returns the part of an area outside of which there is nothing in it; false if there is nothing at all.
  [[nodiscard]] bool shrink(Aabb& area) const;

  /// Returns a stretch of a ray's way, in shares of it, before which and after `from` nothing is met; it
  /// begins beyond 1 if nothing is. A moving box may meet something anywhere.
  [[nodiscard]] std::pair<double, double> next_stretch(const Path& path, double from) const;

  /// Returns the radius of a circle around a point in which there is surely nothing (unit: length).
  [[nodiscard]] double free_around(Vec2 point) const;

  [[nodiscard]] std::size_t bytes() const { return words_.capacity() * sizeof(std::uint64_t); }

 private:
  enum class State : std::uint8_t { none, in_the_making, made, useless };

  [[nodiscard]] bool make(std::size_t count, std::span<const Aabb> boxes,
                          std::span<const unsigned char> used) const;
  [[nodiscard]] std::uint64_t tile(std::size_t x, std::size_t y) const { return words_[y * tiles_x_ + x]; }

  mutable std::atomic<State> state_ = State::useless;
  mutable std::atomic<std::size_t> paid_ = 0;
  // Written by the one who makes it.
  mutable double left_ = 0.0;
  mutable double bottom_ = 0.0;
  mutable double scale_ = 1.0;  ///< cells for a unit of length
  mutable std::size_t tiles_x_ = 0;
  mutable std::size_t tiles_y_ = 0;
  mutable std::vector<std::uint64_t> words_;  ///< [tiles_y x tiles_x] and spare
};

}  // namespace broadside::detail
