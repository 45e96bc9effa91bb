// All public functions of the narrow phase with every instruction set, next to the inputs at which an answer
// changes.

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "broadside/contact/collide.hpp"
#include "conformance/decision_borders.hpp"
#include "contact/masks.hpp"
#include "instruction_sets.hpp"
#include "random_shapes.hpp"

namespace broadside::test::instruction_sets_test {
namespace {

#ifdef BROADSIDE_FEW_CASES
constexpr std::uint32_t chunks = 10;
#else
constexpr std::uint32_t chunks = 260;
#endif
constexpr std::size_t decisions_per_chunk = 3200;  // at least, on average

struct Differences {
  std::size_t decisions = 0;
  std::size_t contacts = 0;  ///< of bulk compared with `collide`
  std::size_t unused_bytes = 0;
};

/// Compares all answers to a chunk with those of another instruction set.
void compare(const DecisionChunk& chunk, const DecisionAnswers& one, const DecisionAnswers& other,
             const char* name, Differences& differences) {
  constexpr std::size_t most_shown = 5;
  for (std::size_t i = 0; i < chunk.decisions.size(); ++i) {
    if (one.hashes[i] == other.hashes[i]) {
      continue;
    }
    if (++differences.decisions <= most_shown) {
      for (std::size_t k = 0; k < asked_functions.size(); ++k) {
        EXPECT_EQ(one.hashes[i][k], other.hashes[i][k]) << asked_functions[k] << " with " << name << '\n'
                                                        << to_text(chunk, chunk.decisions[i]);
      }
    }
  }
  EXPECT_EQ(one.hash(), other.hash()) << name;
}

TEST(InstructionSets, all_give_the_same_bits_near_inputs_where_answers_change) {
  std::size_t decisions = 0;
  std::size_t borders = 0;
  std::size_t directed = 0;
  std::size_t coarse = 0;
  Differences differences;
  for (std::uint32_t i = 0; i < chunks; ++i) {
    const DecisionChunk chunk = draw_decisions(i);
    decisions += chunk.decisions.size();
    borders += chunk.borders;
    directed += chunk.directed;
    coarse += chunk.coarse;
    DecisionAnswers first;
    for_instruction_sets([&](const char* name) {
      DecisionAnswers answers = answer_decisions(chunk);
      differences.contacts += answers.bulk_differences;
      differences.unused_bytes += answers.unused_bytes_in_use;
      if (first.hashes.empty()) {
        first = std::move(answers);
      } else {
        compare(chunk, first, answers, name, differences);
      }
    });
  }
  EXPECT_EQ(differences.decisions, 0U);
  EXPECT_EQ(differences.contacts, 0U) << "contacts of find_contacts and collide";
  EXPECT_EQ(differences.unused_bytes, 0U) << "bytes of unused manifold points that are not 0";
  EXPECT_GE(decisions, chunks * decisions_per_chunk);
  EXPECT_GE(borders, std::size_t{chunks} * 40);
  EXPECT_GE(directed, std::size_t{chunks} / 4);
  RecordProperty("decisions", std::to_string(decisions));
  RecordProperty("borders", std::to_string(borders));
  RecordProperty("jumps_of_a_common_point", std::to_string(directed));
  RecordProperty("borders_in_floats", std::to_string(coarse));
}

}  // namespace
}  // namespace broadside::test::instruction_sets_test
