#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "boxes.hpp"
#include "broadside/body/mask.hpp"
#include "broadside/body/transform.hpp"

namespace broadside::test {

using Rows = std::vector<std::string_view>;

inline Mask make(const Rows& rows, const MaskOptions& options = {}) {
  return Mask::from_rows(rows, options).value();
}

/// Returns a mask in which between all and one in forty pixels are set, at least one.
inline Mask random_mask(std::uint32_t width, std::uint32_t height, const MaskOptions& options,
                        Random& random) {
  std::vector<std::uint8_t> alpha(std::size_t{width} * height);
  const std::uint32_t one_in = 1 + random.below(random.below(2) == 0 ? 3 : 40);
  for (auto& value : alpha) {
    value = random.below(one_in) == 0 ? 255 : 0;
  }
  alpha[random.below(static_cast<std::uint32_t>(alpha.size()))] = 255;
  return Mask::from_alpha(alpha, width, height, options).value();
}

inline Transform at(float x, float y) {
  return {{x, y}, {}};
}

}  // namespace broadside::test
