#include "broadside/broad_phase/broad_phase.hpp"

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bridge.hpp"
#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/broad_phase/techniques.hpp"
#include "world_bridge.hpp"

using namespace broadside;
using namespace broadside::wasm;

namespace {

std::vector<Pair> pairs;  // of the last `find_pairs`

void write(Writer& writer, const std::vector<BoxIndex>& indices) {
  for (const BoxIndex index : indices) {
    writer.number(index);
  }
}

}  // namespace

/// Finds the pairs of boxes [n]; `pairs_found` returns them. Returns the error code, 0 for none.
BROADSIDE_EXPORT(int, find_pairs)(const Aabb* boxes, std::size_t n, bool sorted, double max_pairs) {
  FindPairsOptions options;
  options.sorted = sorted;
  if (max_pairs >= 0.0 && max_pairs < static_cast<double>(std::numeric_limits<std::size_t>::max())) {
    options.max_pairs = static_cast<std::size_t>(max_pairs);
  }
  pairs.clear();  // an error leaves no pairs of an earlier call
  auto found = broadside::find_pairs(std::span(boxes, n), options);
  if (!found.has_value()) {
    return report(found);
  }
  pairs = *std::move(found);
  return 0;
}

BROADSIDE_EXPORT(const Range*, pairs_found)() {
  return answer_in_place(pairs);
}

/// Returns the names of all techniques, separated by line breaks.
BROADSIDE_EXPORT(const Range*, technique_names)() {
  static std::string names;
  names.clear();
  for (const TechniqueEntry& technique : techniques()) {
    names += (names.empty() ? "" : "\n");
    names += technique.name;
  }
  return answer_in_place(names);
}

/// Makes a broad phase from the name of its technique [size]. Input: as for `world_set_technique`. Returns
/// null on error; output is its code.
BROADSIDE_EXPORT(BroadPhase*, broad_phase_make)(const char* name, std::size_t size) {
  Reader reader;
  const TechniqueOptions options = read_technique_options(reader);
  const auto technique = size == 0 ? Result(&default_technique()) : find_technique({name, size});
  if (!technique.has_value()) {
    Writer().number(report(technique));
    return nullptr;
  }
  auto made = (*technique)->create(options);
  if (!made.has_value()) {
    Writer().number(report(made));
    return nullptr;
  }
  return (*std::move(made)).release();
}

BROADSIDE_EXPORT(void, broad_phase_free)(BroadPhase* phase) {
  delete phase;
}

/// Adds boxes [n] of one type, with the filter in input; output is their indices.
BROADSIDE_EXPORT(int, broad_phase_add)(BroadPhase* phase, const Aabb* boxes, std::size_t n, int type) {
  Reader reader;
  const Filter filter = reader.rest().empty() ? Filter{} : reader.filter();
  return answer(phase->add(std::span(boxes, n), static_cast<BodyType>(type), filter), write);
}

BROADSIDE_EXPORT(int, broad_phase_move)
(BroadPhase* phase, const BoxIndex* indices, const Aabb* boxes, std::size_t n) {
  return report(phase->move(std::span(indices, n), std::span(boxes, n)));
}

BROADSIDE_EXPORT(int, broad_phase_remove)(BroadPhase* phase, BoxIndex index) {
  return report(phase->remove(index));
}

BROADSIDE_EXPORT(int, broad_phase_set_filter)(BroadPhase* phase, BoxIndex index) {
  Reader reader;
  return report(phase->set_filter(index, reader.filter()));
}

/// Finds all pairs and returns them.
BROADSIDE_EXPORT(const Range*, broad_phase_find_pairs)(BroadPhase* phase) {
  return answer_in_place(phase->find_pairs());
}

/// Finds the boxes that overlap the area in input; output is their indices.
BROADSIDE_EXPORT(int, broad_phase_query_area)(const BroadPhase* phase) {
  Reader reader;
  const Vec2 min = reader.vec2();
  std::vector<BoxIndex> hits;
  const auto asked = phase->query_area({min, reader.vec2()}, hits);
  if (asked.has_value()) {
    Writer writer;
    write(writer, hits);
  }
  return report(asked);
}

/// Writes the statistics of the last `find_pairs`, in the order of `Statistics`.
BROADSIDE_EXPORT(void, broad_phase_statistics)(const BroadPhase* phase) {
  const Statistics statistics = phase->statistics();
  Writer writer;
  writer.number(statistics.tests);
  writer.number(statistics.hits);
  writer.number(statistics.cells_visited);
  writer.number(statistics.owner_checks);
  writer.number(statistics.cells);
  writer.number(statistics.occupied_cells);
  writer.number(statistics.entries);
  writer.number(statistics.boxes);
  writer.number(statistics.bytes);
  writer.number(statistics.update_seconds);
  writer.number(statistics.pairs_seconds);
}

/// Writes the occupied cells, or the cells of queries: left, bottom, right, top, number of boxes, level and
/// number of visits of each.
BROADSIDE_EXPORT(void, broad_phase_cells)(const BroadPhase* phase, bool of_queries) {
  Writer writer;
  for (const Cell& cell : of_queries ? phase->query_cells() : phase->cells()) {
    writer.vec2(cell.bounds.min);
    writer.vec2(cell.bounds.max);
    writer.number(cell.boxes);
    writer.number(cell.level);
    writer.number(cell.visits);
  }
}
