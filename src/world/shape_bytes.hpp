#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "broadside/base/export.h"
#include "broadside/body/shape.hpp"

namespace broadside::inline v0_2::detail {

/// Writes shapes. Equal polygons and masks are written once, and shared when they are read.
class ShapeWriter {
 public:
  explicit ShapeWriter(ByteWriter& out) : out_(out) {}
  void put(const Shape& shape);

 private:
  /// Writes the number of the data at an address, followed by the data from `write` if it is new.
  template <typename Write>
  void put_once(const void* address, Write write);

  ByteWriter& out_;
  std::map<const void*, std::uint32_t> by_address_;
  std::map<std::string, std::uint32_t> by_bytes_;  ///< a string: g++ 12 warns where vectors are compared
};

/// Reads what a `ShapeWriter` wrote.
class ShapeReader {
 public:
  explicit ShapeReader(ByteReader& in) : in_(in) {}
  /// Returns a valid shape; invalid bytes make the reader fail.
  Shape take();

 private:
  template <typename Read>
  Shape take_shared(Read read);

  ByteReader& in_;
  std::vector<Shape> shared_;
};

/// Writes a shape on its own. Exported, like the next, for the library `broadside::distributed`.
BROADSIDE_API void write_shape(ByteWriter& out, const Shape& shape);
/// Reads what `write_shape` wrote; invalid bytes make the reader fail.
[[nodiscard]] BROADSIDE_API Shape read_shape(ByteReader& in);

}  // namespace broadside::inline v0_2::detail
