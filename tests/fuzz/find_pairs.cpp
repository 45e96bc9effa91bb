#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "broadside/base/validate.hpp"
#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/broad_phase/techniques.hpp"

// Any 16 bytes are a box: it is refused, or every technique finds the same pairs.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<broadside::Aabb> boxes(std::min<std::size_t>(size / sizeof(broadside::Aabb), 64));
  if (!boxes.empty()) {
    std::memcpy(boxes.data(), data, boxes.size() * sizeof(broadside::Aabb));
  }
  const auto expected = broadside::find_pairs(boxes, {.sorted = true});
  if (expected.has_value() != broadside::validate(boxes).has_value()) {
    std::abort();
  }
  for (const broadside::TechniqueEntry& technique : broadside::techniques()) {
    const auto broad_phase = technique.create({}).value();
    if (broad_phase->add(boxes).has_value() != expected.has_value()) {
      std::abort();
    }
    const auto pairs = broad_phase->find_pairs();
    broadside::sort_pairs(pairs);
    if (expected.has_value() && !std::equal(pairs.begin(), pairs.end(), expected->begin(), expected->end())) {
      std::abort();
    }
  }
  return 0;
}
