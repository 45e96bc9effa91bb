#include "simulator/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <exception>

#include "instruction_sets.hpp"

namespace broadside::test::simulator {

namespace {

/// Runs the operations with one setting. Writes the digest after each one to `digests`; a twin compares them.
Outcome run_once(const Setting& setting, const std::vector<Operation>& operations,
                 std::vector<std::uint64_t>& digests, bool is_twin,
                 std::vector<std::string>* said = nullptr) {
  const auto sets = instruction_sets();
  const ForcedInstructionSet forced(sets[setting.instruction_set % sets.size()]);
  Outcome outcome;
  Program program(setting);
  for (outcome.at = 0; outcome.at < operations.size() && outcome.difference.empty(); ++outcome.at) {
    try {
      outcome.difference = program.run(operations[outcome.at]);
    } catch (const std::exception& error) {
      outcome.difference = std::string("the program threw: ") + error.what();
    } catch (const Thrown&) {
      outcome.difference = "a call that should not throw threw the exception of a callback";
    }
    if (said != nullptr) {
      said->push_back(program.last());
    }
    if (!is_twin) {
      digests.push_back(program.digest());
    } else if (outcome.difference.empty() && digests.at(outcome.at) != program.digest()) {
      outcome.difference = "the twin has other results";
    }
    if (!outcome.difference.empty()) {
      outcome.difference += " (after: " + program.last() + ")";
    }
  }
  if (outcome.difference.empty()) {
    outcome.difference = program.repeat_in_parts();
  }
  outcome.at -= outcome.difference.empty() ? 0U : 1U;
  outcome.counts = program.counts();
  return outcome;
}

/// A deadline.
class Clock {
 public:
  explicit Clock(double seconds)
      : end_(std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds)) {}
  [[nodiscard]] bool is_over() const { return std::chrono::steady_clock::now() >= end_; }

 private:
  std::chrono::time_point<std::chrono::steady_clock, std::chrono::duration<double>> end_;
};

bool fails(const Case& one) {
  return !run(one).difference.empty();
}

/// Removes runs of `length` operations if the rest still fails; returns whether any was removed.
bool drop(Case& one, std::size_t length, const Clock& clock) {
  bool dropped = false;
  for (std::size_t end = one.operations.size(); end > 0 && !clock.is_over();) {
    const std::size_t begin = end > length ? end - length : 0;
    Case shorter = one;
    shorter.operations.erase(shorter.operations.begin() + static_cast<std::ptrdiff_t>(begin),
                             shorter.operations.begin() + static_cast<std::ptrdiff_t>(end));
    if (fails(shorter)) {
      one = std::move(shorter);
      dropped = true;
    }
    end = begin;
  }
  return dropped;
}

}  // namespace

void add(Program::Counts& sum, const Program::Counts& counts) {
  using Counts = Program::Counts;
  for (auto member : {&Counts::operations, &Counts::steps, &Counts::comparisons, &Counts::contacts,
                      &Counts::failed_allocations, &Counts::exceptions, &Counts::replays, &Counts::slides,
                      &Counts::steps_in_parts, &Counts::decisions, &Counts::undecided}) {
    sum.*member += counts.*member;
  }
}

Case draw_case(std::uint64_t seed, std::size_t operations) {
  Case one;
  one.setting = draw_setting(seed);
  one.twin = seed;
  Random random(seed ^ 0x9e3779b97f4a7c15U);
  for (std::size_t i = 0; i < operations; ++i) {
    Operation operation;
    operation.what = random.bits();
    operation.seed = random.bits();
    one.operations.push_back(operation);
  }
  return one;
}

Outcome run(const Case& one) {
  std::vector<std::uint64_t> digests;
  Outcome outcome = run_once(one.setting, one.operations, digests, false);
  if (!outcome.difference.empty()) {
    return outcome;
  }
  Outcome twin = run_once(twin_of(one.setting, one.twin), one.operations, digests, true);
  if (!twin.difference.empty()) {
    twin.difference = "twin: " + twin.difference;
    return twin;
  }
  return outcome;
}

Case shrink(Case one, double seconds) {
  const Clock clock(seconds);
  const Outcome first = run(one);
  if (first.difference.empty()) {
    return one;
  }
  one.operations.resize(first.at + 1);
  for (std::size_t length = std::max<std::size_t>(one.operations.size() / 2, 1); !clock.is_over();
       length = std::max<std::size_t>(length / 2, 1)) {
    const bool dropped = drop(one, length, clock);
    if (length == 1 && !dropped) {
      break;
    }
  }
  bool changed = true;
  while (changed && !clock.is_over()) {
    changed = false;
    for (const Setting& setting : simpler(one.setting)) {
      Case tried = one;
      tried.setting = setting;
      if (!changed && !clock.is_over() && fails(tried)) {
        one = std::move(tried);
        changed = true;
      }
    }
  }
  drop(one, 1, clock);
  return one;
}

std::string to_text(const Case& one) {
  std::vector<std::uint64_t> digests;
  std::vector<std::string> said;
  const Outcome first = run_once(one.setting, one.operations, digests, false, &said);
  std::string difference = first.difference;
  if (difference.empty()) {
    difference = run(one).difference;
  }
  std::string text = "// " + difference + "\nCase{\n    Setting" + to_text(one.setting) + ",\n    " +
                     std::to_string(one.twin) + "U,\n    {\n";
  for (std::size_t i = 0; i < one.operations.size(); ++i) {
    text += "        {" + std::to_string(one.operations[i].what) + "U, " +
            std::to_string(one.operations[i].seed) + "U},  // " +
            (i < said.size() ? said[i] : std::string(name_of(one.operations[i].what))) + '\n';
  }
  return text + "    }}\n";
}

}  // namespace broadside::test::simulator
