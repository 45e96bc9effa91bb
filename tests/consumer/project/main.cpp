#include <broadside/broadside.hpp>
#include <vector>

static_assert(sizeof(LEAKED_OPTIONS) == 1,
              "broadside hands its compile options to its users: " LEAKED_OPTIONS);

int main() {
  const std::vector<broadside::Aabb> boxes = {{{0, 0}, {1, 1}}, {{1, 1}, {2, 2}}, {{3, 0}, {4, 1}}};
  if (broadside::version() != EXPECTED_VERSION) {
    return 1;
  }
  const auto pairs = broadside::find_pairs(boxes);
  if (pairs.error() || pairs->size() != 1 || pairs->front() != broadside::Pair{0, 1}) {
    return 1;
  }
  broadside::HierarchicalGrid grid;
  return grid.add(boxes).error() || grid.find_pairs().size() != 1 ? 1 : 0;
}
