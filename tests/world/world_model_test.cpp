// Random programs: the world against its model, and against itself with other techniques and threads.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "broadside/broad_phase/technique.hpp"
#include "world/world_program.hpp"

namespace broadside::test {
namespace {

rc::Gen<Operation> operations() {
  return rc::gen::build<Operation>(
      rc::gen::set(&Operation::what, rc::gen::inRange<std::uint32_t>(0, operation_kinds)),
      rc::gen::set(&Operation::seed, rc::gen::inRange<std::uint32_t>(0, 1U << 30U)));
}

std::vector<Operation> random_program() {
  return *rc::gen::scale(2.0, rc::gen::container<std::vector<Operation>>(operations()));
}

/// Runs a program; returns the first difference from the model, and where it was.
std::string first_difference(WorldProgram& world, const std::vector<Operation>& program) {
  for (std::size_t i = 0; i < program.size(); ++i) {
    if (std::string difference = world.run(program[i]); !difference.empty()) {
      return "operation " + std::to_string(i) + ": " + difference;
    }
  }
  return {};
}

void agrees(const Setting& setting) {
  const auto program = random_program();
  WorldProgram world(setting);
  const std::string difference = first_difference(world, program);
  if (!difference.empty()) {
    RC_FAIL(difference);
  }
}

RC_GTEST_PROP(WorldModel, agrees_with_any_technique, ()) {
  const auto all = techniques();
  agrees({.technique = all[*rc::gen::inRange<std::size_t>(0, all.size())].name});
}

RC_GTEST_PROP(WorldModel, agrees_where_only_listeners_count, ()) {
  agrees({.interest = Interest::listeners});
}

RC_GTEST_PROP(WorldModel, agrees_where_there_are_more_tags_than_bits, ()) {
  agrees({.interest = Interest::listeners, .tags = 200});
}

RC_GTEST_PROP(WorldModel, agrees_with_threads, ()) {
  agrees({.threads = *rc::gen::element<std::size_t>(2, 4)});
}

RC_GTEST_PROP(WorldModel, comes_to_the_same_with_any_technique_and_threads, ()) {
  const auto program = random_program();
  const auto all = techniques();
  WorldProgram first({});
  const std::string difference = first_difference(first, program);
  WorldProgram other({.technique = all[*rc::gen::inRange<std::size_t>(0, all.size())].name,
                      .threads = *rc::gen::element<std::size_t>(1, 2, 4)});
  RC_ASSERT(first_difference(other, program) == difference);
  RC_ASSERT(other.digest() == first.digest());
}

}  // namespace
}  // namespace broadside::test
