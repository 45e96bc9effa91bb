#pragma once

#include "broadside/body/shape.hpp"

namespace broadside::detail {

/// Gives the kernels access to the arrays of a polygon.
struct PolygonAccess {
  [[gnu::always_inline]] static const Polygon::Data& data(const Polygon& polygon) { return *polygon.data_; }
};

}  // namespace broadside::detail
