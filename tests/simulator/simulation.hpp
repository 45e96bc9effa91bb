#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/program.hpp"
#include "simulator/setting.hpp"

namespace broadside::test::simulator {

/// A program and what it runs on.
struct Case {
  Setting setting;
  std::uint64_t twin = 0;  ///< the seed that the setting of the twin is drawn from
  std::vector<Operation> operations;
};

/// Draws a case of so many operations.
[[nodiscard]] Case draw_case(std::uint64_t seed, std::size_t operations);

/// What running a case came to.
struct Outcome {
  std::string difference;  ///< the first; empty if there is none
  std::size_t at = 0;      ///< the operation after which it was found
  Program::Counts counts;
};

void add(Program::Counts& sum, const Program::Counts& counts);

/// Runs a program beside its model and again on a twin: another technique, other threads, another instruction
/// set. Ends at the first difference.
[[nodiscard]] Outcome run(const Case& one);

/// Drops operations and simplifies the setting as long as there is a difference, at most so many seconds.
[[nodiscard]] Case shrink(Case one, double seconds);

/// Writes a case as C++ that can be pasted into a test; beside each operation stand its words.
[[nodiscard]] std::string to_text(const Case& one);

}  // namespace broadside::test::simulator
