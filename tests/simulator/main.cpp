// The simulator: runs random programs until the time is over, and shrinks the first one that fails.

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/simulation.hpp"

namespace broadside::test::simulator {
namespace {

constexpr std::string_view usage =
    "broadside_simulator [--seed N] [--seconds S] [--steps N] [--threads-of-program N] [--open FOLDER]\n"
    "  --seed N     the first seed (1); each seed is one program\n"
    "  --seconds S  how long (10); 0 runs one seed\n"
    "  --steps N    operations of a program (300)\n"
    "  --threads-of-program N  programs at once, each in a process of its own (1)\n"
    "  --open FOLDER  where a program that fails is written (tests/simulator/open)\n";

struct Arguments {
  std::uint64_t seed = 1;
  double seconds = 10;
  std::size_t steps = 300;
  std::uint64_t processes = 1;
  std::string open = "tests/simulator/open";
};

std::optional<Arguments> read(const std::vector<std::string>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const std::string& value = words[i + 1];
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    const bool is_number = *end == '\0' && !value.empty() && number >= 0;
    if (words[i] == "--open") {
      arguments.open = value;
    } else if (!is_number) {
      return std::nullopt;
    } else if (words[i] == "--seed") {
      arguments.seed = std::strtoull(value.c_str(), nullptr, 10);
    } else if (words[i] == "--seconds") {
      arguments.seconds = number;
    } else if (words[i] == "--steps") {
      arguments.steps = static_cast<std::size_t>(number);
    } else if (words[i] == "--threads-of-program" && number >= 1) {
      arguments.processes = static_cast<std::uint64_t>(number);
    } else {
      return std::nullopt;
    }
  }
  return words.size() % 2 == 0 ? std::optional(arguments) : std::nullopt;
}

std::string in_words(const Program::Counts& counts, std::uint64_t seeds) {
  return words(seeds, " seeds, ", counts.operations, " operations, ", counts.steps, " steps of the world, ",
               counts.comparisons, " comparisons, ", counts.contacts, " contacts, ", counts.undecided, " of ",
               counts.decisions, " pairs undecided, ", counts.failed_allocations, " failed allocations, ",
               counts.exceptions, " exceptions, ", counts.replays, " replays, ", counts.slides, " slides, ",
               counts.steps_in_parts, " steps in parts");
}

// The message for a crash. It is formatted beforehand: a signal handler may only call functions like `write`.
std::array<char, 64> running{};

void say_what_runs(int signal) {
  static_cast<void>(write(STDERR_FILENO, running.data(), std::strlen(running.data())));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Runs seed, seed + stride, ...; returns the exit status.
int simulate(const Arguments& arguments, std::uint64_t first, std::uint64_t stride, bool shows_progress) {
  const auto start = std::chrono::steady_clock::now();
  const auto passed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  Program::Counts sum;
  std::uint64_t seeds = 0;
  double next = 1;
  std::uint64_t seed = first;
  do {
    std::snprintf(running.data(), running.size(), "crashed in seed %llu\n",
                  static_cast<unsigned long long>(seed));
    const Case one = draw_case(seed, arguments.steps);
    const Outcome outcome = run(one);
    add(sum, outcome.counts);
    ++seeds;
    if (!outcome.difference.empty()) {
      const std::string what =
          words("seed ", seed, ", operation ", outcome.at, ": ", outcome.difference, '\n');
      std::cout << what << "shrinking...\n" << std::flush;
      const std::string text = "// " + what + to_text(shrink(one, 20));
      const std::string path = arguments.open + "/seed-" + std::to_string(seed) + ".txt";
      std::ofstream(path) << text;
      std::cout << text << "after " << in_words(sum, seeds) << "; written to " << path << '\n';
      return 1;
    }
    if (shows_progress && passed() >= next) {
      std::cout << static_cast<int>(passed()) << " s: " << in_words(sum, seeds) << '\n' << std::flush;
      next = passed() + 1;
    }
    seed += stride;
  } while (passed() < arguments.seconds);
  std::cout << "no difference: " << in_words(sum, seeds) << '\n';
  return 0;
}

/// Runs seeds in processes, because the instruction set is a global setting of a process.
int simulate_in_processes(const Arguments& arguments) {
  std::vector<pid_t> children;
  for (std::uint64_t i = 0; i < arguments.processes; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      const int status = simulate(arguments, arguments.seed + i, arguments.processes, i == 0);
      std::cout.flush();
      _exit(status);
    }
    children.push_back(child);
  }
  int worst = 0;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    worst = status != 0 ? 1 : worst;
  }
  return worst;
}

}  // namespace
}  // namespace broadside::test::simulator

int main(int argc, char** argv) {
  using namespace broadside::test::simulator;
  const auto arguments = read(std::vector<std::string>(argv + 1, argv + argc));
  if (!arguments) {
    std::cerr << usage;
    return 2;
  }
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE}) {
    std::signal(signal, say_what_runs);
  }
  return arguments->processes > 1 ? simulate_in_processes(*arguments)
                                  : simulate(*arguments, arguments->seed, 1, true);
}
