#include "golden/workloads.hpp"

#include <span>
#include <utility>
#include <vector>

#include "boxes.hpp"
#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "fnv_hash.hpp"

namespace broadside::test {

namespace {

void add(std::span<const Pair> pairs, FnvHash& hash) {
  for (const Pair& pair : pairs) {
    hash.add((std::uint64_t{pair.a} << 32U) | pair.b);
  }
}

/// Moves boxes from frame to frame: the same in every program, since only additions are used.
std::vector<Aabb> moved(std::vector<Aabb> boxes, int frame) {
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const float share = i % 4 == 0 ? 0.0F : frame < 8 ? 0.03125F : 0.25F;
    const float step = share * (boxes[i].max.x - boxes[i].min.x);
    const Aabb next{{boxes[i].min.x + step, boxes[i].min.y - step},
                    {boxes[i].max.x + step, boxes[i].max.y - step}};
    boxes[i] = is_valid(next) ? next : boxes[i];
  }
  return boxes;
}

}  // namespace

std::uint64_t hash_of_pairs(const Workload& workload, TaskRunner& threads) {
  FnvHash hash;
  auto boxes = make_boxes(workload.kind, workload.boxes, 61);
  const auto still = make_boxes(workload.kind, workload.boxes / 5, 62);
  add(find_pairs(boxes, {.tasks = &threads}).value(), hash);
  add(find_pairs(boxes, still, {.tasks = &threads}).value(), hash);
  HierarchicalGrid grid;
  grid.use_threads(&threads).value();
  grid.add(still, BodyType::static_body).value();
  const auto indices = grid.add(boxes).value();
  for (int frame = 0; frame < 12; ++frame) {
    boxes = moved(std::move(boxes), frame);
    grid.move(indices, boxes).value();
    add(grid.find_pairs(), hash);
  }
  return hash.value();
}

}  // namespace broadside::test
