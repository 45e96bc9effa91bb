// Prints a hash of all answers to each chunk of decisions next to borders. Built for this machine and as
// WebAssembly: both must print the same.

#include <cstdio>
#include <cstdlib>

#include "conformance/decision_borders.hpp"

int main(int argc, char** argv) {
  const unsigned long chunks = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 260;
  std::size_t decisions = 0;
  for (unsigned long i = 0; i < chunks; ++i) {
    const auto chunk = broadside::test::draw_decisions(static_cast<std::uint32_t>(i));
    const std::uint64_t hash = broadside::test::answer_decisions(chunk).hash();
    decisions += chunk.decisions.size();
    std::printf("%lu %016llx\n", i, static_cast<unsigned long long>(hash));
  }
  std::printf("decisions %zu\n", decisions);
}
