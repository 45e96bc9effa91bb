// Prints hashes of the answers of this build, one line per question:
//
//     INSTRUCTION_SET THREADS QUESTION HASH
//
// Arguments: the number of chunks of decision borders, the largest number of boxes of a workload, and a
// number k: each instruction set and number of threads runs every k-th world, others than the one before. All
// builds must print the same hashes, for every instruction set and number of threads; threads are `-` where
// they do not matter. Pairs are compared with brute force as well. tools/compare_builds.py compares builds.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "answers/worlds.hpp"
#include "boxes.hpp"
#include "broadside/broad_phase/broad_phase.hpp"
#include "broadside/broad_phase/techniques.hpp"
#include "conformance/decision_borders.hpp"
#include "golden/workloads.hpp"
#include "instruction_sets.hpp"
#include "oracle.hpp"

namespace {

using namespace broadside;

void print(const char* instruction_set, const std::string& threads, const std::string& question,
           std::uint64_t hash) {
  std::printf("%s %s %s %016llx\n", instruction_set, threads.c_str(), question.c_str(),
              static_cast<unsigned long long>(hash));
}

/// Ends the program if a technique finds other pairs than brute force does.
void compare_with_brute_force(TaskRunner& threads) {
  for (const test::BoxMaker& maker : test::box_makers()) {
    const auto boxes = test::make_boxes(maker.name, 300, 7);
    std::vector<test::Rect> rects;
    for (const Aabb& box : boxes) {
      rects.push_back({box.min.x, box.min.y, box.max.x, box.max.y});
    }
    const auto expected = test::all_pairs(rects);
    for (const TechniqueEntry& technique : techniques()) {
      const auto broad_phase = technique.create({}).value();
      broad_phase->use_threads(&threads).value();
      broad_phase->add(boxes).value();
      std::vector<test::IndexPair> found;
      for (const Pair& pair : broad_phase->find_pairs()) {
        found.emplace_back(pair.a, pair.b);
      }
      std::sort(found.begin(), found.end());
      if (found != expected) {
        std::fprintf(stderr, "%s finds %zu pairs of %s, brute force %zu\n", technique.name.data(),
                     found.size(), maker.name.data(), expected.size());
        std::exit(1);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned long chunks = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 20;
  const unsigned long max_boxes = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 20000;
  const auto stride = static_cast<std::uint32_t>(argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 1);
  for (unsigned long i = 0; i < chunks; ++i) {
    const auto chunk = test::draw_decisions(static_cast<std::uint32_t>(i));
    test::for_instruction_sets([&](const char* instruction_set) {
      print(instruction_set, "-", "decisions/" + std::to_string(i), test::answer_decisions(chunk).hash());
    });
  }
  std::uint32_t first_world = 0;
  test::for_instruction_sets([&](const char* instruction_set) {
    for (const std::size_t count : {1U, 2U, 4U}) {
      ThreadPool threads(count);
      const std::string name = std::to_string(count);
      for (const test::Workload& workload : test::workloads) {
        if (workload.boxes > max_boxes) {
          continue;
        }
        print(instruction_set, name, std::string(workload.kind) + '/' + std::to_string(workload.boxes),
              test::hash_of_pairs(workload, threads));
      }
      for (std::uint32_t seed = first_world; seed < test::drawn_worlds; seed += stride) {
        print(instruction_set, name, "world/" + std::to_string(seed), test::hash_of_world(seed, threads));
      }
      first_world = (first_world + 1) % stride;
      compare_with_brute_force(threads);
    }
  });
}
