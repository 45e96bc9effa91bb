#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "body/convex.hpp"
#include "broadside/base/aabb.hpp"
#include "broadside/base/body_id.hpp"
#include "broadside/base/filter.hpp"
#include "broadside/base/manifold.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/base/result.hpp"
#include "broadside/body/transform.hpp"

namespace broadside::inline v0_2::detail {

// The header of a snapshot: magic, version and the number of the world, which is not part of the hash.
inline constexpr std::uint32_t snapshot_magic = 0x57445342;  // "BSDW"
inline constexpr std::uint32_t snapshot_version = 3;
inline constexpr std::size_t snapshot_number_at = 8;
inline constexpr std::size_t snapshot_header_size = 12;
/// Bits among the stored changes of a place, beside those of `ChangeList`. `box_outdated` is not stored: its
/// bit says that the velocity of the body that was removed from the place follows.
inline constexpr std::uint8_t has_removed_velocity = 4;
inline constexpr std::uint8_t is_fast_body =
    32;  ///< it moved so far since the last `detect` that it is swept

/// Checks a snapshot, or a recording, which begins with one; returns the bytes before its checksum.
///
/// @param snapshot_at where the snapshot begins
/// @param call name of the called function, for the sentence of an error
/// @param what kind of data that it reads, likewise
/// @par Errors
/// `version_mismatch` for a snapshot of another version, `parse` for any other damage.
[[nodiscard]] Result<std::span<const std::byte>> check_bytes(std::span<const std::byte> bytes,
                                                             std::size_t snapshot_at, const std::string& call,
                                                             const std::string& what);

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
  const std::size_t count = in.take_count(size);
  all.reserve(count);
  while (all.size() < count && !in.failed()) {
    all.push_back(take());
  }
  return all;
}

/// Tells whether each key is greater than the one before.
template <typename T, typename Key = std::identity>
bool is_ascending(const T& all, Key key = {}) {
  return std::adjacent_find(all.begin(), all.end(), [key](const auto& one, const auto& next) {
           return std::invoke(key, one) >= std::invoke(key, next);
         }) == all.end();
}

inline void put(ByteWriter& out, BodyId body) {
  out.put(body.index);
  out.put(body.generation);
}

inline BodyId take_body(ByteReader& in, std::uint32_t world) {
  return {in.take<std::uint32_t>(), in.take<std::uint32_t>(), world};
}

inline void put(ByteWriter& out, const Transform& transform) {
  out.put_words(transform);
}

inline Transform take_transform(ByteReader& in) {
  const auto transform = in.take_words<Transform>();
  in.fail_if(!is_finite(transform.position) || !is_unit(transform.rotation));
  return transform;
}

/// Reads a fraction in [0, 1].
inline float take_share(ByteReader& in) {
  const float share = in.take_float();
  in.fail_if(!(share >= 0.0F && share <= 1.0F));
  return share;
}

inline void put(ByteWriter& out, const Filter& filter) {
  out.put(filter.layer);
  out.put(filter.mask);
  out.put(filter.wants);
  out.put(static_cast<std::uint32_t>(filter.group));
}

inline Filter take_filter(ByteReader& in) {
  return {.layer = in.take<std::uint64_t>(),
          .mask = in.take<std::uint64_t>(),
          .wants = in.take<std::uint64_t>(),
          .group = static_cast<std::int32_t>(in.take<std::uint32_t>())};
}

inline void put(ByteWriter& out, Pair pair) {
  out.put_words(pair);
}

inline Pair take_pair(ByteReader& in, std::size_t places) {
  const Pair pair{in.take_below<std::uint32_t>(places), in.take_below<std::uint32_t>(places)};
  in.fail_if(pair.a >= pair.b);
  return pair;
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
    in.fail_if(!is_finite(manifold.points[i].position) || !is_finite(manifold.points[i].separation));
  }
  const Point normal = to_point(manifold.normal);
  in.fail_if(!(dot(normal, normal) <= 1.01));
  return manifold;
}

}  // namespace broadside::inline v0_2::detail
