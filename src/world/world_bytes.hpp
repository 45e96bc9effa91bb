#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "body/convex.hpp"
#include "broadside/base/aabb.hpp"
#include "broadside/base/body_id.hpp"
#include "broadside/base/filter.hpp"
#include "broadside/base/manifold.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/body/transform.hpp"

namespace broadside::detail {

// The parts of snapshots and recordings. Values that were read are valid, or the reader has failed.

template <typename T>
requires requires(ByteWriter& out, const T& value) {
  out.put(value);
}
void put(ByteWriter& out, const T& value) {
  out.put(value);
}

/// Writes a list: the number of its values, then each of them.
template <typename T>
void put(ByteWriter& out, std::span<const T> values) {
  out.put_count(values.size());
  for (const T& value : values) {
    put(out, value);
  }
}

/// Reads a list whose values `take` reads, of at least `size` bytes each. It ends with the first failure.
template <typename Take>
auto take_all(ByteReader& in, std::size_t size, Take take) {
  std::vector<decltype(take())> all;
  for (std::size_t left = in.take_count(size); left > 0 && !in.failed(); --left) {
    all.push_back(take());
  }
  return all;
}

/// Tells whether each key is greater than the one before.
template <typename T, typename Key = std::identity>
bool is_ascending(const T& all, Key key = {}) {
  return std::ranges::adjacent_find(all, std::ranges::greater_equal(), key) == std::ranges::end(all);
}

inline void put(ByteWriter& out, BodyId body) {
  out.put(body.index);
  out.put(body.generation);
}

inline BodyId take_body(ByteReader& in, std::uint32_t world) {
  BodyId body;
  body.index = in.take<std::uint32_t>();
  body.generation = in.take<std::uint32_t>();
  body.world = world;
  return body;
}

inline void put(ByteWriter& out, const Transform& transform) {
  out.put_words(transform);
}

inline Transform take_transform(ByteReader& in) {
  const auto transform = in.take_words<Transform>();
  if (!is_finite(transform.position) || !is_unit(transform.rotation)) {
    in.fail();
  }
  return transform;
}

/// Reads a fraction in [0, 1].
inline float take_share(ByteReader& in) {
  const float share = in.take_float();
  if (!(share >= 0.0F && share <= 1.0F)) {
    in.fail();
  }
  return share;
}

inline void put(ByteWriter& out, const Filter& filter) {
  out.put(filter.layer);
  out.put(filter.mask);
  out.put(filter.wants);
  out.put(static_cast<std::uint32_t>(filter.group));
}

inline Filter take_filter(ByteReader& in) {
  Filter filter;
  filter.layer = in.take<std::uint64_t>();
  filter.mask = in.take<std::uint64_t>();
  filter.wants = in.take<std::uint64_t>();
  filter.group = static_cast<std::int32_t>(in.take<std::uint32_t>());
  return filter;
}

inline void put(ByteWriter& out, Pair pair) {
  out.put_words(pair);
}

inline Pair take_pair(ByteReader& in, std::size_t places) {
  const auto a = in.take_below<std::uint32_t>(places);
  const auto b = in.take_below<std::uint32_t>(places);
  if (a >= b) {
    in.fail();
  }
  return {a, b};
}

inline void put(ByteWriter& out, const Manifold& manifold) {
  out.put(manifold.normal);
  out.put(static_cast<std::uint8_t>(manifold.size));
  for (const ManifoldPoint& point : manifold.in_use()) {
    out.put_words(point);
  }
}

inline Manifold take_manifold(ByteReader& in) {
  Manifold manifold;
  manifold.normal = in.take_vec2();
  manifold.size = in.take_below<std::uint8_t>(manifold.points.size() + 1);
  for (std::size_t i = 0; i < manifold.size; ++i) {
    manifold.points[i] = in.take_words<ManifoldPoint>();
    if (!is_finite(manifold.points[i].position) || !is_finite(manifold.points[i].separation)) {
      in.fail();
    }
  }
  const auto x = static_cast<double>(manifold.normal.x);
  const auto y = static_cast<double>(manifold.normal.y);
  if (!(x * x + y * y <= 1.01)) {
    in.fail();
  }
  return manifold;
}

}  // namespace broadside::detail
