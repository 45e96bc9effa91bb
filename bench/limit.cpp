#include <chrono>
#include <cstdint>
#include <vector>

#include "contender.hpp"
#include "radix_sort.hpp"

namespace broadside::bench {

double limit_ms(std::size_t boxes, std::size_t pairs) {
  std::vector<Aabb> stream(boxes, Aabb{{1, 2}, {3, 4}});
  std::vector<Pair> out(pairs);
  std::vector<std::uint32_t> keys(boxes);
  std::vector<std::uint32_t> values(boxes);
  std::vector<std::uint32_t> spare_keys(boxes);
  std::vector<std::uint32_t> spare_values(boxes);
  double best = 1e300;
  for (int round = 0; round < 7; ++round) {
    for (std::size_t i = 0; i < boxes; ++i) {
      keys[i] = static_cast<std::uint32_t>(i) * 2654435761U;
      values[i] = static_cast<std::uint32_t>(i);
    }
    const auto start = std::chrono::steady_clock::now();
    float sum = 0.0F;
    for (const Aabb& box : stream) {
      sum += box.min.x + box.min.y + box.max.x + box.max.y;
    }
    volatile float keep = sum;
    static_cast<void>(keep);
    for (std::size_t i = 0; i < pairs; ++i) {
      out[i] = {static_cast<BoxIndex>(i), static_cast<BoxIndex>(i + 1)};
    }
    radix_sort(keys, values, spare_keys, spare_values);
    const auto end = std::chrono::steady_clock::now();
    best = std::min(best, std::chrono::duration<double, std::milli>(end - start).count());
  }
  return best;
}

}  // namespace broadside::bench
