#pragma once

#include "broadside/base/body_type.hpp"
#include "broadside/base/filter.hpp"

namespace broadside::inline v0_2 {

/// The type and the filter of a box.
struct BoxKind {
  BodyType type = BodyType::dynamic;
  Filter filter = {};

  friend constexpr bool operator==(const BoxKind& a, const BoxKind& b) = default;
};

}  // namespace broadside::inline v0_2
