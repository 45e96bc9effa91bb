#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/program.hpp"
#include "simulator/setting.hpp"

namespace broadside::test::simulator {

/// A program and its setting.
struct Case {
  Setting setting;
  std::uint64_t twin = 0;  ///< seed of the twin's setting
  std::vector<Operation> operations;
};

/// Draws a case with the given number of operations.
[[nodiscard]] Case draw_case(std::uint64_t seed, std::size_t operations);

/// The result of running a case.
struct Outcome {
  std::string difference;  ///< the first difference; empty if there is none
  std::size_t at = 0;      ///< the operation after which it was found
  Program::Counts counts;
};

void add(Program::Counts& sum, const Program::Counts& counts);

/// Runs a program beside its model, and again with the setting of a twin. Stops at the first difference.
[[nodiscard]] Outcome run(const Case& one);

/// Removes operations and simplifies the setting while a difference remains, for at most `seconds`.
[[nodiscard]] Case shrink(Case one, double seconds);

/// Returns a case as C++ that can be pasted into a test, with a comment after each operation.
[[nodiscard]] std::string to_text(const Case& one);

}  // namespace broadside::test::simulator
